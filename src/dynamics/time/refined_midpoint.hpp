#pragma once

#include <vector>

#include "dynamics/time/time_support.hpp"

namespace microslip::dynamics {

/// Rate-dependent laws have no events that could be located from the path alone, and interfaces have too
/// many: the midpoint rule with halved steps, extrapolated, until the tolerance is met.
TimeResult refined_midpoint(const Structure& structure, TimeOptions options, double t0,
                            const std::vector<AnyState>& joints);

}  // namespace microslip::dynamics
