#include "microslip/catalog/fitting/fit_hints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "catalog/fitting/law_guesses.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::catalog {
namespace {

using Elements = FitHints::Elements;

void sort_elements(const Elements& hint, const Description& model, ParameterValues& all) {
  const std::string& prefix = hint.prefix;
  const auto list = [&](const std::string& name) -> std::vector<double>* {
    const auto found = all.find(prefix + name);
    return found == all.end() ? nullptr : std::get_if<std::vector<double>>(&found->second);
  };
  const auto* by = list(hint.by);
  if (!by) return;
  std::vector<double> key = *by;
  if (const auto* over = hint.over.empty() ? nullptr : list(hint.over);
      over && over->size() == key.size())
    for (std::size_t i = 0; i < key.size(); ++i) key[i] /= (*over)[i];
  std::vector<std::size_t> order(key.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return key[i] < key[j]; });
  for (const ParameterInfo& info : model.parameters) {
    if (info.kind != Kind::vector || info.name.rfind(prefix, 0) != 0) continue;
    auto& values = std::get<std::vector<double>>(all.at(info.name));
    if (values.size() != key.size()) continue;
    const std::vector<double> old = values;
    for (std::size_t i = 0; i < order.size(); ++i) values[i] = old[order[i]];
  }
}

/// The largest loops among the records.
loops::Loops largest_loops(const std::vector<fit::Data>& records) {
  loops::Loops largest;
  for (const fit::Data& data : records) {
    const auto found = fit::loops_of(data);
    if (found->amplitude > largest.amplitude) largest = *found;
  }
  return largest;
}

double interpolated(const loops::Backbone& b, double x) {
  const auto next = std::upper_bound(b.x.begin(), b.x.end(), x);
  if (next == b.x.begin()) return 0;
  if (next == b.x.end()) return b.force.back();
  const auto i = static_cast<std::size_t>(next - b.x.begin());
  const double share = (x - b.x[i - 1]) / (b.x[i] - b.x[i - 1]);
  return b.force[i - 1] + share * (b.force[i] - b.force[i - 1]);
}

/// Sliders whose backbone runs through points of the record's. Piecewise straight laws have many
/// minima, one for each way to share the rows among the pieces; these starts lie in good ones.
void add_backbone_guesses(const AnyModel& model, const Elements& hint,
                          const loops::Backbone& backbone, std::vector<ParameterValues>& guesses) {
  if (backbone.x.size() < 4) return;
  const bool spring = !hint.spring.empty();
  for (const double power : {1.0, 1.5, 2.0}) {
    ParameterValues guess;
    for (const ParameterInfo& info : model.description().parameters) {
      if (info.kind != Kind::vector) continue;
      std::vector<double> values = std::get<std::vector<double>>(model.parameters().at(info.name));
      const std::size_t n = values.size(), pieces = n + (spring ? 1 : 0);
      std::vector<double> corner{0}, force{0}, slope;
      for (std::size_t j = 1; j <= pieces; ++j) {
        const double share = static_cast<double>(j) / static_cast<double>(pieces);
        corner.push_back(backbone.x.back() * std::pow(share, power));
        force.push_back(interpolated(backbone, corner[j]));
        const double steepest = slope.empty() ? infinity : 0.95 * slope.back();
        slope.push_back(
            std::min(steepest, (force[j] - force[j - 1]) / (corner[j] - corner[j - 1])));
        slope.back() = std::max(slope.back(), 1e-3 * slope.front());
      }
      if (!(slope.front() > 0)) return;
      slope.push_back(0);  // beyond the last corner, where there is no spring
      for (std::size_t j = 0; j < n; ++j) {
        const double lost = slope[j] - slope[j + 1];
        const double k = hint.in_parallel ? lost : 1 / (1 / slope[j + 1] - 1 / slope[j]);
        if (info.unit == "F/L") values[j] = info.bounds.contains(-k) ? -k : k;
        if (info.unit == "F") values[j] = hint.in_parallel ? lost * corner[j + 1] : force[j + 1];
        if (info.unit == "L") values[j] = corner[j + 1];
      }
      if (spring) guess[hint.spring] = slope.front();
      guess[info.name] = std::move(values);
    }
    guesses.push_back(std::move(guess));
  }
}

/// Elements that begin to act one after the other over the amplitude, and together carry what the
/// record shows.
std::vector<ParameterValues> list_guesses(const AnyModel& model,
                                          const std::vector<fit::Data>& records) {
  ParameterValues guess;
  const Description& law = model.description();
  const fit::Scales s = fit::scales_of(records.front());
  // Inside a sum or a wrapper other laws carry part of the force: the general guess alone.
  const auto& described = law.fit_hints.elements;
  const Elements* elements =
      described.size() == 1 && described.front().prefix.empty() ? &described.front() : nullptr;
  const bool in_parallel = !elements || elements->in_parallel;
  for (const ParameterInfo& info : law.parameters) {
    if (info.kind != Kind::vector) continue;
    const auto& now = std::get<std::vector<double>>(model.parameters().at(info.name));
    const double n = static_cast<double>(now.size());
    const double k = in_parallel ? s.stiffness / n : s.stiffness * n;
    std::vector<double> values(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double slip = s.length * std::pow(0.03, 1 - (static_cast<double>(i) + 1) / n);
      const double late = s.time * std::pow(0.01, 1 - (static_cast<double>(i) + 0.5) / n);
      if (info.unit == "F/L") values[i] = info.bounds.contains(-k) ? -0.7 * k : k;
      if (info.unit == "F") values[i] = in_parallel ? k * slip : s.force * slip / s.length;
      if (info.unit == "L") values[i] = slip;
      if (info.unit == "1/L") values[i] = 1 / slip;
      if (info.unit == "T") values[i] = late;
      if (info.unit == "F T/L") values[i] = k * late;
      if (values[i] == 0) values[i] = now[i];
    }
    guess[info.name] = values;
  }
  if (guess.empty()) return {};
  std::vector<ParameterValues> guesses{guess};
  if (!elements || !elements->sliders) return guesses;
  add_backbone_guesses(model, *elements, largest_loops(records).backbone, guesses);
  // With its other parts switched off the law is no worse than its sliders: a start from where
  // those parts are looked for.
  for (const auto& [name, value] : elements->sliders_alone) {
    const auto info =
        std::find_if(law.parameters.begin(), law.parameters.end(),
                     [&name = name](const ParameterInfo& p) { return p.name == name; });
    const bool force = info != law.parameters.end() && info->unit == "F";
    for (std::size_t i = 1; i < guesses.size(); ++i)
      guesses[i][name] = force ? value * s.force : value;
  }
  return guesses;
}

}  // namespace

ParameterValues canonical(const AnyModel& model, ParameterValues parameters) {
  const Description& d = model.description();
  for (const FitHints::Canonical& hint : d.fit_hints.canonical)
    hint.choose(hint.prefix, parameters);
  for (const Elements& hint : d.fit_hints.elements) sort_elements(hint, d, parameters);
  return parameters;
}

fit::Settings with_hints(fit::Settings settings, const AnyModel& model,
                         const std::vector<fit::Data>& records) {
  fit::Setup& setup = settings.setup;
  const Description& d = model.description();
  const FitHints& hints = d.fit_hints;
  const auto is_free = [&](const std::string& name) {
    return !setup.fixed.contains(name) && !setup.bounds.contains(name);
  };
  for (const auto& [name, twin] : hints.held)
    if (is_free(name) && !setup.fixed.contains(twin))
      setup.fixed.emplace(name, std::get<double>(model.parameters().at(name)));
  // What the caller fixed or bounded has a meaning of its own.
  bool chosen_by_caller = false;
  for (const FitHints::Canonical& hint : hints.canonical)
    for (const std::string& name : hint.parameters)
      chosen_by_caller = chosen_by_caller || setup.fixed.contains(hint.prefix + name);
  for (const FitHints::Ratio& hint : hints.ratios)
    setup.ratios.try_emplace(hint.parameter, fit::Ratio{hint.to, hint.bounds});
  for (const FitHints::Range& hint : hints.bounds)
    if (!setup.fixed.contains(hint.parameter)) setup.bounds.try_emplace(hint.parameter, hint.range);
  for (const FitHints::Range& hint : hints.look) setup.look.try_emplace(hint.parameter, hint.range);
  if (hints.spring)
    for (const std::string& name : hints.springs)
      if (is_free(name)) setup.fixed.emplace(name, 0.0);
  for (ParameterValues& guess : list_guesses(model, records))
    settings.guesses.push_back(std::move(guess));
  for (ParameterValues& guess : law_guesses(model, records, setup))
    settings.guesses.push_back(std::move(guess));
  if (!chosen_by_caller && !settings.canonical)
    settings.canonical = [model](const ParameterValues& p) { return canonical(model, p); };
  return settings;
}

AnyModel with_elements(const AnyModel& model, std::size_t count) {
  ParameterValues changed;
  // Matrices say how many there are.
  for (const ParameterInfo& info : model.description().parameters)
    if (info.kind == Kind::matrix) return model;
  for (const ParameterInfo& info : model.description().parameters) {
    if (info.kind != Kind::vector) continue;
    const auto& now = std::get<std::vector<double>>(model.parameters().at(info.name));
    if (now.empty()) continue;
    std::vector<double> values(count);
    // Elements that are equal would stay equal: each is a little larger than the one before.
    for (std::size_t i = 0; i < count; ++i)
      values[i] = now[std::min(i, now.size() - 1)] * (1 + 0.25 * static_cast<double>(i));
    changed[info.name] = values;
  }
  return changed.empty() ? model : model.with(changed);
}

}  // namespace microslip::catalog
