#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples bouc_wen_planar_hardening{
    .law = "bouc-wen-planar-hardening",
    // Mostly n = 2, which is fast: one case in fifty takes the general way.
    .draw = [](Rng& rng) -> ParameterValues {
      return {{"fp", rng.log_uniform(0.2, 5)},
              {"uy", rng.log_uniform(0.2, 5)},
              {"kappa", rng.chance(0.2) ? 0 : rng.uniform(0, 1)},
              {"beta", rng.chance(0.2) ? 0.5 : rng.uniform(0.5, 2)},
              {"n", rng.chance(0.98) ? 2 : rng.log_uniform(0.5, 10)}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"kappa", 0.0}}, spring{};
      return {holding ? limited : spring};
    },
};

}  // namespace microslip::laws::samples
