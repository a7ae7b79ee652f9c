#pragma once

#include "laws/bristles.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples lampaert{
    .law = "lampaert",
    .draw = &draw_elements_as_bristles,
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, dry{{"sigma1", 0.0}, {"sigma2", 0.0}};
      const ParameterValues flat{{"sigma1", 0.0}, {"sigma2", 0.0}, {"fc", 1.0}, {"fs", 1.0}};
      const ParameterValues damped{{"sigma1", 0.1}, {"sigma2", 0.05}};  // 0.1 (1.2² − 1) = 0.044
      // Fast motions right after slow ones get back more than friction takes.
      const ParameterValues steep{{"sigma1", 10.0},
                                  {"sigma2", 0.0},
                                  {"fs", 10.0},
                                  {"vs", 5.0},
                                  {"phi", std::vector<double>{2, 4, 10}}};
      if (claim == "bounded") return {holding ? dry : standard};
      if (claim == "rate_independent") {
        if (holding) return {flat};
        return {standard, dry};
      }
      if (claim == "dissipative") {
        if (holding) return {standard, dry, flat, damped};
        return {steep};
      }
      return {};
    },
    .kinks_depend_on_velocity = true,
};

}  // namespace microslip::laws::samples
