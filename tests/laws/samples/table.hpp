#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples table{
    .law = "table",
    // Ends that push back, so that the energy has a least value; anything between them.
    .draw = [](Rng& rng) -> ParameterValues {
      std::vector<double> u{-2}, f{rng.uniform(-3, -2)};
      for (std::size_t n = rng.below(6); n > 0; --n) {
        u.push_back(u.back() + rng.uniform(0.05, 0.6));
        f.push_back(rng.uniform(-2, 2));
      }
      u.push_back(u.back() + 0.5);
      f.push_back(rng.uniform(2, 3));
      return {{"u", u}, {"f", f}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues symmetric{}, level{{"f", std::vector{-1.0, -1.0, 0.0, 2.0, 2.0}}};
      const ParameterValues line{{"f", std::vector{-2.0, -1.0, 0.0, 1.0, 2.0}}};
      if (claim == "odd") return {holding ? symmetric : level};
      if (claim == "masing") return {holding ? line : symmetric};
      if (claim == "bounded") return {holding ? level : symmetric};
      return {};
    },
    .scale = [](const AnyModel&) -> Scales { return {.u = 1, .f = 2}; },
};

}  // namespace microslip::laws::samples
