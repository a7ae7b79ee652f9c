#pragma once

#include "laws/cases.hpp"
#include "microslip/models/bouc_wen_wang_wen.hpp"

namespace microslip::laws {

template <>
struct Samples<BoucWenWangWen<double>> {
  using Params = BoucWenWangWen<double>::Params;

  /// Mostly n = 2, which is fast: some odd n, for which the general way is fast too.
  static Params draw(Rng& rng) {
    Params p;
    p.A = rng.log_uniform(0.2, 5);
    p.beta = rng.chance(0.1) ? 0 : rng.log_uniform(0.1, 3);
    p.n = rng.chance(0.95) ? 2 : 1 + 2.0 * static_cast<double>(rng.below(3));
    // Towards γ = −β nothing limits z, and a large one unloads within a rounding.
    p.gamma = rng.uniform(-0.9, 1) * p.beta;
    p.k = rng.log_uniform(0.2, 5);
    p.a = rng.chance(0.2) ? 0 : rng.uniform(0, 1);
    return p;
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    if (claim != "bounded") return {};
    Params limited, spring, unlimited;
    limited.a = unlimited.a = 0;
    unlimited.gamma = -unlimited.beta;  // loading is then z' = A u'
    if (holding) return {limited};
    return {spring, unlimited};
  }
};

}  // namespace microslip::laws
