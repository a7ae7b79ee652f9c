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
      const std::vector<double> at{-2, 0, 2};
      const ParameterValues level{
          {"k", 0.0}, {"at", std::vector<double>{-9, 9}}, {"density", std::vector<double>{0.2}}};
      const ParameterValues uneven{
          {"k", 1.0}, {"at", at}, {"density", std::vector<double>{0.1, 0.2, 0.4}}};
      if (claim == "odd" || claim == "masing" || claim == "bounded")
        return {holding ? level : uneven};
      return {};
    },
};

}  // namespace microslip::laws::samples
