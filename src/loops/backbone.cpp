#include "backbone.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "measure.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::loops {
namespace {

constexpr std::size_t backbone_samples = 200;

/// Adds force against depth from the start of a branch; a scale of one half is Masing's rule.
void add_curve(const Branch& branch, double scale, std::vector<double>& x, std::vector<double>& y,
               double weight) {
  const std::vector<double> force = resampled(branch, backbone_samples);
  const double length = branch.u.back() - branch.u.front();
  const double side = length >= 0 ? 1 : -1;
  for (std::size_t k = 0; k <= backbone_samples; ++k) {
    x[k] += weight * scale * std::abs(length) * static_cast<double>(k) / backbone_samples;
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
  const std::vector<double> force = resampled(branch, backbone_samples);
  const double length = branch.u.back() - branch.u.front();
  const double side = length >= 0 ? 1 : -1;
  double n = 0, mean = 0, square = 0;
  for (std::size_t k = 0; k <= backbone_samples; ++k) {
    const double depth = 0.5 * std::abs(length) * static_cast<double>(k) / backbone_samples;
    if (depth > g.x.back() * (1 + 1e-9)) break;
    const double defect = side * (force[k] - force[0]) - 2 * interpolated(g, depth);
    n += 1;
    mean += defect;
    square += defect * defect;
  }
  return {square - mean * mean / n, n};
}

}  // namespace

Backbone backbone_of(const Branch& first, const Cycle* largest, bool starts_at_rest) {
  Backbone result;
  std::vector<double> x(backbone_samples + 1), y(backbone_samples + 1);
  if (starts_at_rest && first.u.size() > 2 && largest &&
      std::abs(first.u.back() - first.u.front()) >= 0.9 * largest->amplitude) {
    result.source = Backbone::Source::virgin;
    add_curve(first, 1, x, y, 1);
  } else if (largest) {
    result.source = Backbone::Source::branch;
    add_curve(largest->out, 0.5, x, y, 0.5);
    add_curve(largest->back, 0.5, x, y, 0.5);
  } else {
    return result;
  }
  result.x = std::move(x);
  result.force = std::move(y);
  return result;
}

double masing_defect(const Cycle& cycle, const Backbone& backbone) {
  if (backbone.source == Backbone::Source::none || !(cycle.force_range > 0)) return 0;
  // A jump between two rows is where those rows happen to be.
  if (turns_rigidly(cycle)) return 0;
  const auto [b, n] = misfit(cycle.back, backbone);
  const auto [a, m] = misfit(cycle.out, backbone);
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

namespace {

/// Least squares of y on the columns of A, with standard errors.
struct Regression {
  Eigen::VectorXd value, error;
  double freedom = 0;
};
Regression regress(const Eigen::MatrixXd& A, const Eigen::VectorXd& y) {
  Regression result;
  const Eigen::MatrixXd inverse = dense::inverse(A.transpose() * A);
  result.value = inverse * (A.transpose() * y);
  result.freedom = static_cast<double>(A.rows() - A.cols());
  const double variance =
      result.freedom > 0 ? (A * result.value - y).squaredNorm() / result.freedom : 0;
  result.error = (variance * inverse.diagonal()).cwiseSqrt();
  return result;
}

/// A loop as logarithms; NaN without a frequency.
struct LogLoop {
  double amplitude, energy, frequency;
};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The power of frequency from loops of nearly equal amplitude. Over a wide range energy is not a
/// power of amplitude, and where small loops are the fast ones, that would look like an effect of
/// frequency. So each class of amplitudes has a level of its own, and the exponent of amplitude
/// within a class changes linearly from class to class.
void set_frequency_exponent(std::vector<LogLoop> loops, PowerLaw& law) {
  constexpr double class_width = 0.1;  // of log amplitude
  std::sort(loops.begin(), loops.end(),
            [](const LogLoop& a, const LogLoop& b) { return a.amplitude < b.amplitude; });
  const double lowest = loops.front().amplitude;
  double frequency_low = loops.front().frequency, frequency_high = frequency_low;
  std::vector<std::array<double, 4>> rows;  // without the mean of the class
  std::size_t classes = 0;
  for (std::size_t begin = 0, end = 0; begin < loops.size(); begin = end) {
    std::array<double, 4> mean{};
    const auto row_of = [&](const LogLoop& loop) {
      return std::array{loop.amplitude, loop.amplitude * (loops[begin].amplitude - lowest),
                        loop.frequency, loop.energy};
    };
    while (end < loops.size() && loops[end].amplitude <= loops[begin].amplitude + class_width)
      ++end;
    for (std::size_t i = begin; i < end; ++i) {
      frequency_low = std::min(frequency_low, loops[i].frequency);
      frequency_high = std::max(frequency_high, loops[i].frequency);
      const auto row = row_of(loops[i]);
      for (std::size_t k = 0; k < 4; ++k) mean[k] += row[k] / static_cast<double>(end - begin);
    }
    for (std::size_t i = begin; i < end; ++i) {
      auto row = row_of(loops[i]);
      for (std::size_t k = 0; k < 4; ++k) row[k] -= mean[k];
      rows.push_back(row);
    }
    ++classes;
  }
  if (frequency_high - frequency_low <= std::log(1.5)) return;

  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd A(n, 3);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    A.row(i) << row[2], row[0], row[1];
    y[i] = row[3];
  }
  // Columns of amplitude that vary within no class say nothing.
  if (A.col(2).norm() < 1e-6 * static_cast<double>(n)) A.conservativeResize(n, 2);
  if (A.col(1).norm() < 1e-6 * static_cast<double>(n)) A.conservativeResize(n, 1);
  // What the amplitude leaves of the frequency within the classes must still vary.
  Eigen::VectorXd frequency = A.col(0);
  if (A.cols() > 1) {
    const auto others = A.rightCols(A.cols() - 1);
    frequency -= others * dense::shortest_least_squares(others, frequency, 1e-13);
  }
  if (frequency.norm() < std::log(1.1) * std::sqrt(static_cast<double>(n))) return;
  if (n - static_cast<Eigen::Index>(classes) - A.cols() < 2) return;
  const Regression found = regress(A, y);
  law.frequency_exponent = found.value[0];
  // The means of the classes were taken out of the same rows.
  law.frequency_error =
      found.error[0] * std::sqrt(found.freedom / (found.freedom - static_cast<double>(classes)));
}

}  // namespace

PowerLaw dissipation_of(const std::vector<Cycle>& cycles, bool by_force) {
  PowerLaw law;
  std::vector<LogLoop> used, timed;
  for (const Cycle& cycle : cycles) {
    // Loops that are far from closed are not those of a steady motion.
    if (!(cycle.energy > 0) || std::abs(cycle.closure) > 0.1 || std::abs(cycle.opening) > 0.1)
      continue;
    used.push_back({std::log(by_force ? 0.5 * cycle.force_range : cycle.amplitude),
                    std::log(cycle.energy),
                    cycle.frequency > 0 ? std::log(cycle.frequency) : not_a_number});
    // The energy of a loop of few rows depends on how many they are, and so on its frequency.
    if (cycle.frequency > 0 && cycle.out.u.size() + cycle.back.u.size() >= 20)
      timed.push_back(used.back());
  }
  law.cycles = used.size();
  if (timed.size() >= 5) set_frequency_exponent(timed, law);
  // Energies at the mean frequency; loops without one stay as they are.
  double mean_frequency = 0;
  for (const LogLoop& loop : timed) mean_frequency += loop.frequency;
  mean_frequency /= static_cast<double>(std::max<std::size_t>(timed.size(), 1));
  double low = 0, high = 0, mean = 0;
  for (const LogLoop& loop : used) {
    low = &loop == used.data() ? loop.amplitude : std::min(low, loop.amplitude);
    high = &loop == used.data() ? loop.amplitude : std::max(high, loop.amplitude);
    mean += loop.amplitude / static_cast<double>(used.size());
  }
  // Exponents from amplitudes that repeat within 20 % are noise.
  if (law.cycles < 3 || high - low < std::log(1.2)) return law;

  const auto n = static_cast<Eigen::Index>(law.cycles);
  Eigen::MatrixXd A(n, 2);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const LogLoop& loop = used[static_cast<std::size_t>(i)];
    A.row(i) << 1, loop.amplitude - mean;
    y[i] = loop.energy;
    if (law.frequency_exponent && std::isfinite(loop.frequency))
      y[i] -= *law.frequency_exponent * (loop.frequency - mean_frequency);
  }
  const Regression found = regress(A, y);
  law.found = true;
  law.exponent = found.value[1];
  law.error = found.error[1];
  const double t =
      boost::math::quantile(boost::math::students_t(std::max(found.freedom, 1.0)), 0.975);
  law.low = law.exponent - t * law.error;
  law.high = law.exponent + t * law.error;
  law.factor = std::exp(found.value[0] - found.value[1] * mean);
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
