#pragma once

#include <Eigen/Core>

namespace microslip::loops {

/// min |A x − b| with x ≥ 0. Active set of Lawson and Hanson: let in the unknown with the largest
/// gradient, solve, and step back to the first bound that is met.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace microslip::loops
