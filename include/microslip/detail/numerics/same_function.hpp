#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace microslip {

/// Places of all sizes and signs where functions of n numbers are looked at: sizes and signs fill their
/// ranges evenly, by Weyl's sequences with square roots of primes.
template <std::size_t n>
std::array<double, n> place_of_any_size(int i) {
  constexpr std::array steps{0.41421356237309515, 0.7320508075688772, 0.2360679774997898,
                             0.6457513110645907,  0.3166247903553998, 0.605551275463989,
                             0.12310562561766059, 0.35889894354067398};
  static_assert(2 * n <= steps.size());
  std::array<double, n> place{};
  for (std::size_t k = 0; k < n; ++k) {
    const double size = std::fmod(i * steps[2 * k], 1.0),
                 sign = std::fmod(i * steps[2 * k + 1], 1.0);
    place[k] = std::pow(10.0, 18 * size - 9) * (sign < 0.5 ? -1 : 1);
  }
  return place;
}
inline constexpr int places_of_any_size = 200, least_places = 10;

/// Whether two functions of n numbers are the same: compared at places of all sizes and signs, to
/// rounding. Two formulas that agree there are the same, unless one of them has a piece that no place
/// lies in.
template <std::size_t n, class F, class G>
bool same_function(const F& f, const G& g) {
  int compared = 0;
  for (int i = 1; i <= places_of_any_size; ++i) {
    const std::array<double, n> place = place_of_any_size<n>(i);
    const double a = std::apply(f, place), b = std::apply(g, place);
    if (!std::isfinite(a) && !std::isfinite(b)) continue;
    if (!(std::abs(a - b) <= 1e-10 * std::max(std::abs(a), std::abs(b)))) return false;
    ++compared;
  }
  return compared > least_places;
}

/// Whether a function of n numbers has one sign at all such places, and is zero at none of them.
template <std::size_t n, class F>
bool keeps_its_sign(const F& f) {
  int above = 0, below = 0;
  for (int i = 1; i <= places_of_any_size; ++i) {
    const double value = std::apply(f, place_of_any_size<n>(i));
    if (!std::isfinite(value)) continue;
    if (value == 0) return false;
    ++(value > 0 ? above : below);
    if (above > 0 && below > 0) return false;
  }
  return above + below > least_places;
}

}  // namespace microslip
