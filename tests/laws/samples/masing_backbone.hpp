#pragma once

#include <iterator>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples masing_backbone{
    .law = "masing-backbone",
    .draw = [](Rng& rng) -> ParameterValues {
      // No formula that loses its digits at 1e-290, where the virgin tangent is checked.
      const char* concave[] = {"tanh(u)", "2*u/(1+3*u)", "u/sqrt(1+u)", "3*atan(u/2)+u/9",
                               "u/(1+u^1.5)^(2/3)"};
      return {{"g", concave[rng.below(std::size(concave))]}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const auto with = [](const char* formula) { return ParameterValues{{"g", formula}}; };
      if (claim == "dissipative") {
        if (holding) return {with("tanh(u)"), with("log(1+u)")};
        return {with("u+u^3")};
      }
      if (claim != "bounded") return {};
      if (holding) return {with("tanh(u)"), with("u/(1+u)")};
      return {with("sqrt(1+u)-1")};
    },
};

}  // namespace microslip::laws::samples
