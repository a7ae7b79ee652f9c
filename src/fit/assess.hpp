#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// A combination counts as determined when changing it by a factor e moves the force by more than
/// this, relative to the range (rms). A recorder of 12 bits resolves 2.4e-4 of its range.
inline constexpr double least_sensitivity = 4e-4;

/// dx of what counts as one unit: a factor e, or the number itself, and a hundredth near zero.
double unit_of(const Unknown& unknown, double x);

/// Whether a direction in these units is known to better than one of them, and by more than the
/// record could show by accident.
bool determines(double singular_value, double rows, double variance);

/// Singular values and right singular vectors of a tall matrix.
struct Decomposition {
  Eigen::VectorXd s;
  Eigen::MatrixXd v;
};
Decomposition decompose(const Eigen::MatrixXd& tall);

/// Fills in what follows from the numbers found: forces, errors, criteria, standard errors and
/// combinations. `at_rest`: they are a minimum.
void assess(const Problem& problem, const std::vector<double>& x, double robust_scale, bool at_rest,
            Fit& fit);

/// Root mean square of the residuals relative to the range, over the rows that count.
double rms_relative(const Problem& problem, const Eigen::VectorXd& residuals);

}  // namespace microslip::fit
