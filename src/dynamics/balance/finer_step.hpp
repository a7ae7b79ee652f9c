#pragma once

#include <Eigen/Core>

#include "dynamics/continuation/continuation.hpp"

namespace microslip::dynamics {

/// How many harmonics a balance has whose solution estimates what H harmonics leave out.
inline int finer_harmonics(int harmonics) { return 2 * harmonics + 1; }

/// What the harmonics left out change: one step of Newton's method with twice the harmonics, from a point
/// of a curve and its tangent, both with zeros for the further harmonics. The harmonics of force that
/// were left out meet the joints as well as the structure there: a stiff slider that sticks answers
/// a small motion by a large force, which an impedance of the structure alone does not know.
///
/// The change is that at the same parameter (ω, level, amplitude). Near a turning point there is none, and
/// it counts as at most 1000 times the distance of the curves. Empty if the step fails.
Eigen::VectorXd change_by_harmonics(Equations& finer, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& tangent);

/// An error that falls at least like 1/H is at most twice what doubling H changes.
inline constexpr double of_all_harmonics = 2;

}  // namespace microslip::dynamics
