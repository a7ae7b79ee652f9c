#pragma once

#include <iterator>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples preisach{
    .law = "preisach",
    .draw = [](Rng& rng) -> ParameterValues {
      const char* densities[] = {"exp(b-a)", "0.3", "exp(-a^2-b^2)", "0.2*(1+tanh(a))",
                                 "0.1*(a-b)"};
      return {{"k", rng.uniform(0, 3)}, {"density", densities[rng.below(std::size(densities))]}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues level{{"k", 2.0}, {"density", "exp(b-a)"}};
      if (claim == "odd" || claim == "masing")
        return {holding ? level : ParameterValues{{"k", 2.0}, {"density", "0.2*(1+tanh(a))"}}};
      if (claim == "dissipative")
        return {holding ? level : ParameterValues{{"k", 2.0}, {"density", "-0.3"}}};
      if (claim == "bounded")
        return {holding ? level : ParameterValues{{"k", 2.0}, {"density", "exp(-a^2-b^2)"}}};
      return {};
    },
    .effort = 20,
};

}  // namespace microslip::laws::samples
