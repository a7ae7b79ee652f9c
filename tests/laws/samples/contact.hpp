#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples contact{
    .law = "contact",
    // Preloaded, touching and open at rest; the scales are those of slip under the preload.
    .draw = [](Rng& rng) -> ParameterValues {
      const double N0 = rng.chance(0.1) ? 0 : rng.log_uniform(0.2, 5) * (rng.chance(0.25) ? -1 : 1);
      const double mu = rng.chance(0.05) ? 0 : rng.log_uniform(0.05, 2);
      return {
          {"kt", rng.log_uniform(0.2, 5)}, {"kn", rng.log_uniform(0.2, 5)}, {"mu", mu}, {"N0", N0}};
    },
    .scale = [](const AnyModel& model) -> Scales {
      const double N = std::max(std::abs(number(model, "N0")), 0.2);
      return {.u = N / number(model, "kn"), .f = N};
    },
};

}  // namespace microslip::laws::samples
