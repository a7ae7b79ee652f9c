#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr Samples reid{
    .law = "reid",
};

}  // namespace microslip::laws::samples
