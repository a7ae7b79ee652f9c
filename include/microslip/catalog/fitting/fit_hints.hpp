#pragma once

#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/fit/fit.hpp"

namespace microslip::catalog {

/// Adds to the settings of a fit what the laws know besides the bounds of each parameter: relations
/// between parameters (gamma between ±beta), signs that do not matter (b ≥ 0), where to look, the
/// canonical one among equivalent parameters, and first guesses for lists from the data. What the
/// settings already say stays.
fit::Settings with_hints(fit::Settings settings, const AnyModel& model,
                         const std::vector<fit::Data>& records);

/// Parameters that stand for the same law in the agreed form: two-state with mu = 1, sigma ≤ 1 and
/// b ≥ 0; elements of lists by the displacement or time at which they act.
ParameterValues canonical(const AnyModel& model, ParameterValues parameters);

/// The law with its lists at this length, scaled so that they share what one element had.
AnyModel with_elements(const AnyModel& model, std::size_t count);

}  // namespace microslip::catalog
