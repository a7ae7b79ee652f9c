#pragma once

#include <span>
#include <vector>

namespace microslip {

/// Second derivatives, at its knots, of the cubic spline through f(t); its third derivative does not jump at the
/// second knot and at the last but one. Fewer than four knots: none.
std::vector<double> spline_curvature(std::span<const double> t, std::span<const double> f);

/// What a cubic with second derivatives `left` and `right` at the ends of a step is above the straight line, `part` of
/// the way.
inline double spline_bow(double step, double part, double left, double right) {
  const double rest = 1 - part;
  return -step * step / 6 * rest * part * ((1 + rest) * left + (1 + part) * right);
}

}  // namespace microslip
