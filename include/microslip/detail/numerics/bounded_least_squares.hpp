#pragma once

#include <Eigen/Core>

namespace microslip {

/// Minimises |A x − b| subject to low ≤ x ≤ high, by active sets (P. B. Stark and R. L. Parker,
/// Computational Statistics 10 (1995) 129–141). Bounds may be infinite.
///
/// Where several x give the minimum, the one is found to which steps of least length lead from
/// `start`, which must lie between the bounds; columns of A may depend on each other.
///
/// Two solvers of the same kind have reasons to be their own. The increments of many sliders
/// (friction) come one after the other with the same stiffness matrix, so their factor is updated
/// from one to the next. The rates inside a zonotope (kernels) are found inside a step of a law,
/// which neither allocates nor throws, and carry derivatives.
Eigen::VectorXd bounded_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                      const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                                      const Eigen::VectorXd& start);

/// The same with x ≥ 0.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace microslip
