#pragma once

#include "laws/bristles.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples lugre{
    .law = "lugre",
    .sets = &bristle_sets,
};

}  // namespace microslip::laws::samples
