#pragma once

#include "laws/cases.hpp"
#include "microslip/models/m_state.hpp"

namespace microslip::laws {

template <>
struct Samples<MState<double>> {
  using Params = MState<double>::Params;

  /// One to four states, with a saturated slope ≥ 0: below, the stored energy has no minimum.
  static Params draw(Rng& rng) {
    Params p;
    const std::size_t m = 1 + rng.below(4);
    p.a.resize(m);
    p.b.resize(m);
    p.alpha = rng.log_uniform(0.2, 5);
    double bb = 0;
    for (std::size_t i = 0; i < m; ++i) {
      p.a[i] = rng.chance(0.1) ? p.a[0] + (i == 0) : rng.log_uniform(0.1, 5);
      p.b[i] = i > 0 && rng.chance(0.1) ? 0 : rng.uniform(-1, 1);
      bb += p.b[i] * p.b[i];
    }
    p.ks = (rng.chance(0.2) ? 0 : rng.uniform(0, 0.5)) - 1 + bb / p.alpha;
    return p;
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    const Params standard;
    Params axis = standard, one = standard, sphere = standard, flat = standard;
    axis.b = {0, 0.5, 0};
    one.a = {0.3};
    one.b = {0.8};
    sphere.a = {0.5, 0.5, 0.5};
    flat.alpha = 1;
    flat.b = {0.48, 0.6, 0.64};  // |b|² = 1 = α
    if (claim == "bounded") return {holding ? flat : standard};
    if (holding) return {axis, one, sphere};
    return {standard};
  }
};

}  // namespace microslip::laws
