#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "respond/analyses.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::CurveEnd;
using dynamics::ModeCurve;
using dynamics::ModePoint;
using Json = nlohmann::ordered_json;

dynamics::ModeOptions mode_options_of(const catalog::Analysis& analysis) {
  dynamics::ModeOptions options;
  options.mode = analysis.mode.value_or(1);
  options.from = analysis.amplitude[0];
  options.to = analysis.amplitude[1];
  options.at = analysis.at;
  options.harmonics = analysis.harmonics.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  return options;
}

std::vector<double> column_of(const ModeCurve& curve, double ModePoint::*number) {
  std::vector<double> column;
  for (const ModePoint& point : curve.points) column.push_back(point.*number);
  return column;
}

void add_columns(const catalog::StructureFile& file, const ModeCurve& curve, Report& report) {
  report.add_column("amplitude", column_of(curve, &ModePoint::amplitude));
  report.add_column("omega", column_of(curve, &ModePoint::omega));
  report.add_column("zeta", column_of(curve, &ModePoint::zeta));
  const auto collect = [&](const auto& number) {
    std::vector<double> column;
    for (const ModePoint& point : curve.points) column.push_back(number(point));
    return column;
  };
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    report.add_column("x" + file.labels[i],
                      collect([i](const ModePoint& p) { return p.first[i].amplitude; }));
    report.add_column("phase" + file.labels[i],
                      collect([i](const ModePoint& p) { return p.first[i].phase; }));
  }
  for (const dynamics::Sensor& sensor : file.structure.sensors) {
    report.add_column("x_" + sensor.name, collect([&](const ModePoint& p) {
                        return along(sensor.w, p.first).amplitude;
                      }));
    report.add_column("phase_" + sensor.name,
                      collect([&](const ModePoint& p) { return along(sensor.w, p.first).phase; }));
  }
  const std::size_t joints = curve.points.empty() ? 0 : curve.points.front().energy.size();
  for (std::size_t j = 0; j < joints; ++j)
    report.add_column(energy_heading(file.structure, j),
                      collect([j](const ModePoint& p) { return p.energy[j]; }));
}

io::Panel panel_of(const std::string& label) {
  return {"", {"amplitude", true, {}, {}}, {label}, {}, true, true};
}

void add_curve(const std::string& name, const Report& table, io::Style style, io::Panel& omega,
               io::Panel& zeta) {
  for (auto& [panel, heading] : {std::pair{&omega, "omega"}, std::pair{&zeta, "zeta"}})
    panel->curves.push_back({name, *table.column("amplitude"), *table.column(heading), style, {}});
}

void add_summary(const catalog::Analysis& analysis, const ModeCurve& curve, Report& report) {
  const ModePoint& first = curve.points.front();
  const ModePoint& last = curve.points.back();
  report.summary +=
      table_text({{"amplitude", "omega", "zeta", "points", "harmonics"},
                  {fmt::format("{:.5g}", first.amplitude), fmt::format("{:.8g}", first.omega),
                   fmt::format("{:.6g}", first.zeta), std::to_string(curve.points.size()),
                   curve.harmonics > 0 ? std::to_string(curve.harmonics) : "static"},
                  {fmt::format("{:.5g}", last.amplitude), fmt::format("{:.8g}", last.omega),
                   fmt::format("{:.6g}", last.zeta), "", ""}},
                 0);
  report.json["points"] = curve.points.size();
  report.json["harmonics"] = curve.harmonics;
  report.json["residual"] = curve.residual;
  report.json["truncation"] = curve.truncation;
  report.json["quadrature"] = curve.quadrature;
  if (curve.harmonics > 0) add_shortage(analysis, curve.harmonics, curve.truncation, report);
  add_gaps(curve.leaps, "amplitude", report);
}

}  // namespace

Report mode_report(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                   const std::string& resume) {
  Report report;
  report.json["kind"] = analysis.kind;
  auto options = mode_options_of(analysis);
  const Standing standing = standing_of(resume);
  options.start = standing.unknowns;
  options.direction = standing.tangent;
  Progress bar(1000);
  bar.stage(analysis.kind);
  std::size_t shown = 0;
  options.on_harmonics = [&](int harmonics) {
    bar.stage(fmt::format("{}, {} harmonics", analysis.kind, harmonics));
  };
  options.progress = [&](double part) {
    const auto now = static_cast<std::size_t>(1000 * part);
    if (now > shown) bar.advance(now - shown);
    shown = std::max(shown, now);
    return !interrupted();
  };
  const bool fast = analysis.kind == "quasi-static";
  const ModeCurve curve = fast ? dynamics::quasi_static_mode(file.structure, options)
                               : dynamics::nonlinear_mode(file.structure, options);
  if (curve.points.empty())
    throw Failure(
        analysis.where + ": the mode was not found at amplitude " +
        fmt::format("{:g}", options.from) + hardest_joint(file.structure, curve.hardest_joint) +
        (dynamics::rigid(file.structure)
             ? "; rigid friction stops a free motion whose springs pull less than it holds"
             : ""));
  if (curve.end == CurveEnd::stuck || curve.end == CurveEnd::too_long)
    report.failure = fmt::format(
        "the mode could not be followed beyond amplitude = {:.6g} (omega = {:.6g}): {}{}",
        curve.points.back().amplitude, curve.points.back().omega,
        curve.end == CurveEnd::stuck ? "Newton's method did not converge however small the step"
                                     : "too many points",
        hardest_joint(file.structure, curve.hardest_joint));
  if (curve.end == CurveEnd::stopped)
    report.resume = resume_text({0, curve.unknowns, curve.tangent});
  if (curve.end == CurveEnd::turned_back)
    report.failure = fmt::format(
        "the mode came back to amplitude {:g} where it began and does not reach {:g}; more "
        "'harmonics' may help",
        options.from, options.to);
  add_columns(file, curve, report);
  add_summary(analysis, curve, report);
  if (!resume.empty()) put_before(analysis.output, standing.unknowns.size() > 0, report);
  if (curve.end != CurveEnd::stopped)
    add_missing(analysis.at, report.columns.front(), "amplitude", "", report);
  io::Panel omega = panel_of("ω");
  io::Panel zeta = panel_of("ζ");
  const bool timed = std::any_of(file.structure.joints.begin(), file.structure.joints.end(),
                                 [](const auto& j) { return j.model.rate_dependent(); });
  // The table has the whole curve also if it was interrupted.
  add_curve(fast ? "quasi-static" : "nonlinear mode", report, io::Style::solid, omega, zeta);
  // Reduced interfaces have no quasi-static mode.
  const bool beside_it = !timed && file.structure.interfaces.empty();
  if (!fast && beside_it && !analysis.plot.empty()) {
    const ModeCurve beside = dynamics::quasi_static_mode(file.structure, options);
    Report table;
    add_columns(file, beside, table);
    if (!beside.points.empty()) add_curve("quasi-static", table, io::Style::dashed, omega, zeta);
  }
  report.figure = {"", {{{omega, zeta}, 6, false}}, 16};
  return report;
}

namespace {

Report averaged_backbone(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  Report report;
  std::vector<double> amplitudes = analysis.at;
  constexpr int count = 200;
  for (int i = 0; i <= count; ++i)
    amplitudes.push_back(
        analysis.amplitude[0] *
        std::pow(analysis.amplitude[1] / analysis.amplitude[0], static_cast<double>(i) / count));
  std::sort(amplitudes.begin(), amplitudes.end());
  std::vector<double> omega, zeta, a1, b1, force;
  for (const double a : amplitudes) {
    const dynamics::AveragedPoint point = dynamics::averaged(file.structure, a);
    omega.push_back(point.omega);
    zeta.push_back(point.zeta);
    a1.push_back(point.a1);
    b1.push_back(point.b1);
    force.push_back(point.force);
  }
  io::Panel left = panel_of("ω of resonance");
  io::Panel right = panel_of("ζ effective");
  left.curves.push_back({"", amplitudes, omega, io::Style::solid, {}});
  right.curves.push_back({"", amplitudes, zeta, io::Style::solid, {}});
  io::Panel reach{"", {"force"}, {"amplitude at resonance"}, {}, false, true};
  reach.curves.push_back({"", force, amplitudes, io::Style::solid, {}});
  report.figure = {"", {{{left, right}, 5, false}, {{reach}, 5, false}}, 16};
  // Where ζ is largest the law saturates: beyond, amplitude over force grows again (115).
  const auto largest =
      static_cast<std::size_t>(std::max_element(zeta.begin(), zeta.end()) - zeta.begin());
  report.summary = fmt::format(
      "largest damping ζ = {:.6g} at amplitude {:.5g}: unsaturated below, saturated above\n",
      zeta[largest], amplitudes[largest]);
  report.json["saturation"] = {{"amplitude", amplitudes[largest]}, {"zeta", zeta[largest]}};
  report.add_column("amplitude", amplitudes);
  report.add_column("omega", omega);
  report.add_column("zeta", zeta);
  report.add_column("a1", a1);
  report.add_column("b1", b1);
  report.add_column("force", force);
  return report;
}

Report averaged_curves(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  Report report;
  std::vector<double> factors = analysis.levels.empty() ? std::vector<double>{1} : analysis.levels;
  const double force = dynamics::harmonic_force(file.structure);
  std::vector<double> omega, amplitude, phase, level;
  io::Panel panel{"", {"ω"}, {"amplitude"}, {}, factors.size() > 1, false};
  std::vector<std::vector<std::string>> rows{{"load", "omega", "amplitude"}};
  report.json["peaks"] = Json::array();
  for (const double factor : factors) {
    const dynamics::AveragedResponse r = dynamics::averaged_response(
        file.structure, factor * force, analysis.omega[0], analysis.omega[1]);
    omega.insert(omega.end(), r.omega.begin(), r.omega.end());
    amplitude.insert(amplitude.end(), r.amplitude.begin(), r.amplitude.end());
    phase.insert(phase.end(), r.phase.begin(), r.phase.end());
    level.insert(level.end(), r.omega.size(), factor);
    panel.curves.push_back(
        {fmt::format("load × {:g}", factor), r.omega, r.amplitude, io::Style::solid, {}});
    rows.push_back({fmt::format("{:g}", factor), fmt::format("{:.8g}", r.peak_omega),
                    fmt::format("{:.8g}", r.peak_amplitude)});
    report.json["peaks"].push_back(
        {{"level", factor}, {"omega", r.peak_omega}, {"amplitude", r.peak_amplitude}});
  }
  report.add_column("omega", omega);
  report.add_column("x1", amplitude);
  report.add_column("phase1", phase);
  if (!analysis.levels.empty()) report.add_column("level", level);
  report.summary = table_text(rows, 0);
  report.figure = {"", {{{panel}, 7, false}}, 16};
  return report;
}

}  // namespace

Report averaging_report(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  Report report =
      analysis.omega.empty() ? averaged_backbone(file, analysis) : averaged_curves(file, analysis);
  report.json["kind"] = analysis.kind;
  return report;
}

}  // namespace microslip::app
