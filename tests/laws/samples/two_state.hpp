#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples two_state{
    .law = "two-state",
    // With a saturated slope ≥ 0: below, the stored energy has no minimum.
    .draw = [](Rng& rng) -> ParameterValues {
      const double mu = rng.log_uniform(0.2, 5);
      const double sigma = rng.chance(0.1) ? 1 : rng.log_uniform(0.01, 10);
      const double alpha = rng.log_uniform(0.2, 5);
      const double b1 = rng.chance(0.1) ? 0 : rng.uniform(-1, 1);
      const double b2 = rng.chance(0.1) && b1 != 0 ? 0 : rng.uniform(-1, 1);
      const double saturated = rng.chance(0.2) ? 0 : rng.uniform(0, 0.5);
      const double ks = saturated - 1 + (b1 * b1 + b2 * b2) / alpha;
      return {{"mu", mu}, {"sigma", sigma}, {"alpha", alpha}, {"b1", b1}, {"b2", b2}, {"ks", ks}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, spring{{"ks", 0.1}};
      if (claim == "bounded") return {holding ? standard : spring};
      // b along an axis of the ellipse, or no ellipse at all.
      const ParameterValues first{{"b2", 0.0}}, second{{"b1", 0.0}}, circle{{"sigma", 1.0}};
      if (holding) return {first, second, circle};
      return {standard};
    },
};

}  // namespace microslip::laws::samples
