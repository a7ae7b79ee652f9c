#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples maxwell_slip{
    .law = "maxwell-slip",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues standard{}, dry{{"sigma2", 0.0}};
      const ParameterValues flat{{"ratio", 1.0}, {"sigma2", 0.0}}, damped{{"ratio", 1.0}};
      if (claim == "bounded") return {holding ? dry : standard};
      if (claim == "dissipative") {
        // Elements are drawn up to a limit that grows again while the motion is slow.
        const ParameterValues falls{{"ratio", 0.2}, {"sigma2", 0.0}, {"vs", 0.5}};
        if (holding) return {flat, damped};
        return {falls};
      }
      if (holding) return {flat};
      return {standard, dry, damped};
    },
    // Fast over most of the way, slow at its ends.
    .witness = [](std::string_view claim) -> std::vector<std::pair<double, double>> {
      if (claim != "dissipative") return {};
      return {{1.0, 0.02}, {1.01, 5}, {-1.0, 0.02}, {-1.01, 5}};
    },
    .kinks_depend_on_velocity = true,
    // Sliding elements are drawn to their limits in time.
    .creeping_matters = true,
};

}  // namespace microslip::laws::samples
