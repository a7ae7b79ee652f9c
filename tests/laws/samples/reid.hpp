#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr Samples reid{
    .law = "reid",
    .jumps = true,
};

}  // namespace microslip::laws::samples
