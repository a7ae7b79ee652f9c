#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/jobs/text.hpp"

namespace microslip::jobs {

/// The kinds of jobs: "fit", "loops", …
std::vector<std::string> kinds();

/// One door to all jobs for other languages: the text of a request in, the text of the result out.
/// Throws Error for a bad request, Failure where the computation does not come to its end.
std::string run(std::string_view kind, std::string_view request, const Columns& beside = {},
                const Control& control = {});

}  // namespace microslip::jobs
