#pragma once

#include <string_view>

namespace microslip {

/// The version of library and command. The build system reads it from this line.
inline constexpr std::string_view version = "0.1.0";

}  // namespace microslip
