#pragma once

/// # viscous: a dashpot
///
///     f = c u'
///
/// No memory but the velocity of the step that led to a row, so the force jumps where the velocity
/// does. All work is lost. A harmonic motion of amplitude U and frequency ω loses π c ω U² a cycle;
/// the straight lines between N rows a period lose (2π/N)²/12 of it less.

#include <complex>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"

namespace microslip {

template <Number Real>
class Viscous {
 public:
  using Scalar = Real;

  struct Params {
    Real c{1};
    static constexpr auto fields =
        std::tuple{field(&Params::c, "c", "F T/L", positive, "damping coefficient")};
  };
  using Options = NoOptions;
  struct State {
    Real u{0};
    Real f{0};
    static constexpr auto fields = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                              state_field(&State::f, "f", "F", "force")};
  };

  static constexpr Info info{
      .name = "viscous",
      .sentence = "A dashpot: force in proportion to velocity.",
      .equation = "f = c u'",
      .citation = "J. W. S. Rayleigh, The Theory of Sound, vol. 1, Macmillan (1894)",
      .claims = relaxation_claims,
  };

  explicit constexpr Viscous(const Params& params, const Options& options = {})
      : Viscous(checked_fields(info.name, params), options, were_checked) {}
  constexpr Viscous(const Params& params, const Options&, WereChecked) noexcept : c_(params.c) {}

  constexpr State rest() const { return {}; }
  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    const Real du = u - from.u;
    to.f = dt == 0 ? from.f : c_ * relaxation::velocity(du, dt);
    to.u = u;
    return {to.f, c_ * relaxation::velocity_slope(dt), to.f * du};
  }
  constexpr ForceInMotion<Real> force(const State& /*at*/, const Real& v) const noexcept {
    return {c_ * v, c_};
  }
  constexpr Real stored(const State&) const noexcept { return Real(0); }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::complex<double> dynamic_stiffness(double omega) const { return {0, omega * value_of(c_)}; }

 private:
  Real c_;
};

}  // namespace microslip
