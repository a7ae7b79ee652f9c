#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace microslip::loops {
namespace {

constexpr std::size_t branch_samples = 100;

/// Least squares of y = c0 + c1 x (+ c2 x²) with the standard error of c1, by orthogonal
/// polynomials of the given points.
Slope fitted_slope(std::span<const double> x, std::span<const double> y, bool curved) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double s2 = 0, s3 = 0, s4 = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = x[i] - mean_x;
    s2 += p * p;
    s3 += p * p * p;
    s4 += p * p * p * p;
    xy += p * (y[i] - mean_y);
  }
  if (!(s2 > 0)) return {0, std::numeric_limits<double>::infinity()};
  const double c1 = xy / s2;
  // Second polynomial p² − (s3/s2) p − s2/n, orthogonal to the first two.
  const double tilt = s3 / s2, norm = s4 - s3 * s3 / s2 - s2 * s2 / n;
  double c2 = 0;
  if (curved && norm > 1e-12 * s4) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double p = x[i] - mean_x;
      c2 += (p * p - tilt * p - s2 / n) * (y[i] - mean_y) / norm;
    }
  }
  double residual = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = x[i] - mean_x;
    const double r = y[i] - mean_y - c1 * p - c2 * (p * p - tilt * p - s2 / n);
    residual += r * r;
  }
  const double freedom = n - (curved ? 3 : 2);
  const double variance = freedom > 0 ? residual / freedom : 0;
  const double lever = curved ? -2 * mean_x - tilt : 0;  // derivative of the second one at x = 0
  const double spread = 1 / s2 + (curved && norm > 0 ? lever * lever / norm : 0);
  return {c1 + c2 * lever,
          freedom > 0 ? std::sqrt(variance * spread) : std::numeric_limits<double>::infinity()};
}

/// Slope of the rows by least squares, with its error by the noise of both columns.
Slope noisy_slope(std::span<const double> x, std::span<const double> y, const Noise& noise) {
  const Slope slope = fitted_slope(x, y, false);
  const auto n = static_cast<double>(x.size());
  double mean = 0, square = 0;
  for (const double at : x) mean += at / n;
  for (const double at : x) square += (at - mean) * (at - mean);
  if (!(square > 0)) return {0, std::numeric_limits<double>::infinity()};
  const double deviation = std::hypot(noise.f, slope.value * noise.u);
  // Noise of x flattens the line.
  const double flattened = std::abs(slope.value) * noise.u * noise.u * n / square;
  // What few rows scatter about their own line says little.
  const double scatter = n >= 10 ? slope.error : 0;
  return {slope.value, std::hypot(std::max(deviation / std::sqrt(square), scatter), flattened)};
}

/// Slope at x = 0 from the slopes over some rows and over the first half of them: bending that is
/// linear in x is taken away, and as much is left as its error. Of all lengths the surest. Where that
/// is not known to a third, the record does not show the slope: the error is infinite, and the value
/// is the largest slope that is clear of noise, of which the true one is larger.
Slope start_slope(std::span<const double> x, std::span<const double> y, const Noise& noise) {
  constexpr std::size_t least_rows = 3;
  const double infinite = std::numeric_limits<double>::infinity();
  Slope best{0, infinite};
  double at_least = 0;
  const auto far = [&](double part) {
    const auto beyond =
        std::find_if(x.begin(), x.end(), [&](double v) { return v > part * x.back(); });
    return static_cast<std::size_t>(beyond - x.begin());
  };
  const std::size_t most = std::min(x.size(), std::max(far(0.25), least_rows));
  for (std::size_t rows = 2; rows <= most; rows = std::max(rows + 1, rows * 5 / 4)) {
    const Slope whole = noisy_slope(x.first(rows), y.first(rows), noise);
    at_least = std::max(at_least, whole.value - 2 * whole.error);
    if (rows < least_rows) continue;
    // Half of the way, in two rows at least.
    std::size_t half = 2;
    while (half + 1 < rows && x[half] - x[0] <= 0.5 * (x[rows - 1] - x[0])) ++half;
    const Slope first = noisy_slope(x.first(half), y.first(half), noise);
    const double bending = first.value - whole.value;
    const double error = std::abs(bending) + 2 * first.error + whole.error;
    if (std::isfinite(error) && error < best.error) best = {first.value + bending, error};
  }
  if (best.value > 0 && best.error <= best.value / 3) return best;
  return {at_least, infinite};
}

/// Distance and force from the first point, both growing on an ordinary branch.
void from_start(const Branch& branch, std::vector<double>& x, std::vector<double>& y) {
  const double side = branch.u.back() >= branch.u.front() ? 1 : -1;
  for (std::size_t i = 0; i < branch.u.size(); ++i) {
    x.push_back(side * (branch.u[i] - branch.u.front()));
    y.push_back(side * (branch.f[i] - branch.f.front()));
  }
}

/// Means of the points in each of n intervals: a curve through noise.
Branch binned(const Branch& branch, std::size_t n) {
  const double start = branch.u.front(), length = branch.u.back() - start;
  std::vector<double> u(n), f(n), count(n);
  for (std::size_t i = 0; i < branch.u.size(); ++i) {
    const double place = (branch.u[i] - start) / length * static_cast<double>(n);
    const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(n) - 0.5));
    u[bin] += branch.u[i];
    f[bin] += branch.f[i];
    count[bin] += 1;
  }
  Branch curve{{branch.u.front()}, {branch.f.front()}};
  const double side = length > 0 ? 1 : -1;
  const auto add = [&](double at, double force) {
    if (side * (at - curve.u.back()) <= 0) return;
    curve.u.push_back(at);
    curve.f.push_back(force);
  };
  for (std::size_t bin = 0; bin < n; ++bin)
    if (count[bin] > 0) add(u[bin] / count[bin], f[bin] / count[bin]);
  add(branch.u.back(), branch.f.back());
  return curve;
}

bool is_monotone(const Branch& branch) {
  const double side = branch.u.back() - branch.u.front();
  for (std::size_t i = 1; i < branch.u.size(); ++i)
    if ((branch.u[i] - branch.u[i - 1]) * side < 0) return false;
  return true;
}

}  // namespace

Slope slope_at_start(const Branch& branch, const Noise& noise, bool after_reversal) {
  std::vector<double> x, y;
  from_start(branch, x, y);
  // The motion turns between two rows; up to the second one it may have gone on before it returned.
  const std::size_t first = after_reversal ? 1 : 0;
  if (x.size() < first + 2 || !(x.back() > x[first]))
    return {0, std::numeric_limits<double>::infinity()};
  x.erase(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(first));
  y.erase(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t i = x.size(); i-- > 0;) x[i] -= x[0];
  return start_slope(x, y, noise);
}

Slope slope_at_end(const Branch& branch) {
  Branch turned = branch;
  std::reverse(turned.u.begin(), turned.u.end());
  std::reverse(turned.f.begin(), turned.f.end());
  std::vector<double> x, y;
  from_start(turned, x, y);
  if (x.size() < 2 || !(x.back() > 0)) return {};
  const double window = 0.1 * x.back();
  std::size_t count = 0;
  while (count < x.size() && (x[count] <= window || count < 3)) ++count;
  return fitted_slope(std::span(x).first(count), std::span(y).first(count), false);
}

std::vector<double> resampled(const Branch& branch, std::size_t n) {
  const Branch curve = is_monotone(branch) ? branch : binned(branch, n);
  const double start = branch.u.front(), length = branch.u.back() - start;
  const double side = length >= 0 ? 1 : -1;
  std::vector<double> force(n + 1);
  std::size_t i = 1;
  for (std::size_t k = 0; k <= n; ++k) {
    const double at = start + length * static_cast<double>(k) / static_cast<double>(n);
    while (i + 1 < curve.u.size() && side * (curve.u[i] - at) < 0) ++i;
    if (i >= curve.u.size()) {
      force[k] = curve.f.back();
      continue;
    }
    const double step = curve.u[i] - curve.u[i - 1];
    const double part = step == 0 ? 1 : std::clamp((at - curve.u[i - 1]) / step, 0.0, 1.0);
    force[k] = curve.f[i - 1] + part * (curve.f[i] - curve.f[i - 1]);
  }
  return force;
}

bool stiffens_again(const Branch& branch) {
  constexpr std::size_t parts = 12;
  if (branch.u.size() < 4 * parts || branch.u.back() == branch.u.front()) return false;
  // Means of the rows of a noisy branch, over less than a part: means over a whole one would fill
  // the flat piece.
  constexpr std::size_t fine = 4;
  const std::vector<double> finely = resampled(branch, fine * parts);
  std::vector<double> force;
  for (std::size_t i = 0; i <= parts; ++i) force.push_back(finely[fine * i]);
  const double rise = force.back() - force.front();
  // In a clearance the force stands still in its middle. Friction that depends on the speed falls and
  // rises again as the speed does, near its limit; what rocks is soft near its limits.
  constexpr double most_fall = 0.08, near_limit = 0.2;
  double soft = std::numeric_limits<double>::infinity(), stiff = 0, stiff_before = 0;
  double highest = 0, fall = 0;  // of the force, over its rise along the branch
  for (std::size_t i = 0; i < parts; ++i) {
    const double here = (force[i] - force.front()) / rise;
    // Relative to the mean slope of the branch.
    const double slope = (force[i + 1] - force[i]) / rise * static_cast<double>(parts);
    highest = std::max(highest, here);
    fall = std::max(fall, highest - here);
    if (fall > most_fall) return false;
    // A force that falls, as where the motion slows down against viscosity, stiffens nothing.
    if (soft < 0.5 * stiff_before && slope > 2 * std::max(soft, 0.0) + 0.5) return true;
    if (slope < soft && here > near_limit && here < 1 - near_limit)
      soft = slope, stiff_before = stiff;
    stiff = std::max(stiff, slope);
  }
  return false;
}

bool turns_rigidly(const Cycle& cycle) {
  const Branch &out = cycle.out, &back = cycle.back;
  if (out.u.size() < 10 || back.u.size() < 10 || !(cycle.force_range > 0)) return false;
  const std::size_t n = out.u.size();
  const double length = std::abs(out.u.back() - out.u.front());
  const double near =
      std::max(std::abs(out.u[n - 1] - out.u[n - 2]), std::abs(back.u[1] - back.u[0]));
  return std::abs(out.f[n - 2] - back.f[1]) > 0.25 * cycle.force_range && near < 0.02 * length;
}

namespace {

/// A branch of rigid friction without its last row if that shows the force after the turn.
Branch before_turn(Branch branch, double range) {
  const std::size_t n = branch.f.size();
  const double side = branch.u.back() >= branch.u.front() ? 1 : -1;
  if (side * (branch.f[n - 2] - branch.f[n - 1]) > 0.25 * range) {
    branch.u.pop_back();
    branch.f.pop_back();
  }
  return branch;
}

}  // namespace

void measure(Cycle& cycle, const Noise& noise) {
  const Branch &out = cycle.out, &back = cycle.back;
  // A loop that was cut where it returns misses its start by rounding only.
  const double returns = back.u.back() - out.u.front(), middle = back.u.front();
  const bool open = std::abs(returns) > 1e-9 * std::abs(middle - out.u.front());
  const double start = open ? out.u.front() + 0.5 * returns : out.u.front();
  cycle.amplitude = 0.5 * std::abs(middle - start);
  cycle.mean = 0.5 * (middle + start);
  cycle.opening = open ? returns / (start - middle) : 0;

  const std::vector<double> there = resampled(out, branch_samples),
                            home = resampled(back, branch_samples);
  const auto [low, high] = std::minmax_element(there.begin(), there.end());
  const auto [low2, high2] = std::minmax_element(home.begin(), home.end());
  cycle.force_range = std::max(*high, *high2) - std::min(*low, *low2);

  const bool rigid = turns_rigidly(cycle);
  const Branch out_end = rigid ? before_turn(out, cycle.force_range) : out;
  const Branch back_end = rigid ? before_turn(back, cycle.force_range) : back;
  const double start_force = rigid ? back_end.f.back() : 0.5 * (out.f.front() + back.f.back());
  const double middle_force = rigid ? out_end.f.back() : 0.5 * (out.f.back() + back.f.front());
  cycle.mean_force = 0.5 * (start_force + middle_force);
  cycle.secant = (middle_force - start_force) / (middle - start);

  const Slope b = slope_at_start(back, noise, true), a = slope_at_start(out, noise, true);
  if (std::isfinite(a.error) && std::isfinite(b.error)) {
    cycle.tangent = 0.5 * (a.value + b.value);
    cycle.tangent_error = 0.5 * std::hypot(a.error, b.error);
  } else {
    const Slope& shown =
        std::isfinite(a.error) || (!std::isfinite(b.error) && a.value > b.value) ? a : b;
    cycle.tangent = std::max(shown.value, cycle.secant);
    cycle.tangent_error = shown.error;
  }
  cycle.final_slope = 0.5 * (slope_at_end(out_end).value + slope_at_end(back_end).value);

  // The legs of an open loop are halves of the closed loops between a, b and between b, c. Their
  // mean energy is the area closed by the line from c to a, less the triangle a, b, c, whose
  // height is that of the tips above the final slope.
  cycle.energy = work(out.u, out.f) + work(back.u, back.f);
  if (open)
    cycle.energy -=
        returns * (start_force + 0.5 * (middle - start) * (cycle.secant - cycle.final_slope));
  cycle.damping =
      cycle.energy / (2 * std::numbers::pi * cycle.secant * cycle.amplitude * cycle.amplitude);
  if (!(cycle.force_range > 0)) return;

  cycle.closure = rigid ? 0 : (back.f.back() - out.f.front()) / cycle.force_range;
  double center = 0, square = 0;
  for (std::size_t k = 0; k <= branch_samples; ++k)
    center += (there[k] + home[k]) / (branch_samples + 1);
  for (std::size_t k = 0; k <= branch_samples; ++k) {
    const double defect = there[k] + home[k] - center;
    square += defect * defect / (branch_samples + 1);
  }
  cycle.asymmetry = std::sqrt(square) / cycle.force_range;
}

}  // namespace microslip::loops
