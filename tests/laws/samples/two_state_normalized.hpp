#pragma once

#include "laws/cases.hpp"
#include "microslip/models/two_state_normalized.hpp"

namespace microslip::laws {

template <>
struct Samples<TwoStateNormalized<double>> {
  using Params = TwoStateNormalized<double>::Params;

  static Params draw(Rng& rng) {
    Params p;
    p.alpha = rng.uniform(0.05, 0.95);
    p.sigma = p.alpha * rng.uniform(0.02, 0.98);
    return p;
  }
};

}  // namespace microslip::laws
