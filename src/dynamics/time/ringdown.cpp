#include "microslip/dynamics/time/ringdown.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"

namespace microslip::dynamics {
namespace {

/// Cubic through values and slopes of two rows, part s of the way.
struct Cubic {
  double x0, m0, x1, m1;  ///< slopes per unit of s

  double value(double s) const {
    const double d = x1 - x0;
    return x0 + s * (m0 + s * ((3 * d - 2 * m0 - m1) + s * (m0 + m1 - 2 * d)));
  }
  double slope(double s) const {
    const double d = x1 - x0;
    return m0 + s * (2 * (3 * d - 2 * m0 - m1) + 3 * s * (m0 + m1 - 2 * d));
  }
};

Cubic cubic(std::span<const double> t, std::span<const double> x, std::span<const double> v,
            std::size_t i) {
  const double h = t[i + 1] - t[i];
  return {x[i], h * v[i], x[i + 1], h * v[i + 1]};
}

struct Peak {
  double t, x;
};

std::vector<Peak> peaks_of(std::span<const double> t, std::span<const double> x,
                           std::span<const double> v) {
  std::vector<Peak> peaks;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    if (v[i] == 0 && i > 0 && v[i - 1] * v[i + 1] < 0) {
      peaks.push_back({t[i], x[i]});
      continue;
    }
    if (!(v[i] * v[i + 1] < 0)) continue;
    const Cubic q = cubic(t, x, v, i);
    double low = 0;
    double high = 1;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (q.slope(middle) * v[i] > 0 ? low : high) = middle;
    }
    peaks.push_back({t[i] + low * (t[i + 1] - t[i]), q.value(low)});
  }
  return peaks;
}

std::vector<double> resampled(std::span<const double> t, std::span<const double> x,
                              std::span<const double> v, std::size_t count) {
  std::vector<double> result(count);
  const double h = (t.back() - t.front()) / static_cast<double>(count);
  std::size_t i = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double time = t.front() + static_cast<double>(k) * h;
    while (i + 2 < t.size() && t[i + 1] <= time) ++i;
    result[k] = cubic(t, x, v, i).value((time - t[i]) / (t[i + 1] - t[i]));
  }
  return result;
}

}  // namespace

std::vector<RingdownPoint> ringdown_from_peaks(std::span<const double> t, std::span<const double> x,
                                               std::span<const double> v) {
  const std::vector<Peak> peaks = peaks_of(t, x, v);
  std::vector<RingdownPoint> points;
  std::vector<double> amplitude(peaks.size());
  for (std::size_t i = 1; i + 1 < peaks.size(); ++i)
    amplitude[i] = 0.5 * std::abs(peaks[i].x - 0.5 * (peaks[i - 1].x + peaks[i + 1].x));
  for (std::size_t i = 2; i + 2 < peaks.size(); ++i) {
    const double period = peaks[i + 1].t - peaks[i - 1].t;
    const double decrement = std::log(amplitude[i - 1] / amplitude[i + 1]);
    points.push_back(
        {peaks[i].t, amplitude[i], 2 * pi / period, decrement / std::hypot(2 * pi, decrement)});
  }
  return points;
}

std::vector<RingdownPoint> ringdown_from_hilbert(std::span<const double> t,
                                                 std::span<const double> x,
                                                 std::span<const double> v) {
  const std::vector<Peak> peaks = peaks_of(t, x, v);
  if (peaks.size() < 12) return {};
  // Rows of a computed motion stand where steps ended; twenty in a period follow the cubics between.
  const std::size_t count = std::max(10 * peaks.size(), t.size());
  const std::vector<std::vector<double>> motion{resampled(t, x, v, count)};
  const double step = (t.back() - t.front()) / static_cast<double>(count);
  std::vector<RingdownMode> modes = ringdown_modes(step, motion, {.most_modes = 1});
  if (modes.empty()) return {};
  for (RingdownPoint& point : modes.front().points) point.t += t.front();
  return std::move(modes.front().points);
}

}  // namespace microslip::dynamics
