#pragma once

/// # duhem-rate: hysteresis from two slopes that may depend on the velocity
///
///     z' = g1(u, z, v) (u')⁺ − g2(u, z, v) (u')⁻,   v = u',   f = z,   z = z0 at rest
///
/// The general form z' = f(z, u') g(u') of Duhem's law: `duhem` is the case without v, the bristle of
/// `lugre` the case g1 = 1 − z/g(v), and `lugre-duhem` the case g1 = 1 − z^n (β + γ) q(v). The
/// formulas must have a value at v = 0, which an infinitely slow motion meets.
///
/// Over a step the velocity is constant, so that the step is that of `duhem` with one number more
/// (kernels/duhem_flow.hpp), error-controlled; the tangent is carried through it.
///
/// Energy: as in `duhem`, Ψ = z²/(2 k0), k0 = g1(0, z0, 0); 0 if k0 ≤ 0. What a step loses is
/// work − ΔΨ.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/kernels/duhem_flow.hpp"
#include "microslip/kernels/relaxation.hpp"
#include "microslip/numerics/with_tangent.hpp"

namespace microslip {

template <Number Real>
class DuhemRate {
 public:
  using Scalar = Real;

  struct Params {
    Expression g1 = Expression::parse("1-(1+v)*z", {"u", "z", "v"});
    Expression g2 = Expression::parse("1+(1-v)*z", {"u", "z", "v"});
    Real z0{0};

    static constexpr auto fields = std::tuple{
        field(&Params::g1, "g1", "F/L", Variables{"u", "z", "v"}, "slope dz/du while u grows"),
        field(&Params::g2, "g2", "F/L", Variables{"u", "z", "v"}, "slope dz/du while u falls"),
        field(&Params::z0, "z0", "F", any_number, "force at rest"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force, z"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "duhem-rate",
      .sentence = "Hysteresis whose slope is a formula of displacement, force and velocity.",
      .equation = "z' = g1(u, z, v) (u')⁺ − g2(u, z, v) (u')⁻,  v = u',  f = z",
      .citation =
          "M. F. M. Naser, F. Ikhouane, Consistency of the Duhem model with hysteresis, "
          "Mathematical Problems in Engineering 2013, 586130",
      .claims = {.odd = depends("g2(u, z, v) = g1(-u, -z, -v) and z0 = 0"),
                 .rate_independent = depends("v does not occur in the formulas"),
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .bounded = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .planar_isotropic = not_applicable},
  };

  explicit DuhemRate(const Params& params, const Options& = {}) : p_(params) {
    check_fields(info.name, params);
    const double z0 = value_of(p_.z0), slope = p_.g1(0.0, z0, 0.0);
    if (!std::isfinite(slope))
      throw Error("duhem-rate.g1 = " + p_.g1.text() + " must have a value at u = 0, z = z0, v = 0");
    if (!std::isfinite(p_.g2(0.0, z0, 0.0)))
      throw Error("duhem-rate.g2 = " + p_.g2.text() + " must have a value at u = 0, z = z0, v = 0");
    compliance_ = slope > 0 ? 1.0 / p_.g1(Real(0), p_.z0, Real(0)) : Real(0);
  }

  State rest() const {
    State state;
    state.f = p_.z0;
    return state;
  }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const Expression& formula = direction < 0 ? p_.g2 : p_.g1;
    if (u == from.u) {
      const Response<Real> unchanged{from.f, formula(from.u, from.f, Real(0)), Real(0)};
      to = from;
      return unchanged;
    }
    const T start = fixed(from.u), end = moving(u);
    const T v = relaxation::velocity(T(end - start), dt);
    const auto leg = DuhemFlow<T>::advance({formula, &v}, {start, fixed(from.f), T(0), T(0)}, end);
    if (leg.status != Status::ok) {
      const Response<Real> failed{from.f, Real(0), Real(0), leg.status};
      to = from;
      return failed;
    }
    const Real before = energy(from.f);
    to.u = u;
    to.f = settled<Real>(leg.z);
    to.direction = direction;
    return {to.f, Real(slope_along(leg.z)), settled<Real>(leg.work) + before - energy(to.f)};
  }

  Real stored(const State& state) const noexcept { return energy(state.f); }

  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = WithTangent<Real>;

  Real energy(const Real& z) const noexcept { return 0.5 * compliance_ * z * z; }

  Params p_;
  Real compliance_{0};
};

}  // namespace microslip
