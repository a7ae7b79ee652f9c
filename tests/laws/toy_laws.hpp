#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/models/jenkins.hpp"

/// Laws that live only in the tests: one of each concept, and a jenkins that can be broken.
namespace microslip::laws {

/// With time: a spring and a dashpot in parallel, f = k u + c u'.
template <Number Real>
struct ToyKelvinVoigt {
  using Scalar = Real;
  struct Params {
    Real k{1};
    Real c{0.5};
    static constexpr auto fields =
        std::tuple{field(&Params::k, "k", "F/L", positive, "stiffness"),
                   field(&Params::c, "c", "F T/L", non_negative, "damping")};
  };
  using Options = NoOptions;
  struct State {
    Real u{0};
    Real f{0};
    static constexpr auto fields = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                              state_field(&State::f, "f", "F", "force")};
  };
  static constexpr Info info{.name = "toy-kelvin-voigt",
                             .sentence = "A spring and a dashpot in parallel.",
                             .equation = "f = k u + c u'",
                             .citation = "none",
                             .claims = {.odd = holds,
                                        .rate_independent = fails,
                                        .masing = not_applicable,
                                        .return_point_memory = not_applicable,
                                        .minor_loops_close = not_applicable,
                                        .dissipative = holds,
                                        .bounded = fails,
                                        .planar_isotropic = not_applicable}};

  explicit ToyKelvinVoigt(const Params& params, const Options& = {}) : p(params) {
    check_fields(info.name, params);
  }
  State rest() const { return {}; }
  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    if (dt == 0) {
      const Response<Real> unchanged{from.f, p.k, Real(0)};
      to = from;
      return unchanged;
    }
    const Real du = u - from.u;
    const Real viscous = p.c * du / dt;
    to.u = u;
    to.f = p.k * u + viscous;
    return {to.f, p.k + p.c / dt, viscous * du};
  }
  ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    return {p.k * at.u + p.c * v, p.c};
  }
  Real stored(const State& s) const noexcept { return 0.5 * p.k * s.u * s.u; }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  Params p;
};

/// In the plane: springs of two stiffnesses along x and y. Isotropic when they are equal.
template <Number Real>
struct ToyPlanarSpring {
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::plane;
  struct Params {
    Real k{1};
    Real ratio{1};
    static constexpr auto fields =
        std::tuple{field(&Params::k, "k", "F/L", positive, "stiffness along x"),
                   field(&Params::ratio, "ratio", "1", positive, "stiffness along y over k")};
  };
  using Options = NoOptions;
  struct State {
    Vec2<Real> u = Vec2<Real>(Real(0), Real(0));
    Vec2<Real> f = Vec2<Real>(Real(0), Real(0));
    static constexpr auto fields = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                              state_field(&State::f, "f", "F", "force")};
  };
  static constexpr Info info{.name = "toy-planar-spring",
                             .sentence = "Springs along x and y.",
                             .equation = "f = diag(k, k ratio) u",
                             .citation = "none",
                             .claims = {.odd = holds,
                                        .rate_independent = holds,
                                        .masing = not_applicable,
                                        .return_point_memory = not_applicable,
                                        .minor_loops_close = not_applicable,
                                        .dissipative = holds,
                                        .bounded = fails,
                                        .planar_isotropic = depends("ratio = 1")}};

  explicit ToyPlanarSpring(const Params& params, const Options& = {}) : p(params) {
    check_fields(info.name, params);
  }
  State rest() const { return {}; }
  PlanarResponse<Real> step(const State&, const Vec2<Real>& u, State& to) const noexcept {
    Mat2<Real> tangent;
    tangent << p.k, Real(0), Real(0), p.k * p.ratio;
    const Vec2<Real> target = u;
    to.u = target;
    to.f = tangent * target;
    return {to.f, tangent, Real(0)};
  }
  Real stored(const State& s) const noexcept { return 0.5 * s.u.dot(s.f); }
  Real next_kink(const State&, const Vec2<Real>&) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }
  Params p;
};

/// What is wrong with a broken jenkins.
enum class Break : int {
  nothing,
  remembers,     ///< an answer depends on how often the law was asked
  changes_from,  ///< through a const_cast
  reads_to,      ///< the old content of `to` enters
  misstates,     ///< the state holds another force than was answered
  zero_step_moves,
  allocates,
  unchecked_parameters,
  cut_dependent,   ///< a term of second order in the step
  one_sided,       ///< stronger in one direction
  loses_too_much,  ///< the account of energy is wrong by 1e-8
  gains,           ///< negative dissipation
  no_kink,
  kink_behind,
  wrong_tangent,
  no_dual_displacement,  ///< derivatives with respect to u are dropped
  no_dual_parameter,     ///< the derivative with respect to phi is dropped
  hasty_run,             ///< many steps at once are not the single steps
  overflows,
  divides_by_step,
  softer_branch,      ///< unloading is not the doubled backbone; loops do not close
  claims_open_loops,  ///< says that its loops do not close, although they do
  unlisted_state      ///< a member of the state that its table leaves out
};

/// jenkins with a defect, chosen by an option, that exactly one of the checks is made to find. What
/// its tables tell of the state is fixed when it is compiled.
template <bool lists_all>
struct Breakable {
  template <Number Real>
  struct Model {
    using Scalar = Real;
    using Sound = Jenkins<Real>;
    using Params = typename Sound::Params;
    struct Options {
      int defect = 0;
      static constexpr auto fields =
          std::tuple{option(&Options::defect, "defect", non_negative, "number of a Break")};
    };
    struct State {
      Real u{0};
      Real f{0};
      Real hidden{0};
      static constexpr auto all = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                             state_field(&State::f, "f", "F", "force"),
                                             state_field(&State::hidden, "hidden", "1", "turns")};
      static constexpr auto listed() {
        if constexpr (lists_all)
          return all;
        else
          return std::tuple{std::get<0>(all), std::get<1>(all)};
      }
      static constexpr auto fields = listed();
    };
    static constexpr Info info = Sound::info;

    static Params admitted(Params params, Break defect) {
      if (defect == Break::unchecked_parameters)
        for_each_field(Params::fields, [&](const auto& row) {
          if (!(params.*(row.member) > 0.0)) params.*(row.member) = Real(1);
        });
      if constexpr (!std::is_same_v<Real, double>)
        if (defect == Break::no_dual_parameter) params.phi = Real(value_of(params.phi));
      return params;
    }

    explicit Model(const Params& params, const Options& options = {})
        : defect(static_cast<Break>(options.defect)), sound(admitted(params, defect)) {
      if (defect == Break::unchecked_parameters) return;
      check_fields(info.name, params);
    }
    State rest() const { return {}; }

    Response<Real> step(const State& from, const Real& given, State& to) const noexcept {
      Real u = given;
      if constexpr (!std::is_same_v<Real, double>)
        if (defect == Break::no_dual_displacement) u = Real(value_of(given));
      const Real du = u - from.u;
      const Real stale = to.f;
      typename Sound::State state{from.u, from.f};
      const Real hidden = from.hidden;
      Response<Real> reply = sound.step(state, u, state);
      if (defect == Break::remembers) state.f += 1e-14 * static_cast<double>(++asked);
      if (defect == Break::changes_from) const_cast<State&>(from).hidden += 1.0;
      if (defect == Break::reads_to && &from != &to) state.f += 0.0 * stale;
      if (defect == Break::zero_step_moves && du == 0.0) state.f += 1e-15;
      if (defect == Break::allocates) scratch = std::vector<double>(3);
      if (defect == Break::cut_dependent) state.f += 1e-6 * du * du;
      if (defect == Break::one_sided && du < 0.0) state.f *= 1 - 1e-9;
      if (defect == Break::loses_too_much) reply.dissipated *= 1 + 1e-8;
      if (defect == Break::gains) reply.dissipated *= -1.0;
      if (defect == Break::wrong_tangent) reply.tangent *= 1 + 1e-6;
      if (defect == Break::overflows) {
        using std::exp;
        state.f += 0.0 * exp(du * du);
      }
      if (defect == Break::divides_by_step && du != 0.0) state.f += 1e-30 * (du * du) / (du * du);
      if (defect == Break::softer_branch && du < 0.0) state.f += 0.05 * (from.f - state.f);
      to.u = state.u;
      to.f = state.f;
      to.hidden = defect == Break::unlisted_state ? hidden + 1.0 : Real(0);
      if (defect == Break::unlisted_state) to.f += 1e-9 * hidden;
      reply.force = to.f;
      if (defect == Break::misstates) reply.force += 1e-15;
      return reply;
    }
    bool run(std::span<const Real> u, State& at, std::span<Real> f) const noexcept {
      if (defect != Break::hasty_run) return false;
      for (std::size_t i = 0; i < u.size(); ++i) f[i] = (1 + 1e-9) * step(at, u[i], at).force;
      return true;
    }
    Real stored(const State& s) const noexcept { return sound.stored({s.u, s.f}); }
    Real next_kink(const State& s, int direction) const noexcept {
      if (defect == Break::no_kink) return Real(direction * 1e300);
      if (defect == Break::kink_behind) return s.u - static_cast<double>(direction);
      return sound.next_kink({s.u, s.f}, direction);
    }

    Break defect;
    Sound sound;
    mutable int asked = 0;
    mutable std::vector<double> scratch;
  };
};

}  // namespace microslip::laws
