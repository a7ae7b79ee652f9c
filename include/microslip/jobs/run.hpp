#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/jobs/text.hpp"

namespace microslip::jobs {

/// The kinds of jobs: "fit", "loops", …
std::vector<std::string> kinds();

/// One door to all jobs for other languages: the text of a request in, the text of the result out.
/// Throws Error for a bad request, Failure where the computation does not come to its end. With `results`,
/// the columns of the result go there, and their text names them.
std::string run(std::string_view kind, std::string_view request, const Columns& beside = {},
                const Control& control = {}, Columns* results = nullptr);

/// The request in a text that a person writes for `joint`, `cracks`, `reduce`, `respond` or `identify`, with what is named there by
/// files in it. They lie beside the file `name`, which need not exist. Throws Error with the place.
std::string request_text(std::string_view kind, const std::string& text,
                         const std::filesystem::path& name);
/// The same of a file.
std::string read_request(std::string_view kind, const std::filesystem::path& path);

}  // namespace microslip::jobs
