#pragma once

#include <Eigen/Core>

namespace microslip::dynamics {

/// Forces between the limits whose sum Σ c_j f_j is nearest to `force`; where there are several, in
/// proportion to the limits if that does. What is left of the force tells which joints slip: those
/// along whose c it points, each at the limit on that side.
Eigen::VectorXd nearest_forces(const Eigen::MatrixXd& along, const Eigen::VectorXd& force,
                               const Eigen::VectorXd& low, const Eigen::VectorXd& high);

/// Forces, counted from the middle between the limits, that share a force in proportion to them.
Eigen::MatrixXd proportional_shares(const Eigen::MatrixXd& along, const Eigen::VectorXd& low,
                                    const Eigen::VectorXd& high);

}  // namespace microslip::dynamics
