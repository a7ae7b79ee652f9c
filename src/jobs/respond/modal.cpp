#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;

constexpr int places = 200;  ///< frequencies at which the three forms are compared

/// First-harmonic amplitudes of the physical degrees of freedom at the frequencies compared; the
/// first branch where there are several.
std::map<double, Eigen::VectorXd> amplitudes(const dynamics::Structure& structure,
                                             const dynamics::FrequencyResponseOptions& options,
                                             const Eigen::MatrixXd& shapes,
                                             const std::string& form) {
  const FrequencyResponse r = dynamics::frequency_response(structure, options);
  if (r.end != dynamics::CurveEnd::reached && r.end != dynamics::CurveEnd::stopped)
    throw Failure("the response of the " + form + " form could not be followed beyond omega = " +
                  fmt::format("{:.6g}", r.branch.empty() ? options.from : r.branch.back().omega) +
                  hardest_joint(structure, r.hardest_joint));
  std::map<double, Eigen::VectorXd> table;
  for (const ResponsePoint& p : r.at) {
    const Eigen::VectorXd a = shapes * p.y.segment(r.dofs, shapes.cols());
    const Eigen::VectorXd b = shapes * p.y.segment(2 * r.dofs, shapes.cols());
    table.emplace(p.omega, (a.cwiseAbs2() + b.cwiseAbs2()).cwiseSqrt());
  }
  return table;
}

}  // namespace

AnalysisResult modal_joints(const Task& task) {
  const catalog::StructureFile& file = task.file;
  const catalog::Analysis& analysis = task.analysis;
  const dynamics::Structure& physical = file.structure;
  const dynamics::Modal modal = dynamics::modal_joints(physical, *analysis.modes);
  dynamics::FrequencyResponseOptions options;
  options.from = analysis.omega[0];
  options.to = analysis.omega[1];
  options.harmonics = analysis.harmonics.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  options.stability = false;
  options.peaks = false;
  Progress& progress = task.progress;
  options.progress = [&](double) { return progress.advance(0); };
  for (int i = 0; i <= places; ++i)
    options.at.push_back(options.from + (options.to - options.from) * i / places);

  const Eigen::Index n = physical.size();
  const std::vector<std::string> names{"physical", "coupled", "decoupled"};
  const std::vector<std::map<double, Eigen::VectorXd>> forms{
      amplitudes(physical, options, Eigen::MatrixXd::Identity(n, n), names[0]),
      amplitudes(modal.coupled, options, modal.shapes, names[1]),
      amplitudes(modal.decoupled, options, modal.shapes, names[2])};

  AnalysisResult result;
  result.notes.emplace_back("modes", std::to_string(*analysis.modes));
  std::vector<double> omega;
  for (const double w : options.at)
    if (forms[0].contains(w) && forms[1].contains(w) && forms[2].contains(w)) omega.push_back(w);
  if (omega.empty()) throw Failure(analysis.where + ": interrupted before anything was compared");
  add_column(result, "omega", omega);

  const std::size_t chosen = static_cast<std::size_t>(analysis.dof.value_or(1) - 1);
  io::Panel response{"", {"ω"}, {"amplitude of x" + file.labels[chosen]}, {}, true, false};
  io::Panel difference{"", {"ω"}, {"difference from physical"}, {}, true, false};
  std::vector<std::vector<std::string>> rows{
      {"x", "form", "peak", "at omega", "peak differs by", "largest difference / peak"}};
  double largest_peak = 0;
  for (const auto& [w, x] : forms[0]) largest_peak = std::max(largest_peak, x.maxCoeff());
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    std::vector<double> exact;
    double exact_peak = 0;
    for (std::size_t form = 0; form < forms.size(); ++form) {
      std::vector<double> column, off;
      for (const double w : omega)
        column.push_back(forms[form].at(w)[static_cast<Eigen::Index>(i)]);
      const auto largest = std::max_element(column.begin(), column.end());
      const double peak = *largest;
      const double peak_omega = omega[static_cast<std::size_t>(largest - column.begin())];
      if (form == 0) {
        exact = column;
        exact_peak = peak;
      }
      double worst = 0;
      // Of a motion that is zero up to rounding there is no part.
      const bool moves = exact_peak > 1e-13 * largest_peak;
      for (std::size_t k = 0; k < column.size(); ++k) {
        off.push_back(moves ? (column[k] - exact[k]) / exact_peak : NAN);
        worst = std::max(worst, std::abs(off.back()));
      }
      const auto percent = [&](const char* format, double part) {
        return form == 0 ? "" : moves ? fmt::format(fmt::runtime(format), 100 * part) : "-";
      };
      const auto part = [&](double x) { return moves ? x : NAN; };
      rows.push_back({file.labels[i], names[form], fmt::format("{:.6g}", peak),
                      fmt::format("{:.5g}", peak_omega),
                      percent("{:+.2f} %", peak / exact_peak - 1), percent("{:.2f} %", worst)});
      result.differences.push_back({file.labels[i], names[form], peak, peak_omega,
                                    part(peak / exact_peak - 1), part(worst)});
      if (i == chosen) {
        response.curves.push_back({names[form], omega, column, io::Style::line, form});
        if (form > 0) difference.curves.push_back({names[form], omega, off, io::Style::line, form});
      }
      add_column(result, "x" + file.labels[i] + (form == 0 ? "" : "_" + names[form]),
                 std::move(column));
    }
  }
  result.summary = table_text(rows, 2);
  result.figure = {"", {{{response}, 6, false}, {{difference}, 4, false}}, 16};
  return result;
}

}  // namespace microslip::jobs::respond_parts
