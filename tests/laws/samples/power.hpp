#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples power{
    .law = "power",
    .draw = [](Rng& rng) -> ParameterValues {
      const double whole = static_cast<double>(1 + rng.below(4));
      // Just above 1 the slope falls to 0 only over hundreds of decades.
      return {{"k", rng.log_uniform(0.5, 2)},
              {"n", rng.chance(0.5) ? whole : rng.uniform(1.05, 4)}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "masing") return {};
      const ParameterValues linear{{"n", 1.0}}, cubic{};
      return {holding ? linear : cubic};
    },
};

}  // namespace microslip::laws::samples
