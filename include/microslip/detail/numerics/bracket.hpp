#pragma once

#include <cmath>

namespace microslip {

/// Newton's method inside a bracket of a root. A step that would leave the bracket goes to its middle.
struct Bracket {
  double below, above;  ///< where the function is negative and where it is positive, in any order

  constexpr double middle() const noexcept { return 0.5 * (below + above); }
  constexpr bool holds(double x) const noexcept {
    return (below < x && x < above) || (above < x && x < below);
  }
  constexpr void narrow(double x, double value) noexcept { (value > 0 ? above : below) = x; }
  /// The point after x, where the function has this value and Newton's step is −change.
  constexpr double next(double x, double value, double change) noexcept {
    narrow(x, value);
    return holds(x - change) ? x - change : middle();
  }
};

struct RootValue {
  double value, slope;
};

/// The root of `function` (value and slope) in the bracket, with x as the first guess. Stops where |value|
/// is at most `zero`, or where a step is at most `rounding` times 1 + |x|.
template <class Function>
double root_in(Bracket bracket, double x, double zero, double rounding, const Function& function) {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const auto [value, slope] = function(x);
    if (std::abs(value) <= zero) return x;
    const double next = bracket.next(x, value, value / slope);
    if (std::abs(next - x) <= rounding * (1 + std::abs(x))) return next;
    if (next == bracket.below || next == bracket.above)
      return x;  // no number lies between the ends
    x = next;
  }
  return x;
}

/// The root between a and b of a function that rises or falls there; x is of order 1, as angles are.
template <class Function>
double root_between(double a, double b, bool rises, const Function& function) {
  const Bracket bracket = rises ? Bracket{a, b} : Bracket{b, a};
  return root_in(bracket, bracket.middle(), 0, 1e-15, function);
}

}  // namespace microslip
