#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/time/ringdown.hpp"
#include "microslip/dynamics/time/stepper.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "respond/analyses.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::Method;
using dynamics::TimeResult;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_curves = 4;  ///< in one panel

Method method_of(const catalog::Analysis& analysis) {
  const std::vector<std::string> names{"events", "midpoint",          "newmark",
                                       "hht",    "generalized-alpha", "cvode"};
  if (analysis.method.empty()) return Method::events;
  const auto found = std::find(names.begin(), names.end(), analysis.method);
  if (found == names.end())
    throw Error(analysis.where + ": unknown method '" + analysis.method + "'" +
                suggestion(analysis.method, names));
  return static_cast<Method>(found - names.begin());
}

Eigen::VectorXd vector_of(const std::vector<double>& list) {
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

/// The table of a motion, row by row: to its file, or into the report where somebody needs it.
class TimeTable {
 public:
  TimeTable(const catalog::StructureFile& file, const catalog::Analysis& analysis)
      : structure_(file.structure), all_(analysis.columns != "sensors") {
    headings_.emplace_back("t");
    for (const char* quantity : {"x", "v"}) {
      if (all_)
        for (const std::string& label : file.labels) headings_.push_back(quantity + label);
      for (const dynamics::Sensor& sensor : structure_.sensors)
        headings_.push_back(std::string(quantity) + "_" + sensor.name);
    }
    for (std::size_t j = 1; j <= structure_.joints.size(); ++j)
      headings_.push_back("f" + std::to_string(j));
    headings_.emplace_back("energy");
    cells_.reserve(headings_.size());
  }

  const std::vector<std::string>& headings() const { return headings_; }

  const std::vector<double>& cells(const dynamics::TimeRow& row) {
    cells_.assign(1, row.t);
    for (const Eigen::VectorXd* motion : {&row.x, &row.v}) {
      if (all_) cells_.insert(cells_.end(), motion->begin(), motion->end());
      for (const dynamics::Sensor& sensor : structure_.sensors)
        cells_.push_back(sensor.w.dot(*motion));
    }
    cells_.insert(cells_.end(), row.f.begin(), row.f.end());
    cells_.push_back(row.energy);
    return cells_;
  }

 private:
  const dynamics::Structure& structure_;
  bool all_;
  std::vector<std::string> headings_;
  std::vector<double> cells_;
};

/// Motion of one degree of freedom, for its ring-down, and of the joints that are drawn.
struct Traces {
  std::vector<double> t, x, v;
  std::vector<std::vector<double>> joints;
};

struct Ringdown {
  std::vector<dynamics::RingdownPoint> peaks, hilbert;
};

Ringdown ringdown_of(const Traces& traces) {
  return {dynamics::ringdown_from_peaks(traces.t, traces.x, traces.v),
          dynamics::ringdown_from_hilbert(traces.t, traces.x, traces.v)};
}

io::Panel ringdown_panel(const Ringdown& ringdown, const std::string& label,
                         double dynamics::RingdownPoint::*number) {
  io::Panel panel{"", {"amplitude"}, {label}, {}, true, true};
  const auto add = [&](const char* name, const std::vector<dynamics::RingdownPoint>& points,
                       io::Style style) {
    io::Curve curve{name, {}, {}, style, {}};
    for (const auto& point : points) {
      curve.x.push_back(point.amplitude);
      curve.y.push_back(point.*number);
    }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  };
  add("peaks", ringdown.peaks, io::Style::points);
  add("Hilbert", ringdown.hilbert, io::Style::solid);
  return panel;
}

/// In the decay of one mode amplitudes fall and the frequency changes slowly. Where several modes
/// beat, amplitudes rise again or the distance of peaks jumps.
bool holds_several_modes(const std::vector<dynamics::RingdownPoint>& peaks) {
  double largest = 0;
  for (const auto& point : peaks) largest = std::max(largest, point.amplitude);
  std::size_t seen = 0, odd = 0;
  for (std::size_t i = 1; i < peaks.size(); ++i) {
    if (peaks[i].amplitude < 0.02 * largest) continue;  // rounding and rest
    ++seen;
    const bool rises = peaks[i].amplitude > 1.02 * peaks[i - 1].amplitude;
    const bool jumps = std::abs(peaks[i].omega - peaks[i - 1].omega) > 0.2 * peaks[i - 1].omega;
    odd += rises || jumps ? 1 : 0;
  }
  if (seen >= 4 && 10 * odd > seen) return true;
  // A motion that decays has no negative damping at its ends, unless modes beat there.
  return !peaks.empty() && peaks.back().amplitude < peaks.front().amplitude &&
         std::min(peaks.front().zeta, peaks.back().zeta) < 0;
}

/// Where the motion begins: the place of a blow, else of the largest velocity or displacement.
Eigen::Index place_of_the_blow(const dynamics::Structure& structure,
                               const catalog::Analysis& analysis) {
  Eigen::Index place = 0;
  for (const dynamics::Load& load : structure.loads) {
    if (!std::holds_alternative<dynamics::Impulse>(load.signal)) continue;
    load.direction.cwiseAbs().maxCoeff(&place);
    return place;
  }
  for (const std::vector<double>* start : {&analysis.v0, &analysis.x0}) {
    const Eigen::VectorXd values = vector_of(*start).cwiseAbs();
    if (values.size() > 0 && values.maxCoeff(&place) > 0) return place;
  }
  return 0;
}

io::Figure figure_of(const catalog::StructureFile& file, const Report& report, const Traces& traces,
                     const Ringdown& ringdown) {
  const auto& t = *report.column("t");
  // Sensors first: somebody asked for them.
  std::vector<std::string> shown;
  for (const dynamics::Sensor& sensor : file.structure.sensors) shown.push_back("x_" + sensor.name);
  for (const std::string& label : file.labels)
    if (shown.size() < most_curves && report.column("x" + label)) shown.push_back("x" + label);
  shown.resize(std::min(shown.size(), most_curves));
  io::Panel motion{"", {"t"}, {"displacement"}, {}, true, false};
  for (const std::string& name : shown)
    motion.curves.push_back({name, t, *report.column(name), io::Style::line, {}});
  io::Figure figure{"", {{{motion}, 5, true}}, 16};
  io::Panel energy{"", {"t"}, {"energy lost in joints"}, {}, false, false};
  energy.curves.push_back({"", t, *report.column("energy"), io::Style::solid, {}});
  figure.rows.push_back({{energy}, 3, false});
  if (!traces.joints.empty()) {
    io::Row loops{{}, 5, false};
    for (std::size_t j = 0; j < traces.joints.size(); ++j) {
      io::Panel panel{
          "joint " + std::to_string(j + 1), {"displacement"}, {"force"}, {}, false, true};
      panel.curves.push_back({"",
                              traces.joints[j],
                              *report.column("f" + std::to_string(j + 1)),
                              io::Style::solid,
                              {}});
      loops.panels.push_back(std::move(panel));
    }
    figure.rows.push_back(std::move(loops));
  }
  if (ringdown.peaks.size() > 4 && !holds_several_modes(ringdown.peaks))
    figure.rows.push_back({{ringdown_panel(ringdown, "ω", &dynamics::RingdownPoint::omega),
                            ringdown_panel(ringdown, "ζ", &dynamics::RingdownPoint::zeta)},
                           5,
                           false});
  return figure;
}

Json ringdown_json(const std::vector<dynamics::RingdownPoint>& points) {
  Json json{{"t", Json::array()},
            {"amplitude", Json::array()},
            {"omega", Json::array()},
            {"zeta", Json::array()}};
  for (const auto& point : points) {
    json["t"].push_back(point.t);
    json["amplitude"].push_back(point.amplitude);
    json["omega"].push_back(point.omega);
    json["zeta"].push_back(point.zeta);
  }
  return json;
}

void add_summary(const TimeResult& r, Report& report) {
  const dynamics::EnergyAudit& a = r.audit;
  const double size = std::max({std::abs(a.input), a.joints + a.viscous, r.largest_energy, 1e-300});
  report.summary += fmt::format("{} rows, {} steps, {} events\n", r.rows, r.steps, r.events);
  report.summary += table_text(
      {{"energy", "input", "kinetic", "elastic", "in joints", "viscous", "lost in joints", "error"},
       {"", fmt::format("{:.6g}", a.input), fmt::format("{:.6g}", a.kinetic),
        fmt::format("{:.6g}", a.elastic), fmt::format("{:.6g}", a.joints_stored),
        fmt::format("{:.6g}", a.viscous), fmt::format("{:.6g}", a.joints),
        fmt::format("{:.1e}", a.error() / size)}},
      1);
  report.json["rows"] = r.rows;
  report.json["steps"] = r.steps;
  report.json["events"] = r.events;
  report.json["energy"] = {{"input", a.input},
                           {"kinetic", a.kinetic},
                           {"elastic", a.elastic},
                           {"stored_in_joints", a.joints_stored},
                           {"viscous", a.viscous},
                           {"lost_in_joints", a.joints},
                           {"lost_by_joint", r.joint_energy},
                           {"error", a.error()},
                           {"relative_error", a.error() / size}};
}

bool decays_freely(const dynamics::Structure& structure, double until) {
  return std::all_of(structure.loads.begin(), structure.loads.end(), [&](const auto& load) {
    if (std::holds_alternative<dynamics::Constant>(load.signal)) return true;
    const auto* impulse = std::get_if<dynamics::Impulse>(&load.signal);
    return impulse && impulse->start + impulse->duration < 0.05 * until;
  });
}

}  // namespace

dynamics::TimeOptions time_options(const catalog::Analysis& analysis) {
  dynamics::TimeOptions options;
  options.method = method_of(analysis);
  options.until = *analysis.until;
  options.step = analysis.step.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  options.at = analysis.at;
  options.x0 = vector_of(analysis.x0);
  options.v0 = vector_of(analysis.v0);
  // With a step, rows stand at its multiples; without, at every step that was needed.
  options.every_step = !analysis.step;
  return options;
}

void check_time(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(analysis.where + ": " + sentence);
  };
  const Method method = method_of(analysis);
  for (const double t : analysis.at)
    if (t < 0 || t > *analysis.until)
      refuse("at = " + number_text(t) + " must lie in [0, " + number_text(*analysis.until) + "]");
  for (const dynamics::Load& load : file.structure.loads)
    if (const auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (const dynamics::Tone& tone : tones->list)
        if (!(tone.omega > 0) && tone.harmonic != 0)
          refuse("a harmonic load needs 'omega' in an analysis of kind \"time\"");
  if (method == Method::events || method == Method::cvode || analysis.step) return;
  refuse("method = '" + analysis.method + "' needs 'step'");
}

Report time_report(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                   const io::Comments& head, bool keep_rows) {
  Report report;
  report.json["kind"] = analysis.kind;
  dynamics::TimeOptions options = time_options(analysis);
  Progress bar(1000);
  bar.stage(analysis.kind);
  std::size_t shown = 0;
  options.progress = [&](double part) {
    const auto now = static_cast<std::size_t>(1000 * part);
    if (now > shown) bar.advance(now - shown);
    shown = std::max(shown, now);
    return !interrupted();
  };
  const bool preloaded = dynamics::is_preloaded(file.structure);
  TimeTable table(file, analysis);
  report.headings = table.headings();
  report.columns.resize(report.headings.size());
  Traces traces;
  traces.joints.resize(keep_rows ? std::min<std::size_t>(file.structure.joints.size(), 3) : 0);
  const bool free = decays_freely(file.structure, options.until);
  const Eigen::Index chosen =
      analysis.dof ? *analysis.dof - 1 : place_of_the_blow(file.structure, analysis);
  std::optional<io::AtomicFile> output;
  if (!keep_rows) output.emplace(analysis.output);
  io::CsvWriter writer([&](std::string_view text) { output->write(text); }, head, table.headings());
  options.row = [&](const dynamics::TimeRow& row) {
    if (free) {
      traces.t.push_back(row.t);
      traces.x.push_back(row.x[chosen]);
      traces.v.push_back(row.v[chosen]);
    }
    for (std::size_t j = 0; j < traces.joints.size(); ++j)
      traces.joints[j].push_back(file.structure.joints[j].w.dot(row.x));
    const std::vector<double>& cells = table.cells(row);
    if (output) {
      writer.row(cells);
      return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) report.columns[i].push_back(cells[i]);
  };
  TimeResult result;
  if (preloaded && analysis.x0.empty()) {
    dynamics::StaticState rest = dynamics::static_equilibrium(file.structure);
    if (!rest.converged)
      throw Failure(analysis.where + ": no equilibrium was found under the static loads");
    options.x0 = rest.x;
    result = dynamics::integrate(file.structure, options, 0, std::move(rest.joints));
  } else {
    result = dynamics::integrate(file.structure, options);
  }
  if (!result.message.empty()) report.failure = result.message;
  if (output) {
    writer.finish();
    output->commit();
    report.columns.clear();
    report.headings.clear();
    report.streamed = true;
  }
  add_summary(result, report);
  Ringdown ringdown;
  if (free) ringdown = ringdown_of(traces);
  if (!ringdown.peaks.empty()) {
    const bool several = holds_several_modes(ringdown.peaks);
    report.json["ringdown"] = {{"several_modes", several},
                               {"peaks", ringdown_json(ringdown.peaks)},
                               {"hilbert", ringdown_json(ringdown.hilbert)}};
    const auto& first = ringdown.peaks.front();
    const auto& last = ringdown.peaks.back();
    if (several)
      report.summary += fmt::format(
          "ring-down of x{}: several modes beat, so its peaks have no frequency and damping of "
          "their own; start in one mode (x0), choose another 'dof', or let 'microslip ringdown' "
          "tell them apart in the table of the motion\n",
          file.labels[static_cast<std::size_t>(chosen)]);
    else
      report.summary += fmt::format(
          "ring-down of x{}: ω {:.6g} → {:.6g}, ζ {:.4g} → {:.4g} from amplitude {:.4g} to "
          "{:.4g}\n",
          file.labels[static_cast<std::size_t>(chosen)], first.omega, last.omega, first.zeta,
          last.zeta, first.amplitude, last.amplitude);
  }
  if (keep_rows) report.figure = figure_of(file, report, traces, ringdown);
  return report;
}

}  // namespace microslip::app
