#pragma once

#include <string>
#include <vector>

#include "simulate/input.hpp"

/// Laws of `microslip simulate` that come from the result of a fit.
namespace microslip::app {

/// Laws from the result of a fit answer as the fit did: with the offset and gain of the recorder,
/// the displacement of rest, and, when the input is the record that was fitted, its start and the
/// numbers of that file. Gives what should be said.
std::vector<std::string> complete_fits(std::vector<Job>& jobs, Input& input,
                                       const SimulateSettings& settings);

}  // namespace microslip::app
