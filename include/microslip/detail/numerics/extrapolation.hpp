#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "microslip/core/dual.hpp"

/// Error-controlled integration of small smooth systems y' = rate(y) that have no closed form:
/// modified midpoint rules, extrapolated up to order twelve (Gragg, Bulirsch and Stoer).
namespace microslip {
namespace extrapolation {

template <Number Real, std::size_t N>
struct Step {
  std::array<Real, N> y;
  double error;  ///< estimate, largest over y relative to the given scales
};

/// One step of length h, of lower order if that has an error of at most `enough`. Never inlined: it
/// is long, and loops over histories inline all they can.
template <Number Real, std::size_t N, class Rate>
[[gnu::noinline]] constexpr Step<Real, N> step(const std::array<Real, N>& y0, const Real& h,
                                               const Rate& rate, const std::array<double, N>& scale,
                                               double enough = 0) noexcept {
  constexpr std::size_t columns = 6, fewest = 3;
  using Y = std::array<Real, N>;
  const Y first = rate(y0);
  std::array<Y, columns> table;  // Neville's scheme in (h/n)², the row under construction
  double error = 0;
  for (std::size_t row = 0; row < columns; ++row) {
    const int n = 2 * (static_cast<int>(row) + 1);
    const Real part = h / static_cast<double>(n);
    Y before = y0, now = y0;
    for (std::size_t i = 0; i < N; ++i) now[i] += part * first[i];
    for (int m = 1; m < n; ++m) {
      const Y slope = rate(now);
      for (std::size_t i = 0; i < N; ++i) {
        const Real next = before[i] + 2.0 * part * slope[i];
        before[i] = now[i];
        now[i] = next;
      }
    }
    Y value = now;
    for (std::size_t column = 1; column <= row; ++column) {
      const double ratio = static_cast<double>(n) / (2.0 * static_cast<double>(row - column + 1));
      const double divisor = ratio * ratio - 1;
      error = 0;  // of the last column
      for (std::size_t i = 0; i < N; ++i) {
        const Real change = (value[i] - table[column - 1][i]) / divisor;
        if (column == row) {
          const double size = std::abs(value_of(change)) / scale[i];
          error = std::isfinite(size) ? std::max(error, size) : HUGE_VAL;
        }
        table[column - 1][i] = value[i];
        value[i] += change;
      }
    }
    table[row] = value;
    // The rows left out would gain at least this much: the next step may be twice as long.
    if (row + 1 >= fewest && error <= enough) return {value, 1e-4 * error};
  }
  return {table[columns - 1], error};
}

/// The next step for an error of about `tolerance`; the estimate is of order eleven.
inline double next_length(double h, double error, double tolerance) noexcept {
  const double factor = 0.9 * std::pow(tolerance / std::max(error, 1e-300), 1.0 / 11);
  return h * std::clamp(factor, 0.2, 4.0);
}

}  // namespace extrapolation
}  // namespace microslip
