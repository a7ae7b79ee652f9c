#pragma once

#include <cstddef>

namespace microslip {

/// ∫₀¹ f(s) ds by Gauss's five points, for a smooth f over a step that is known to be short.
template <class Real, class F>
constexpr Real gauss5(const F& f) noexcept {
  constexpr double node[] = {0.538469310105683091, 0.906179845938663993};
  constexpr double weight[] = {0.478628670499366468, 0.236926885056189088};
  Real sum = 0.568888888888888889 * f(0.5);
  for (std::size_t i = 0; i < 2; ++i)
    sum += weight[i] * (f(0.5 - 0.5 * node[i]) + f(0.5 + 0.5 * node[i]));
  return 0.5 * sum;
}

}  // namespace microslip
