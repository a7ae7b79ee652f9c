#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// Fills in what follows from the numbers found: forces, errors, criteria, standard errors,
/// combinations, and whether the minimum is one.
void assess(const Problem& problem, const std::vector<double>& x, double robust_scale, Fit& fit);

/// Root mean square of the residuals relative to the range, over the rows that count.
double rms_relative(const Problem& problem, const Eigen::VectorXd& residuals);

}  // namespace microslip::fit
