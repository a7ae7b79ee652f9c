#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace microslip {

/// Whether two functions of n numbers are the same: compared at places of all sizes and signs, to
/// rounding. Two formulas that agree there are the same, unless one of them has a piece that no place
/// lies in.
template <std::size_t n, class F, class G>
bool same_function(const F& f, const G& g) {
  // Weyl's sequences with square roots of primes, which fill the cube evenly: sizes and signs.
  constexpr std::array steps{0.41421356237309515, 0.7320508075688772, 0.2360679774997898,
                             0.6457513110645907,  0.3166247903553998, 0.605551275463989};
  static_assert(2 * n <= steps.size());
  int compared = 0;
  for (int i = 1; i <= 200; ++i) {
    std::array<double, n> place{};
    for (std::size_t k = 0; k < n; ++k) {
      const double size = std::fmod(i * steps[2 * k], 1.0),
                   sign = std::fmod(i * steps[2 * k + 1], 1.0);
      place[k] = std::pow(10.0, 18 * size - 9) * (sign < 0.5 ? -1 : 1);
    }
    const double a = std::apply(f, place), b = std::apply(g, place);
    if (!std::isfinite(a) && !std::isfinite(b)) continue;
    if (!(std::abs(a - b) <= 1e-10 * std::max(std::abs(a), std::abs(b)))) return false;
    ++compared;
  }
  return compared > 10;
}

}  // namespace microslip
