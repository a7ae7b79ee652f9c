#pragma once

#include <cmath>

namespace microslip {

/// Dawson's integral, exp(−x²) ∫₀ˣ exp(t²) dt: by Rybicki's sum of Gaussians, whose error falls with
/// exp(−(π/2h)²), h their distance; far out by its asymptotic series.
inline double dawson(double x) {
  const double size = std::abs(x);
  if (size > 7) {
    double term = 1 / (2 * x), sum = term;
    for (int k = 1; k < 40; ++k) {
      term *= (2 * k - 1) / (2 * x * x);
      sum += term;
      if (std::abs(term) < 1e-17 * std::abs(sum)) break;
    }
    return sum;
  }
  constexpr double h = 0.2;
  double sum = 0;
  for (int n = 1; n * h < size + 7; n += 2)
    sum += std::exp(-x * x - n * n * h * h) * std::sinh(2 * x * n * h) / n;
  return 1.1283791670955125739 * sum;  // 2/√π
}

}  // namespace microslip
