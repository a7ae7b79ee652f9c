#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "backbone.hpp"
#include "measure.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/loops/loops.hpp"
#include "pairing.hpp"
#include "warnings.hpp"

namespace microslip::loops {
namespace {

void check(std::span<const double> t, std::span<const double> u, std::span<const double> f,
           const Options& options) {
  if (u.size() != f.size() || (!t.empty() && t.size() != u.size()))
    throw Error("the columns of a record differ in length: u has " + std::to_string(u.size()) +
                " rows, f " + std::to_string(f.size()) +
                (t.empty() ? "" : ", t " + std::to_string(t.size())));
  if (u.size() < 3)
    throw Error("a record of " + std::to_string(u.size()) +
                " rows has no loops; at least 3 are needed");
  for (const auto column : {t, u, f})
    for (std::size_t i = 0; i < column.size(); ++i)
      if (!std::isfinite(column[i]))
        throw Error("row " + std::to_string(i + 1) + " of the record is not finite");
  if (options.threshold && !(*options.threshold >= 0 && std::isfinite(*options.threshold)))
    throw Error("the threshold = " + number_text(*options.threshold) +
                " must be a number that is not negative");
}

/// 1 / duration, or 0 with loops inside. A leg that was cut off counts as long as the other one.
double frequency_of(std::span<const double> t, const PairedLoop& loop) {
  if (loop.out.size() != 1 || loop.back.size() != 1) return 0;
  const auto is_row = [](double row) { return row == std::floor(row); };
  const double first = value_at(t, loop.first()), middle = value_at(t, loop.middle());
  const double last = value_at(t, loop.last());
  if (!is_row(loop.last())) return 0.5 / (middle - first);
  return 1 / (last - first);
}

std::vector<Cycle> cycles_of(const Record& record, const std::vector<PairedLoop>& loops,
                             const Noise& noise) {
  std::vector<Cycle> cycles;
  for (const PairedLoop& loop : loops) {
    Cycle cycle;
    cycle.out = branch_of(record.u, record.f, loop.out);
    cycle.back = branch_of(record.u, record.f, loop.back);
    cycle.first_row = record.rows[static_cast<std::size_t>(std::floor(loop.first()))];
    cycle.middle_row = record.rows[static_cast<std::size_t>(std::lround(loop.middle()))];
    cycle.last_row = record.rows[static_cast<std::size_t>(std::ceil(loop.last()))];
    cycle.minor = loop.interrupts;
    measure(cycle, noise);
    const double at = loop.last();
    if (cycle.force_range > 0)
      cycle.closure_error =
          std::abs(value_at(record.f, std::ceil(at)) - value_at(record.f, std::floor(at))) /
          cycle.force_range;
    if (!record.t.empty()) {
      cycle.start_time = value_at(record.t, loop.first());
      cycle.frequency = frequency_of(record.t, loop);
    }
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

/// Loops are nested like brackets: the smallest interval around a loop is the cycle it interrupts.
void find_parents(const std::vector<PairedLoop>& loops, std::vector<Cycle>& cycles) {
  std::vector<std::size_t> order(loops.size()), open;
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (loops[a].first() != loops[b].first()) return loops[a].first() < loops[b].first();
    return loops[a].last() > loops[b].last();
  });
  for (const std::size_t i : order) {
    while (!open.empty() && loops[open.back()].last() < loops[i].last()) open.pop_back();
    if (!open.empty()) cycles[i].inside = open.back();
    open.push_back(i);
  }
}

/// Loops alone may be small turns of a long pull, of which noise makes anything: force and
/// displacement of a record with the wrong sign do not rise together. Those of stiff friction hardly
/// do in either case.
bool is_flipped(const Record& record, const std::vector<Cycle>& cycles) {
  constexpr double together = 0.3;
  if (correlation(record.u, record.f) > together) return false;
  double energy = 0, stiffness = 0;
  for (const Cycle& cycle : cycles) {
    energy += cycle.energy;
    stiffness += cycle.secant * cycle.amplitude * cycle.amplitude;
  }
  return energy < 0 && stiffness < 0;
}

/// Tangents after the reversals of all cycles, the surest ones counting most, and the start of a
/// record from rest. If none of them shows it, the largest that is clear of noise, which is less.
void set_initial_stiffness(Loops& loops, const Branch& first_leg, const Noise& noise) {
  std::vector<Slope> slopes;
  for (const Cycle& cycle : loops.cycles) slopes.push_back({cycle.tangent, cycle.tangent_error});
  const Slope first = slope_at_start(first_leg, noise, false);
  if (loops.cycles.empty() || loops.starts_at_rest) slopes.push_back(first);
  double weights = 0, sum = 0, squares = 0, largest = first.value;
  for (const Slope& slope : slopes) {
    largest = std::max(largest, slope.value);
    if (!(slope.value > 0) || !std::isfinite(slope.error)) continue;
    const double error = slope.error + 1e-3 * slope.value;
    weights += 1 / (error * error);
    sum += slope.value / (error * error);
    squares += std::pow(slope.value / error, 2);
  }
  if (!(weights > 0)) {
    loops.initial_stiffness = largest;
    loops.initial_stiffness_error = std::numeric_limits<double>::infinity();
    return;
  }
  loops.initial_stiffness = sum / weights;
  // Bending is the same in all loops, so that many of them do not make it less; where they differ by
  // more than their errors, that is the error.
  double least = std::numeric_limits<double>::infinity();
  for (const Slope& slope : slopes) least = std::min(least, slope.error);
  const double spread = squares / weights - std::pow(loops.initial_stiffness, 2);
  loops.initial_stiffness_error = std::hypot(least, std::sqrt(std::max(0.0, spread)));
}

void set_levels(Loops& loops, const Record& record) {
  const auto middle = [](const std::vector<double>& column) {
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    return std::pair{0.5 * (*high + *low), 0.5 * (*high - *low)};
  };
  std::tie(loops.u_center, loops.amplitude) = middle(record.u);
  loops.f_center = middle(record.f).first;
  if (const Cycle* cycle = loops.largest()) {
    loops.u_center = cycle->mean;
    loops.f_center = cycle->mean_force;
    loops.amplitude = cycle->amplitude;
    loops.final_slope = cycle->final_slope;
    loops.pinched = stiffens_again(cycle->out) && stiffens_again(cycle->back);
    loops.half_gap = cycle->amplitude * (cycle->secant - cycle->final_slope);
    if (loops.half_gap > 0 && cycle->tangent > cycle->final_slope) {
      loops.normalization = normalization(cycle->tangent, cycle->final_slope, 2 * loops.half_gap);
      loops.normalization->u_center = loops.u_center;
      loops.normalization->f_center = loops.f_center;
    }
  }
  for (const double force : record.f)
    loops.force_level = std::max(loops.force_level, std::abs(force - loops.f_center));
  loops.starts_at_rest = std::abs(record.u.front() - loops.u_center) <= 0.05 * loops.amplitude &&
                         std::abs(record.f.front() - loops.f_center) <= 0.1 * loops.force_level;
}

/// First row, reversals, last row.
std::vector<std::size_t> turns_of(const Record& record, double threshold) {
  std::vector<std::size_t> turning{0};
  for (const std::size_t row : find_reversals(record.u, threshold)) turning.push_back(row);
  turning.push_back(record.u.size() - 1);
  return turning;
}

/// How far the middle of some rows lies off the polynomial through the others, over what noise of
/// both columns makes of it: 1 on the average where it is noise. NaN if u does not go on from row to row.
double off_the_curve(std::span<const double> u, std::span<const double> f, const Loops& loops) {
  const std::size_t n = u.size(), m = n / 2;
  const double side = u[n - 1] >= u[0] ? 1 : -1;
  for (std::size_t i = 1; i < n; ++i)
    if (!(side * (u[i] - u[i - 1]) > 0)) return std::numeric_limits<double>::quiet_NaN();
  double value = 0, squares = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == m) continue;
    double weight = 1;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i && j != m) weight *= (u[m] - u[j]) / (u[i] - u[j]);
    value += weight * f[i];
    squares += weight * weight;
  }
  const double slope = (f[m + 1] - f[m - 1]) / (u[m + 1] - u[m - 1]);
  return std::abs(f[m] - value) /
         (std::hypot(loops.noise_f, slope * loops.noise_u) * std::sqrt(squares));
}

/// Part of the noise by which rows lie off the curve of force against displacement. Rows that were
/// digitised by hand, or taken at uneven steps, differ from their neighbours without being off it: 1
/// where the rows are too noisy to go one after the other along the curve.
double noise_off_the_curve(const Record& record, const std::vector<std::size_t>& turning,
                           const Loops& loops) {
  if (!(loops.noise_u > 0) || !(loops.noise_f > 0)) return 1;
  double least = 1;
  // Five rows see less of a curved branch, three less of its corners.
  for (const std::size_t rows : {std::size_t{3}, std::size_t{5}}) {
    std::vector<double> off;
    std::size_t inner = 0;
    for (std::size_t leg = 1; leg < turning.size(); ++leg)
      // The row after a reversal may still lie before it.
      for (std::size_t i = turning[leg - 1] + 1; i + rows - 1 <= turning[leg]; ++i) {
        ++inner;
        const double part = off_the_curve(std::span(record.u).subspan(i, rows),
                                          std::span(record.f).subspan(i, rows), loops);
        if (std::isfinite(part)) off.push_back(part);
      }
    if (off.size() < 16 || 10 * off.size() < 9 * inner) continue;
    const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
    std::nth_element(off.begin(), middle, off.end());
    constexpr double median_of_normal = 0.6744897501960817;
    least = std::min(least, *middle / median_of_normal);
  }
  return least;
}

}  // namespace

std::size_t Loops::minor_loops() const {
  return static_cast<std::size_t>(
      std::count_if(cycles.begin(), cycles.end(), [](const Cycle& c) { return c.minor; }));
}

const Cycle* Loops::largest() const {
  const Cycle* found = nullptr;
  for (const Cycle& cycle : cycles)
    if (!found || cycle.amplitude >= 0.99 * found->amplitude)
      if (!found || cycle.amplitude > found->amplitude || cycle.middle_row > found->middle_row)
        found = &cycle;
  return found;
}

Loops analyse(std::span<const double> t, std::span<const double> u, std::span<const double> f,
              const Options& options) {
  check(t, u, f, options);
  Loops loops;
  Record record = without_spikes(t, u, f);
  drop_repeats(record);
  loops.noise_u = noise_level(record.u);
  loops.noise_f = noise_level(record.f);
  loops.threshold_given = options.threshold.has_value();
  loops.threshold = options.threshold ? *options.threshold : reversal_threshold(record.u);
  const double part = noise_off_the_curve(record, turns_of(record, loops.threshold), loops);
  loops.noise_u *= part;
  loops.noise_f *= part;
  record.u = smoothed(record.u, loops.noise_u);

  const std::vector<std::size_t> turning = turns_of(record, loops.threshold);
  // A list of turning points, of which differences say nothing about noise.
  const bool only_turns = 5 * turning.size() > 4 * record.u.size();
  const Noise noise = only_turns ? Noise{} : Noise{loops.noise_u, loops.noise_f};
  Pairing pairing = pair_loops(record.u, turning);
  record.gaps = gaps_of(record, turning);
  loops.gap = gap_text(record);
  std::erase_if(pairing.loops, [&](const PairedLoop& loop) {
    return std::any_of(record.gaps.begin(), record.gaps.end(), [&](std::size_t row) {
      const auto place = static_cast<double>(row);
      return loop.first() < place + 1 && loop.last() > place;
    });
  });
  loops.cycles = cycles_of(record, pairing.loops, noise);
  if (options.repair_sign && is_flipped(record, loops.cycles)) {
    loops.sign_flipped = true;
    for (double& force : record.f) force = -force;
    loops.cycles = cycles_of(record, pairing.loops, noise);
  }
  find_parents(pairing.loops, loops.cycles);
  for (const std::size_t row : turning) loops.turning_rows.push_back(record.rows[row]);
  loops.reversals.assign(loops.turning_rows.begin() + 1, loops.turning_rows.end() - 1);

  loops.total_energy = work(record.u, record.f);
  set_levels(loops, record);
  const Branch first_leg = branch_of(record.u, record.f, pairing.first);
  set_initial_stiffness(loops, first_leg, noise);
  loops.backbone = backbone_of(first_leg, loops.largest(), loops.starts_at_rest);
  for (Cycle& cycle : loops.cycles) cycle.masing_defect = masing_defect(cycle, loops.backbone);
  loops.tips = tips_of(loops.cycles);
  loops.dissipation = dissipation_of(loops.cycles, false);
  loops.dissipation_by_force = dissipation_of(loops.cycles, true);
  if (loops.backbone.source != Backbone::Source::none)
    loops.density = iwan_density(loops.backbone.x, loops.backbone.force, options.density_bins);
  loops.hysteresis = encloses_energy(loops);
  loops.warnings = warnings_of(loops, record);
  return loops;
}

}  // namespace microslip::loops
