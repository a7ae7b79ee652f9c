#include "microslip/jobs/ringdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "jobs/progress.hpp"
#include "jobs/ringdown_rows.hpp"
#include "jobs/text_form.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

using dynamics::RingdownMode;
using dynamics::RingdownPoint;

constexpr double whole_turn = 2 * std::numbers::pi;

/// "m/s²" of an acceleration as "m"; the unit as it is where its end is not known.
std::string unit_of_displacement(const std::string& unit, const std::string& t_unit, int power) {
  if (power == 0 || unit.empty()) return unit;
  const std::string time = t_unit.empty() ? "s" : t_unit;
  for (const char* square : {"^2", "²", "2"}) {
    const std::string end = "/" + time + (power == 2 ? square : "");
    if (unit.size() > end.size() && unit.ends_with(end))
      return unit.substr(0, unit.size() - end.size());
  }
  return unit + " " + time + (power == 2 ? "²" : "");
}

/// From the row on where the decay begins.
DecayRecord record_of(RingdownRequest& request) {
  if (request.motions.empty()) throw Error(request.name + ": no motion is given");
  DecayRecord record;
  record.notes = fill_missing_rows(request);
  record.source = request.name;
  record.rows = request.t.size();
  record.quantity = request.quantity;
  record.t_unit = request.t_unit;
  record.taken = request.taken;
  record.amplitude_unit = unit_of_displacement(request.motions.front().unit, request.t_unit,
                                               static_cast<int>(request.quantity));
  // Shapes compare the columns with each other.
  const Motion& one = request.motions.front();
  for (const Motion& motion : request.motions)
    if (!motion.unit.empty() && !one.unit.empty() && motion.unit != one.unit)
      throw Error(request.name + ": " + one.name + " is in " + one.unit + " and " + motion.name +
                  " in " + motion.unit + "; the columns of a ring-down must have one unit");
  for (Motion& motion : request.motions) {
    if (motion.values.size() != request.t.size())
      throw Error(request.name + ": columns must have the same length: t has " +
                  std::to_string(request.t.size()) + " rows, " + motion.name + " has " +
                  std::to_string(motion.values.size()) + " rows");
    record.names.push_back(motion.name);
    record.motions.push_back(std::move(motion.values));
  }
  try {
    record.step = dynamics::even_step(request.t);
  } catch (const Error& error) {
    throw Error(record.source + ": " + error.what());
  }
  std::size_t first = 0;
  if (request.find_start) first = dynamics::start_of_decay(record.motions);
  for (std::size_t i = 0; i < record.motions.size(); ++i)
    if (const auto cut = dynamics::clipping(record.motions[i])) {
      record.notes.push_back(
          fmt::format("{} is clipped: {} rows are exactly at its limit of {:.6g}, the last is row "
                      "{}; the decay is read from there on",
                      record.names[i], cut->rows, cut->limit, cut->last + 1));
      first = std::max(first, std::min(cut->last + 1, record.motions[i].size() - 1));
    }
  for (std::vector<double>& motion : record.motions)
    motion.erase(motion.begin(), motion.begin() + static_cast<std::ptrdiff_t>(first));
  record.first_row = first + 1;
  record.start = request.t[first];
  return record;
}

dynamics::RingdownOptions options_of(const RingdownRequest& request) {
  dynamics::RingdownOptions options;
  if (request.modes) {
    if (*request.modes < 1 || *request.modes > 100)
      throw Error("--modes = " + std::to_string(*request.modes) +
                  " must be a whole number from 1 to 100");
    options.most_modes = *request.modes;
  }
  for (const double frequency : request.at) {
    if (!(frequency > 0)) throw Error("--at " + number_text(frequency) + " must be positive");
    options.omegas.push_back(whole_turn * frequency);
  }
  if (request.modes && !request.at.empty())
    throw Error(
        "--modes counts peaks of the spectrum and --at gives frequencies: only one of them");
  if (request.band) {
    options.band = whole_turn * *request.band;
    if (!(options.band > 0))
      throw Error("--band " + number_text(*request.band) + " must be positive");
  }
  options.quantity = request.quantity;
  return options;
}

/// The stronger mode and the whole number by which its frequency, multiplied, is that of this one.
std::string overtone_of(const std::vector<RingdownMode>& modes, std::size_t which) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double ratio = modes[which].omega / modes[i].omega, whole = std::round(ratio);
    if (i == which || whole < 2 || whole > 9 || std::abs(ratio - whole) > 0.01 * whole) continue;
    if (modes[i].points.empty() || modes[which].points.empty() ||
        modes[i].points.front().amplitude < modes[which].points.front().amplitude)
      continue;
    return fmt::format("{:g} times that of mode {}", whole, i + 1);
  }
  return "";
}

/// Nothing moves to and fro; noise hides whether it does.
bool is_unknown(const RingdownMode& mode) {
  return mode.precision > 0 && mode.widened <= 1.5 && mode.rising < 0.05;
}

std::string unknown_damping(const RingdownMode& mode) {
  return fmt::format(
      "it is not resolved: its damping is known to {:.0f} % of itself, so that noise may hide that "
      "two modes are near one another; more columns, or a longer decay, show more",
      100 * mode.precision);
}

std::string why_no_points(const RingdownMode& mode, double duration) {
  // Two and a half windows of four over nine tenths of the frequency, the widest band.
  constexpr double least_periods = 12;
  if (const double periods = mode.omega / whole_turn * duration;
      mode.window <= duration && periods < least_periods)
    return fmt::format(
        "the decay has {:.3g} periods of it; at least {:g} are needed to see how frequency and "
        "damping change",
        periods, least_periods);
  if (mode.window > duration)
    return fmt::format(
        "its window of {:.4g} is longer than the decay of {:.4g}; a wider --band has a shorter one",
        mode.window, duration);
  if (mode.resolved)
    return fmt::format(
        "it is not twenty times louder than the bands beside it for long enough, at least {:g} "
        "periods",
        least_periods);
  if (is_unknown(mode)) return unknown_damping(mode);
  return "it is not resolved: frequency and damping in its band move to and fro, or the motion "
         "grows again, as where two modes are near one another; more columns separate them by "
         "their shapes";
}

std::vector<std::string> notes_on(const DecayRecord& record,
                                  const std::vector<RingdownMode>& modes) {
  std::vector<std::string> notes = record.notes;
  const auto note = [&](std::size_t i, const std::string& text) {
    notes.push_back(fmt::format("mode {} at {:.5g}: {}", i + 1, modes[i].omega / whole_turn, text));
  };
  const double duration = record.step * static_cast<double>(record.motions.front().size() - 1);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const RingdownMode& mode = modes[i];
    if (mode.points.empty()) {
      note(i, why_no_points(mode, duration));
      continue;
    }
    if (!mode.resolved)
      note(i, is_unknown(mode)
                  ? unknown_damping(mode)
                  : "frequency and damping move to and fro by more than noise allows, as when two "
                    "modes lie within the band; without --band it is chosen");
    else if (mode.widened > 1.5)
      note(i, fmt::format("its errors are {:.1f} times those of noise and smoothing, because "
                          "frequency or damping move to and fro",
                          mode.widened));
    if (const std::string of = overtone_of(modes, i); !of.empty())
      note(i, "its frequency is " + of + ", of which it may be a harmonic, as joints make them");
    if (!mode.separated.empty()) {
      std::string others;
      for (const double omega : mode.separated)
        others += fmt::format("{}{:.5g}", others.empty() ? "" : " and ", omega / whole_turn);
      note(i, "it was separated by its shape from what vibrates at " + others + " in its band");
    }
    if (mode.shape_change > 0.05)
      note(i, fmt::format("up to {:.0f} % of the motion in the band, squared, does not follow one "
                          "real shape: the shape changes with amplitude, or another mode is near",
                          100 * mode.shape_change));
  }
  return notes;
}

DecayMode mode_of(const RingdownMode& mode, const DecayRecord& record) {
  DecayMode result{.frequency = mode.omega / whole_turn,
                   .half_band = mode.band / whole_turn,
                   .window = mode.window,
                   .shape = mode.shape,
                   .amplitude_of = record.names[mode.largest],
                   .shape_change = mode.shape_change,
                   .resolved = mode.resolved};
  for (const RingdownPoint& p : mode.points) {
    result.t.push_back(p.t + record.start);
    result.amplitude.push_back(p.amplitude);
    result.omega.push_back(p.omega);
    result.zeta.push_back(p.zeta);
    result.omega_error.push_back(p.omega_error);
    result.zeta_error.push_back(p.zeta_error);
  }
  return result;
}

}  // namespace

RingdownResult ringdown(RingdownRequest request, const Control& control) {
  RingdownResult result;
  const dynamics::RingdownOptions options = options_of(request);
  result.record = record_of(request);
  const DecayRecord& record = result.record;
  Progress progress(control, 2);
  if (!progress.stage("modes of " + record.source)) throw Interrupted();
  try {
    result.found = dynamics::ringdown_modes(record.step, record.motions, options);
  } catch (const Error& error) {
    throw Error(record.source + ": " + error.what());
  }
  if (result.found.empty()) {
    std::string text =
        ": no peak of the spectrum stands out with at least ten periods in the record; "
        "--at gives the frequencies of modes";
    for (const std::string& note : record.notes) text += "; " + note;
    throw Failure(record.source + text);
  }
  if (!progress.advance(1)) throw Interrupted();
  result.version = version;
  result.source = record.source;
  result.rows = record.rows;
  result.columns = record.names;
  result.quantity = record.quantity;
  result.units = {record.t_unit, record.amplitude_unit};
  result.start = {record.first_row, record.start};
  result.step = record.step;
  for (const RingdownMode& mode : result.found) result.modes.push_back(mode_of(mode, record));
  result.notes = notes_on(record, result.found);
  progress.advance(1);
  return result;
}

MICROSLIP_TEXT_FORM(RingdownRequest)
MICROSLIP_TEXT_FORM(RingdownResult)

}  // namespace microslip::jobs
