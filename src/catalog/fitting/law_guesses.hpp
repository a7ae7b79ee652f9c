#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::catalog {

/// Starts of a law whose parameters only make sense together: the best few of many that the sizes in the
/// records suggest. None for other laws, and for laws inside sums and wrappers.
std::vector<ParameterValues> law_guesses(const AnyModel& model,
                                         const std::vector<fit::Data>& records,
                                         const fit::Setup& setup);

}  // namespace microslip::catalog
