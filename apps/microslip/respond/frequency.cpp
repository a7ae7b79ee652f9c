#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/numerics/constants.hpp"
#include "respond/analyses.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::CurveEnd;
using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;
using Json = nlohmann::ordered_json;

constexpr std::size_t curves_in_a_panel = 6;  ///< in one panel
constexpr std::size_t most_loops = 3;         ///< in one row
constexpr Eigen::Index most_with_stability = 40;

struct Level {
  double factor;
  FrequencyResponse response;
};

dynamics::Structure scaled(const dynamics::Structure& structure, double factor) {
  dynamics::Structure result = structure;
  for (dynamics::Load& load : result.loads)
    if (auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (dynamics::Tone& tone : tones->list) tone.amplitude *= factor;
  return result;
}

std::string word_of(CurveEnd end) {
  switch (end) {
    case CurveEnd::reached:
      return "whole";
    case CurveEnd::turned_back:
      return "it came back to where it began; begin at the other end of the range for the rest";
    case CurveEnd::stopped:
      return "interrupted";
    case CurveEnd::stuck:
      return "Newton's method did not converge however small the step";
    case CurveEnd::too_long:
      return "too many points";
    case CurveEnd::unbounded:
      return "the vibration grows without bound, since nothing takes as much energy as the load "
             "gives; add "
             "damping, or end the range before this resonance";
  }
  return "";
}

/// Floquet multipliers cost more than a branch where there are many degrees of freedom.
bool with_stability(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  for (std::size_t j = 0; j < file.laws.size() && j < file.structure.joints.size(); ++j) {
    // Unknown in the library; a column of that would say nothing.
    if (!file.structure.joints[j].model.rigidity().infinite_stiffness) continue;
    if (analysis.stability.value_or(false))
      throw Error("stability = true is not for joint " + std::to_string(j + 1) + " (" +
                  file.laws[j].model +
                  "), whose stiffness after a reversal is infinite; leave it out");
    return false;
  }
  return analysis.stability.value_or(file.structure.size() <= most_with_stability);
}

dynamics::FrequencyResponseOptions response_options_of(const catalog::Analysis& analysis) {
  dynamics::FrequencyResponseOptions options;
  if (analysis.kind == "load-response") {
    const bool levels = !analysis.level.empty();
    const std::vector<double>& range = levels ? analysis.level : analysis.amplitude;
    options.along = levels ? dynamics::Along::level : dynamics::Along::amplitude;
    options.omega = analysis.omega[0];
    options.from = range[0];
    options.to = range[1];
  } else {
    options.from = analysis.omega[0];
    options.to = analysis.omega[1];
  }
  options.dof = analysis.dof.value_or(1) - 1;
  options.harmonics = analysis.harmonics.value_or(0);
  options.at = analysis.at;
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  if (analysis.samples) {
    options.periodic.rule = dynamics::Rule::sampled;
    options.periodic.samples = *analysis.samples;
  }
  return options;
}

/// The abscissa of the branch: ω, or the level of the load.
double place_of(const ResponsePoint& point, bool by_level) {
  return by_level ? point.level : point.omega;
}

void add_columns(const catalog::StructureFile& file, const std::vector<Level>& levels,
                 bool with_level, bool by_level, bool with_stable, Report& report) {
  const FrequencyResponse& first = levels.front().response;
  const auto collect = [&](const auto& number) {
    std::vector<double> column;
    for (const Level& level : levels)
      for (const ResponsePoint& point : level.response.branch)
        column.push_back(number(level, point));
    return column;
  };
  report.add_column(
      by_level ? "level" : "omega",
      collect([&](const Level&, const ResponsePoint& p) { return place_of(p, by_level); }));
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    const std::string& number = file.labels[i];
    report.add_column("x" + number, collect([i](const Level&, const ResponsePoint& p) {
                        return p.first[i].amplitude;
                      }));
    report.add_column("phase" + number, collect([i](const Level&, const ResponsePoint& p) {
                        return p.first[i].phase;
                      }));
  }
  for (const dynamics::Sensor& sensor : file.structure.sensors) {
    report.add_column("x_" + sensor.name, collect([&](const Level&, const ResponsePoint& p) {
                        return along(sensor.w, p.first).amplitude;
                      }));
    report.add_column("phase_" + sensor.name, collect([&](const Level&, const ResponsePoint& p) {
                        return along(sensor.w, p.first).phase;
                      }));
  }
  const std::size_t joints = first.branch.empty() ? 0 : first.branch.front().energy.size();
  for (std::size_t j = 0; j < joints; ++j)
    report.add_column(energy_heading(file.structure, j),
                      collect([j](const Level&, const ResponsePoint& p) { return p.energy[j]; }));
  if (with_stable)
    report.add_column("stable", collect([](const Level&, const ResponsePoint& p) {
                        return p.stability == dynamics::Stability::stable ? 1.0 : 0.0;
                      }));
  if (with_level)
    report.add_column("level",
                      collect([](const Level& l, const ResponsePoint&) { return l.factor; }));
}

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
void add_curves(const Report& report, const Branch& branch, const std::vector<double>& y,
                const std::string& name, std::size_t color, io::Panel& panel) {
  const std::vector<double>* stability = report.column("stable");
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

std::size_t chosen_dof(const catalog::Analysis& analysis) {
  return static_cast<std::size_t>(analysis.dof.value_or(1) - 1);
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

/// Adds the loops of this run to those of an interrupted one before.
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

/// The rows of the table that belong to a level, or all of them.
std::vector<std::size_t> rows_of(const Report& report, bool family, double factor) {
  std::vector<std::size_t> rows;
  const std::vector<double>* level = family ? report.column("level") : nullptr;
  for (std::size_t row = 0; row < report.columns.front().size(); ++row)
    if (!level || (*level)[row] == factor) rows.push_back(row);
  return rows;
}

/// Along amplitudes these stand in the column of their degree of freedom.
void name_missing(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                  const std::vector<double>& factors, Report& report) {
  const bool amplitudes = analysis.kind == "load-response" && analysis.level.empty();
  const std::string along = amplitudes                         ? "amplitude"
                            : analysis.kind == "load-response" ? "level"
                                                               : "omega";
  const std::vector<double>& column =
      amplitudes ? *report.column("x" + file.labels[chosen_dof(analysis)]) : report.columns.front();
  const bool family = !analysis.levels.empty();
  for (const double factor : factors) {
    std::vector<double> there;
    for (const std::size_t row : rows_of(report, family, factor)) there.push_back(column[row]);
    add_missing(analysis.at, there, along, family ? fmt::format(" at level = {:g}", factor) : "",
                report);
  }
}

io::Figure figure_of(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                     const std::vector<double>& factors, const Report& report,
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
    const std::vector<std::size_t> rows = rows_of(report, family, factor);
    std::vector<double> x = *report.column("x" + label);
    if (analysis.receptance)
      for (double& value : x) value /= factor * load_amplitude(file.structure);
    Branch branch{report.columns.front(), std::move(x),
                  unwound(*report.column("phase" + label), rows), rows};
    const Branch fine = refined(branch);
    add_curves(report, fine, fine.amplitude, "x" + label + name, color, amplitude);
    add_curves(report, fine, fine.phase, "", color, phase);
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

/// The peaks of all degrees of freedom at one resonance, as its largest.
struct Resonance {
  double omega = 0, amplitude = 0;
  std::size_t dof = 0;
};

/// Peaks of different degrees of freedom within 3 % of each other are one resonance. Two peaks of
/// the same degree of freedom are two resonances, however near. Coordinates of modes have none of their own.
std::vector<Resonance> resonances_of(const FrequencyResponse& r, std::size_t physical) {
  std::vector<Resonance> peaks;
  for (std::size_t i = 0; i < std::min(r.peaks.size(), physical); ++i)
    for (const ResponsePoint& p : r.peaks[i]) peaks.push_back({p.omega, p.first[i].amplitude, i});
  std::sort(peaks.begin(), peaks.end(),
            [](const Resonance& a, const Resonance& b) { return a.omega < b.omega; });
  std::vector<Resonance> result;
  std::vector<std::size_t> members;
  double last = 0;
  for (const Resonance& peak : peaks) {
    const bool again = std::find(members.begin(), members.end(), peak.dof) != members.end();
    if (result.empty() || again || peak.omega > 1.03 * last) {
      result.push_back(peak);
      members.clear();
    } else if (peak.amplitude > result.back().amplitude) {
      result.back() = peak;
    }
    members.push_back(peak.dof);
    last = peak.omega;
  }
  return result;
}

void add_summary(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                 const std::vector<Level>& levels, Report& report) {
  std::vector<std::vector<std::string>> rows{
      {"load", "points", "harmonics", "resonance", "largest", "amplitude", "energy balance"}};
  report.json["curves"] = Json::array();
  for (const Level& level : levels) {
    const FrequencyResponse& r = level.response;
    Json peaks = Json::array();
    for (std::size_t i = 0; i < r.peaks.size(); ++i)
      for (const ResponsePoint& p : r.peaks[i])
        peaks.push_back(
            {{"dof", file.labels[i]}, {"omega", p.omega}, {"amplitude", p.first[i].amplitude}});
    const std::vector<Resonance> resonances =
        resonances_of(r, static_cast<std::size_t>(file.physical));
    for (const Resonance& resonance : resonances)
      rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                      std::to_string(r.harmonics), fmt::format("{:.8g}", resonance.omega),
                      "x" + file.labels[resonance.dof], fmt::format("{:.9g}", resonance.amplitude),
                      fmt::format("{:.1e}", r.energy_balance)});
    if (resonances.empty())
      rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                      std::to_string(r.harmonics), r.peaks.empty() ? "" : "none", "-", "-",
                      fmt::format("{:.1e}", r.energy_balance)});
    report.json["curves"].push_back({{"level", level.factor},
                                     {"points", r.branch.size()},
                                     {"harmonics", r.harmonics},
                                     {"end", word_of(r.end)},
                                     {"peaks", peaks},
                                     {"residual", r.residual},
                                     {"truncation", r.truncation},
                                     {"quadrature", r.quadrature},
                                     {"energy_balance", r.energy_balance},
                                     {"loops_closed", r.loops_closed}});
    report.notes.emplace_back("harmonics", std::to_string(r.harmonics));
    report.notes.emplace_back("truncation", fmt::format("{:.2e}", r.truncation));
  }
  report.summary += table_text(rows, 1);
  for (const Level& level : levels) {
    add_shortage(analysis, level.response.harmonics, level.response.truncation, report);
    add_gaps(level.response.leaps, "omega", report);
  }
}

void add_level_summary(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                       const FrequencyResponse& r, Report& report) {
  const auto chosen = static_cast<std::size_t>(analysis.dof.value_or(1) - 1);
  std::vector<std::vector<std::string>> rows{
      {"level", "x" + file.labels[chosen], "points", "harmonics", "energy balance"}};
  for (const ResponsePoint* p : {&r.branch.front(), &r.branch.back()})
    rows.push_back({fmt::format("{:.6g}", p->level),
                    fmt::format("{:.8g}", p->first[chosen].amplitude),
                    std::to_string(r.branch.size()), std::to_string(r.harmonics),
                    fmt::format("{:.1e}", r.energy_balance)});
  report.summary += table_text(rows, 0);
  report.json["points"] = r.branch.size();
  report.json["harmonics"] = r.harmonics;
  report.json["end"] = word_of(r.end);
  report.json["residual"] = r.residual;
  report.json["truncation"] = r.truncation;
  report.json["quadrature"] = r.quadrature;
  report.json["energy_balance"] = r.energy_balance;
  report.json["loops_closed"] = r.loops_closed;
  add_shortage(analysis, r.harmonics, r.truncation, report);
  add_gaps(r.leaps, analysis.level.empty() ? "amplitude" : "level", report);
  report.notes.emplace_back("harmonics", std::to_string(r.harmonics));
  report.notes.emplace_back("truncation", fmt::format("{:.2e}", r.truncation));
}

}  // namespace

Report frequency_response_report(const catalog::StructureFile& file,
                                 const catalog::Analysis& analysis, const std::string& resume) {
  Report report;
  report.json["kind"] = analysis.kind;
  const Standing standing = standing_of(resume);
  auto plain_options = response_options_of(analysis);
  plain_options.stability = with_stability(file, analysis);
  const bool by_level = analysis.kind == "load-response";
  std::vector<double> factors = analysis.levels;
  const bool family = !factors.empty();
  if (!family) factors.push_back(1);
  std::vector<Level> levels;
  Progress bar(1000 * factors.size());
  bar.stage(analysis.kind);
  std::size_t shown = 0;
  Standing stopped{factors.size()};
  for (std::size_t i = standing.curve; i < factors.size(); ++i) {
    if (interrupted()) {
      stopped.curve = i;
      break;
    }
    auto options = plain_options;
    if (i == standing.curve && standing.unknowns.size() > 0) {
      options.start = standing.unknowns;
      options.direction = standing.tangent;
    }
    options.on_harmonics = [&](int harmonics) {
      bar.stage(fmt::format("{}, {} harmonics", analysis.kind, harmonics));
    };
    options.progress = [&](double part) {
      const auto now = static_cast<std::size_t>(1000 * (static_cast<double>(i) + part));
      if (now > shown) bar.advance(now - shown);
      shown = std::max(shown, now);
      return !interrupted();
    };
    levels.push_back(
        {factors[i], dynamics::frequency_response(scaled(file.structure, factors[i]), options)});
    const FrequencyResponse& r = levels.back().response;
    if (r.end != CurveEnd::reached && r.end != CurveEnd::stopped)
      report.fail(fmt::format("the branch ends at {} = {:.6g} ({} = {:.6g}): {}{}",
                              by_level ? "level" : "omega",
                              r.branch.empty() ? options.from : place_of(r.branch.back(), by_level),
                              by_level ? "omega" : "level", by_level ? options.omega : factors[i],
                              word_of(r.end), hardest_joint(file.structure, r.hardest_joint)));
    if (r.unbalanced)
      report.fail(
          fmt::format("the response at {} = {:.6g} is wrong: the loads give {:.3g} of energy in a "
                      "period, joints "
                      "and dashpots take {:.3g}",
                      by_level ? "level" : "omega", place_of(*r.unbalanced, by_level),
                      r.unbalanced->input, r.unbalanced->lost));
    if (!r.loops_closed)
      say("microslip: a joint did not repeat its loop after hundreds of periods; its force is the "
          "last\n");
    if (r.end == CurveEnd::stopped) {
      stopped.curve = i;
      if (!r.branch.empty()) {
        stopped.unknowns = r.branch.back().unknowns;
        stopped.tangent = r.branch.back().tangent;
      }
      break;
    }
  }
  if (std::all_of(levels.begin(), levels.end(),
                  [](const Level& level) { return level.response.branch.empty(); }))
    throw Failure(analysis.where + ": " +
                  (report.failure.empty() ? "interrupted before the first point" : report.failure));
  add_columns(file, levels, family, by_level, plain_options.stability, report);
  if (by_level) report.notes.emplace_back("omega", fmt::format("{}", analysis.omega[0]));
  if (by_level)
    add_level_summary(file, analysis, levels.front().response, report);
  else
    add_summary(file, analysis, levels, report);
  stopped.peaks = standing.peaks;
  for (const Level& level : levels) add_loops(file, analysis, level, stopped.peaks);
  if (stopped.curve < factors.size()) report.resume = resume_text(stopped);
  if (!resume.empty()) put_before(analysis.output, standing.unknowns.size() > 0, report);
  if (stopped.curve == factors.size()) name_missing(file, analysis, factors, report);
  report.figure = figure_of(file, analysis, factors, report, stopped.peaks);
  return report;
}

}  // namespace microslip::app
