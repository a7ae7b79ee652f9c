#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples prandtl_ishlinskii{
    .law = "prandtl-ishlinskii",
    // Softening and ending level or rising, so that the force has a scale.
    .draw = [](Rng& rng) -> ParameterValues {
      const double w0 = rng.log_uniform(0.5, 2);
      std::vector<double> r{0.5, 1.0}, w(2);
      for (std::size_t i = 0; i < w.size(); ++i) {
        r[i] *= rng.log_uniform(0.5, 2);
        w[i] = -w0 * rng.uniform(0.05, 0.45);
      }
      return {{"w0", w0}, {"r", r}, {"w", w}};
    },
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, level{{"w", std::vector{-0.6, -0.4}}};
      const ParameterValues hardening{{"w", std::vector{0.5, 0.3}}};
      if (claim == "bounded") return {holding ? level : standard};
      if (claim == "dissipative") return {holding ? level : hardening};
      return {};
    },
};

}  // namespace microslip::laws::samples
