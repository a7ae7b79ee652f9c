#pragma once

#include <algorithm>
#include <cmath>

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples lugre_duhem{
    .law = "lugre-duhem",
    .sets = [](std::string_view claim, bool holding) -> Sets {
      const ParameterValues dry{{"Ts", 0.0}};
      const ParameterValues unlimited{{"Ts", 0.0}, {"beta", 0.5}, {"gamma", -0.5}};
      const ParameterValues damped{{"Ts", 10.0}};
      if (claim == "bounded") return {holding ? dry : unlimited};
      if (claim == "dissipative") return {holding ? dry : damped};
      return {};
    },
    // Fast motions right after slow ones in the same direction get back more than friction takes.
    .witness = [](std::string_view claim) -> std::vector<std::pair<double, double>> {
      if (claim != "dissipative") return {};
      return {{20, 100}, {20.5, 1e-3}, {-20, 100}, {-20.5, 1e-3}};
    },
    // A knee with n < 1 starts at once, so the force does not tell where fast sliding is reached.
    .scale = [](const AnyModel& model) -> Scales {
      const double n = number(model, "n"), g0 = number(model, "g0");
      const double knee = 1 / (g0 * (number(model, "beta") + number(model, "gamma")));
      const double limit = std::min(1e3, std::pow(knee, 1 / n));
      return {.u = number(model, "uy") * limit,
              .f = number(model, "fc") * std::pow(g0, 1 / n) * limit};
    },
    .kinks_depend_on_velocity = true,
};

}  // namespace microslip::laws::samples
