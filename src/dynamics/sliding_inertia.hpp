#pragma once

#include <vector>

#include "microslip/dynamics/periodic_joint.hpp"
#include "microslip/dynamics/structure.hpp"

namespace microslip::dynamics {

/// Masses, dashpots and springs for these joints to slide on, such that what pushes them needs few
/// harmonics: to the friction they are what the structure is.
std::vector<Inertia> sliding_inertias(const Structure& structure,
                                      const std::vector<std::size_t>& sliding,
                                      const PeriodicOptions& options);

}  // namespace microslip::dynamics
