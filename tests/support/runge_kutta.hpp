#pragma once

#include <array>
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

}  // namespace microslip::testing
