#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples gap{
    .law = "gap",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "masing") return {};
      const ParameterValues closed{{"gap", 0.0}}, open{};
      return {holding ? closed : open};
    },
    .scale = [](const AnyModel& model) -> Scales {
      const double u = 1 + number(model, "gap");
      return {.u = u, .f = number(model, "k") * u};
    },
};

}  // namespace microslip::laws::samples
