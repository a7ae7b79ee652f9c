#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/time/ringdown.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
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

void add_columns(const catalog::StructureFile& file, const TimeResult& r, Report& report) {
  report.add_column("t", r.t);
  const auto add = [&](const std::string& name, const std::vector<Eigen::VectorXd>& rows,
                       bool labelled) {
    for (Eigen::Index i = 0; !rows.empty() && i < rows.front().size(); ++i) {
      std::vector<double> column;
      for (const auto& row : rows) column.push_back(row[i]);
      const std::string number =
          labelled ? file.labels[static_cast<std::size_t>(i)] : std::to_string(i + 1);
      report.add_column(name + number, std::move(column));
    }
  };
  add("x", r.x, true);
  add("v", r.v, true);
  add("f", r.f, false);
  report.add_column("energy", r.energy);
}

const std::vector<double>& column(const Report& report, const std::string& name) {
  const auto found = std::find(report.headings.begin(), report.headings.end(), name);
  return report.columns[static_cast<std::size_t>(found - report.headings.begin())];
}

struct Ringdown {
  std::vector<dynamics::RingdownPoint> peaks, hilbert;
};

Ringdown ringdown_of(const Report& report, const std::string& dof) {
  const auto& t = column(report, "t");
  const auto& x = column(report, "x" + dof);
  const auto& v = column(report, "v" + dof);
  return {dynamics::ringdown_from_peaks(t, x, v), dynamics::ringdown_from_hilbert(t, x, v)};
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

io::Figure figure_of(const catalog::StructureFile& file, const Report& report,
                     const Ringdown& ringdown) {
  const auto& t = column(report, "t");
  const auto rows = [&](const std::string& name, std::size_t count, const std::string& label) {
    io::Panel panel{"", {"t"}, {label}, {}, true, false};
    for (std::size_t i = 1; i <= std::min(count, most_curves); ++i) {
      const std::string number = name + file.labels[i - 1];
      panel.curves.push_back({number, t, column(report, number), io::Style::line, {}});
    }
    return panel;
  };
  const auto dofs = static_cast<std::size_t>(file.structure.size());
  const std::size_t joints = file.structure.joints.size();
  io::Figure figure{"", {{{rows("x", dofs, "displacement")}, 5, true}}, 16};
  io::Panel energy{"", {"t"}, {"energy lost in joints"}, {}, false, false};
  energy.curves.push_back({"", t, column(report, "energy"), io::Style::solid, {}});
  figure.rows.push_back({{energy}, 2.5, false});
  if (joints > 0) {
    io::Row loops{{}, 5, false};
    for (std::size_t j = 0; j < std::min<std::size_t>(joints, 3); ++j) {
      io::Panel panel{
          "joint " + std::to_string(j + 1), {"displacement"}, {"force"}, {}, false, true};
      io::Curve curve{"", {}, column(report, "f" + std::to_string(j + 1)), io::Style::solid, {}};
      curve.x.assign(t.size(), 0);
      for (std::size_t i = 0; i < dofs; ++i) {
        const double w = file.structure.joints[j].w[static_cast<Eigen::Index>(i)];
        if (w == 0) continue;
        const auto& x = column(report, "x" + file.labels[i]);
        for (std::size_t k = 0; k < t.size(); ++k) curve.x[k] += w * x[k];
      }
      panel.curves.push_back(std::move(curve));
      loops.panels.push_back(std::move(panel));
    }
    figure.rows.push_back(std::move(loops));
  }
  if (ringdown.peaks.size() > 4)
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
  report.summary += fmt::format("{} rows, {} steps, {} events\n", r.t.size(), r.steps, r.events);
  report.summary += table_text(
      {{"energy", "input", "kinetic", "elastic", "in joints", "viscous", "lost in joints", "error"},
       {"", fmt::format("{:.6g}", a.input), fmt::format("{:.6g}", a.kinetic),
        fmt::format("{:.6g}", a.elastic), fmt::format("{:.6g}", a.joints_stored),
        fmt::format("{:.6g}", a.viscous), fmt::format("{:.6g}", a.joints),
        fmt::format("{:.1e}", a.error() / size)}},
      1);
  report.json["rows"] = r.t.size();
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

Report time_report(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  Report report;
  report.json["kind"] = analysis.kind;
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
  Progress bar(1000);
  std::size_t shown = 0;
  options.progress = [&](double part) {
    const auto now = static_cast<std::size_t>(1000 * part);
    if (now > shown) bar.advance(now - shown);
    shown = std::max(shown, now);
    return !interrupted();
  };
  const bool preloaded = std::any_of(
      file.structure.loads.begin(), file.structure.loads.end(),
      [](const auto& load) { return std::holds_alternative<dynamics::Constant>(load.signal); });
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
  add_columns(file, result, report);
  add_summary(result, report);
  const std::string chosen = file.labels[static_cast<std::size_t>(analysis.dof.value_or(1) - 1)];
  Ringdown ringdown;
  if (decays_freely(file.structure, options.until)) ringdown = ringdown_of(report, chosen);
  if (!ringdown.peaks.empty()) {
    report.json["ringdown"] = {{"peaks", ringdown_json(ringdown.peaks)},
                               {"hilbert", ringdown_json(ringdown.hilbert)}};
    const auto& first = ringdown.peaks.front();
    const auto& last = ringdown.peaks.back();
    report.summary += fmt::format(
        "ring-down of x{}: ω {:.6g} → {:.6g}, ζ {:.4g} → {:.4g} from amplitude {:.4g} to {:.4g}\n",
        chosen, first.omega, last.omega, first.zeta, last.zeta, first.amplitude, last.amplitude);
  }
  report.figure = figure_of(file, report, ringdown);
  return report;
}

}  // namespace microslip::app
