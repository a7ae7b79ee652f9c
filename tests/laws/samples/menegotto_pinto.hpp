#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples menegotto_pinto{
    .law = "menegotto-pinto",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, equal{{"a1", 0.05}, {"a3", 0.05}};
      const ParameterValues one_side{{"a1", 0.05}},
          other_range{{"a1", 0.05}, {"a3", 0.05}, {"a4", 2.0}};
      const ParameterValues level{{"b", 0.0}}, hardens{{"b", 0.0}, {"a1", 0.1}};
      if (claim == "odd") {
        if (holding) return {standard, equal};
        return {one_side, other_range};
      }
      if (holding) return {level, hardens};
      return {standard};
    },
    // Every reversal starts a new branch.
    .trembling_matters = true,
    .loses_by_cycle = true,
};

}  // namespace microslip::laws::samples
