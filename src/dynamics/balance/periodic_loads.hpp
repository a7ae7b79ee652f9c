#pragma once

#include <Eigen/Core>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// Coefficients of the loads that repeat, in the order of the unknowns of harmonic balance: dofs
/// entries for each coefficient, those of the structure first. Throws Error for loads that are not
/// periodic and for tones above the number of harmonics.
Eigen::VectorXd periodic_loads(const Structure& structure, Eigen::Index dofs, int harmonics);
/// The same of the static loads.
Eigen::VectorXd static_loads(const Structure& structure, Eigen::Index dofs, int harmonics);

/// The highest harmonic of the loads, 0 if there are none: no balance has fewer.
int highest_harmonic(const Structure& structure);

}  // namespace microslip::dynamics
