#pragma once

#include <cmath>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples baber_noori{
    .law = "baber-noori",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      if (claim != "bounded") return {};
      const ParameterValues limited{{"a", 0.0}}, spring{};
      const ParameterValues unlimited{
          {"a", 0.0}, {"beta", 0.5}, {"gamma", -0.5}, {"delta_eta", 0.0}};
      if (holding) return {limited};
      return {spring, unlimited};
    },
    // With a large share of the spring the force hardly bends.
    .scale = [](const AnyModel& model) -> Scales {
      const double sum = number(model, "beta") + number(model, "gamma");
      const double u = sum > 0 ? std::pow(sum, -1 / number(model, "n")) : 1;
      return {.u = u, .f = number(model, "k") * u};
    },
    // Slip on the way back to z = 0 returns more than unloading without it.
    .loses_by_cycle = true,
    .effort = 20,
};

}  // namespace microslip::laws::samples
