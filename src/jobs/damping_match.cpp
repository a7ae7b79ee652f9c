#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "jobs/damping_parts.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/expression.hpp"
#include "microslip/fit/problem.hpp"
#include "microslip/loops/match.hpp"

namespace microslip::jobs {
namespace {

std::string listed_quantities() {
  std::string text;
  for (const std::string& name : damping_quantities()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const std::string& quantity_named(const std::string& name) {
  const auto& known = damping_quantities();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    throw Error("unknown choice '" + name + "' for --quantity" + suggestion(name, known));
  return *found;
}

const std::vector<double>* column_of(const DampingTarget& curve, const std::string& quantity) {
  for (const auto& [name, values] : curve.quantities)
    if (name == quantity) return &values;
  return nullptr;
}

/// The first quantity that the curve has.
std::string quantity_in(const DampingTarget& curve) {
  for (const std::string& name : damping_quantities())
    if (column_of(curve, name)) return name;
  throw Error(curve.name + " has none of the columns " + listed_quantities());
}

void take_curve(const DampingTarget& curve, MatchTarget& target) {
  for (const auto& [name, values] : curve.quantities) {
    quantity_named(name);
    if (values.size() != curve.amplitude.size())
      throw Error(curve.name + ": columns must have the same length: amplitude has " +
                  std::to_string(curve.amplitude.size()) + " rows, " + name + " has " +
                  std::to_string(values.size()) + " rows");
  }
  const std::vector<double>* values = column_of(curve, target.quantity);
  if (!values) throw Error(curve.name + " has no column '" + target.quantity + "'");
  if (values->empty()) throw Error(curve.name + " has no rows");
  std::vector<std::pair<double, double>> rows;
  for (std::size_t i = 0; i < values->size(); ++i) {
    if (!(curve.amplitude[i] > 0)) throw Error(curve.name + ": an amplitude must be positive");
    rows.emplace_back(curve.amplitude[i], (*values)[i]);
  }
  if (const std::vector<double>* secant = column_of(curve, "secant"))
    target.stiffness = *std::max_element(secant->begin(), secant->end());
  std::sort(rows.begin(), rows.end());
  for (const auto& [a, v] : rows) {
    target.amplitude.push_back(a);
    target.value.push_back(v);
  }
}

void compute_target(const MatchRequest& s, const std::vector<double>& amplitudes, double omega,
                    MatchTarget& target) {
  const AnyModel model = catalog::make({s.law, {}, {}});
  if (model.description().driven != target.driven)
    throw Error("--match " + s.law + " is driven by " +
                (target.driven == Driven::force ? "displacement" : "force") +
                " and the law to be tuned is not: they have no common amplitudes");
  target.amplitude = amplitudes;
  if (s.at) target.amplitude = {*s.at};
  if (target.amplitude.empty())
    throw Error("--match with a law needs --at A or --amplitudes A:B:N");
  for (const double amplitude : target.amplitude)
    target.value.push_back(
        quantity_of(harmonic_of(s.law, model, amplitude, omega), target.quantity));
}

/// A file at one amplitude: between its rows.
void keep_point(double at, MatchTarget& target) {
  const auto& a = target.amplitude;
  if (!(at >= a.front() && at <= a.back()))
    throw Error("--at " + number_text(at) + " must lie between the amplitudes of " + target.name +
                ", " + number_text(a.front()) + " and " + number_text(a.back()));
  const auto after = std::lower_bound(a.begin(), a.end(), at);
  const auto i = static_cast<std::size_t>(after - a.begin());
  double value = target.value[i];
  if (i > 0 && a[i] > a[i - 1])
    value =
        target.value[i - 1] + (value - target.value[i - 1]) * (at - a[i - 1]) / (a[i] - a[i - 1]);
  target.amplitude = {at};
  target.value = {value};
}

/// ρ ΔA by the trapezoidal rule; measured points count each.
void set_weights(const MatchRequest& s, bool measured, MatchTarget& target) {
  const Expression rho = Expression::parse(s.weight, {"A"});
  const std::size_t n = target.amplitude.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double at = target.amplitude[i];
    double width = 1;
    if (n > 1 && !measured)
      width =
          0.5 * (target.amplitude[std::min(i + 1, n - 1)] - target.amplitude[i > 0 ? i - 1 : 0]);
    const double weight = rho(at);
    if (!(weight >= 0) || !std::isfinite(weight))
      throw Error("--weight " + s.weight + " gives " + number_text(weight) +
                  " at A = " + number_text(at) + "; it must not be negative");
    const double scale = s.relative ? target.value[i] : 1;
    if (scale == 0)
      throw Error("--relative divides by the target, which is 0 at A = " + number_text(at));
    target.weight.push_back(weight * width);
    target.scale.push_back(scale);
  }
}

struct Free {
  std::string name;
  double value, lower, upper;
};

/// Bounds of the law, moved inwards where they are open so that the law accepts them.
Free free_parameter(const ParameterInfo& info, double value) {
  const auto inside = [&](double bound, bool open, double side) {
    if (!std::isfinite(bound) || !open) return bound;
    return bound + side * 1e-9 * std::max({std::abs(bound), std::abs(value), 1e-3});
  };
  return {info.name, value, inside(info.bounds.lo, info.bounds.lo_open, 1),
          inside(info.bounds.hi, info.bounds.hi_open, -1)};
}

std::vector<Free> free_parameters(const MatchRequest& s, const BuiltLaw& job) {
  const Description& law = job.model.description();
  const std::vector<std::string>& wanted = s.free;
  std::vector<std::string> known;
  std::vector<Free> free;
  for (const ParameterInfo& info : law.parameters) {
    const Value& value = job.model.parameters().at(info.name);
    if (info.kind != Kind::scalar || !std::holds_alternative<double>(value)) continue;
    known.push_back(info.name);
    const bool named = std::find(wanted.begin(), wanted.end(), info.name) != wanted.end();
    if (named || wanted.empty()) free.push_back(free_parameter(info, std::get<double>(value)));
  }
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("--free " + name + " is no single number of " + job.label +
                  suggestion(name, known));
  if (free.empty()) throw Error(job.label + " has no parameter that could be tuned");
  return free;
}

/// For amplitudes of force: a loop of energy D has at least the displacement D/4F.
fit::Scales scales_by_force(const MatchTarget& target, double omega) {
  using std::numbers::pi;
  fit::Scales s{.force = target.amplitude.back(), .length = 0, .stiffness = 0, .time = 1 / omega};
  for (std::size_t i = 0; i < target.value.size(); ++i) {
    const double F = target.amplitude[i], value = std::abs(target.value[i]);
    const std::string& quantity = target.quantity;
    const double u = quantity == "energy"     ? 0.25 * value / F
                     : quantity == "a1"       ? pi / 4 * value
                     : quantity == "b1"       ? value
                     : quantity == "secant"   ? F / value
                     : quantity == "zeta_eff" ? 2 * F / (pi * value)
                                              : F;  // a ratio does not know lengths
    if (!(u > 0) || !std::isfinite(u)) continue;
    s.length = std::max(s.length, u);
    s.stiffness = std::max(s.stiffness, F / u);
  }
  if (!(s.length > 0)) s.force = 0;
  return s;
}

/// Sizes as a record of such loops would have them. With 4 F A as the largest energy of a force F,
/// a loop of energy D has at least F = D/4A and the stiffness F/A.
fit::Scales scales_of(const MatchTarget& target, double omega) {
  if (target.driven == Driven::force) return scales_by_force(target, omega);
  fit::Scales s{.force = 0, .length = target.amplitude.back(), .stiffness = 0, .time = 1 / omega};
  using std::numbers::pi;
  const std::string& quantity = target.quantity;
  const double lost = quantity == "energy" ? 0.25 : quantity == "a1" ? pi / 4 : pi / 2;
  const double power = quantity == "energy" ? 1 : quantity == "a1" ? 0 : -1;
  for (std::size_t i = 0; i < target.value.size(); ++i) {
    const double A = target.amplitude[i], value = std::abs(target.value[i]);
    double force = lost * value / std::pow(A, power);
    if (quantity == "secant" || quantity == "b1") force = value * (quantity == "b1" ? 1 : A);
    s.force = std::max(s.force, force);
    s.stiffness = std::max(s.stiffness, force / A);
  }
  // The damping ratio of a loop does not know how large forces are.
  if (quantity == "damping") s.stiffness = 1, s.force = s.length;
  if (target.stiffness && *target.stiffness > 0) {
    s.stiffness = std::max(s.stiffness, *target.stiffness);
    s.force = std::max(s.force, *target.stiffness * target.amplitude.front());
  }
  return s;
}

void look_where_the_target_is(const MatchTarget& target, const Description& law, double omega,
                              loops::Matching& problem, const std::vector<std::string>& free) {
  const fit::Scales scales = scales_of(target, omega);
  if (!(scales.force > 0)) return;
  for (const std::string& name : free) {
    const auto info = std::find_if(law.parameters.begin(), law.parameters.end(),
                                   [&](const ParameterInfo& one) { return one.name == name; });
    const auto range = fit::start_range(info->unit, scales).value_or(closed_interval(0, 0));
    problem.from.push_back(range.lo);
    problem.to.push_back(range.hi);
  }
}

void apply_bounds(const Named<Limits>& bounds, std::vector<Free>& free) {
  for (const auto& entry : bounds) {
    const std::string& name = entry.first;
    const Limits& limits = entry.second;
    const auto found =
        std::find_if(free.begin(), free.end(), [&](const Free& one) { return one.name == name; });
    if (found == free.end()) throw Error("--bounds " + name + ": this parameter is not free");
    const auto text = [](const std::optional<double>& x) { return x ? number_text(*x) : ""; };
    const std::string both = name + "=" + text(limits.low) + ":" + text(limits.high);
    if (limits.low && limits.high && !(*limits.low < *limits.high))
      throw Error("--bounds " + both + ": LO must be smaller than HI");
    if (limits.low) found->lower = std::max(found->lower, *limits.low);
    if (limits.high) found->upper = std::min(found->upper, *limits.high);
    if (!(found->lower <= found->upper))
      throw Error("--bounds " + both + " leaves nothing of what the law allows");
  }
}

/// One quantity; the first of a curve if it is empty.
MatchTarget single_target(const DampingRequest& request, const std::string& quantity,
                          Driven driven) {
  const MatchRequest& s = *request.match;
  MatchTarget target{s.curve ? s.curve->name : s.law, quantity, {}, {}, {}, {}};
  target.driven = driven;
  if (s.curve) {
    if (quantity.empty()) target.quantity = quantity_in(*s.curve);
    take_curve(*s.curve, target);
    if (s.at) keep_point(*s.at, target);
  } else {
    if (quantity.empty()) target.quantity = "zeta_eff";
    compute_target(s, request.amplitudes, request.omega, target);
  }
  set_weights(s, s.curve.has_value(), target);
  return target;
}

/// Quantities of different units count alike: differences are relative to the largest target.
void scale_by_largest(MatchTarget& target) {
  double largest = 0;
  for (const double value : target.value) largest = std::max(largest, std::abs(value));
  if (largest == 0)
    throw Error("--quantity " + target.quantity + " is 0 at all amplitudes of the target");
  target.scale.assign(target.value.size(), largest);
}

}  // namespace

std::string MatchTarget::quantities() const {
  std::string text = quantity;
  for (const MatchTarget& other : also) text += " and " + other.quantity;
  return text;
}

MatchTarget match_target(const DampingRequest& request, Driven driven) {
  const MatchRequest& s = *request.match;
  if (s.curve.has_value() == !s.law.empty())
    throw Error("--match needs a law or a curve as its target, and not both");
  std::vector<MatchTarget> targets;
  for (const std::string& name : s.quantity)
    targets.push_back(single_target(request, quantity_named(name), driven));
  if (targets.empty()) targets.push_back(single_target(request, "", driven));
  if (targets.size() > 1 && !s.relative)
    for (MatchTarget& target : targets) scale_by_largest(target);
  MatchTarget first = targets.front();
  first.also.assign(targets.begin() + 1, targets.end());
  return first;
}

MatchOutcome match(const MatchRequest& s, const MatchTarget& target, double omega, BuiltLaw& job,
                   Progress& progress) {
  std::vector<Free> free = free_parameters(s, job);
  apply_bounds(s.bounds, free);
  loops::Matching problem;
  MatchOutcome outcome;
  outcome.target = target.name;
  outcome.quantity = target.quantities();
  for (const Free& one : free) {
    outcome.free.push_back(one.name);
    outcome.before.push_back(one.value);
    problem.start.push_back(one.value);
    problem.lower.push_back(one.lower);
    problem.upper.push_back(one.upper);
  }
  look_where_the_target_is(target, job.model.description(), omega, problem, outcome.free);
  std::vector<const MatchTarget*> targets{&target};
  for (const MatchTarget& other : target.also) targets.push_back(&other);
  bool energy_only = true;
  for (const MatchTarget* one : targets) {
    for (std::size_t i = 0; i < one->value.size(); ++i)
      problem.target.push_back(one->value[i] / one->scale[i]);
    problem.weight.insert(problem.weight.end(), one->weight.begin(), one->weight.end());
    energy_only = energy_only && one->quantity != "b1" &&
                  !(target.driven == Driven::force && one->quantity == "zeta_eff");
  }
  const auto with = [&](std::span<const double> values) {
    ModelSpec spec = job.spec;
    for (std::size_t i = 0; i < free.size(); ++i) spec.parameters[free[i].name] = values[i];
    return spec;
  };
  problem.curve = [&](std::span<const double> values) -> std::vector<double> {
    if (!progress.advance(0)) throw Interrupted();
    std::vector<double> curve;
    try {
      const AnyModel model = catalog::make(with(values));
      std::vector<loops::FirstHarmonic> points;
      for (const double amplitude : target.amplitude) {
        points.push_back(
            loops::first_harmonic(model, amplitude, omega, {.energy_only = energy_only}));
        if (points.back().status != Status::ok) return {};
      }
      for (const MatchTarget* one : targets)
        for (std::size_t i = 0; i < points.size(); ++i)
          curve.push_back(quantity_of(points[i], one->quantity) / one->scale[i]);
    } catch (const Error&) {  // the law refuses these parameters together
      return {};
    }
    return curve;
  };
  const loops::Matched result = loops::match(problem);
  outcome.after = result.parameters;
  outcome.errors = result.errors;
  outcome.rms = result.rms;
  outcome.converged = result.converged;
  double largest = 0;
  for (const double value : target.value) largest = std::max(largest, std::abs(value));
  const bool scaled = s.relative || !target.also.empty();
  outcome.rms_relative = scaled ? result.rms : largest > 0 ? result.rms / largest : 0;
  job.spec = with(result.parameters);
  job.model = catalog::make(job.spec);
  return outcome;
}

}  // namespace microslip::jobs
