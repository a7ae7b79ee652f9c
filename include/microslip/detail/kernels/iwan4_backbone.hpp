#pragma once

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "microslip/core/dual.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip {

/// Backbone of Segalman's continuum of sliders (derivation in models/iwan4.hpp):
///
///     ρ(φ) = R φ^χ on (0, φmax) + S δ(φ − φmax),
///     φmax = Fs (1+β)/(KT q),  R = Fs (χ+1)/(φmax^(χ+2) q),  S = (Fs/φmax) β/q,
///     q = β + (χ+1)/(χ+2).
template <Number Real>
struct Iwan4Backbone {
  using Scalar = Real;
  Real Fs, KT, chi, phi_max, R, S;
  Real unspent;  ///< work at full slip that is not lost: R φmax^(χ+3)/(χ+3) + S φmax²
  Real slope_factor, force_factor, loss_factor;

  constexpr Iwan4Backbone(const Real& slip_force, const Real& stiffness, const Real& exponent,
                          const Real& beta)
      : Fs(slip_force), KT(stiffness), chi(exponent) {
    using std::pow;
    const Real q = beta + (chi + 1.0) / (chi + 2.0);
    phi_max = Fs * (1.0 + beta) / (KT * q);
    R = Fs * (chi + 1.0) / (pow(phi_max, chi + 2.0) * q);
    S = Fs / phi_max * beta / q;
    unspent = R * pow(phi_max, chi + 3.0) / (chi + 3.0) + S * phi_max * phi_max;
    slope_factor = R / (chi + 1.0);
    force_factor = slope_factor / (chi + 2.0);
    loss_factor = R / ((chi + 2.0) * (chi + 3.0));
  }

  constexpr BackbonePoint<Real> at(const Real& x) const noexcept {
    using std::pow;
    if (x >= phi_max) return {Fs, Real(0), x * Fs - unspent};
    const Real power = pow(x, chi + 1.0);  // every answer is a multiple of it
    return {x * (KT - force_factor * power), KT - slope_factor * power,
            x * x * (loss_factor * power)};
  }
  constexpr Real next_kink(const Real& x) const noexcept {
    return x < phi_max ? phi_max : Real(std::numeric_limits<double>::infinity());
  }
};

/// With m = φmax/A the part that has not slipped gives incomplete beta functions.
template <Number Real>
HarmonicForce iwan4_first_harmonic(const Iwan4Backbone<Real>& g, double A) {
  const double Fs = value_of(g.Fs), KT = value_of(g.KT), chi = value_of(g.chi);
  const double phi_max = value_of(g.phi_max), R = value_of(g.R), S = value_of(g.S);
  if (A <= phi_max) {
    const double power = R * std::pow(A, chi + 2);
    const double gammas = std::exp(std::lgamma(chi + 2.5) - std::lgamma(chi + 3)) / std::sqrt(pi);
    return {KT * A - 4 * power * gammas / ((chi + 1) * (chi + 3)),
            4 * power / (pi * (chi + 2) * (chi + 3)), KT * A - power / ((chi + 1) * (chi + 2))};
  }
  const double m = phi_max / A, p = chi + 2;
  // In double; by itself Boost takes long double, which is 30 times slower and differs by 3e-15.
  using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const auto I = [m](double power) {
    return boost::math::beta(power + 0.5, 0.5, m, Plain());  // lower incomplete, not normalised
  };
  const double b1 = -4 / pi *
                    (KT * A * (I(1) - 2 * I(2)) -
                     R * std::pow(A, p) / ((chi + 1) * (chi + 2)) * (I(p) - 2 * I(p + 1)) -
                     2 * Fs * std::sqrt(m * (1 - m)));
  const double a1 =
      4 / (pi * A) * (A * Fs - R * std::pow(phi_max, chi + 3) / (chi + 3) - S * phi_max * phi_max);
  return {b1, a1, Fs};
}

}  // namespace microslip
