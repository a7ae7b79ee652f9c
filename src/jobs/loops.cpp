#include "microslip/jobs/loops.hpp"

#include <utility>

#include "jobs/progress.hpp"
#include "jobs/text_form.hpp"
#include "microslip/catalog/fitting/relay_cells.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

MeasuredRecord measured(Record& record) {
  settle_columns(record);
  MeasuredRecord taken{record.name,         std::move(record.t), std::move(record.u),
                       std::move(record.f), record.t_unit,       record.u_unit,
                       record.f_unit,       record.taken,        record.driven == Driven::force};
  if (taken.driven_by_force) {
    std::swap(taken.u, taken.f);
    std::swap(taken.u_unit, taken.f_unit);
    taken.taken += "; driven by force, so u and f were exchanged";
  }
  return taken;
}

loops::Options options_of(const LoopsRequest& request) {
  loops::Options options;
  options.threshold = request.threshold;
  if (request.bars < 1 || request.bars > 200)
    throw Error("--bars = " + std::to_string(request.bars) +
                " must be a whole number from 1 to 200");
  options.density_bins = request.bars;
  return options;
}

MeasuredLoop loop_of(const loops::Cycle& c, bool timed) {
  MeasuredLoop loop{.rows = {c.first_row + 1, c.middle_row + 1, c.last_row + 1},
                    .minor = c.minor,
                    .amplitude = c.amplitude,
                    .mean = c.mean,
                    .force_range = c.force_range,
                    .mean_force = c.mean_force,
                    .energy = c.energy,
                    .secant = c.secant,
                    .tangent = c.tangent,
                    .tangent_error = c.tangent_error,
                    .final_slope = c.final_slope,
                    .damping = c.damping,
                    .asymmetry = c.asymmetry,
                    .masing_defect = c.masing_defect,
                    .closure = c.closure,
                    .opening = c.opening};
  if (c.inside) loop.inside = *c.inside + 1;
  if (timed) loop.frequency.emplace();
  if (timed && c.frequency > 0) *loop.frequency = c.frequency;
  return loop;
}

std::optional<DissipationExponent> exponent_of(const loops::PowerLaw& law) {
  if (!law.found) return {};
  return DissipationExponent{
      law.exponent, law.error, law.low, law.high, law.factor, law.cycles, law.frequency_exponent};
}

MeasuredRelays relays_of(const LoopsResult& result, std::size_t cells) {
  if (cells < 1 || cells > 30)
    throw Error("--cells = " + std::to_string(cells) + " must be a whole number from 1 to 30");
  std::vector<double> f = result.record.f;
  if (result.sign_flipped)
    for (double& force : f) force = -force;
  const auto found = catalog::relay_cells(result.record.u, f, cells);
  return {found.k, found.at, found.density, found.told_apart, found.rms};
}

/// What the text form says, from what was computed.
void complete(LoopsResult& result) {
  const MeasuredRecord& record = result.record;
  const loops::Loops& found = result.found;
  result.source = record.source;
  result.rows = record.u.size();
  result.units = {record.t_unit, record.u_unit, record.f_unit};
  result.driven = record.driven_by_force ? Driven::force : Driven::displacement;
  result.sign_flipped = found.sign_flipped;
  result.noise = {found.noise_u, found.noise_f};
  result.threshold = found.threshold;
  result.threshold_given = found.threshold_given;
  for (const std::size_t row : found.reversals) result.reversals.push_back(row + 1);
  for (const loops::Cycle& cycle : found.cycles)
    result.cycles.push_back(loop_of(cycle, !record.t.empty()));
  result.total_work = found.total_energy;
  result.center = {found.u_center, found.f_center};
  result.amplitude = found.amplitude;
  result.initial_stiffness = found.initial_stiffness;
  result.initial_stiffness_error = found.initial_stiffness_error;
  result.final_slope = found.final_slope;
  if (found.half_gap > 0) result.half_gap = found.half_gap;
  result.largest_force = found.force_level;
  result.starts_at_rest = found.starts_at_rest;
  result.dissipation = exponent_of(found.dissipation);
  result.dissipation_by_force = exponent_of(found.dissipation_by_force);
  result.backbone = {found.backbone.source, found.backbone.x, found.backbone.force};
  result.iwan_density = {found.density.edges, found.density.density, found.density.elastic,
                         found.density.rms};
  if (const auto& n = found.normalization)
    result.normalization = {n->a0, n->a1, n->a2, n->u_center, n->f_center};
  result.warnings = found.warnings;
}

}  // namespace

std::string MeasuredRecord::energy_unit() const {
  return u_unit.empty() || f_unit.empty() ? "" : f_unit + " " + u_unit;
}

std::string MeasuredRecord::stiffness_unit() const {
  return u_unit.empty() || f_unit.empty() ? "" : f_unit + "/" + u_unit;
}

LoopsResult loops(LoopsRequest request, const Control& control) {
  LoopsResult result;
  result.version = version;
  const loops::Options options = options_of(request);
  result.record = measured(request.record);
  const MeasuredRecord& record = result.record;
  refuse_extreme_numbers(record.source, record.u, record.f);
  Progress progress(control, 2);
  if (!progress.stage("cycles of " + record.source)) throw Interrupted();
  try {
    result.found = loops::analyse(record.t, record.u, record.f, options);
  } catch (const Error& error) {
    throw Error(record.source + ": " + error.what());
  }
  if (!progress.advance(1)) throw Interrupted();
  complete(result);
  if (request.cells) {
    result.preisach = relays_of(result, *request.cells);
    const std::size_t cells = result.preisach->density.size();
    if (result.preisach->told_apart < cells)
      result.warnings.push_back(
          "The record tells " + std::to_string(result.preisach->told_apart) + " of " +
          std::to_string(cells) +
          " cells of relays apart; reversals at every place between them tell all.");
  }
  result.warnings.insert(result.warnings.begin(), request.record.notes.begin(),
                         request.record.notes.end());
  progress.advance(1);
  return result;
}

MICROSLIP_TEXT_FORM(LoopsRequest)
MICROSLIP_TEXT_FORM(LoopsResult)

}  // namespace microslip::jobs
