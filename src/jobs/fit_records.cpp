#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "jobs/fit_parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/fit/holdout.hpp"
#include "microslip/loops/jumps.hpp"

namespace microslip::jobs {
namespace {

std::string short_number(double x) { return fmt::format("{:.5g}", x); }

void divide_by_scale(FitRecord& record, const catalog::Covariates& reference) {
  record.scale = catalog::covariate_scale(reference, record.covariates);
  for (double& u : record.data.u) u /= record.scale;
  for (double& f : record.data.f) f /= record.scale;
}

void erase(const std::vector<std::size_t>& rows, std::vector<double>& column) {
  if (column.empty()) return;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    column.erase(column.begin() + static_cast<std::ptrdiff_t>(*row));
}

/// A wild value of one row is larger than all that a law could miss elsewhere.
std::size_t leave_out_jumps(Record& record) {
  const std::vector<std::size_t> rows = loops::rows_that_jump(record.u, record.f);
  if (rows.empty()) return 0;
  for (std::vector<double>* column : {&record.t, &record.u, &record.f, &record.weight})
    erase(rows, *column);
  record.notes.push_back(record.name + ": " + loops::jumping_rows_text(rows) +
                         " away and back in one column; such rows were left out");
  return rows.size();
}

/// With its columns as the laws need them.
FitRecord taken_from(Record& record, Driven driven) {
  settle_columns(record);
  FitRecord taken;
  taken.rows_that_jump = leave_out_jumps(record);
  taken.data.name = record.name;
  taken.data.t = std::move(record.t);
  taken.data.u = std::move(record.u);
  taken.data.f = std::move(record.f);
  taken.t_unit = record.t_unit;
  taken.u_unit = record.u_unit;
  taken.f_unit = record.f_unit;
  taken.taken = record.taken;
  taken.covariates = record.covariates;
  if (!record.weight.empty()) {
    taken.data.weight = std::move(record.weight);
    taken.weight_column = record.weight_name;
  }
  taken.data.driven = driven;
  const bool force_in_u = record.driven == Driven::force;
  if (force_in_u != taken.by_force()) {
    std::swap(taken.data.u, taken.data.f);
    std::swap(taken.u_unit, taken.f_unit);
    taken.taken += force_in_u ? "; driven by force, so u and f were exchanged"
                              : "; the law is driven by force, so f is its input and u its answer";
  }
  return taken;
}

/// A record of each force of a record in several directions, all along the same path.
std::vector<FitRecord> directions_of(Record& record) {
  settle_columns(record);
  if (record.fy.size() != record.uy.size() || record.fn.size() != record.un.size())
    throw Error(record.name + ": each direction needs its displacement and its force");
  if (record.driven == Driven::force || !record.covariates.empty())
    throw Error(record.name +
                " has several directions: it is driven by displacement and has no covariates");
  const std::string first = record.fy.empty() ? "t" : "x";
  const Path path{record.t, record.u, record.uy, record.un};
  const auto shared = std::make_shared<const Path>(path);
  std::vector<FitRecord> all;
  const auto changes = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [&](double x) { return x != values.front(); });
  };
  const auto add = [&](const std::string& direction, const std::vector<double>& force) {
    if (force.empty()) return;
    const std::vector<double>& motion = shared->along(direction);
    if (!changes(motion) || !changes(force)) {
      record.notes.push_back(record.name + ": nothing happens along " + direction +
                             ", which is not compared");
      return;
    }
    FitRecord& part = all.emplace_back();
    part.data.name = record.name + ", " + direction;
    part.data.t = record.t;
    part.data.u = motion;
    part.data.f = force;
    part.data.weight = record.weight;
    part.data.path = shared;
    part.data.direction = direction;
    part.t_unit = record.t_unit;
    part.u_unit = record.u_unit;
    part.f_unit = record.f_unit;
    part.taken = record.taken;
    if (!record.weight.empty()) part.weight_column = record.weight_name;
  };
  add(first, record.f);
  add("y", record.fy);
  add("n", record.fn);
  return all;
}

double sum_of_squared_steps(const std::vector<double>& column) {
  double sum = 0;
  for (std::size_t i = 1; i < column.size(); ++i) sum += std::pow(column[i] - column[i - 1], 2);
  return sum;
}

/// A law takes noise of its input for motion: it turns in every row, and loses energy and forgets over a path
/// that was never gone. Where rows show it, the input is that of the loops, parabolas through as many rows as
/// the motion bears. What it is below that is less than the noise of the answer can tell.
void smooth_input(FitRecord& record, double noise, std::vector<std::string>& notes) {
  std::vector<double> smooth = loops::smoothed(record.data.u, noise);
  if (sum_of_squared_steps(record.data.u) < 1.01 * sum_of_squared_steps(smooth)) return;
  record.data.u = std::move(smooth);
  record.data.input_noise = noise;
  notes.push_back(
      record.data.name + ": noise of the " + (record.by_force() ? "force" : "displacement") + ", " +
      short_number(noise) + (record.u_unit.empty() ? "" : " " + record.u_unit) +
      ", is smoothed away, since a law would take it for motion; ± count it as noise of "
      "the " +
      (record.by_force() ? "displacement" : "force"));
}

void prepare(const FitRequest& request, FitRecord record, FitResult& result) {
  refuse_extreme_numbers(record.data.name, record.data.u, record.data.f);
  if (!record.covariates.empty())
    divide_by_scale(record,
                    result.records.empty() ? record.covariates : result.records.front().covariates);
  loops::Options options;
  options.threshold = request.threshold;
  options.repair_sign = request.sign == Sign::automatic && !record.data.path;
  auto found = std::make_shared<loops::Loops>(fit::loops_with(record.data, record.data.f, options));
  // They are the loops of the force with the right sign, which is fitted.
  record.flipped = std::exchange(found->sign_flipped, false);
  record.data.loops = found;
  if (record.flipped) {
    for (double& f : record.data.f) f = -f;
    result.notes.push_back(
        record.data.name +
        ": energy and stiffness of the loops are negative, and force and displacement of the whole "
        "record do not rise together, so one of them was recorded with the wrong sign; fitted is "
        "-f (--sign keep fits f as it is)");
  }
  if (!record.data.path) smooth_input(record, found->noise_u, result.notes);
  // One direction may lose nothing or give what others take, and what is across the motion is not centred.
  if (record.data.path) {
    record.held_out = fit::held_out_rows(record.data, request.holdout);
    result.records.push_back(std::move(record));
    return;
  }
  if (!found->cycles.empty() && !found->hysteresis)
    result.notes.push_back(record.data.name +
                           ": the loops enclose no more energy than noise makes; the energy error "
                           "means nothing, and what laws say about friction is a guess");
  if (!found->gap.empty()) result.notes.push_back(record.data.name + ": " + found->gap);
  double energy = 0;
  for (const loops::Cycle& cycle : found->cycles) energy += cycle.energy;
  if (found->hysteresis && energy < 0)
    result.notes.push_back(record.data.name +
                           ": the loops give energy instead of taking it, which no friction does: "
                           "displacement and force are "
                           "exchanged (--u and --f say which is which), out of step (--free "
                           "delay), or in the wrong order of "
                           "time");
  record.held_out = fit::held_out_rows(record.data, request.holdout);
  const double middle = std::abs(found->f_center);
  const bool by_force = record.by_force();
  if (middle > 0.1 * found->force_level && !by_force && !frees(request, "offset") &&
      !found->cycles.empty())
    result.notes.push_back(
        record.data.name + ": the loops are not centred on f = 0 (their centre is " +
        short_number(found->f_center) + "); --free offset lets the fit find the zero of the force");
  if (std::abs(found->u_center) > 0.1 * found->amplitude && !frees(request, "offset_u") &&
      !found->cycles.empty())
    result.notes.push_back(record.data.name + ": the loops are not centred on " +
                           (by_force ? "zero force" : "u = 0") + " (their centre is " +
                           short_number(found->u_center) +
                           "); --free offset_u lets the fit find the zero of the " +
                           (by_force ? "force" : "displacement"));
  if (found->pinched && !frees(request, "backlash"))
    result.notes.push_back(record.data.name +
                           ": the loops are pinched, as by clearance or by what brings a device "
                           "back to zero; try --free "
                           "backlash, or --model pinched,flag,rocking");
  result.records.push_back(std::move(record));
}

}  // namespace

void prepare_records(FitRequest& request, FitResult& result) {
  if (request.records.empty())
    throw Error("no record is given; name a file with displacement and force");
  if (request.records.size() == 1 && !(request.separate.empty() && request.share.empty()))
    result.notes.push_back("--separate and --share mean nothing with one file");
  const Driven driven = common_drive(request);
  for (Record& record : request.records) {
    std::vector<FitRecord> taken;
    if (record.several())
      taken = directions_of(record);
    else
      taken.push_back(taken_from(record, driven));
    result.notes.insert(result.notes.end(), record.notes.begin(), record.notes.end());
    for (FitRecord& part : taken) prepare(request, std::move(part), result);
  }
  if (result.records.empty()) throw Error("nothing happens in any direction of the records");
  const FitRecord& first = result.records.front();
  for (Record& given : request.predict) {
    if (given.several() || first.data.path)
      throw Error("--predict is for records with one direction");
    FitRecord record = taken_from(given, driven);
    result.notes.insert(result.notes.end(), given.notes.begin(), given.notes.end());
    refuse_extreme_numbers(record.data.name, record.data.u, record.data.f);
    divide_by_scale(record, first.covariates);
    smooth_input(record, fit::loops_with(record.data, record.data.f, {}).noise_u, result.notes);
    if (first.flipped)
      for (double& f : record.data.f) f = -f;
    result.predicted.push_back(std::move(record));
  }
  if (!first.covariates.empty() && result.records.size() > 1)
    result.notes.push_back(
        "displacement and force of each file are divided by its covariate over that of " +
        first.data.name + "; parameters and pictures are those of that file");
}

}  // namespace microslip::jobs
