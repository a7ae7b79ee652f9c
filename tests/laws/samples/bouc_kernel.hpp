#pragma once

#include <iterator>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_kernel{
    .law = "bouc-kernel",
    .draw = [](Rng& rng) -> ParameterValues {
      const char* weights[] = {"1", "2", "1+u^2/(1+u^2)", "exp(-u^2/9)"};
      return {{"A", std::vector{rng.log_uniform(0.5, 2), rng.log_uniform(0.2, 1)}},
              {"alpha", std::vector{rng.log_uniform(0.5, 2), rng.log_uniform(2, 6)}},
              {"k", rng.uniform(0, 0.3)},
              {"phi", weights[rng.below(std::size(weights))]}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const auto with = [](const char* phi, double k) {
        return ParameterValues{{"phi", phi}, {"k", k}};
      };
      if (claim == "odd") return {with(holding ? "1+u^2/(1+u^2)" : "1+0.5*tanh(u)", 0)};
      if (claim == "dissipative") return {with(holding ? "2" : "sin(2*u)", 0)};
      if (claim == "bounded") return {with("1", holding ? 0 : 0.1)};
      return {};
    },
    .scale = [](const AnyModel&) -> Scales { return {.u = 1, .f = 1}; },
    .effort = 3,
};

}  // namespace microslip::laws::samples
