#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples iwan5{
    .law = "iwan5",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "masing" && claim != "return_point_memory") return {};
      const ParameterValues plain{{"theta", 1.0}}, dropping{};
      return {holding ? plain : dropping};
    },
    // The smallest reversal makes sliders stick, which then carry more.
    .trembling_matters = true,
};

}  // namespace microslip::laws::samples
