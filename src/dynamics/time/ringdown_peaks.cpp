#include "ringdown_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "ringdown_band.hpp"

namespace microslip::dynamics {
namespace {

/// Spectrum of all motions together, from zero to half of the sampling frequency. The second half of
/// the window leads the record to zero at its end.
std::vector<double> spectrum_of(Motions motions, std::size_t count) {
  Eigen::FFT<double> fft;
  std::vector<double> power(count / 2, 0.0);
  for (const std::vector<double>& x : motions) {
    std::vector<Complex> rows(count), spectrum;
    for (std::size_t i = 0; i < x.size(); ++i)
      rows[i] =
          x[i] * Nuttall::value(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(x.size()));
    fft.fwd(spectrum, rows);
    for (std::size_t k = 0; k < power.size(); ++k) power[k] += std::norm(spectrum[k]);
  }
  for (double& p : power) p = std::sqrt(p);
  return power;
}

/// True if the spectrum falls to half of the height on both sides before it rises above it.
bool stands_alone(const std::vector<double>& spectrum, std::size_t k) {
  const auto falls = [&](auto next) {
    for (std::size_t i = next(k); i > 0 && i < spectrum.size(); i = next(i)) {
      if (spectrum[i] < 0.5 * spectrum[k]) return true;
      if (spectrum[i] > spectrum[k]) return false;
    }
    return true;
  };
  return falls([](std::size_t i) { return i - 1; }) && falls([](std::size_t i) { return i + 1; });
}

}  // namespace

RingdownPeaks ringdown_peaks(double step, Motions motions) {
  const std::size_t rows = motions.front().size();
  std::size_t count = 2;
  while (count < rows) count *= 2;
  const std::vector<double> spectrum = spectrum_of(motions, count);
  const double bin = 2 * pi / (static_cast<double>(count) * step);
  // Below ten periods there is no decay to be seen, and drift has its peaks there.
  const auto first = static_cast<std::size_t>(
      std::ceil(10 * static_cast<double>(count) / static_cast<double>(rows)));
  if (first + 1 >= spectrum.size()) return {};
  const auto begin = spectrum.begin() + static_cast<std::ptrdiff_t>(first);
  const double highest = *std::max_element(begin, spectrum.end());
  const double least = 10 * median_of(std::vector<double>(begin, spectrum.end()));
  std::vector<std::pair<double, double>> found;
  for (std::size_t k = first; k + 1 < spectrum.size(); ++k)
    if (spectrum[k] >= least && spectrum[k] >= spectrum[k - 1] && spectrum[k] > spectrum[k + 1] &&
        stands_alone(spectrum, k))
      found.emplace_back(-spectrum[k], static_cast<double>(k) * bin);
  std::sort(found.begin(), found.end());
  RingdownPeaks peaks;
  for (const auto& peak : found) {
    peaks.omegas.push_back(peak.second);
    if (-peak.first >= highest / 50) peaks.high = peaks.omegas.size();
  }
  return peaks;
}

double even_step(std::span<const double> t) {
  if (t.size() < 3)
    throw Error("a ring-down of " + std::to_string(t.size()) + " rows is too short; at least 3");
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double place = t.front() + static_cast<double>(i) * step;
    if (!(std::abs(t[i] - place) <= step / 2))
      throw Error("row " + std::to_string(i + 1) + ": t = " + number_text(t[i]) +
                  " is not evenly spaced (" + number_text(place) +
                  " would be); a ring-down needs rows at equal steps of time");
  }
  return step;
}

std::optional<Clipping> clipping(std::span<const double> motion) {
  const std::size_t n = motion.size();
  if (n < 5) return std::nullopt;
  double resolution = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double step = std::abs(motion[i] - motion[i - 1]);
    if (step > 0 && (resolution == 0 || step < resolution)) resolution = step;
  }
  std::optional<Clipping> found;
  bool clips_low = false, clips_high = false;
  const auto [low, high] = std::minmax_element(motion.begin(), motion.end());
  for (const double limit : {*low, *high})
    for (std::size_t i = 1; i + 1 < n; ++i) {
      if (motion[i] != limit || motion[i - 1] == limit) continue;
      std::size_t end = i;
      while (end < n && motion[end] == limit) ++end;
      // Of a smooth maximum that a coarse resolution flattens, the next rows are one step away.
      const double before = std::abs(limit - motion[i - 1]);
      const double after = end < n ? std::abs(limit - motion[end]) : 0;
      if (end - i < 3 || !(std::max(before, after) > 2 * resolution)) continue;
      (limit == *low ? clips_low : clips_high) = true;
      const std::size_t rows = (found ? found->rows : 0) + end - i;
      const bool later = !found || found->last < end - 1;
      found = {later ? limit : found->limit, rows, later ? end - 1 : found->last};
    }
  // Shorter stays at a limit that is known are clipped as well.
  for (std::size_t i = found ? found->last + 1 : n; i < n; ++i)
    if ((motion[i] == *low && clips_low) || (motion[i] == *high && clips_high))
      found = {motion[i], found->rows + 1, i};
  return found;
}

std::size_t start_of_decay(std::span<const std::vector<double>> motions) {
  std::vector<double> sum(motions.front().size(), 0.0);
  for (const std::vector<double>& x : motions) {
    double largest = 0;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < x.size() && largest > 0; ++i) sum[i] += std::pow(x[i] / largest, 2);
  }
  const double enough = 0.25 * *std::max_element(sum.begin(), sum.end());
  auto first = static_cast<std::size_t>(
      std::find_if(sum.begin(), sum.end(), [&](double s) { return s >= enough; }) - sum.begin());
  for (const std::vector<double>& x : motions)
    if (const auto cut = clipping(x))
      first = std::max(first, std::min(cut->last + 1, x.size() - 1));
  return first;
}

}  // namespace microslip::dynamics
