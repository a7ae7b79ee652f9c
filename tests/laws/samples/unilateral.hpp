#pragma once

#include <cmath>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples unilateral{
    .law = "unilateral",
    // With a preload the force at rest is no measure of the stiffness.
    .scale = [](const AnyModel& model) -> Scales {
      const double u = 1 + std::abs(number(model, "gap"));
      return {.u = u, .f = number(model, "k") * u};
    },
};

}  // namespace microslip::laws::samples
