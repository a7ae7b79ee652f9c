#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "microslip/dynamics/time/stepper.hpp"
#include "variables.hpp"

/// A structure with joints as an FMU: what its file says, without the file.
namespace microslip::fmu {

struct DrivenStructure {
  /// The master gives the loads: of those of the structure the directions count, and the values of
  /// constant ones, from which these inputs start. Of the others there is no signal.
  dynamics::Structure structure;
  std::vector<std::string> labels;      ///< of the degrees of freedom
  std::vector<std::string> load_units;  ///< of the inputs
  dynamics::StepperOptions options;
};

/// As JSON, with all numbers exact, and back.
std::string text_of(const DrivenStructure& driven);
DrivenStructure parse_driven(std::string_view text);

Contents contents_of(const DrivenStructure& driven);

}  // namespace microslip::fmu
