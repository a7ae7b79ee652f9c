#pragma once

/// # kelvin-voigt: a spring and a dashpot in parallel
///
///     f = k u + c u'
///
/// The simplest solid that creeps: under a constant force it reaches f/k with the time constant
/// c/k. The spring stores ½ k u², the dashpot loses c u'².

#include <complex>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class KelvinVoigt {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real c{1};
    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", non_negative, "stiffness of the spring"),
        field(&Params::c, "c", "F T/L", positive, "damping coefficient of the dashpot"),
    };
  };
  using Options = NoOptions;
  struct State {
    Real u{0};
    Real f{0};
    static constexpr auto fields = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                              state_field(&State::f, "f", "F", "force")};
  };

  static constexpr Info info{
      .name = "kelvin-voigt",
      .sentence = "A spring and a dashpot in parallel.",
      .equation = "f = k u + c u'",
      .citation = "R. Lakes, Viscoelastic Materials, Cambridge University Press (2009)",
      .claims = relaxation_claims,
  };

  explicit constexpr KelvinVoigt(const Params& params, const Options& options = {})
      : KelvinVoigt(checked_fields(info.name, params), options, were_checked) {}
  constexpr KelvinVoigt(const Params& params, const Options&, WereChecked) noexcept
      : k_(params.k), c_(params.c) {}

  constexpr State rest() const { return {}; }
  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    const Real du = u - from.u;
    const Real viscous = c_ * relaxation::velocity(du, dt);
    to.f = dt == 0 ? from.f : k_ * u + viscous;
    to.u = u;
    return {to.f, k_ + c_ * relaxation::velocity_slope(dt), viscous * du};
  }
  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    return {k_ * at.u + c_ * v, c_};
  }
  constexpr Real stored(const State& state) const noexcept { return 0.5 * k_ * square(state.u); }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::complex<double> dynamic_stiffness(double omega) const {
    return {value_of(k_), omega * value_of(c_)};
  }

 private:
  Real k_, c_;
};

}  // namespace microslip
