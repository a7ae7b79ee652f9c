#pragma once

#include <string>
#include <vector>

#include "microslip/fit/data.hpp"

namespace microslip::fit {

/// Which rows a fit does not get to see, to be predicted by it.
///
///   auto     minor loops if they have one row in a hundred, else the last third of the cycles,
///            else nothing
///   minor    rows of the minor loops
///   last     the last third of the cycles
///   0.3      the last 30 % of the rows
///   2,4-6    these cycles, as `microslip loops` counts them
///   none     nothing
///
/// Empty when there are none.
/// Throws for other words, and for cycles that do not exist.
std::vector<bool> held_out_rows(const Data& data, const std::string& how);

}  // namespace microslip::fit
