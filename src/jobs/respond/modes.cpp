#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::CurveEnd;
using dynamics::ModeCurve;
using dynamics::ModePoint;

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

void add_columns(const catalog::StructureFile& file, const ModeCurve& curve,
                 AnalysisResult& result) {
  add_column(result, "amplitude", column_of(curve, &ModePoint::amplitude));
  add_column(result, "omega", column_of(curve, &ModePoint::omega));
  add_column(result, "zeta", column_of(curve, &ModePoint::zeta));
  const auto collect = [&](const auto& number) {
    std::vector<double> column;
    for (const ModePoint& point : curve.points) column.push_back(number(point));
    return column;
  };
  add_motion<ModePoint>(file, collect, result);
  const std::size_t joints = curve.points.empty() ? 0 : curve.points.front().energy.size();
  for (std::size_t j = 0; j < joints; ++j)
    add_column(result, energy_heading(file.structure, j),
               collect([j](const ModePoint& p) { return p.energy[j]; }));
}

io::Panel panel_of(const std::string& label) {
  return {"", {"amplitude", true, {}, {}}, {label}, {}, true, true};
}

void add_curve(const std::string& name, const AnalysisResult& table, io::Style style,
               io::Panel& omega, io::Panel& zeta) {
  for (auto& [panel, heading] : {std::pair{&omega, "omega"}, std::pair{&zeta, "zeta"}})
    panel->curves.push_back({name, *table.column("amplitude"), *table.column(heading), style, {}});
}

void add_summary(const catalog::Analysis& analysis, const ModeCurve& curve,
                 AnalysisResult& result) {
  const ModePoint& first = curve.points.front();
  const ModePoint& last = curve.points.back();
  result.summary +=
      table_text({{"amplitude", "omega", "zeta", "points", "harmonics"},
                  {fmt::format("{:.5g}", first.amplitude), fmt::format("{:.8g}", first.omega),
                   fmt::format("{:.6g}", first.zeta), std::to_string(curve.points.size()),
                   curve.harmonics > 0 ? std::to_string(curve.harmonics) : "static"},
                  {fmt::format("{:.5g}", last.amplitude), fmt::format("{:.8g}", last.omega),
                   fmt::format("{:.6g}", last.zeta), "", ""}},
                 0);
  result.points = curve.points.size();
  result.harmonics = curve.harmonics;
  result.residual = curve.residual;
  result.truncation = curve.truncation;
  result.quadrature = curve.quadrature;
  if (curve.harmonics > 0) {
    result.truncation_of_damping = curve.truncation_of_damping;
    result.notes.emplace_back("harmonics", std::to_string(curve.harmonics));
    result.notes.emplace_back(
        "truncation",
        fmt::format("{:.2e}, of damping {:.2e}", curve.truncation, curve.truncation_of_damping));
    add_shortage(analysis, curve.harmonics, curve.truncation, result,
                 analysis.tolerance ? 0 : curve.truncation_of_damping);
  }
  add_quadrature(analysis, curve.quadrature, result);
  add_gaps(curve.leaps, "amplitude", result);
}

}  // namespace

AnalysisResult nonlinear_mode(const Task& task) {
  const catalog::StructureFile& file = task.file;
  const catalog::Analysis& analysis = task.analysis;
  AnalysisResult result;
  auto options = mode_options_of(analysis);
  const Standing standing = standing_of(task.resume);
  options.start = standing.unknowns;
  options.direction = standing.tangent;
  Progress& bar = task.progress;
  options.on_harmonics = [&](int harmonics) {
    bar.stage(fmt::format("{}, {} harmonics", analysis.kind, harmonics));
  };
  options.progress = PartOf(bar);
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
    result.failure = fmt::format(
        "the mode could not be followed beyond amplitude = {:.6g} (omega = {:.6g}): {}{}",
        curve.points.back().amplitude, curve.points.back().omega,
        curve.end == CurveEnd::stuck ? "Newton's method did not converge however small the step"
                                     : "too many points",
        hardest_joint(file.structure, curve.hardest_joint));
  if (curve.end == CurveEnd::stopped)
    result.resume = resume_text({0, curve.unknowns, curve.tangent});
  if (curve.end == CurveEnd::turned_back)
    result.failure = fmt::format(
        "the mode came back to amplitude {:g} where it began and does not reach {:g}; more "
        "'harmonics' may help",
        options.from, options.to);
  add_columns(file, curve, result);
  add_summary(analysis, curve, result);
  if (task.resume) put_before(*task.resume, standing.unknowns.size() > 0, result);
  if (curve.end != CurveEnd::stopped)
    add_missing(analysis.at, result.columns.front().second, "amplitude", "", result);
  io::Panel omega = panel_of("ω");
  io::Panel zeta = panel_of("ζ");
  const bool timed = std::any_of(file.structure.joints.begin(), file.structure.joints.end(),
                                 [](const auto& j) { return j.model.rate_dependent(); });
  // The table has the whole curve also if it was interrupted.
  add_curve(fast ? "quasi-static" : "nonlinear mode", result, io::Style::solid, omega, zeta);
  // Reduced interfaces have no quasi-static mode.
  const bool beside_it =
      !timed && std::all_of(file.structure.interfaces.begin(), file.structure.interfaces.end(),
                            [](const auto& interface) { return interface.law->model(); });
  if (!fast && beside_it && !analysis.plot.empty()) {
    const ModeCurve beside = dynamics::quasi_static_mode(file.structure, options);
    AnalysisResult table;
    add_columns(file, beside, table);
    if (!beside.points.empty()) add_curve("quasi-static", table, io::Style::dashed, omega, zeta);
  }
  result.figure = {"", {{{omega, zeta}, 6, false}}, 16};
  return result;
}

}  // namespace microslip::jobs::respond_parts
