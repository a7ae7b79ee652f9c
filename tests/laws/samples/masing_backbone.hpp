#pragma once

#include "laws/cases.hpp"
#include "microslip/models/masing_backbone.hpp"

namespace microslip::laws {

template <>
struct Samples<MasingBackbone<double>> {
  using Params = MasingBackbone<double>::Params;

  static Params with(const char* formula) { return {.g = Expression::parse(formula, {"u"})}; }

  static Params draw(Rng& rng) {
    // No formula that loses its digits at 1e-290, where the virgin tangent is checked.
    const char* concave[] = {"tanh(u)", "2*u/(1+3*u)", "u/sqrt(1+u)", "3*atan(u/2)+u/9",
                             "u/(1+u^1.5)^(2/3)"};
    return with(concave[rng.below(std::size(concave))]);
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim == "dissipative") {
      if (holding) return {with("tanh(u)"), with("log(1+u)")};
      return {with("u+u^3")};
    }
    if (claim != "bounded") return {};
    if (holding) return {with("tanh(u)"), with("u/(1+u)")};
    return {with("sqrt(1+u)-1")};
  }
};

}  // namespace microslip::laws
