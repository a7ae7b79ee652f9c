#pragma once

#include <cstddef>
#include <vector>

#include "microslip/detail/numerics/expression.hpp"

namespace microslip {

/// A history u(t): t increases strictly, u is linear between rows.
struct SampledSignal {
  std::vector<double> t;
  std::vector<double> u;

  std::size_t size() const { return t.size(); }
};

/// Rows at the multiples of `step` on [0, until], the last exactly at `until`, and between them
/// the turning points of the signal to rounding, since a path without them has clipped peaks.
///
/// - A turning point is where u' changes sign, smoothly or in a kink (triangle wave). One that
///   lies above or below its neighbours by rounding only (4 eps) is left to the row beside it.
/// - A jump is kept as two rows whose times are neighbouring doubles, one value on each side,
///   also where it continues in the direction of the motion.
/// - The step need not resolve the signal: each interval is cut until a polynomial through value,
///   slope and curvature at its ends predicts a point inside (to 1e-6 of the motion), down to
///   1/16384 of a step. Features that are narrower than the cuts, and that no point happens to
///   touch, are not seen: give a step that is not longer than the narrowest pulse. A signal that
///   stays unpredictable in more than 1024 places within one step is refused.
///
/// Throws Error if step or until is not positive, if there would be more than 1e8 rows, if the
/// signal has more than one variable, is not finite somewhere or varies too fast for the step.
SampledSignal sample_signal(const Expression& u_of_t, double until, double step);

}  // namespace microslip
