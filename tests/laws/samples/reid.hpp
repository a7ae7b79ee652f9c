#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples reid{
    .law = "reid",
};

}  // namespace microslip::laws::samples
