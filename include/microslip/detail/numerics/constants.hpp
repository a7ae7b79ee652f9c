#pragma once

#include <limits>
#include <numbers>

namespace microslip {

inline constexpr double pi = std::numbers::pi;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace microslip
