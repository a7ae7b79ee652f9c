#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "microslip/fit/fit.hpp"
#include "row_noise.hpp"

namespace microslip::fit {

/// What the likelihood is looked at with.
struct Likelihood {
  const Problem& problem;
  const std::vector<double>& x;  ///< the minimum
  double robust_scale = 0;
  RowNoise noise{};
  /// Other minima that the search has found: one that is as good as the best belongs to the interval.
  std::vector<std::vector<double>> others{};
  std::function<bool()> stop{};
};

/// Replaces the standard errors of a fit where a parabola is not what the likelihood looks like: near
/// a limit, on which others then lean, along a curved valley, where a second minimum is as good. One
/// number is held, the others follow, inside all limits, and the 95 % interval is where the
/// likelihood ratio ends. The error becomes the longer side of the interval over 1.96; there is none
/// when the interval has no end within two units (a factor e² of the number, or its region).
///
/// Returns a point that is lower than the minimum, if there was one on the way.
std::optional<std::vector<double>> widen_errors(const Likelihood& likelihood, Fit& fit);

/// Sets Fit::axes.
void set_axes(const Likelihood& likelihood, Fit& fit);

}  // namespace microslip::fit
