#pragma once

/// # maxwell: a spring and a dashpot in series
///
///     f'/k + f/c = u'
///
/// A fluid: any force relaxes to zero with the time constant τ = c/k. With e = f/k, the stretch of
/// the spring, e' = u' − e/τ, solved exactly over a step of constant velocity
/// (kernels/relaxation.hpp). A motion at constant velocity v ends at the force c v. The spring stores
/// ½ k e².

#include <complex>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class Maxwell {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real c{1};
    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness of the spring"),
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
      .name = "maxwell",
      .sentence = "A spring and a dashpot in series: every force relaxes to zero.",
      .equation = "f'/k + f/c = u'",
      .citation = "R. Lakes, Viscoelastic Materials, Cambridge University Press (2009)",
      .claims = relaxation_claims,
  };

  explicit constexpr Maxwell(const Params& params, const Options& options = {})
      : Maxwell(checked_fields(info.name, params), options, were_checked) {}
  constexpr Maxwell(const Params& params, const Options&, WereChecked) noexcept
      : k_(params.k), tau_(params.c / params.k) {}

  constexpr State rest() const { return {}; }
  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    const auto decay = relaxation::decay(relaxation::ratio(dt, tau_));
    const Real du = u - from.u;
    const Real lost = decay.lost(from.f, k_ * du) / k_;
    to.f = decay.stretch(from.f, k_ * du);
    to.u = u;
    return {to.f, k_ * decay.ramp, lost};
  }
  constexpr ForceInMotion<Real> force(const State& at, const Real& /*v*/) const noexcept {
    return {at.f, Real(0)};
  }
  constexpr Real stored(const State& state) const noexcept { return square(state.f) / (2.0 * k_); }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::complex<double> dynamic_stiffness(double omega) const {
    return value_of(k_) * relaxation::dynamic_stiffness(omega, value_of(tau_));
  }

 private:
  Real k_, tau_;
};

}  // namespace microslip
