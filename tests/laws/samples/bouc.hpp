#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc{
    .law = "bouc",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"k", 0.0}}, spring{};
      return {holding ? limited : spring};
    },
};

}  // namespace microslip::laws::samples
