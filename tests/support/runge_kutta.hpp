#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace microslip::testing {

/// y(end) of y' = rate(y) by the classical method of order four with equal steps: slow, simple, and
/// independent of how the library solves anything.
template <std::size_t N, class Rate>
std::array<double, N> runge_kutta(std::array<double, N> y, double end, int steps,
                                  const Rate& rate) {
  using Y = std::array<double, N>;
  const double h = end / steps;
  const auto moved = [](const Y& from, double by, const Y& along) {
    Y to = from;
    for (std::size_t i = 0; i < N; ++i) to[i] += by * along[i];
    return to;
  };
  for (int step = 0; step < steps; ++step) {
    const Y a = rate(y);
    const Y b = rate(moved(y, h / 2, a));
    const Y c = rate(moved(y, h / 2, b));
    const Y d = rate(moved(y, h, c));
    for (std::size_t i = 0; i < N; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

/// The same with steps that are halved, down to `shortest`, until halving one changes nothing beyond
/// `tolerance`: many steps at a kink or jump of the rate, few elsewhere.
template <std::size_t N, class Rate>
std::array<double, N> adaptive_runge_kutta(std::array<double, N> y, double end, double shortest,
                                           double tolerance, const Rate& rate) {
  constexpr int pieces = 64;
  double at = 0, h = end / pieces;
  while (at < end) {
    const auto whole = runge_kutta(y, h, 1, rate), halves = runge_kutta(y, h, 2, rate);
    double change = 0;
    for (std::size_t i = 0; i < N; ++i) change = std::max(change, std::abs(whole[i] - halves[i]));
    if (!(change <= tolerance) && h > shortest) {
      h /= 2;
      continue;
    }
    y = halves;
    at += h;
    // Steps are end·2^−k; where `end` is a power of two it is met exactly.
    if (h < end / pieces && std::fmod(at, 2 * h) == 0) h *= 2;
  }
  return y;
}

}  // namespace microslip::testing
