#include "microslip/dynamics/periodic/averaging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/respond/parts.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

/// Both axes are logarithmic.
io::Panel panel_of(const std::string& label) {
  return {"", {"amplitude", true, {}, {}}, {label}, {}, true, true};
}

AnalysisResult averaged_backbone(const catalog::StructureFile& file,
                                 const catalog::Analysis& analysis) {
  AnalysisResult result;
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
  result.figure = {"", {{{left, right}, 5, false}, {{reach}, 5, false}}, 16};
  // Where ζ is largest the law saturates: beyond, amplitude over force grows again (115).
  const auto largest =
      static_cast<std::size_t>(std::max_element(zeta.begin(), zeta.end()) - zeta.begin());
  result.summary = fmt::format(
      "largest damping ζ = {:.6g} at amplitude {:.5g}: unsaturated below, saturated above\n",
      zeta[largest], amplitudes[largest]);
  result.saturation = {amplitudes[largest], zeta[largest]};
  add_column(result, "amplitude", amplitudes);
  add_column(result, "omega", omega);
  add_column(result, "zeta", zeta);
  add_column(result, "a1", a1);
  add_column(result, "b1", b1);
  add_column(result, "force", force);
  return result;
}

AnalysisResult averaged_curves(const catalog::StructureFile& file,
                               const catalog::Analysis& analysis) {
  AnalysisResult result;
  std::vector<double> factors = analysis.levels.empty() ? std::vector<double>{1} : analysis.levels;
  const double force = dynamics::harmonic_force(file.structure);
  std::vector<double> omega, amplitude, phase, level;
  io::Panel panel{"", {"ω"}, {"amplitude"}, {}, factors.size() > 1, false};
  std::vector<std::vector<std::string>> rows{{"load", "omega", "amplitude"}};
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
    result.peaks.push_back({factor, r.peak_omega, r.peak_amplitude});
  }
  add_column(result, "omega", omega);
  add_column(result, "x1", amplitude);
  add_column(result, "phase1", phase);
  if (!analysis.levels.empty()) add_column(result, "level", level);
  result.summary = table_text(rows, 0);
  result.figure = {"", {{{panel}, 7, false}}, 16};
  return result;
}

}  // namespace

AnalysisResult averaging(const Task& task) {
  return task.analysis.omega.empty() ? averaged_backbone(task.file, task.analysis)
                                     : averaged_curves(task.file, task.analysis);
}

}  // namespace microslip::jobs::respond_parts
