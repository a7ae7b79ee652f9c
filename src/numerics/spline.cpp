#include "microslip/detail/numerics/spline.hpp"

#include <cstddef>

namespace microslip {

std::vector<double> spline_curvature(std::span<const double> t, std::span<const double> f) {
  const std::size_t n = t.size();
  if (n < 4) return {};
  std::vector<double> diagonal(n), upper(n), right(n);
  const auto h = [&](std::size_t i) { return t[i + 1] - t[i]; };
  const auto slope = [&](std::size_t i) { return (f[i + 1] - f[i]) / h(i); };
  // Unknowns m_1 … m_(n−2); the ends follow from m_0 = ((h_0 + h_1) m_1 − h_0 m_2)/h_1 and likewise.
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double lower = h(i - 1);
    diagonal[i] = 2 * (h(i - 1) + h(i));
    upper[i] = h(i);
    right[i] = 6 * (slope(i) - slope(i - 1));
    if (i == 1) {
      diagonal[i] += h(0) * (h(0) + h(1)) / h(1);
      upper[i] -= h(0) * h(0) / h(1);
    }
    if (i + 2 == n) {
      diagonal[i] += h(n - 2) * (h(n - 2) + h(n - 3)) / h(n - 3);
      lower -= h(n - 2) * h(n - 2) / h(n - 3);
    }
    if (i > 1) {
      const double factor = lower / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      right[i] -= factor * right[i - 1];
    }
  }
  std::vector<double> m(n);
  m[n - 2] = right[n - 2] / diagonal[n - 2];
  for (std::size_t i = n - 2; i-- > 1;) m[i] = (right[i] - upper[i] * m[i + 1]) / diagonal[i];
  m[0] = ((h(0) + h(1)) * m[1] - h(0) * m[2]) / h(1);
  m[n - 1] = ((h(n - 2) + h(n - 3)) * m[n - 2] - h(n - 2) * m[n - 3]) / h(n - 3);
  return m;
}

}  // namespace microslip
