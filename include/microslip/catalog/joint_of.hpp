#pragma once

#include <string>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::catalog {

/// A law as a joint of a structure. A law driven by force is driven by displacement (by_displacement); where
/// its stiffness after a reversal is infinite, periodic analyses solve for its force.
dynamics::JointElement joint_of(const AnyModel& model, dynamics::Direction w,
                                std::string name = {});

}  // namespace microslip::catalog
