#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/frequency_response.hpp"
#include "respond.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::CurveEnd;
using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;
using Json = nlohmann::ordered_json;

constexpr double pi = std::numbers::pi;
constexpr std::size_t most_curves = 6;  ///< in one panel
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
      return "it came back to where it began";
    case CurveEnd::stopped:
      return "interrupted";
    case CurveEnd::stuck:
      return "Newton's method did not converge however small the step";
    case CurveEnd::too_long:
      return "too many points";
  }
  return "";
}

/// Floquet multipliers cost more than a branch where there are many degrees of freedom.
bool with_stability(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  return analysis.stability.value_or(file.structure.size() <= most_with_stability);
}

dynamics::FrequencyResponseOptions options_of(const catalog::Analysis& analysis) {
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
  const std::size_t joints = first.branch.empty() ? 0 : first.branch.front().energy.size();
  for (std::size_t j = 0; j < joints; ++j)
    report.add_column("energy" + std::to_string(j + 1),
                      collect([j](const Level&, const ResponsePoint& p) { return p.energy[j]; }));
  if (with_stable)
    report.add_column("stable", collect([](const Level&, const ResponsePoint& p) {
                        return p.stable ? 1.0 : 0.0;
                      }));
  if (with_level)
    report.add_column("level",
                      collect([](const Level& l, const ResponsePoint&) { return l.factor; }));
}

/// Curves of one number over the branch, the unstable parts dashed.
void add_curves(const FrequencyResponse& response, const std::string& name, std::size_t color,
                bool by_level, const auto& number, io::Panel& panel) {
  for (const bool stable : {true, false}) {
    io::Curve curve{
        stable ? name : "", {}, {}, stable ? io::Style::solid : io::Style::dashed, color};
    bool before = false;
    for (std::size_t i = 0; i < response.branch.size(); ++i) {
      const ResponsePoint& point = response.branch[i];
      const bool here = point.stable == stable;
      if (here || before) {
        curve.x.push_back(place_of(point, by_level));
        curve.y.push_back(number(point));
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

/// Force against displacement of the joints where a degree of freedom is largest.
io::Row loops_at_peak(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                      std::size_t dof, const std::vector<Level>& levels) {
  io::Row row{{}, 5, false};
  const dynamics::Structure& s = file.structure;
  for (std::size_t j = 0; j < std::min<std::size_t>(s.joints.size(), 3); ++j) {
    io::Panel panel{"joint " + std::to_string(j + 1) + " at the peak",
                    {"displacement"},
                    {"force"},
                    {},
                    true,
                    true};
    for (const Level& level : levels) {
      const FrequencyResponse& r = level.response;
      if (r.branch.empty()) continue;
      const ResponsePoint* largest = &r.branch.front();
      for (const ResponsePoint& p : r.branch)
        if (p.first[dof].amplitude > largest->first[dof].amplitude) largest = &p;
      dynamics::HarmonicBalance balance(s, r.harmonics, options_of(analysis).periodic);
      balance.evaluate_joints(largest->y, false);
      const dynamics::Loop& loop = balance.joints()[j].loop();
      io::Curve curve{"", loop.u, loop.f, io::Style::solid, {}};
      if (!curve.x.empty()) {
        curve.x.push_back(curve.x.front());
        curve.y.push_back(curve.y.front());
      }
      panel.curves.push_back(std::move(curve));
    }
    row.panels.push_back(std::move(panel));
  }
  return row;
}

io::Figure figure_of(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                     const std::vector<Level>& levels) {
  const bool family = levels.size() > 1;
  const bool by_level = analysis.kind == "load-response";
  const std::string abscissa = by_level ? "level of the load" : "ω";
  io::Panel amplitude{"", {abscissa}, {"amplitude of the first harmonic"}, {}, true, false};
  io::Panel phase{"", {abscissa}, {"phase / π"}, {}, false, false};
  std::size_t color = 0;
  const auto add = [&](const FrequencyResponse& r, std::size_t dof, const std::string& name) {
    add_curves(
        r, name, color, by_level, [dof](const ResponsePoint& p) { return p.first[dof].amplitude; },
        amplitude);
    add_curves(
        r, "", color, by_level, [dof](const ResponsePoint& p) { return p.first[dof].phase / pi; },
        phase);
    ++color;
  };
  const std::size_t chosen = static_cast<std::size_t>(analysis.dof.value_or(1) - 1);
  for (const Level& level : levels) {
    const FrequencyResponse& r = level.response;
    if (family || analysis.dof) {
      add(r, chosen,
          family ? fmt::format("x{}, load × {:g}", file.labels[chosen], level.factor)
                 : fmt::format("x{}", file.labels[chosen]));
      continue;
    }
    for (std::size_t i = 0; i < std::min(file.labels.size(), most_curves); ++i)
      add(r, i, fmt::format("x{}", file.labels[i]));
  }
  io::Figure figure{"", {{{amplitude}, 6, true}, {{phase}, 3, false}}, 16};
  if (!file.structure.joints.empty())
    figure.rows.push_back(loops_at_peak(file, analysis, chosen, levels));
  return figure;
}

void add_summary(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                 const std::vector<Level>& levels, Report& report) {
  std::vector<std::vector<std::string>> rows{
      {"load", "points", "harmonics", "peak of", "omega", "amplitude", "energy balance"}};
  report.json["curves"] = Json::array();
  for (const Level& level : levels) {
    const FrequencyResponse& r = level.response;
    Json peaks = Json::array();
    for (std::size_t i = 0; i < r.peaks.size(); ++i)
      for (const ResponsePoint& p : r.peaks[i]) {
        rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                        std::to_string(r.harmonics), "x" + file.labels[i],
                        fmt::format("{:.8g}", p.omega), fmt::format("{:.9g}", p.first[i].amplitude),
                        fmt::format("{:.1e}", r.energy_balance)});
        peaks.push_back(
            {{"dof", file.labels[i]}, {"omega", p.omega}, {"amplitude", p.first[i].amplitude}});
      }
    if (peaks.empty())
      rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                      std::to_string(r.harmonics), r.peaks.empty() ? "" : "none", "", "",
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

void add_shortage(const catalog::Analysis& analysis, int harmonics, double truncation,
                  Report& report) {
  const double tolerance =
      analysis.tolerance.value_or(dynamics::FrequencyResponseOptions{}.tolerance);
  if (analysis.harmonics || truncation <= tolerance) return;
  report.summary += fmt::format(
      "{} harmonics are the most that are tried: those left out would change the motion by {:.1e} "
      "of its amplitude, more than the tolerance of {:g}; 'harmonics' asks for more\n",
      harmonics, truncation, tolerance);
}

void add_gaps(const std::vector<double>& leaps, const std::string& along, Report& report) {
  for (const double place : leaps) {
    report.summary +=
        fmt::format("a joint loses force at once: the branch goes on beyond a gap at {} = {:.6g}\n",
                    along, place);
    report.notes.emplace_back("gap", fmt::format("{} = {}", along, place));
    report.json["gaps"].push_back(place);
  }
}

Report frequency_response_report(const catalog::StructureFile& file,
                                 const catalog::Analysis& analysis, const std::string& resume) {
  Report report;
  report.json["kind"] = analysis.kind;
  const Standing standing = standing_of(resume);
  auto plain_options = options_of(analysis);
  plain_options.stability = with_stability(file, analysis);
  const bool by_level = analysis.kind == "load-response";
  std::vector<double> factors = analysis.levels;
  const bool family = !factors.empty();
  if (!family) factors.push_back(1);
  std::vector<Level> levels;
  Progress bar(1000 * factors.size());
  std::size_t shown = 0;
  for (std::size_t i = standing.curve; i < factors.size(); ++i) {
    if (interrupted()) {
      report.resume = resume_text({i});
      break;
    }
    auto options = plain_options;
    if (i == standing.curve && standing.unknowns.size() > 0) {
      options.start = standing.unknowns;
      options.direction = standing.tangent;
      report.repeats_row = true;
    }
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
      report.failure = fmt::format(
          "the branch ends at {} = {:.6g}: {}", by_level ? "level" : "omega",
          r.branch.empty() ? options.from : place_of(r.branch.back(), by_level), word_of(r.end));
    if (!r.loops_closed)
      say("microslip: a joint did not repeat its loop after 2000 periods; its force is the last\n");
    if (r.end == CurveEnd::stopped) {
      report.resume = resume_text(
          r.branch.empty() ? Standing{i}
                           : Standing{i, r.branch.back().unknowns, r.branch.back().tangent});
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
  report.figure = figure_of(file, analysis, levels);
  return report;
}

}  // namespace microslip::app
