#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples two_state_normalized{
    .law = "two-state-normalized",
    .draw = [](Rng& rng) -> ParameterValues {
      const double alpha = rng.uniform(0.05, 0.95);
      return {{"alpha", alpha}, {"sigma", alpha * rng.uniform(0.02, 0.98)}};
    },
};

}  // namespace microslip::laws::samples
