#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples rocking{
    .law = "rocking",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues level{{"k2", 0.0}}, tendon{}, tips{{"k2", -0.05}};
      if (holding) return {level};
      return {tendon, tips};
    },
    // With k2 < 0 the energy of the weight falls without end.
    .loses_by_cycle = true,
};

}  // namespace microslip::laws::samples
