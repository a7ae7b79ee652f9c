#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/loops/harmonic.hpp"
#include "support.hpp"

/// The same physics in other units: every law, its parameters scaled by the units in their table,
/// in every analysis that has a meaning for it.
namespace microslip::dynamics::units {

/// How many of the new units are in an old one.
struct Units {
  double L = 1, F = 1, T = 1;
  std::string text() const {
    return "L " + std::to_string(std::log10(L)) + ", F " + std::to_string(std::log10(F)) + ", T " +
           std::to_string(std::log10(T)) + " (powers of ten)";
  }
};

/// The factor of a quantity with a unit such as "F T/L" or "L^-n", n being a parameter.
inline double factor(const std::string& unit, const Units& units, const ParameterValues& values) {
  static const std::regex part(R"((/?)\s*([FLT1])(?:\^(-?)(\w+))?)");
  double product = 1;
  for (auto m = std::sregex_iterator(unit.begin(), unit.end(), part); m != std::sregex_iterator();
       ++m) {
    const char base = (*m)[2].str()[0];
    double power = 1;
    if ((*m)[4].matched) {
      const std::string name = (*m)[4];
      power = std::isdigit(static_cast<unsigned char>(name[0])) ? std::stod(name)
                                                                : std::get<double>(values.at(name));
      if ((*m)[3].length() > 0) power = -power;
    }
    if ((*m)[1].length() > 0) power = -power;
    product *= std::pow(base == 'F'   ? units.F
                        : base == 'L' ? units.L
                        : base == 'T' ? units.T
                                      : 1,
                        power);
  }
  return product;
}

inline Value scaled(const ParameterInfo& info, const Value& value, const Units& units,
                    const ParameterValues& all) {
  const double by = factor(info.unit, units, all);
  if (const auto* x = std::get_if<double>(&value)) return *x * by;
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    std::vector<double> result = *list;
    for (double& x : result) x *= by;
    return result;
  }
  if (const auto* matrix = std::get_if<Matrix<double>>(&value)) return Matrix<double>(*matrix * by);
  // A formula: its variables back to the old units, its value to the new ones.
  std::string formula = std::get<std::string>(value);
  const auto number = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  for (const std::string& name : info.variables) {
    const double unit = name == "u" || name == "phi" ? units.L
                        : name == "v"                ? units.L / units.T
                                                     : units.F;
    formula = std::regex_replace(formula, std::regex("\\b" + name + "\\b"),
                                 "(" + name + "/" + number(unit) + ")");
  }
  return number(by) + "*(" + formula + ")";
}

inline ParameterValues scaled(const Description& law, const ParameterValues& values,
                              const Units& units) {
  ParameterValues result;
  for (const ParameterInfo& info : law.parameters)
    result[info.name] = scaled(info, values.at(info.name), units, values);
  return result;
}

/// A law with these parameters, which are in the old units, in the new ones.
inline AnyModel law_in(const Description& law, const ParameterValues& values, const Units& units) {
  // Printed for a stiffness of 1 F/L, or for slip values of 1: other units take a gain on both sides.
  static const std::set<std::string> printed_for_one{"two-state", "two-state-normalized",
                                                     "m-state"};
  if (!printed_for_one.contains(law.name))
    return catalog::make({law.name, scaled(law, values, units), {}});
  ParameterValues all{{"input_gain", 1 / units.L}, {"output_gain", units.F}};
  for (const auto& [name, value] : values) all[law.name + "." + name] = value;
  return catalog::make({"scaled(" + law.name + ")", all, {}});
}

/// Laws that act along one direction and answer a displacement.
inline bool is_joint(const Description& law) {
  return law.family != Family::planar && law.driven == Driven::displacement;
}

/// The defaults, and the defaults with one parameter at a limit that it may have.
inline std::vector<ParameterValues> sets_of(const catalog::Law& entry) {
  const ParameterValues defaults = law(entry.description.name).parameters();
  std::vector<ParameterValues> sets{defaults};
  for (const ParameterInfo& info : entry.description.parameters) {
    if (info.kind != Kind::scalar) continue;
    const auto add = [&](double limit) {
      ParameterValues set = defaults;
      set[info.name] = limit;
      try {
        law(entry.description.name, set);
        sets.push_back(set);
      } catch (const Error&) {
        // Not with the other parameters at their defaults.
      }
    };
    if (!info.bounds.lo_open && std::isfinite(info.bounds.lo)) add(info.bounds.lo);
    if (!info.bounds.hi_open && std::isfinite(info.bounds.hi)) add(info.bounds.hi);
  }
  return sets;
}

inline std::string text_of(const ParameterValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    if (const auto* x = std::get_if<double>(&value)) text += name + "=" + std::to_string(*x) + " ";
  return text;
}

/// Numbers without units; nothing where the analysis has no meaning.
using Result = std::optional<std::vector<double>>;

struct Analysis {
  std::string name;
  double tolerance;  ///< of the comparison, relative to the largest number
  std::function<Result(const AnyModel&, const Units&)> run;
};

inline Structure oscillator_in(const AnyModel& model, const Units& u) {
  return oscillator(model, 2 * u.F, u.F * u.T * u.T / u.L, 0.05 * u.F * u.T / u.L, u.F / u.L);
}

inline Result in_time(const AnyModel& model, const Units& u, Method method) {
  Structure s = oscillator_in(model, u);
  std::get<Tones>(s.loads[0].signal).list[0].omega = 0.9 / u.T;
  TimeOptions options;
  options.method = method;
  options.until = 8 * u.T;
  options.every_step = false;
  options.tolerance = 1e-7;
  options.at = {2 * u.T, 4 * u.T, 6 * u.T};
  if (method != Method::events && method != Method::cvode) options.step = 0.05 * u.T;
  const TimeResult r = integrate(s, options);
  if (!r.message.empty()) return {};
  std::vector<double> numbers;
  for (const double wanted : {2.0, 4.0, 6.0, 8.0}) {
    const auto row = std::min_element(r.t.begin(), r.t.end(), [&](double a, double b) {
      return std::abs(a / u.T - wanted) < std::abs(b / u.T - wanted);
    });
    if (!(std::abs(*row / u.T - wanted) < 1e-12)) return {};
    const auto i = static_cast<std::size_t>(row - r.t.begin());
    numbers.push_back(r.x[i][0] / u.L);
    numbers.push_back(r.v[i][0] * u.T / u.L);
  }
  numbers.push_back(r.audit.joints / (u.F * u.L));
  return numbers;
}

inline Result in_frequency(const AnyModel& model, const Units& u) {
  FrequencyResponseOptions options;
  options.from = 0.95 / u.T;
  options.to = 1.05 / u.T;
  options.at = {1 / u.T};
  options.harmonics = 3;
  options.largest_step = 0.5;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(oscillator_in(model, u), options);
  if (r.at.empty()) return {};
  const ResponsePoint& p = r.at[0];
  return std::vector{p.first[0].amplitude / u.L, std::cos(p.first[0].phase),
                     std::sin(p.first[0].phase), p.energy[0] / (u.F * u.L)};
}

inline Result of_mode(const AnyModel& model, const Units& u,
                      ModeCurve (*analysis)(const Structure&, const ModeOptions&)) {
  ModeOptions options;
  // Rigid friction stops motions whose spring pulls less than it holds.
  const double from = model.rigid() ? 4 : 0.8;
  const double unit = std::sqrt(u.F * u.L) * u.T;
  options.from = from * unit;
  options.to = 1.5 * from * unit;
  options.at = {1.2 * from * unit};
  options.harmonics = 3;
  options.largest_step = 0.5;
  const ModeCurve curve = analysis(oscillator_in(model, u), options);
  if (curve.at.empty()) return {};
  return std::vector{curve.at[0].omega * u.T, curve.at[0].zeta,
                     curve.at[0].energy[0] / (u.F * u.L)};
}

inline std::vector<Analysis> analyses() {
  const auto time = [](Method method) {
    return [method](const AnyModel& model, const Units& u) { return in_time(model, u, method); };
  };
  // Steps under error control aim at 1e-7 each; the others solve their equations to 1e-11.
  return {
      {"events", 2e-6, time(Method::events)},
      {"cvode", 2e-6, time(Method::cvode)},
      {"midpoint", 1e-7, time(Method::midpoint)},
      {"newmark", 1e-7, time(Method::newmark)},
      {"hht", 1e-7, time(Method::hht)},
      {"generalized-alpha", 1e-7, time(Method::generalized_alpha)},
      {"frequency-response", 1e-7, in_frequency},
      {"nonlinear-mode", 1e-7,
       [](const AnyModel& model, const Units& u) { return of_mode(model, u, nonlinear_mode); }},
      {"quasi-static", 1e-7,
       [](const AnyModel& model, const Units& u) { return of_mode(model, u, quasi_static_mode); }},
      {"averaging", 1e-8,
       [](const AnyModel& model, const Units& u) -> Result {
         const AveragedPoint p = averaged(oscillator_in(model, u), u.L);
         return std::vector{p.a1 / u.F, p.b1 / u.F, p.omega * u.T, p.zeta};
       }},
      {"damping", 1e-8,
       [](const AnyModel& model, const Units& u) -> Result {
         const loops::FirstHarmonic h = loops::first_harmonic(model, 2 * u.L, 0.7 / u.T);
         return std::vector{h.a1 / u.F, h.b1 / u.F, h.energy / (u.F * u.L)};
       }},
  };
}

/// The result, or nothing where the analysis is refused.
inline Result result_of(const Analysis& analysis, const AnyModel& model, const Units& units) {
  try {
    return analysis.run(model, units);
  } catch (const Error&) {
    return {};
  }
}

/// How far two results are apart, relative to the largest number; infinite if only one is there.
inline double distance(const Result& a, const Result& b) {
  if (a.has_value() != b.has_value()) return std::numeric_limits<double>::infinity();
  if (!a) return 0;
  if (a->size() != b->size()) return std::numeric_limits<double>::infinity();
  double largest = 0, change = 0;
  for (std::size_t i = 0; i < a->size(); ++i) {
    largest = std::max({largest, std::abs((*a)[i]), std::abs((*b)[i])});
    const double here = std::abs((*a)[i] - (*b)[i]);
    change = here <= change ? change : here;  // a NaN stays
  }
  return change == 0 ? 0 : change / largest;
}

}  // namespace microslip::dynamics::units
