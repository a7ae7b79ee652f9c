#pragma once

#include <string>

#include "jobs/fmu/variables.hpp"
#include "microslip/jobs/export_fmu.hpp"

/// What the files of an FMU say.
namespace microslip::fmu {

/// The C identifier by which binaries of the FMU are named.
std::string identifier_of(const std::string& name);

/// `name` is what tools show.
std::string model_description(const Contents& contents, const std::string& name,
                              jobs::FmiVersion fmi);
/// A page for people, in HTML.
std::string documentation(const Contents& contents, const std::string& name);

/// Whose work is in the binaries, and on which terms: documentation/licenses/license.txt.
std::string licenses();

}  // namespace microslip::fmu
