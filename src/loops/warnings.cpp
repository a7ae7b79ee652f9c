#include "warnings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "microslip/loops/jumps.hpp"

namespace microslip::loops {
namespace {

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, part < 1 ? "%.2g %%" : "%.0f %%", 100 * part);
  return text;
}

std::string plain(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

double median_step(std::span<const double> column) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < column.size(); ++i)
    steps.push_back(std::abs(column[i] - column[i - 1]));
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

double largest_step(std::span<const double> column) {
  double largest = 0;
  for (std::size_t i = 1; i < column.size(); ++i)
    largest = std::max(largest, column[i] - column[i - 1]);
  return largest;
}

double range_of(std::span<const double> column) {
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  return *high - *low;
}

/// Noise where the force is at neither end of its range: where it is, differences are zero, and if
/// that is half of the record it seems to have no noise. What follows u is no noise: of a coarse
/// record u is as rough.
double noise_between(std::span<const double> u, std::span<const double> f, double low,
                     double high) {
  std::size_t begin = 0, longest_begin = 0, longest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i] == low || f[i] == high) begin = i + 1;
    if (i + 1 - begin > longest) longest = i + 1 - begin, longest_begin = begin;
  }
  if (longest < 12) return 0;
  const auto part_u = u.subspan(longest_begin, longest), part_f = f.subspan(longest_begin, longest);
  double uf = 0, uu = 0;
  for (std::size_t i = 1; i < longest; ++i) {
    uf += (part_u[i] - part_u[i - 1]) * (part_f[i] - part_f[i - 1]);
    uu += (part_u[i] - part_u[i - 1]) * (part_u[i] - part_u[i - 1]);
  }
  std::vector<double> rest(part_f.begin(), part_f.end());
  for (std::size_t i = 0; i < longest && uu > 0; ++i) rest[i] -= uf / uu * part_u[i];
  return noise_level(rest);
}

void about_rows(const Record& record, std::vector<std::string>& list) {
  if (!record.jumps.empty())
    list.emplace_back("R" + jumping_rows_text(record.jumps).substr(1) +
                      " away and back; such rows were left out.");
  if (10 * record.repeated > record.rows.size())
    list.emplace_back(std::to_string(record.repeated) +
                      " rows repeat the row before them and were left out.");
  // Of the rows as they were: that some repeat others is no matter of the sampling.
  if (record.largest_time_step > 3 * record.usual_time_step)
    list.emplace_back("The sampling is uneven: the largest time step is " +
                      plain(record.largest_time_step / record.usual_time_step) +
                      " times the usual one.");
  const auto [low, high] = std::minmax_element(record.f.begin(), record.f.end());
  if (*low == *high) {
    list.emplace_back("The force does not change.");
    return;
  }
  const auto often =
      std::max<std::ptrdiff_t>(8, static_cast<std::ptrdiff_t>(record.f.size() / 100));
  const bool stays = std::count(record.f.begin(), record.f.end(), *high) > often ||
                     std::count(record.f.begin(), record.f.end(), *low) > often;
  // A slider without noise stays at its limit, too.
  if (stays && noise_between(record.u, record.f, *low, *high) > 1e-4 * (*high - *low))
    list.emplace_back(
        "The force stays at exactly its largest or smallest value for many rows although "
        "it is noisy: the sensor was probably at its limit.");
}

void about_sign(const Loops& loops, std::vector<std::string>& list) {
  if (loops.sign_flipped)
    list.emplace_back(
        "Energy and stiffness were negative: one column has the opposite sign; all "
        "numbers are for -f.");
  double energy = 0, largest = 0;
  for (const Cycle& cycle : loops.cycles) {
    energy += cycle.energy;
    largest = std::max(largest, cycle.force_range);
  }
  if (!(largest > 0)) return;
  if (!loops.hysteresis)
    list.emplace_back("The loops enclose no more energy than noise makes: there is no hysteresis.");
  else if (energy < 0)
    list.emplace_back(
        "The loops give energy instead of taking it: displacement and force are exchanged, out of "
        "step, or in the wrong order of time.");
}

void about_loops(const Loops& loops, std::vector<std::string>& list) {
  if (loops.reversals.empty()) {
    list.emplace_back("The motion never turns by more than the threshold; there are no loops.");
    return;
  }
  if (loops.cycles.empty()) {
    list.emplace_back("No loop is closed.");
    return;
  }
  std::size_t sparse = 0;
  for (const Cycle& cycle : loops.cycles) sparse += cycle.out.u.size() + cycle.back.u.size() < 20;
  if (sparse > 0)
    list.push_back(std::to_string(sparse) + " of " + std::to_string(loops.cycles.size()) +
                   " loops " + (sparse == 1 ? "has" : "have") +
                   " fewer than 20 rows; the energy of such loops is rough.");
  if (!loops.threshold_given) {
    double smallest = loops.amplitude;
    for (const Cycle& cycle : loops.cycles) smallest = std::min(smallest, cycle.amplitude);
    if (loops.noise_u > 0 && smallest < loops.threshold && smallest < loops.amplitude)
      list.emplace_back(
          "The smallest loop is hardly larger than the threshold, so some loops may be "
          "noise and others missing.");
  }
}

/// How far a quantity goes from the first to the last of several loops; 0 if the loops scatter so
/// much that a straight line through them says nothing.
double drift(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double change = values.back() - values.front();
  if (values.size() == 2) return change;
  double mean = 0, slope = 0, spread = 0, residual = 0;
  for (const double value : values) mean += value / n;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - 0.5 * (n - 1);
    slope += x * (values[i] - mean);
    spread += x * x;
  }
  slope /= spread;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - 0.5 * (n - 1);
    residual += std::pow(values[i] - mean - slope * x, 2);
  }
  const double error = std::sqrt(residual / (n - 2) / spread);
  return std::abs(slope) > 3 * error ? change : 0;
}

void about_drift(const Loops& loops, std::vector<std::string>& list) {
  const Cycle* largest = loops.largest();
  if (!largest || loops.cycles.size() < 3) return;
  // Loops of like size only: minor loops have means of their own.
  std::vector<double> forces, means;
  const Cycle *first = nullptr, *last = nullptr;
  for (const Cycle& cycle : loops.cycles) {
    if (cycle.minor || cycle.amplitude < 0.5 * largest->amplitude) continue;
    if (!first) first = &cycle;
    last = &cycle;
    forces.push_back(cycle.mean_force);
    means.push_back(cycle.mean);
  }
  if (!first || first == last) return;
  const double force = drift(forces);
  if (std::abs(force) > 0.03 * largest->force_range)
    list.emplace_back("The mean force drifts by " + plain(force) + " (" +
                      percent(std::abs(force) / largest->force_range) +
                      " of the force range) from the first to the last large loop.");
  const double motion = drift(means);
  if (std::abs(motion) > 0.03 * 2 * largest->amplitude)
    list.emplace_back("The mean displacement drifts by " + plain(motion) + " (" +
                      percent(std::abs(motion) / (2 * largest->amplitude)) +
                      " of its range) from the first to the last large loop.");
  const double height = last->secant - first->secant;
  if (std::abs(last->amplitude - first->amplitude) < 0.02 * largest->amplitude &&
      std::abs(height) > 0.05 * std::abs(largest->secant) &&
      2 * std::abs(height) * largest->amplitude > 0.05 * largest->force_range)
    list.emplace_back("The stiffness changes by " + percent(std::abs(height / first->secant)) +
                      " between large loops of the same amplitude: the joint is not in a steady "
                      "state.");
}

void about_laws(const Loops& loops, std::vector<std::string>& list) {
  if (!std::isfinite(loops.initial_stiffness_error) && loops.initial_stiffness > 0)
    list.emplace_back(
        "The rows after reversals do not show the initial stiffness: it is at least " +
        plain(loops.initial_stiffness) +
        ", and slopes and a2 that follow from it are "
        "lower bounds.");
  double defect = 0, gap = 0;
  for (const Cycle& cycle : loops.cycles) {
    // Branches of small loops differ by noise, relative to their force range.
    const double noise = std::hypot(loops.noise_f, cycle.secant * loops.noise_u);
    if (cycle.masing_defect > 0.05 + 3 * noise / cycle.force_range)
      defect = std::max(defect, cycle.masing_defect);
    // Of loops that return to the displacement of their start, beyond what sampling leaves open.
    if (cycle.minor && cycle.opening == 0)
      gap = std::max(gap, std::abs(cycle.closure) - cycle.closure_error);
  }
  if (defect > 0.05)
    list.emplace_back("Branches differ from the doubled backbone by up to " + percent(defect) +
                      " of the force range: laws that follow Masing's rules cannot describe this "
                      "record well.");
  if (gap > 0.05)
    list.emplace_back("Minor loops miss their starting point by up to " + percent(gap) +
                      " of their force range.");
  const PowerLaw& law = loops.dissipation;
  if (law.frequency_exponent && std::abs(*law.frequency_exponent) > 3 * law.frequency_error &&
      std::abs(*law.frequency_exponent) > 0.02)
    list.emplace_back("Loops of equal amplitude lose energy as frequency to the power " +
                      plain(*law.frequency_exponent) + ": the joint depends on the rate.");
}

}  // namespace

Record without_spikes(std::span<const double> t, std::span<const double> u,
                      std::span<const double> f) {
  Record record;
  record.jumps = rows_that_jump(u, f);
  auto jump = record.jumps.begin();
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (jump != record.jumps.end() && *jump == i) {
      ++jump;
      continue;
    }
    if (!t.empty()) record.t.push_back(t[i]);
    record.u.push_back(u[i]);
    record.f.push_back(f[i]);
    record.rows.push_back(i);
  }
  if (!record.t.empty()) record.usual_time_step = median_step(record.t);
  if (!record.t.empty()) record.largest_time_step = largest_step(record.t);
  return record;
}

void drop_repeats(Record& record) {
  Record kept;
  kept.jumps = record.jumps;
  kept.usual_time_step = record.usual_time_step;
  kept.largest_time_step = record.largest_time_step;
  const std::size_t n = record.u.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool repeats =
        i > 0 && i + 1 < n && record.u[i] == record.u[i - 1] && record.f[i] == record.f[i - 1];
    if (repeats) continue;
    if (!record.t.empty()) kept.t.push_back(record.t[i]);
    kept.u.push_back(record.u[i]);
    kept.f.push_back(record.f[i]);
    kept.rows.push_back(record.rows[i]);
  }
  kept.repeated = n - kept.u.size();
  if (kept.u.size() >= 3) record = std::move(kept);
}

std::vector<std::size_t> gaps_of(const Record& record, const std::vector<std::size_t>& turning) {
  std::vector<std::size_t> gaps;
  // Two legs at the ends, which are cut off, and three whole ones.
  if (record.t.empty() || turning.size() < 6) return gaps;
  std::vector<double> legs;
  for (std::size_t k = 1; k < turning.size(); ++k)
    legs.push_back(record.t[turning[k]] - record.t[turning[k - 1]]);
  const auto middle = legs.begin() + static_cast<std::ptrdiff_t>(legs.size() / 2);
  std::nth_element(legs.begin(), middle, legs.end());
  const double least = std::max(0.25 * *middle, 3 * median_step(record.t));
  // A pause in which nothing moves has no rows either.
  constexpr double moves = 0.03;
  const double u_range = range_of(record.u), f_range = range_of(record.f);
  for (std::size_t i = 0; i + 1 < record.t.size(); ++i)
    if (record.t[i + 1] - record.t[i] > least &&
        (std::abs(record.u[i + 1] - record.u[i]) > moves * u_range ||
         std::abs(record.f[i + 1] - record.f[i]) > moves * f_range))
      gaps.push_back(i);
  return gaps;
}

std::string gap_text(const Record& record) {
  if (record.gaps.empty()) return "";
  const std::size_t i = record.gaps.front();
  const std::string more =
      record.gaps.size() > 1
          ? " (and " + std::to_string(record.gaps.size() - 1) + " more such gaps)"
          : "";
  return "the record has no rows between t = " + plain(record.t[i]) +
         " and t = " + plain(record.t[i + 1]) + more +
         ", where the motion may have turned: loops over the gap are left out, and a law that is "
         "driven over it is wrong behind it; cut the record there (--from, --to)";
}

bool encloses_energy(const Loops& loops) {
  double energy = 0, by_noise = 0, largest = 0;
  for (const Cycle& cycle : loops.cycles) {
    energy += cycle.energy;
    largest += cycle.amplitude * cycle.force_range;
    for (const Branch* branch : {&cycle.out, &cycle.back})
      for (std::size_t i = 1; i < branch->u.size(); ++i)
        by_noise += std::pow(loops.noise_f * (branch->u[i] - branch->u[i - 1]), 2) +
                    std::pow(loops.noise_u * (branch->f[i] - branch->f[i - 1]), 2);
  }
  // Three standard deviations of ∮ f du, and what is only rounding.
  return std::abs(energy) > 3 * std::sqrt(by_noise) + 1e-9 * largest;
}

std::vector<std::string> warnings_of(const Loops& loops, const Record& record) {
  std::vector<std::string> list;
  about_sign(loops, list);
  about_rows(record, list);
  if (!loops.gap.empty()) list.push_back("The" + loops.gap.substr(3) + ".");
  about_loops(loops, list);
  about_drift(loops, list);
  about_laws(loops, list);
  return list;
}

}  // namespace microslip::loops
