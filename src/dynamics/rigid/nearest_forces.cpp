#include "dynamics/rigid/nearest_forces.hpp"

#include <Eigen/QR>

#include "microslip/numerics/bounded_least_squares.hpp"

namespace microslip::dynamics {

/// Σ |c_j| f_j² / limit_j is least: side by side, all are then as near to their limits.
Eigen::MatrixXd proportional_shares(const Eigen::MatrixXd& along, const Eigen::VectorXd& low,
                                    const Eigen::VectorXd& high) {
  const Eigen::VectorXd roots =
      (0.5 * (high - low)).cwiseQuotient(along.colwise().norm().transpose()).cwiseSqrt();
  const Eigen::MatrixXd scaled = along * roots.asDiagonal();
  return roots.asDiagonal() * scaled.completeOrthogonalDecomposition().pseudoInverse();
}

Eigen::VectorXd nearest_forces(const Eigen::MatrixXd& along, const Eigen::VectorXd& force,
                               const Eigen::VectorXd& low, const Eigen::VectorXd& high) {
  Eigen::VectorXd start = 0.5 * (low + high);
  start += proportional_shares(along, low, high) * (force - along * start);
  return bounded_least_squares(along, force, low, high, start.cwiseMax(low).cwiseMin(high));
}

}  // namespace microslip::dynamics
