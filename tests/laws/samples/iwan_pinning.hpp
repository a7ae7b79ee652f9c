#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples iwan_pinning{
    .law = "iwan-pinning",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded" && claim != "masing") return {};
      const ParameterValues free{{"KP", 0.0}}, pinned{{"delta_p", 0.5}};
      return {holding ? free : pinned};
    },
};

}  // namespace microslip::laws::samples
