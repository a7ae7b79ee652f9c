#pragma once

#include "laws/cases.hpp"
#include "microslip/models/prandtl_ishlinskii.hpp"

namespace microslip::laws {

template <>
struct Samples<PrandtlIshlinskii<double>> {
  using Params = PrandtlIshlinskii<double>::Params;

  /// Softening and ending level or rising, so that the force has a scale.
  static Params draw(Rng& rng) {
    Params p;
    p.w0 = rng.log_uniform(0.5, 2);
    for (std::size_t i = 0; i < p.w.size(); ++i) {
      p.r[i] *= rng.log_uniform(0.5, 2);
      p.w[i] = -p.w0 * rng.uniform(0.05, 0.45);
    }
    return p;
  }

  static std::vector<Params> sets(std::string_view claim, bool holding) {
    Params level, hardening;
    level.w = {-0.6, -0.4};
    hardening.w = {0.5, 0.3};
    if (claim == "bounded") return {holding ? level : Params{}};
    if (claim == "dissipative") return {holding ? level : hardening};
    return {};
  }
};

}  // namespace microslip::laws
