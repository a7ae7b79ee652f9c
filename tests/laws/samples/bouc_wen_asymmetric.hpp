#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_wen_asymmetric{
    .law = "bouc-wen-asymmetric",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "odd" && claim != "bounded") return {};
      const ParameterValues standard{}, odd{{"delta", 0.0}}, limited{{"a", 0.0}};
      if (!holding) return {standard};
      return {claim == "odd" ? odd : limited};
    },
};

}  // namespace microslip::laws::samples
