#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/respond/frequency.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;

constexpr std::size_t curves_in_a_panel = 6;
constexpr std::size_t most_loops = 3;  ///< in one row

/// Angles in units of π, without jumps by whole turns along these rows.
std::vector<double> unwound(std::vector<double> angles, const std::vector<std::size_t>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double& angle = angles[rows[i]];
    angle /= pi;
    if (i > 0) angle -= 2 * std::round((angle - angles[rows[i - 1]]) / 2);
  }
  return angles;
}

/// One branch for the picture: points in order, and the row of the table that each belongs to.
struct Branch {
  std::vector<double> place, amplitude, phase;
  std::vector<std::size_t> rows;
};

/// Near a resonance the phase turns by half a turn within a few points of the branch, and so it does
/// where the response passes zero. Between the points it is taken as a cubic in the complex plane,
/// so that amplitude and phase are drawn as curves.
Branch refined(const Branch& table) {
  Branch fine;
  const auto point = [&](std::size_t k) {
    const std::size_t row = table.rows[k];
    const double angle = pi * table.phase[row];
    return Eigen::Vector3d(table.place[row], table.amplitude[row] * std::cos(angle),
                           table.amplitude[row] * std::sin(angle));
  };
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const std::size_t row = table.rows[k];
    fine.place.push_back(table.place[row]);
    fine.amplitude.push_back(table.amplitude[row]);
    fine.phase.push_back(table.phase[row]);
    fine.rows.push_back(row);
    if (k == 0 || k + 2 >= table.rows.size()) continue;
    const double turn = std::abs(table.phase[table.rows[k + 1]] - table.phase[row]);
    const Eigen::Vector3d before = point(k - 1), here = point(k), next = point(k + 1),
                          after = point(k + 2);
    // A leap of the branch, longer than the steps beside it, is not to be bridged.
    const double step = (next - here).norm();
    if (turn > 0.5 && step > 3 * std::max((here - before).norm(), (after - next).norm())) continue;
    const int parts = std::max(4, static_cast<int>(std::ceil(turn / 0.01)));
    for (int i = 1; i < parts; ++i) {
      const double s = static_cast<double>(i) / parts;
      const Eigen::Vector3d p = 0.5 * (2 * here + s * (next - before) +
                                       s * s * (2 * before - 5 * here + 4 * next - after) +
                                       s * s * s * (3 * here - before - 3 * next + after));
      const double angle = std::atan2(p[2], p[1]) / pi;
      fine.place.push_back(p[0]);
      fine.amplitude.push_back(std::hypot(p[1], p[2]));
      fine.phase.push_back(angle - 2 * std::round((angle - fine.phase.back()) / 2));
      fine.rows.push_back(row);
    }
  }
  return fine;
}

double load_amplitude(const dynamics::Structure& structure) {
  return std::abs(std::get<dynamics::Tones>(structure.loads.front().signal).list.front().amplitude);
}

/// Curves over one branch, the unstable parts dashed. The table has the whole branch also if it was
/// interrupted.
void draw_curves(const AnalysisResult& result, const Branch& branch, const std::vector<double>& y,
                 const std::string& name, std::size_t color, io::Panel& panel) {
  const std::vector<double>* stability = result.column("stable");
  for (const bool stable : {true, false}) {
    const bool told =
        name.empty() || std::any_of(panel.curves.begin(), panel.curves.end(),
                                    [](const auto& c) { return c.name == "unstable"; });
    io::Curve curve{stable ? name
                    : told ? ""
                           : "unstable",
                    {},
                    {},
                    stable ? io::Style::solid : io::Style::dashed,
                    color};
    bool before = false;
    for (std::size_t k = 0; k < branch.rows.size(); ++k) {
      const bool here = (!stability || (*stability)[branch.rows[k]] != 0) == stable;
      if (here || before) {
        curve.x.push_back(branch.place[k]);
        curve.y.push_back(y[k]);
      }
      if (!here && before) {
        curve.x.push_back(NAN);
        curve.y.push_back(NAN);
      }
      before = here;
    }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
}

/// A loop with the corners between its points, where it is straight on both sides of them: the
/// points are those of a quadrature, which has none at a corner.
void add_corners(std::vector<double>& u, std::vector<double>& f) {
  const std::size_t n = u.size();
  if (n < 8) return;
  const auto slope = [&](std::size_t i) {
    const std::size_t a = i % n, b = (i + 1) % n;
    return (f[b] - f[a]) / (u[b] - u[a]);
  };
  double steepest = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (std::isfinite(slope(i))) steepest = std::max(steepest, std::abs(slope(i)));
  std::vector<double> fine_u, fine_f;
  for (std::size_t i = 0; i < n; ++i) {
    fine_u.push_back(u[i]);
    fine_f.push_back(f[i]);
    const double left = slope(i + n - 1), right = slope(i + 1), straight = 1e-6 * steepest;
    if (!(std::abs(left - slope(i + n - 2)) < straight) ||
        !(std::abs(right - slope(i + 2)) < straight) || !(std::abs(left - right) > 0.01 * steepest))
      continue;
    const std::size_t next = (i + 1) % n;
    const double corner = (f[next] - f[i] + left * u[i] - right * u[next]) / (left - right);
    if (!((corner - u[i]) * (u[next] - corner) > 0)) continue;
    fine_u.push_back(corner);
    fine_f.push_back(f[i] + left * (corner - u[i]));
  }
  u = std::move(fine_u);
  f = std::move(fine_f);
}

io::Row row_of_loops(const std::vector<PeakLoops>& peaks) {
  io::Row row{{}, 5, false};
  for (const PeakLoops& peak : peaks)
    for (std::size_t j = 0; j < peak.u.size(); ++j) {
      if (row.panels.size() == j)
        row.panels.push_back({"joint " + std::to_string(j + 1) + " at the peak",
                              {"displacement"},
                              {"force"},
                              {},
                              true,
                              true});
      row.panels[j].curves.push_back({"", peak.u[j], peak.f.at(j), io::Style::solid, {}});
    }
  return row;
}

}  // namespace

void add_loops(const catalog::StructureFile& file, const catalog::Analysis& analysis,
               const Level& level, std::vector<PeakLoops>& peaks) {
  const FrequencyResponse& r = level.response;
  if (r.branch.empty()) return;
  const std::size_t dof = chosen_dof(analysis);
  const ResponsePoint* largest = &r.branch.front();
  for (const ResponsePoint& p : r.branch)
    if (p.first[dof].amplitude > largest->first[dof].amplitude) largest = &p;
  PeakLoops peak{level.factor, largest->first[dof].amplitude};
  if (!peaks.empty() && peaks.back().level == level.factor) {
    if (peaks.back().amplitude >= peak.amplitude) return;
    peaks.pop_back();
  }
  const std::vector<dynamics::JointLoop> loops =
      dynamics::joint_loops(file.structure, response_options_of(analysis), r.harmonics, *largest);
  for (std::size_t j = 0; j < std::min(loops.size(), most_loops); ++j) {
    const dynamics::JointLoop& loop = loops[j];
    peak.u.push_back(loop.u);
    peak.f.push_back(loop.f);
    if (loop.u.empty()) continue;
    add_corners(peak.u.back(), peak.f.back());
    peak.u.back().push_back(loop.u.front());
    peak.f.back().push_back(loop.f.front());
  }
  peaks.push_back(std::move(peak));
}

io::Figure response_figure(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                           const std::vector<double>& factors, const AnalysisResult& result,
                           const std::vector<PeakLoops>& peaks) {
  const bool family = !analysis.levels.empty();
  const bool by_level = analysis.kind == "load-response";
  const std::string abscissa = by_level ? "level of the load" : "ω";
  const std::string ordinate =
      analysis.receptance ? "receptance |x/F|" : "amplitude of the first harmonic";
  io::Panel amplitude{"", {abscissa}, {.label = ordinate, .log = analysis.logarithmic},
                      {}, true,       false};
  io::Panel phase{"", {abscissa}, {"phase / π"}, {}, false, false};
  std::size_t color = 0;
  const auto add = [&](double factor, std::size_t dof, const std::string& name) {
    const std::string& label = file.labels[dof];
    const std::vector<std::size_t> rows = rows_of(result, family, factor);
    std::vector<double> x = *result.column("x" + label);
    if (analysis.receptance)
      for (double& value : x) value /= factor * load_amplitude(file.structure);
    Branch branch{result.columns.front().second, std::move(x),
                  unwound(*result.column("phase" + label), rows), rows};
    const Branch fine = refined(branch);
    draw_curves(result, fine, fine.amplitude, "x" + label + name, color, amplitude);
    draw_curves(result, fine, fine.phase, "", color, phase);
    ++color;
  };
  for (const double factor : factors) {
    if (factors.size() > 1 || analysis.dof) {
      add(factor, chosen_dof(analysis),
          factors.size() > 1 ? fmt::format(", load × {:g}", factor) : "");
      continue;
    }
    for (std::size_t i = 0;
         i < std::min(static_cast<std::size_t>(file.physical), curves_in_a_panel); ++i)
      add(factor, i, "");
  }
  io::Figure figure{"", {{{amplitude}, 6, true}, {{phase}, 4, false}}, 16};
  if (!file.structure.joints.empty()) figure.rows.push_back(row_of_loops(peaks));
  return figure;
}

}  // namespace microslip::jobs::respond_parts
