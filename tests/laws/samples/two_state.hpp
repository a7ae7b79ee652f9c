#pragma once

#include "laws/cases.hpp"
#include "microslip/models/two_state.hpp"

namespace microslip::laws {

template <>
struct Samples<TwoState<double>> {
  using Params = TwoState<double>::Params;

  /// With a saturated slope ≥ 0: below, the stored energy has no minimum.
  static Params draw(Rng& rng) {
    Params p;
    p.mu = rng.log_uniform(0.2, 5);
    p.sigma = rng.chance(0.1) ? 1 : rng.log_uniform(0.01, 10);
    p.alpha = rng.log_uniform(0.2, 5);
    p.b1 = rng.chance(0.1) ? 0 : rng.uniform(-1, 1);
    p.b2 = rng.chance(0.1) && p.b1 != 0 ? 0 : rng.uniform(-1, 1);
    const double saturated = rng.chance(0.2) ? 0 : rng.uniform(0, 0.5);
    p.ks = saturated - 1 + (p.b1 * p.b1 + p.b2 * p.b2) / p.alpha;
    return p;
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    const Params standard;
    Params spring = standard, first = standard, second = standard, circle = standard;
    spring.ks = 0.1;
    first.b2 = 0;
    second.b1 = 0;
    circle.sigma = 1;
    if (claim == "bounded") return {holding ? standard : spring};
    // b along an axis of the ellipse, or no ellipse at all.
    if (holding) return {first, second, circle};
    return {standard};
  }
};

}  // namespace microslip::laws
