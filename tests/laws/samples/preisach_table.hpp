#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples preisach_table{
    .law = "preisach-table",
    .draw = [](Rng& rng) -> ParameterValues {
      std::vector<double> at{rng.uniform(-1.5, -0.5)}, density;
      for (std::size_t n = 1 + rng.below(5); n > 0; --n)
        at.push_back(at.back() + rng.uniform(0.1, 0.9));
      for (std::size_t n = at.size() - 1, i = n * (n + 1) / 2; i > 0; --i)
        density.push_back(rng.uniform(0, 0.5));
      return {{"k", rng.uniform(0, 2)}, {"at", at}, {"density", density}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      using List = std::vector<double>;
      // Places beyond all paths: without relays the density is another one.
      const ParameterValues even{{"k", 0.0}, {"at", List{-900, 900}}, {"density", List{0.2}}},
          uneven{{"k", 1.0}, {"at", List{-2, 0, 2}}, {"density", List{0.1, 0.2, 0.4}}};
      if (claim == "odd" || claim == "masing" || claim == "bounded")
        return {holding ? even : uneven};
      return {};
    },
    .loses_by_cycle = true,
};

}  // namespace microslip::laws::samples
