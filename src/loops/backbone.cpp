#include "backbone.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "measure.hpp"
#include "microslip/core/error.hpp"

namespace microslip::loops {
namespace {

constexpr std::size_t grid = 200;

/// Force against depth from the start of a branch; `halved` by Masing's rule.
void add_curve(const Branch& branch, double scale, std::vector<double>& x, std::vector<double>& y,
               double weight) {
  const std::vector<double> force = resampled(branch, grid);
  const double length = branch.u.back() - branch.u.front();
  const double side = length >= 0 ? 1 : -1;
  for (std::size_t k = 0; k <= grid; ++k) {
    x[k] = scale * std::abs(length) * static_cast<double>(k) / grid;
    y[k] += weight * scale * side * (force[k] - force[0]);
  }
}

double interpolated(const Backbone& g, double x) {
  const auto after = std::lower_bound(g.x.begin(), g.x.end(), x);
  if (after == g.x.begin()) return g.force.front();
  if (after == g.x.end()) return g.force.back();
  const auto i = static_cast<std::size_t>(after - g.x.begin());
  return g.force[i - 1] + (g.force[i] - g.force[i - 1]) * (x - g.x[i - 1]) / (g.x[i] - g.x[i - 1]);
}

/// Sum of squares of a branch against the doubled backbone, and how many points it has.
std::pair<double, double> misfit(const Branch& branch, const Backbone& g) {
  const std::vector<double> force = resampled(branch, grid);
  const double length = branch.u.back() - branch.u.front();
  const double side = length >= 0 ? 1 : -1;
  double n = 0, mean = 0, square = 0;
  for (std::size_t k = 0; k <= grid; ++k) {
    const double depth = 0.5 * std::abs(length) * static_cast<double>(k) / grid;
    if (depth > g.x.back() * (1 + 1e-9)) break;
    const double defect = side * (force[k] - force[0]) - 2 * interpolated(g, depth);
    n += 1;
    mean += defect;
    square += defect * defect;
  }
  return {square - mean * mean / n, n};
}

double spread(const std::vector<double>& logs) {
  const auto [low, high] = std::minmax_element(logs.begin(), logs.end());
  return *high - *low;
}

}  // namespace

Backbone backbone_of(const Branch& first, const Cycle* largest, bool starts_at_rest) {
  Backbone result;
  std::vector<double> x(grid + 1), y(grid + 1);
  if (starts_at_rest && first.u.size() > 2 && largest &&
      std::abs(first.u.back() - first.u.front()) >= 0.9 * largest->amplitude) {
    result.source = Backbone::Source::virgin;
    add_curve(first, 1, x, y, 1);
  } else if (largest) {
    result.source = Backbone::Source::branch;
    const double share = largest->begins_on_a_leg ? 0 : 0.5;
    add_curve(largest->out, 0.5, x, y, share);
    add_curve(largest->back, 0.5, x, y, 1 - share);
  } else {
    return result;
  }
  result.x = std::move(x);
  result.force = std::move(y);
  return result;
}

double masing_defect(const Cycle& cycle, const Backbone& backbone) {
  if (backbone.source == Backbone::Source::none || !(cycle.force_range > 0)) return 0;
  const auto [b, n] = misfit(cycle.back, backbone);
  const auto [a, m] = cycle.begins_on_a_leg ? std::pair{b, n} : misfit(cycle.out, backbone);
  return std::sqrt(std::max(0.0, a + b) / (m + n)) / cycle.force_range;
}

Tips tips_of(const std::vector<Cycle>& cycles) {
  std::vector<const Cycle*> sorted;
  for (const Cycle& cycle : cycles) sorted.push_back(&cycle);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Cycle* a, const Cycle* b) { return a->amplitude < b->amplitude; });
  Tips tips;
  for (const Cycle* cycle : sorted) {
    tips.amplitude.push_back(cycle->amplitude);
    tips.force.push_back(cycle->secant * cycle->amplitude);
    tips.energy.push_back(cycle->energy);
  }
  return tips;
}

PowerLaw dissipation_of(const std::vector<Cycle>& cycles) {
  PowerLaw law;
  std::vector<const Cycle*> used, timed;
  for (const Cycle& cycle : cycles) {
    // Loops cut off at their smaller tip are not those of a steady motion.
    if (!(cycle.energy > 0) || std::abs(cycle.closure) > 0.1) continue;
    used.push_back(&cycle);
    if (cycle.frequency > 0) timed.push_back(&cycle);
  }
  const bool many_timed = timed.size() >= 5;
  if (many_timed) used = timed;
  std::vector<double> amplitude, energy, frequency;
  for (const Cycle* cycle : used) {
    amplitude.push_back(std::log(cycle->amplitude));
    energy.push_back(std::log(cycle->energy));
    frequency.push_back(many_timed ? std::log(cycle->frequency) : 0);
  }
  law.cycles = amplitude.size();
  // Exponents from amplitudes that repeat within 20 % are noise.
  const double least_spread = std::log(1.2);
  if (law.cycles < 3 || spread(amplitude) < least_spread) return law;

  const auto n = static_cast<Eigen::Index>(law.cycles);
  bool with_frequency = many_timed && spread(frequency) > std::log(1.5);
  const double mean_a =
      std::accumulate(amplitude.begin(), amplitude.end(), 0.0) / static_cast<double>(law.cycles);
  const double mean_f =
      std::accumulate(frequency.begin(), frequency.end(), 0.0) / static_cast<double>(law.cycles);
  Eigen::MatrixXd A(n, 3);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    A.row(i) << 1, amplitude[k] - mean_a, frequency[k] - mean_f;
    b[i] = energy[k];
  }
  if (with_frequency) {  // told apart from amplitude only if they do not go together
    const double together = A.col(1).dot(A.col(2)) / (A.col(1).norm() * A.col(2).norm());
    with_frequency = std::abs(together) < 0.95;
  }
  if (!with_frequency) A.conservativeResize(n, 2);
  const Eigen::MatrixXd inverse = (A.transpose() * A).inverse();
  const Eigen::VectorXd c = inverse * (A.transpose() * b);
  const auto freedom = static_cast<double>(n - A.cols());
  const double variance = freedom > 0 ? (A * c - b).squaredNorm() / freedom : 0;

  law.found = true;
  law.exponent = c[1];
  law.error = std::sqrt(variance * inverse(1, 1));
  const double t = boost::math::quantile(boost::math::students_t(std::max(freedom, 1.0)), 0.975);
  law.low = law.exponent - t * law.error;
  law.high = law.exponent + t * law.error;
  law.factor = std::exp(c[0] - c[1] * mean_a);
  if (with_frequency) {
    law.frequency_exponent = c[2];
    law.frequency_error = std::sqrt(variance * inverse(2, 2));
  }
  return law;
}

Normalization normalization(double first_slope, double final_slope, double gap) {
  if (!(gap > 0)) throw Error("the gap of a loop = " + std::to_string(gap) + " must be positive");
  if (!(first_slope > final_slope))
    throw Error("the first slope = " + std::to_string(first_slope) +
                " must be larger than the final slope = " + std::to_string(final_slope));
  // Final slope 0: a0 s0 = a1; gap 2: a0 h = 2; first slope 1: a0 s1 − a1 = a2.
  return {.a0 = 2 / gap, .a1 = 2 * final_slope / gap, .a2 = 2 * (first_slope - final_slope) / gap};
}

}  // namespace microslip::loops
