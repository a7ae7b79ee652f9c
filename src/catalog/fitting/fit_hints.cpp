#include "microslip/catalog/fitting/fit_hints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "microslip/loops/loops.hpp"

namespace microslip::catalog {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct RatioHint {
  std::string_view law, parameter, to;
  Interval bounds;
};
/// Relations that the laws insist on, as borders of a ratio.
constexpr RatioHint ratios[] = {
    {"two-state-normalized", "sigma", "alpha", open_interval(0, 1)},
    {"bouc-wen", "gamma", "beta", closed_interval(-1, 1)},
    {"bouc-wen-asymmetric", "gamma", "beta", closed_interval(-1, 1)},
    {"bouc-wen-asymmetric", "delta", "beta", open_interval(-1, 1)},
    {"lugre-duhem", "gamma", "beta", closed_interval(-1, 1)},
    {"valanis", "Et", "E0", {0, 1, false, true}},
    {"muravskii", "ku", "k", open_interval(1, infinity)},
    {"lugre", "zs", "zc", {1, 10, false, false}},
    {"elasto-plastic", "zs", "zc", {1, 10, false, false}},
    {"stribeck", "fs", "fc", {1, 10, false, false}},
};

struct RangeHint {
  std::string_view law, parameter;
  Interval range;
};
/// Signs that do not matter.
constexpr RangeHint bounds[] = {{"two-state", "b1", positive}, {"two-state", "b2", positive}};
/// Where the papers' fits lie.
constexpr RangeHint looks[] = {
    {"two-state", "sigma", open_interval(1e-3, 1)},
    {"bouc-wen", "n", open_interval(0.5, 4)},
    {"bouc-wen-asymmetric", "n", open_interval(0.5, 4)},
    {"muravskii", "ku", open_interval(1.2, 20)},
};

/// Springs inside laws, which another one beside the law makes superfluous.
constexpr std::pair<std::string_view, std::string_view> springs[] = {
    {"bouc-wen", "a"},
    {"bouc-wen-asymmetric", "a"},
    {"bouc-wen-hardening", "kappa"},
    {"bouc-wen-degrading", "kappa"},
};

/// Lists that describe elements, and what the elements are sorted by: one divided by the other.
struct ElementHint {
  std::string_view law, by, over;
  bool in_parallel;           ///< elements share the stiffness
  bool sliders = false;       ///< their slip makes a backbone of straight pieces
  std::string_view spring{};  ///< slope before any of them slips; the last piece may rise then
};
constexpr ElementHint elements[] = {
    {"masing", "phi", "k", true, true},
    {"masing-smooth", "phi", "k", true, true},
    {"leuven", "phi", "k", true, true},
    {"lampaert", "phi", "k", true, true},
    {"prandtl-ishlinskii", "r", "", true, true, "w0"},
    {"iwan-series-parallel", "phi", "", false, true, "k0"},
    {"generalized-maxwell", "tau", "", true},
    {"generalized-kelvin-voigt", "c", "k", false},
    {"m-state", "a", "", false},
};

/// "two-state2.b1" → law "two-state", prefix "two-state2."; alone, the law is the whole model.
struct Term {
  std::string law, prefix, name;
};
Term term_of(const Description& model, const std::string& parameter) {
  const auto dot = parameter.rfind('.');
  if (dot == std::string::npos) return {model.name, "", parameter};
  std::string law = parameter.substr(0, dot);
  if (const auto inner = law.rfind('.'); inner != std::string::npos) law = law.substr(inner + 1);
  while (!law.empty() && law.back() >= '2' && law.back() <= '9' && law != "iwan4" && law != "iwan5")
    law.pop_back();
  return {law, parameter.substr(0, dot + 1), parameter.substr(dot + 1)};
}

double scalar(const ParameterValues& all, const std::string& name) {
  return std::get<double>(all.at(name));
}

/// (α, μ, b) → (r²α, r²μ, r b) and the exchange of the two states change nothing.
void canonical_two_state(const std::string& prefix, ParameterValues& all) {
  double mu = scalar(all, prefix + "mu"), sigma = scalar(all, prefix + "sigma");
  double b1 = std::abs(scalar(all, prefix + "b1")), b2 = std::abs(scalar(all, prefix + "b2"));
  if (sigma > 1) {
    mu *= sigma;
    sigma = 1 / sigma;
    std::swap(b1, b2);
  }
  all[prefix + "mu"] = 1.0;
  all[prefix + "sigma"] = sigma;
  all[prefix + "alpha"] = scalar(all, prefix + "alpha") / mu;
  all[prefix + "b1"] = b1 / std::sqrt(mu);
  all[prefix + "b2"] = b2 / std::sqrt(mu);
}

void sort_elements(const ElementHint& hint, const std::string& prefix, const Description& model,
                   ParameterValues& all) {
  const auto list = [&](std::string_view name) -> std::vector<double>* {
    const auto found = all.find(prefix + std::string(name));
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
    loops::Loops found = loops::analyse(data.t, data.u, data.f);
    if (found.amplitude > largest.amplitude) largest = std::move(found);
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
void add_backbone_guesses(const AnyModel& model, const ElementHint& hint,
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
      if (spring) guess[std::string(hint.spring)] = slope.front();
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
  const fit::Scales s = fit::scales_of(records.front());
  bool in_parallel = true;
  for (const ElementHint& hint : elements)
    if (hint.law == model.description().name) in_parallel = hint.in_parallel;
  for (const ParameterInfo& info : model.description().parameters) {
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
      if (info.unit == "T") values[i] = late;
      if (info.unit == "F T/L") values[i] = k * late;
      if (values[i] == 0) values[i] = now[i];
    }
    guess[info.name] = values;
  }
  if (guess.empty()) return {};
  std::vector<ParameterValues> guesses{guess};
  for (const ElementHint& hint : elements)
    if (hint.law == model.description().name && hint.sliders)
      add_backbone_guesses(model, hint, largest_loops(records).backbone, guesses);
  // Bristles that never slide all at once are the sliders alone: a start that is no worse than
  // `masing`, from where sliding and damping are looked for.
  if (model.description().name == "leuven" || model.description().name == "lampaert")
    for (std::size_t i = 1; i < guesses.size(); ++i) {
      guesses[i]["fc"] = guesses[i]["fs"] = 3 * s.force;
      guesses[i]["n"] = 4.0;
      guesses[i]["sigma1"] = guesses[i]["sigma2"] = 0.0;
    }
  return guesses;
}

}  // namespace

ParameterValues canonical(const AnyModel& model, ParameterValues parameters) {
  const Description& d = model.description();
  for (const ParameterInfo& info : d.parameters) {
    const Term term = term_of(d, info.name);
    if (term.law == "two-state" && term.name == "mu") canonical_two_state(term.prefix, parameters);
    for (const ElementHint& hint : elements)
      if (hint.law == term.law && hint.by == term.name)
        sort_elements(hint, term.prefix, d, parameters);
  }
  return parameters;
}

fit::Settings with_hints(fit::Settings settings, const AnyModel& model,
                         const std::vector<fit::Data>& records) {
  fit::Setup& setup = settings.setup;
  const Description& d = model.description();
  bool mu_held = false;
  for (const ParameterInfo& info : d.parameters) {
    const Term term = term_of(d, info.name);
    for (const RatioHint& hint : ratios)
      if (hint.law == term.law && hint.parameter == term.name)
        setup.ratios.try_emplace(info.name,
                                 fit::Ratio{term.prefix + std::string(hint.to), hint.bounds});
    for (const RangeHint& hint : bounds)
      if (hint.law == term.law && hint.parameter == term.name && !setup.fixed.contains(info.name))
        setup.bounds.try_emplace(info.name, hint.range);
    for (const RangeHint& hint : looks)
      if (hint.law == term.law && hint.parameter == term.name)
        setup.look.try_emplace(info.name, hint.range);
    if (term.law == "two-state")
      for (const char* name : {"mu", "sigma", "alpha", "b1", "b2"})
        mu_held = mu_held || setup.fixed.contains(term.prefix + name);
  }
  const bool spring_beside =
      std::any_of(d.parameters.begin(), d.parameters.end(), [&](const ParameterInfo& info) {
        return term_of(d, info.name).law == "linear" && d.parameters.size() > 1;
      });
  for (const ParameterInfo& info : d.parameters) {
    const Term term = term_of(d, info.name);
    const bool inside =
        std::any_of(std::begin(springs), std::end(springs), [&](const auto& spring) {
          return spring == std::pair<std::string_view, std::string_view>(term.law, term.name);
        });
    if (spring_beside && inside && !setup.bounds.contains(info.name))
      setup.fixed.try_emplace(info.name, 0.0);
  }
  for (ParameterValues& guess : list_guesses(model, records))
    settings.guesses.push_back(std::move(guess));
  // What the caller fixed or bounded has a meaning of its own.
  if (!mu_held && !settings.canonical)
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
