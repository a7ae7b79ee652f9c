#pragma once

#include <algorithm>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples stribeck{
    .law = "stribeck",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, dry{{"c", 0.0}};
      const ParameterValues flat{{"c", 0.0}, {"fc", 1.0}, {"fs", 1.0}};
      if (claim == "bounded") return {holding ? dry : standard};
      if (holding) return {flat};
      return {standard, dry};
    },
    // Speeds around vs; the law knows no length.
    .scale = [](const AnyModel& model) -> Scales {
      return {.u = number(model, "vs"), .f = std::max(number(model, "fc"), number(model, "fs"))};
    },
};

}  // namespace microslip::laws::samples
