#pragma once

#include "laws/cases.hpp"
#include "microslip/models/lugre_duhem.hpp"

namespace microslip::laws {

template <>
struct Samples<LuGreDuhem<double>> {
  using Params = LuGreDuhem<double>::Params;
  static constexpr bool kinks_depend_on_velocity = true;

  /// A knee with n < 1 starts at once, so the force does not tell where fast sliding is reached.
  static Scales scale(const Params& p) {
    const double limit = std::min(1e3, std::pow(1 / (p.g0 * (p.beta + p.gamma)), 1 / p.n));
    return {.u = p.uy * limit, .f = p.fc * std::pow(p.g0, 1 / p.n) * limit};
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    Params dry, unlimited, steep;
    dry.Ts = unlimited.Ts = 0;
    unlimited.gamma = -unlimited.beta;
    // Fast motions right after slow ones get back more than friction takes.
    steep.n = 0.3;
    steep.Ts = 10;
    steep.vs = 5;
    if (claim == "bounded") return {holding ? dry : unlimited};
    if (claim == "dissipative") return {holding ? dry : steep};
    return {};
  }
};

}  // namespace microslip::laws
