#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples flag{
    .law = "flag",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, elastic{{"k2", 1.0}}, level{{"k2", 0.0}};
      if (claim == "masing") return {holding ? elastic : standard};
      if (claim == "bounded") return {holding ? level : standard};
      return {};
    },
};

}  // namespace microslip::laws::samples
