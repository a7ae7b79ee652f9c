#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_wen_wang_wen{
    .law = "bouc-wen-wang-wen",
    // Mostly n = 2, which is fast: some odd n, for which the general way is fast too.
    .draw = [](Rng& rng) -> ParameterValues {
      const double A = rng.log_uniform(0.2, 5);
      const double beta = rng.chance(0.1) ? 0 : rng.log_uniform(0.1, 3);
      const double n = rng.chance(0.95) ? 2 : 1 + 2.0 * static_cast<double>(rng.below(3));
      // Towards γ = −β nothing limits z, and a large one unloads within a rounding.
      const double gamma = rng.uniform(-0.9, 1) * beta;
      const double k = rng.log_uniform(0.2, 5);
      const double a = rng.chance(0.2) ? 0 : rng.uniform(0, 1);
      return {{"A", A}, {"beta", beta}, {"gamma", gamma}, {"n", n}, {"k", k}, {"a", a}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"a", 0.0}}, spring{};
      const ParameterValues unlimited{
          {"a", 0.0}, {"beta", 0.5}, {"gamma", -0.5}};  // loading is then z' = A u'
      if (holding) return {limited};
      return {spring, unlimited};
    },
};

}  // namespace microslip::laws::samples
