#include "jobs/respond/frequency.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/core/error.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::CurveEnd;
using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;

constexpr Eigen::Index most_with_stability = 40;

dynamics::Structure scaled(const dynamics::Structure& structure, double factor) {
  dynamics::Structure result = structure;
  for (dynamics::Load& load : result.loads)
    if (auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (dynamics::Tone& tone : tones->list) tone.amplitude *= factor;
  return result;
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

/// The abscissa of the branch: ω, or the level of the load.
double place_of(const ResponsePoint& point, bool by_level) {
  return by_level ? point.level : point.omega;
}

void add_columns(const catalog::StructureFile& file, const std::vector<Level>& levels,
                 bool with_level, bool by_level, bool with_stable, int periods,
                 AnalysisResult& result) {
  const FrequencyResponse& first = levels.front().response;
  const auto collect_of_levels = [&](const auto& number) {
    std::vector<double> column;
    for (const Level& level : levels)
      for (const ResponsePoint& point : level.response.branch)
        column.push_back(number(level, point));
    return column;
  };
  const auto collect = [&](const auto& number) {
    return collect_of_levels([&](const Level&, const ResponsePoint& p) { return number(p); });
  };
  add_column(result, by_level ? "level" : "omega",
             collect([&](const ResponsePoint& p) { return place_of(p, by_level); }));
  add_motion<ResponsePoint>(file, collect, result);
  const std::size_t joints = first.branch.empty() ? 0 : first.branch.front().energy.size();
  for (std::size_t j = 0; j < joints; ++j)
    add_column(result, energy_heading(file.structure, j),
               collect([j](const ResponsePoint& p) { return p.energy[j]; }));
  if (periods > 1)
    add_column(result, "subharmonic",
               collect([](const ResponsePoint& p) { return p.subharmonic; }));
  if (with_stable)
    add_column(result, "stable", collect([](const ResponsePoint& p) {
                 return p.stability == dynamics::Stability::stable ? 1.0 : 0.0;
               }));
  if (with_level)
    add_column(result, "level",
               collect_of_levels([](const Level& l, const ResponsePoint&) { return l.factor; }));
}

/// Sentences about a branch that is not whole, or wrong.
void add_troubles(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                  const Level& level, const dynamics::FrequencyResponseOptions& options,
                  AnalysisResult& result) {
  const FrequencyResponse& r = level.response;
  const bool by_level = analysis.kind == "load-response";
  if (r.end != CurveEnd::reached && r.end != CurveEnd::stopped)
    fail(result, fmt::format("the branch ends at {} = {:.6g} ({} = {:.6g}): {}{}",
                             by_level ? "level" : "omega",
                             r.branch.empty() ? options.from : place_of(r.branch.back(), by_level),
                             by_level ? "omega" : "level", by_level ? options.omega : level.factor,
                             word_of(r.end), hardest_joint(file.structure, r.hardest_joint)));
  if (r.unbalanced)
    fail(result,
         fmt::format("the response at {} = {:.6g} is wrong: the loads give {:.3g} of energy in a "
                     "period, joints and dashpots take {:.3g}",
                     by_level ? "level" : "omega", place_of(*r.unbalanced, by_level),
                     r.unbalanced->input, r.unbalanced->lost));
  if (!r.loops_closed)
    result.warnings.emplace_back(
        "a joint did not repeat its loop after hundreds of periods; its force is the last");
}

/// Where the motion loses its stability by doubling its period, which the column `stable` does not say.
void add_doubling(const Level& level, bool by_level, AnalysisResult& result) {
  const std::vector<ResponsePoint>& branch = level.response.branch;
  const auto doubles = [](const ResponsePoint& p) {
    return p.stability == dynamics::Stability::doubling;
  };
  for (auto from = std::find_if(branch.begin(), branch.end(), doubles); from != branch.end();) {
    const auto end = std::find_if_not(from, branch.end(), doubles);
    const std::string sentence = fmt::format(
        "from {0} = {1:.6g} to {2:.6g} the motion loses its stability by doubling its period{3}",
        by_level ? "level" : "omega", place_of(*from, by_level),
        place_of(*std::prev(end), by_level),
        by_level ? "" : "; 'periods = 2' follows the motion that takes two");
    result.summary += sentence + "\n";
    result.notes.emplace_back("doubling", sentence);
    from = std::find_if(end, branch.end(), doubles);
  }
}

/// The curves from where an earlier run was stopped, and where this one is.
std::vector<Level> follow_levels(const Task& task, const std::vector<double>& factors,
                                 const dynamics::FrequencyResponseOptions& plain,
                                 const Standing& standing, Standing& stopped,
                                 AnalysisResult& result) {
  const dynamics::Structure& structure = task.file.structure;
  const std::string& kind = task.analysis.kind;
  Progress& bar = task.progress;
  std::vector<Level> levels;
  for (std::size_t i = standing.curve; i < factors.size(); ++i) {
    if (!bar.advance(0)) {
      stopped.curve = i;
      break;
    }
    auto options = plain;
    if (i == standing.curve && standing.unknowns.size() > 0) {
      options.start = standing.unknowns;
      options.direction = standing.tangent;
    }
    options.on_harmonics = [&bar, &kind](int harmonics) {
      bar.stage(fmt::format("{}, {} harmonics", kind, harmonics));
    };
    const double share = 1 / static_cast<double>(factors.size());
    options.progress = PartOf(bar, share * static_cast<double>(i), share);
    levels.push_back(
        {factors[i], dynamics::frequency_response(scaled(structure, factors[i]), options)});
    const FrequencyResponse& r = levels.back().response;
    add_troubles(task.file, task.analysis, levels.back(), options, result);
    if (r.end != CurveEnd::stopped) continue;
    stopped.curve = i;
    if (!r.branch.empty()) {
      stopped.unknowns = r.branch.back().unknowns;
      stopped.tangent = r.branch.back().tangent;
    }
    break;
  }
  return levels;
}

}  // namespace

std::string word_of(CurveEnd end) {
  switch (end) {
    case CurveEnd::reached:
      return "whole";
    case CurveEnd::turned_back:
      return "it returned to its starting point; begin at the other end of the range for the rest";
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
  options.periods = analysis.periods.value_or(1);
  options.at = analysis.at;
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  if (analysis.samples) {
    options.periodic.rule = dynamics::Rule::sampled;
    options.periodic.samples = *analysis.samples;
  }
  return options;
}

AnalysisResult response_against_frequency(const Task& task) {
  const catalog::StructureFile& file = task.file;
  const catalog::Analysis& analysis = task.analysis;
  AnalysisResult result;
  const Standing standing = standing_of(task.resume);
  auto options = response_options_of(analysis);
  options.stability = with_stability(file, analysis);
  const bool by_level = analysis.kind == "load-response";
  std::vector<double> factors = analysis.levels;
  const bool family = !factors.empty();
  if (!family) factors.push_back(1);
  Standing stopped{factors.size()};
  const std::vector<Level> levels =
      follow_levels(task, factors, options, standing, stopped, result);
  if (std::all_of(levels.begin(), levels.end(),
                  [](const Level& level) { return level.response.branch.empty(); }))
    throw Failure(analysis.where + ": " +
                  (result.failure.empty() ? "interrupted before the first point" : result.failure));
  add_columns(file, levels, family, by_level, options.stability, options.periods, result);
  if (by_level) {
    result.notes.emplace_back("omega", fmt::format("{}", analysis.omega[0]));
    add_branch(file, analysis, levels.front().response, result);
  } else {
    add_curves(file, analysis, levels, result);
  }
  for (const Level& level : levels) add_doubling(level, by_level, result);
  stopped.peaks = standing.peaks;
  for (const Level& level : levels) add_loops(file, analysis, level, stopped.peaks);
  if (stopped.curve < factors.size()) result.resume = resume_text(stopped);
  if (task.resume) put_before(*task.resume, standing.unknowns.size() > 0, result);
  if (stopped.curve == factors.size()) name_missing(file, analysis, factors, result);
  result.figure = response_figure(file, analysis, factors, result, stopped.peaks);
  return result;
}

}  // namespace microslip::jobs::respond_parts
