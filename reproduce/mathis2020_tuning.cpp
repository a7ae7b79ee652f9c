#include "mathis2020_tuning.hpp"

#include <fmt/format.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/loops/harmonic.hpp"
#include "microslip/loops/match.hpp"

namespace microslip::reproduce {
namespace {

constexpr loops::HarmonicOptions accuracy{.tolerance = 1e-7, .most_cycles = 400};

double simulated_zeta(const ModelSpec& law, double amplitude) {
  constexpr int cycles = 20, rows = 600;
  const Run run = simulate(law, number_text(amplitude) + "*sin(t)", 2 * pi * cycles, 2 * pi / rows);
  const double energy = run.work(run.row_at(2 * pi * (cycles - 1)), run.t.size() - 1);
  return energy / (2 * pi * amplitude * amplitude);
}

}  // namespace

double zeta_eff(const ModelSpec& law, double amplitude) {
  return loops::first_harmonic(make(law), amplitude, 1, accuracy).zeta_eff();
}

std::vector<double> zeta_eff(const ModelSpec& law, const std::vector<double>& amplitudes) {
  const AnyModel model = make(law);
  std::vector<double> zeta;
  for (const double amplitude : amplitudes)
    zeta.push_back(loops::first_harmonic(model, amplitude, 1, accuracy).zeta_eff());
  return zeta;
}

std::vector<double> midpoints(double end, std::size_t n) {
  std::vector<double> points;
  for (std::size_t i = 0; i < n; ++i)
    points.push_back(end * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return points;
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

ModelSpec tuned(const ModelSpec& law, const std::vector<std::string>& free,
                const std::vector<double>& amplitudes, const std::vector<double>& target) {
  const AnyModel start = catalog::make(law);
  loops::Matching problem;
  for (const std::string& name : free) {
    for (const ParameterInfo& info : start.description().parameters) {
      if (info.name != name) continue;
      problem.start.push_back(std::get<double>(start.parameters().at(name)));
      problem.lower.push_back(info.bounds.lo_open ? info.bounds.lo + 1e-6 : info.bounds.lo);
      problem.upper.push_back(info.bounds.hi_open ? info.bounds.hi - 1e-6 : info.bounds.hi);
    }
  }
  problem.target = target;
  problem.weight.assign(target.size(), 1);
  problem.starts = 1;  // from the printed numbers
  const auto with = [&](std::span<const double> values) {
    ModelSpec changed{law.model, start.parameters(), start.options()};
    for (std::size_t i = 0; i < free.size(); ++i) changed.parameters[free[i]] = values[i];
    return changed;
  };
  problem.curve = [&](std::span<const double> values) -> std::vector<double> {
    try {
      return zeta_eff(with(values), amplitudes);
    } catch (const Error&) {  // outside of what the law allows
      return {};
    }
  };
  return with(loops::match(problem).parameters);
}

ModelSpec reference_bouc_wen() {
  return {"bouc-wen",
          {{"A", 0.75385}, {"beta", 1.0}, {"gamma", 1.0}, {"n", 0.5}, {"k", 10.0}, {"a", 0.0}},
          {}};
}

Outcome compare_tuning(double end, const std::vector<TunedLaw>& laws) {
  constexpr std::size_t points = 49;
  const std::vector<double> amplitudes = midpoints(end, points);
  const std::vector<double> target = zeta_eff(reference_bouc_wen(), amplitudes);
  Outcome outcome;
  io::Panel panel{.title = "",
                  .x = {"A"},
                  .y = {"ζ_eff"},
                  .curves = {{.name = "Bouc–Wen (reference)",
                              .x = amplitudes,
                              .y = target,
                              .style = io::Style::line_points}}};
  io::Panel retuned = panel;
  panel.title = "parameters as printed";
  retuned.title = "retuned";
  for (const TunedLaw& one : laws) {
    std::vector<double> printed_curve = zeta_eff(one.law, amplitudes);
    for (double& zeta : printed_curve) zeta += 0.5 * one.added_viscous;  // a1 = cA
    const double misfit = rms_difference(printed_curve, target);
    // The energy of the twentieth simulated cycle, by work: an independent way to ζ_eff. Straight
    // rows lose (2π/N)²/6 of it at most.
    const double middle = amplitudes[points / 2], expected = simulated_zeta(one.law, middle);
    outcome.comparisons.push_back(independent(
        fmt::format("{}: ζ_eff at A = {:.3g} against a simulated history", one.name, middle),
        expected, 2e-4 * std::abs(expected), zeta_eff(one.law, middle),
        fmt::format("with the printed parameters ζ_eff misses the target by {:.2g} (rms). {}",
                    misfit, one.free.empty() ? one.note : "")));
    if (misfit < 1) panel.curves.push_back({.name = one.name, .x = amplitudes, .y = printed_curve});
    if (one.free.empty()) continue;
    const ModelSpec best = tuned(one.law, one.free, amplitudes, target);
    const std::vector<double> best_curve = zeta_eff(best, amplitudes);
    Comparison ratio =
        equation(one.name + ": (117) of the printed parameters over the least near them", 1,
                 one.ratio_tolerance, misfit / rms_difference(best_curve, target), one.note);
    ratio.known_to_differ = one.known_to_differ;
    outcome.comparisons.push_back(ratio);
    retuned.curves.push_back({.name = one.name, .x = amplitudes, .y = best_curve});
  }
  outcome.figures.push_back({"", io::Figure{.title = "", .rows = {{{panel}, 6}, {{retuned}, 6}}}});
  return outcome;
}

}  // namespace microslip::reproduce
