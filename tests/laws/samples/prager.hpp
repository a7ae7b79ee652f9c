#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples prager{
    .law = "prager",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues rigid{{"k", 0.0}}, standard{};
      return {holding ? rigid : standard};
    },
};

}  // namespace microslip::laws::samples
