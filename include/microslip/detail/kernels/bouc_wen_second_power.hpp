#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "microslip/detail/numerics/quotients.hpp"

/// The Bouc–Wen equation with n = 2, in plain numbers.
namespace microslip::bouc_wen::second_power {

struct OddReciprocals {  // 1/(2n + 3)
  static constexpr auto value = [] {
    std::array<double, 9> result{};
    for (std::size_t n = 0; n < 9; ++n) result[n] = 1 / static_cast<double>(2 * n + 3);
    return result;
  }();
};

/// tanh(√κ L)/√κ, and tan(√−κ L)/√−κ where κ < 0, by their continued fraction.
constexpr double way(double kappa, double length) noexcept {
  const double q = kappa * length * length;
  if (std::abs(q) < 0.16)
    return length * (135135 + q * (17325 + q * (378 + q))) /
           (135135 + q * (62370 + q * (3150 + 28 * q)));
  const double root = std::sqrt(std::abs(kappa));
  return (q > 0 ? std::tanh(root * length) : std::tan(root * length)) / root;
}

struct End {
  double y;
  double lost;  ///< 0 unless the energy is asked for
};

/// Both sides are dy/dX = 1 − κy², κ = −h/A below zero and g/A above, so that
///
///     y₁ = (y + t)/(1 + κ y t),   t = tanh(√κ X)/√κ,
///
/// and of the loss, ½ D (κy² + x ℓ) as in Flow::square_lost, D = t (y₁ + y)/(1 + κ y t): no difference of
/// nearly equal numbers, and no function at all over short steps.
template <bool energy>
constexpr End move(double A, double g, double h, double y, double x) noexcept {
  double X = A * x, lost = 0;
  for (;;) {
    const double kappa = (y < 0 ? -h : g) / A, q = kappa * X * X;
    const bool little = std::abs(q) < 0.16;
    const double root = little ? 0 : std::sqrt(std::abs(kappa));
    const double decay = little || kappa < 0 ? 0 : std::exp(-2 * root * X);
    // Beyond a quarter of its period the tangent has passed every y < 0.
    const bool far = !little && kappa < 0 && root * X > 1.5;
    double t = far         ? std::numeric_limits<double>::infinity()
               : little    ? way(kappa, X)
               : kappa < 0 ? std::tan(root * X) / root
                           : (1 - decay) / ((1 + decay) * root);
    const bool crosses = y < 0 && y + t >= 0;
    if (crosses) t = -y;  // to zero, where y₁ = 0 for any κ
    const double den = 1 + kappa * y * t, end = crosses ? 0 : (y + t) / den;
    if constexpr (energy) {
      const double D = t * (end + y) / den, small = kappa * D;
      double xl;
      if (small < 0.25) {
        const double r = 1 / (2 - small), part = small * r;
        xl = part + 2 * part * part * r * short_series<OddReciprocals, 9>(part * part);
      } else {
        const double depth = decay > 0 || q > 700
                                 ? 2 * (root * X + std::log(0.5 * (1 + decay) * den))
                                 : -std::log1p(-small);
        xl = (depth - small) / small;
      }
      lost += 0.5 * D * (kappa * y * y + xl);
    }
    if (!crosses) return {end, std::max(0.0, lost) / A};
    const double q0 = std::sqrt(-kappa) * -y;
    X = std::max(0.0, X - (q0 < 1e-9 ? -y : -y * std::atan(q0) / q0));
    y = 0;
  }
}

}  // namespace microslip::bouc_wen::second_power
