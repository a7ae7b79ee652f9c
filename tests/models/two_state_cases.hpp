#pragma once

// Parameters of the two-state law that its tests share: the papers' own, and the corners.

#include <array>
#include <cmath>
#include <vector>

#include "microslip/models/two_state.hpp"

namespace microslip::two_state_cases {

using Law = TwoState<double>;
using Params = Law::Params;
using State = Law::State;
using Method = Law::Method;

inline Params normalised(double alpha, double sigma) {  // thesis, eqs 4.18–4.19
  return {.mu = 1,
          .sigma = sigma,
          .alpha = alpha,
          .b1 = std::sqrt(alpha * (1 - alpha) / (1 - sigma)),
          .b2 = std::sqrt(alpha * (alpha - sigma) / (1 - sigma))};
}

struct PrintedCase {
  Params params;
  double saturated_slope, half_gap;  ///< computed apart from this code, ten digits
};

// Thesis, Table 5.1.
inline const std::array<PrintedCase, 4> table_5_1{{
    {{.sigma = 0.2254, .alpha = 0.6134, .b1 = 0.3353, .b2 = 0.6353}, 0.1587346267, 1.0677215559},
    {{.sigma = 0.2800, .alpha = 5.0000, .b1 = 1.5457, .b2 = 1.2692}, 0.1999885740, 0.3019828748},
    {{.sigma = 0.0906, .alpha = 17.6663, .b1 = 1.7959, .b2 = 2.5594}, 0.4466421848, 0.1480707619},
    {{.sigma = 0.5570, .alpha = 7.8443, .b1 = 1.9537, .b2 = 1.9020}, 0.0522356756, 0.3055198787},
}};

// The papers' sets, and the corners: σ = 1, σ > 1, b along an axis, signs of b, stiff ellipses.
inline std::vector<Params> parameter_sets() {
  std::vector<Params> sets{{}, normalised(0.5, 0.49)};
  for (const auto& c : table_5_1) sets.push_back(c.params);
  sets.push_back({.mu = 2.5, .sigma = 1, .alpha = 0.7, .b1 = 0.4, .b2 = -0.3, .ks = 0.2});
  sets.push_back({.mu = 0.3, .sigma = 7, .alpha = 1.7, .b1 = -0.9, .b2 = 0.8, .ks = -0.1});
  sets.push_back({.mu = 1, .sigma = 0.2, .alpha = 1, .b1 = 0, .b2 = 0.8});
  sets.push_back({.mu = 4, .sigma = 0.5, .alpha = 2, .b1 = -1.1, .b2 = 0});
  sets.push_back({.mu = 1, .sigma = 1e-3, .alpha = 0.9, .b1 = 0.6, .b2 = 0.7, .ks = 1});
  sets.push_back({.mu = 1e-4, .sigma = 300, .alpha = 2e-2, .b1 = 0.05, .b2 = 0.1});
  return sets;
}

}  // namespace microslip::two_state_cases
