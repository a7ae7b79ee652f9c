#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_wen{
    .law = "bouc-wen",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"a", 0.0}}, spring{};
      const ParameterValues unlimited{
          {"a", 0.0}, {"beta", 0.5}, {"gamma", -0.5}};  // loading is then z' = A u'
      if (holding) return {limited};
      return {spring, unlimited};
    },
};

}  // namespace microslip::laws::samples
