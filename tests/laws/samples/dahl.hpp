#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples dahl{
    .law = "dahl",
    // The claims that depend hold for the elastic-plastic element alone.
    .sets = [](std::string_view, bool holding) -> Sets {
      const ParameterValues element{{"n", 0.0}};
      const ParameterValues brittle{{"n", 0.5}}, exponential{}, ductile{{"n", 2.0}};
      if (holding) return {element};
      return {brittle, exponential, ductile};
    },
};

}  // namespace microslip::laws::samples
