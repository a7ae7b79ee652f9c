#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr Samples leuven{
    .law = "leuven",
    // Every motion is fast, since with two limits some motions are undefined, and fs = fc is a case
    // of its own: a branch back then ends just where an older one takes over, and z' jumps. Nor is
    // there a force σ1 z', or an end of all elements below the limit, where z runs on and returns
    // just to that jump.
    .draw = [](Rng& rng) -> ParameterValues {
      const double limit = rng.log_uniform(0.3, 3);
      std::vector<double> k{1}, phi{3 * limit};
      for (std::size_t i = rng.below(4); i > 0; --i) {
        k.push_back(rng.log_uniform(0.2, 5));
        phi.push_back(limit * rng.log_uniform(0.1, 2));
      }
      return {{"sigma1", 0.0}, {"sigma2", rng.uniform(0, 1)},  {"fc", limit}, {"fs", 1.05 * limit},
              {"vs", 1e-12},   {"n", rng.log_uniform(0.5, 5)}, {"k", k},      {"phi", phi}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, dry{{"sigma1", 0.0}, {"sigma2", 0.0}};
      const ParameterValues damped{{"sigma1", 3.0}, {"sigma2", 0.0}};
      const ParameterValues stribeck{{"sigma1", 0.0}, {"sigma2", 0.0}, {"fs", 1.2}};
      // Fast motions right after slow ones get back more than friction takes. An undefined step
      // leaves the state as it was: what breaks the claim is the path without it.
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
};

}  // namespace microslip::laws::samples
