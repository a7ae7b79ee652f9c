#pragma once

#include <iterator>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples duhem_rate{
    .law = "duhem-rate",
    .draw = [](Rng& rng) -> ParameterValues {
      const ParameterValues laws[] = {
          {{"g1", "1-z"}, {"g2", "1+z"}},
          {{"g1", "1-(1+v)*z"}, {"g2", "1+(1-v)*z"}},
          {{"g1", "1-z^3*(2-exp(-v^2))"}, {"g2", "1+z^3*(2-exp(-v^2))"}},
      };
      return laws[rng.below(std::size(laws))];
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const auto with = [](const char* g1, const char* g2) {
        return ParameterValues{{"g1", g1}, {"g2", g2}};
      };
      if (holding) return {with("1-z", "1+z")};
      if (claim == "odd") return {with("1-z", "1+z/2")};
      if (claim == "rate_independent") return {with("1-(1+v)*z", "1+(1-v)*z")};
      if (claim == "bounded") return {with("1.2-(z-0.2*u)", "1.2+(z-0.2*u)")};
      if (claim == "dissipative") return {with("1+0.5*tanh(z)", "1-0.5*tanh(z)")};
      return {};
    },
    .effort = 5,
};

}  // namespace microslip::laws::samples
