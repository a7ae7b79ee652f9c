#pragma once

#include <string>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/fit/data.hpp"
#include "microslip/fit/problem.hpp"

/// Laws with several directions, and their records: one for the force of each direction, all along one path.
namespace microslip::fit {

/// How such a record begins: in all directions alike. Throws Error for what only one direction has.
Beginning beginning_in_space(const Data& data, Beginning given);
/// Throws Error where law and record do not have the same directions, and for numbers of the measurement that
/// are for one.
void check_directions(const Description& law, const Data& data, const Setup& setup);
/// The forces along the direction of the record; false where the law has no answer.
bool run_along(const AnyDualModel& law, const Data& data, const std::vector<std::string>& names,
               bool at_first, std::vector<WideDual>& f);

}  // namespace microslip::fit
