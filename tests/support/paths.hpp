#pragma once

#include <string>

namespace microslip {

/// Where the checkout lies, and the command that was built. Defined in one generated file, so that
/// the objects of the tests are the same wherever the checkout lies.
extern const std::string source_dir;
extern const std::string command_path;

}  // namespace microslip
