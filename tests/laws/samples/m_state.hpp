#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples m_state{
    .law = "m-state",
    // One to four states, with a saturated slope ≥ 0: below, the stored energy has no minimum.
    .draw = [](Rng& rng) -> ParameterValues {
      const std::size_t m = 1 + rng.below(4);
      const double alpha = rng.log_uniform(0.2, 5);
      std::vector<double> a(m), b(m);
      double bb = 0;
      for (std::size_t i = 0; i < m; ++i) {
        a[i] = rng.chance(0.1) ? a[0] + (i == 0) : rng.log_uniform(0.1, 5);
        b[i] = i > 0 && rng.chance(0.1) ? 0 : rng.uniform(-1, 1);
        bb += b[i] * b[i];
      }
      const double ks = (rng.chance(0.2) ? 0 : rng.uniform(0, 0.5)) - 1 + bb / alpha;
      return {{"a", a}, {"alpha", alpha}, {"b", b}, {"ks", ks}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, axis{{"b", std::vector{0.0, 0.5, 0.0}}};
      const ParameterValues one{{"a", std::vector{0.3}}, {"b", std::vector{0.8}}};
      const ParameterValues sphere{{"a", std::vector{0.5, 0.5, 0.5}}};
      const ParameterValues flat{{"alpha", 1.0},
                                 {"b", std::vector{0.48, 0.6, 0.64}}};  // |b|² = 1 = α
      if (claim == "bounded") return {holding ? flat : standard};
      if (holding) return {axis, one, sphere};
      return {standard};
    },
};

}  // namespace microslip::laws::samples
