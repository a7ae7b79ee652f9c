#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples coulomb{
    .law = "coulomb",
    // The law knows no length.
    .scale = [](const AnyModel& model) -> Scales { return {.u = 1, .f = number(model, "fc")}; }};

}  // namespace microslip::laws::samples
