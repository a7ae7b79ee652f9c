#pragma once

#include "laws/bristles.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples leuven{
    .law = "leuven",
    .draw = &draw_elements_as_bristles,
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, dry{{"sigma1", 0.0}, {"sigma2", 0.0}};
      const ParameterValues damped{{"sigma1", 3.0}, {"sigma2", 0.0}};
      const ParameterValues stribeck{{"sigma1", 0.0}, {"sigma2", 0.0}, {"fs", 1.2}};
      // Fast motions right after slow ones get back more than friction takes.
      const ParameterValues steep{{"sigma1", 10.0},
                                  {"sigma2", 0.0},
                                  {"fs", 10.0},
                                  {"vs", 5.0},
                                  {"phi", std::vector<double>{2, 4, 10}}};
      if (claim == "bounded") return {holding ? dry : standard};
      if (claim == "rate_independent") {
        if (holding) return {dry};
        return {standard, stribeck};
      }
      if (claim == "dissipative") {
        if (holding) return {standard, dry, damped};
        return {steep};
      }
      return {};
    },
    .kinks_depend_on_velocity = true,
    .loses_by_cycle = true,
    .some_motions_undefined = true,
};

}  // namespace microslip::laws::samples
