#pragma once

#include <cmath>

namespace microslip::dynamics {

/// A root of `function` (value and slope) between a and b, where its signs differ.
template <class Function>
double root_between(double a, double b, bool rises, const Function& function) {
  double x = 0.5 * (a + b);
  for (int iteration = 0; iteration < 80; ++iteration) {
    const auto [value, slope] = function(x);
    if (value == 0) return x;
    ((value > 0) == rises ? b : a) = x;
    double next = x - value / slope;
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    if (std::abs(next - x) <= 1e-15 * (1 + std::abs(x))) return next;
    x = next;
  }
  return x;
}

struct RootValue {
  double value, slope;
};

}  // namespace microslip::dynamics
