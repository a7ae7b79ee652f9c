#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/loops/loops.hpp"

namespace microslip::loops {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double range(std::span<const double> u) {
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  return *high - *low;
}

std::vector<double> extremes(std::span<const double> u) {
  std::vector<double> values;
  for (const double value : u) {
    if (!values.empty() && value == values.back()) continue;
    const std::size_t n = values.size();
    if (n >= 2 && (value - values[n - 1]) * (values[n - 1] - values[n - 2]) > 0)
      values.back() = value;
    else
      values.push_back(value);
  }
  return values;
}

/// How far each excursion of the signal goes against the motion that it interrupts.
std::vector<double> excursions(const std::vector<double>& turns) {
  std::vector<double> stack, ranges;
  for (const double turn : turns) {
    stack.push_back(turn);
    for (std::size_t n = stack.size(); n >= 4; n = stack.size()) {
      const double inner = std::abs(stack[n - 3] - stack[n - 2]);
      if (inner > std::abs(stack[n - 4] - stack[n - 3]) ||
          inner > std::abs(stack[n - 2] - stack[n - 1]))
        break;
      ranges.push_back(inner);
      stack.erase(stack.end() - 3, stack.end() - 1);
    }
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

double resolution(std::span<const double> u) {
  double least = 0;
  for (std::size_t i = 1; i < u.size(); ++i) {
    const double step = std::abs(u[i] - u[i - 1]);
    if (step > 0 && (least == 0 || step < least)) least = step;
  }
  return least;
}

}  // namespace

double noise_level(std::span<const double> signal) {
  if (signal.size() < 16) return 0;
  // Differences of order 2, 4, 6 of white noise of variance 1 have variance C(2k, k). The higher
  // ones see less of a curved signal, the lower ones less of corners: the smallest is the best.
  std::vector<double> differences(signal.begin(), signal.end());
  double least = std::numeric_limits<double>::infinity();
  for (int order = 1; order <= 6; ++order) {
    for (std::size_t i = 0; i + 1 < differences.size(); ++i)
      differences[i] = differences[i + 1] - differences[i];
    differences.pop_back();
    if (order % 2 != 0) continue;
    constexpr std::array<double, 3> variance{6, 70, 924};
    constexpr double median_of_normal = 0.6744897501960817;  // of |x|, in standard deviations
    std::vector<double> sizes(differences.size());
    std::transform(differences.begin(), differences.end(), sizes.begin(),
                   [](double x) { return std::abs(x); });
    const double scale = std::sqrt(variance[static_cast<std::size_t>(order / 2 - 1)]);
    least = std::min(least, median(sizes) / (median_of_normal * scale));
  }
  return least;
}

double reversal_threshold(std::span<const double> u) {
  const double width = range(u);
  const double floor = 1e-9 * width;  // rounding of files with few digits is the resolution below
  const std::vector<double> turns = extremes(u);
  // White noise turns at two rows of three; a list of turning points at every row.
  if (turns.size() * 5 > u.size() * 4) return floor;

  const auto rows = static_cast<double>(u.size());
  const double spread = 2 * std::sqrt(2 * std::log(rows));  // of the extremes of white noise
  double threshold = std::max(spread * noise_level(u), floor);
  const std::vector<double> ranges = excursions(turns);
  if (!ranges.empty() && turns.size() * 20 > u.size())
    threshold = std::max(threshold, 2 * resolution(u));

  // Noise that was filtered is larger than its sixth differences tell: then excursions crowd just
  // above the threshold, while those of the test itself are few or much larger.
  const auto above = [&](double least) {
    return static_cast<double>(ranges.end() -
                               std::lower_bound(ranges.begin(), ranges.end(), least));
  };
  bool crowded = false;
  while (above(threshold) - above(2 * threshold) > std::max(8.0, 2 * above(2 * threshold))) {
    threshold *= 1.25;
    crowded = true;
  }
  if (crowded) threshold *= 2;  // the last few of the crowd
  return std::min(threshold, 0.1 * width);
}

std::vector<double> smoothed(std::span<const double> signal, double noise) {
  std::vector<double> best(signal.begin(), signal.end());
  if (!(noise > 1e-6 * range(signal))) return best;
  const auto rows = static_cast<std::ptrdiff_t>(signal.size());
  for (std::ptrdiff_t half = 2; 2 * half + 1 <= rows / 8; half *= 2) {
    // The value in the middle of a least-squares parabola through 2 half + 1 rows.
    const auto m = static_cast<double>(half);
    const double scale = (2 * m - 1) * (2 * m + 1) * (2 * m + 3) / 3;
    std::vector<double> curve(best);
    double furthest = 0, before = 0, alike = 0;
    for (std::ptrdiff_t i = half; i < rows - half; ++i) {
      double sum = 0;
      for (std::ptrdiff_t k = -half; k <= half; ++k) {
        const double weight = (3 * m * m + 3 * m - 1 - 5 * static_cast<double>(k * k)) / scale;
        sum += weight * signal[static_cast<std::size_t>(i + k)];
      }
      curve[static_cast<std::size_t>(i)] = sum;
      const double left = signal[static_cast<std::size_t>(i)] - sum;
      furthest = std::max(furthest, std::abs(left));
      alike += left * std::exchange(before, left);
    }
    // More than noise does, or alike in neighbouring rows, which it is not: the motion itself would suffer.
    if (furthest > 5 * noise || alike > 0) break;
    best = std::move(curve);
  }
  return best;
}

std::vector<std::size_t> find_reversals(std::span<const double> u, double threshold) {
  std::vector<std::size_t> rows;
  if (u.empty()) return rows;
  int direction = 0;
  std::size_t low = 0, high = 0;  // extremes since the last reversal
  for (std::size_t i = 1; i < u.size(); ++i) {
    if (u[i] > u[high]) high = i;
    if (u[i] < u[low]) low = i;
    if (direction == 0) {
      if (u[high] - u[low] > threshold) direction = high > low ? 1 : -1;
    } else if (direction > 0 && u[high] - u[i] > threshold) {
      rows.push_back(high);
      direction = -1;
      low = i;
    } else if (direction < 0 && u[i] - u[low] > threshold) {
      rows.push_back(low);
      direction = 1;
      high = i;
    }
  }
  return rows;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const auto mean = [](std::span<const double> x) {
    double sum = 0;
    for (const double value : x) sum += value / static_cast<double>(x.size());
    return sum;
  };
  const double a_mean = mean(a), b_mean = mean(b);
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - a_mean) * (a[i] - a_mean);
    bb += (b[i] - b_mean) * (b[i] - b_mean);
    ab += (a[i] - a_mean) * (b[i] - b_mean);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa) / std::sqrt(bb) : 0;
}

double work(std::span<const double> u, std::span<const double> f) {
  double sum = 0;
  for (std::size_t i = 1; i < u.size(); ++i) sum += 0.5 * (f[i] + f[i - 1]) * (u[i] - u[i - 1]);
  return sum;
}

}  // namespace microslip::loops
