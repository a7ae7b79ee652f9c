#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_wen_degrading{
    .law = "bouc-wen-degrading",
    .effort = 20,
};

}  // namespace microslip::laws::samples
