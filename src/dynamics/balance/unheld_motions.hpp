#pragma once

#include <Eigen/Core>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// Rigid-body motions N of a free structure: K N = 0 and no joint that can hold anything sees them.
/// NᵀMN = 1; no columns if there are none.
Eigen::MatrixXd unheld_motions(const Structure& structure);

}  // namespace microslip::dynamics
