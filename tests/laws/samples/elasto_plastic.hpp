#pragma once

#include "laws/bristles.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples elasto_plastic{
    .law = "elasto-plastic",
    .sets = &bristle_sets,
    .kinks_depend_on_velocity = true,
};

}  // namespace microslip::laws::samples
