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
      if (claim == "dissipative") return {{{"R0", 1.5}, {"cR1", 0.0}}};
      if (claim == "odd") {
        if (holding) return {standard, equal};
        return {one_side, other_range};
      }
      if (holding) return {level, hardens};
      return {standard};
    },
    // Loading with small unloadings is nearly elastic, and the branch back bends: once up, once down.
    .witness = [](std::string_view claim) -> std::vector<std::pair<double, double>> {
      if (claim != "dissipative") return {};
      std::vector<std::pair<double, double>> path;
      double u = 0;
      for (const double d : {1.0, -1.0}) {
        for (int i = 0; i < 15; ++i) {
          u += 0.04 * d;
          path.push_back({u, 1.0});
          if (i < 14) path.push_back({u - 1e-9 * d, 1.0});
        }
        u -= 0.72 * d;
        path.push_back({u, 1.0});
        path.push_back({u + 1e-9 * d, 1.0});
      }
      return path;
    },
    // Every reversal starts a new branch.
    .trembling_matters = true,
    .loses_by_cycle = true,
};

}  // namespace microslip::laws::samples
