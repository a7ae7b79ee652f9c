#pragma once

#include <string>

#include "microslip/dynamics/time/time_integration.hpp"
#include "respond/report.hpp"

/// One function for each kind of analysis: frequency.cpp, linear_modes.cpp, modal.cpp, modes.cpp,
/// slow_flow.cpp, time.cpp.
namespace microslip::app {

Report frequency_response_report(const catalog::StructureFile& file,
                                 const catalog::Analysis& analysis, const std::string& resume);

/// How many modes `kind = "modes"` gives if nothing is said.
inline constexpr int linear_modes_shown = 10;
Report linear_modes_report(const catalog::StructureFile& file, const catalog::Analysis& analysis);
/// The same as text and JSON, before the other analyses of a model with matrices.
struct LinearModes {
  std::string text;
  nlohmann::ordered_json json;
};
LinearModes linear_modes_before(const catalog::StructureFile& file);

Report modal_joints_report(const catalog::StructureFile& file, const catalog::Analysis& analysis);
Report mode_report(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                   const std::string& resume);
/// Method, times and initial values of a motion in time.
dynamics::TimeOptions time_options(const catalog::Analysis& analysis);
/// Throws Error for what a motion in time cannot be asked for.
void check_time(const catalog::StructureFile& file, const catalog::Analysis& analysis);
Report averaging_report(const catalog::StructureFile& file, const catalog::Analysis& analysis);
Report slow_flow_report(const catalog::StructureFile& file, const catalog::Analysis& analysis);
/// Rows go to the file of the analysis as they come, below this head, unless they are kept: for a
/// picture, a page or standard output.
Report time_report(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                   const io::Comments& head, bool keep_rows);

}  // namespace microslip::app
