#include "unknowns.hpp"

#include <algorithm>

#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::fit {
namespace {

/// One factor, "L", "F^2", "L^-n"; `sign` is -1 below the line.
void add_factor(std::string_view factor, double sign, Unit& unit) {
  if (factor.empty() || factor == "1") return;
  double power = 1;
  std::string symbol;
  if (const auto hat = factor.find('^'); hat != std::string_view::npos) {
    const std::string exponent(factor.substr(hat + 1));
    if (read_number(exponent, power).error != std::errc{}) {
      power = 0;
      symbol = exponent.substr(exponent.find_first_not_of("-("));
    }
    factor = factor.substr(0, hat);
  }
  if (factor == "F") unit.force += sign * power;
  if (factor == "L") unit.length += sign * power;
  if (factor == "T") unit.time += sign * power;
  if (factor == "L" && !symbol.empty()) unit.symbol = symbol;
}

}  // namespace

Unit parse_unit(std::string_view text) {
  Unit unit;
  double sign = 1;
  std::string factor;
  for (const char c : std::string(text) + " ") {
    if (c != ' ' && c != '/') {
      factor += c;
      continue;
    }
    add_factor(factor, sign, unit);
    factor.clear();
    if (c == '/') sign = -1;
  }
  return unit;
}

std::string element_name(const std::string& parameter, std::size_t element, std::size_t count) {
  return count == 0 ? parameter : parameter + "[" + std::to_string(element + 1) + "]";
}

std::size_t element_count(const Value& value) {
  const auto* list = std::get_if<std::vector<double>>(&value);
  return list ? list->size() : 0;
}

double element_of(const Value& value, std::size_t element) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return (*list)[element];
  return std::get<double>(value);
}

namespace {

/// Where starts look, relative to the reference: what a joint whose loops fill the record may have.
struct Range {
  double reference, low, high;
};

/// The reference without its L^-n, which depends on another unknown.
Range range_by_unit(const Unit& unit, const Scales& s) {
  const double f = unit.force, l = unit.length, t = unit.time;
  if (f == 1 && l == -1 && t == 0) return {s.stiffness, 0.05, 1.5};
  if (f == 1 && l == -1) return {s.stiffness * std::pow(s.time, t), 1e-3, 1};
  if (f == 1 && l == 0 && t == 0) return {s.force, 0.1, 1.5};
  if (f == 0 && l == 1 && t == 0) return {s.length, 0.01, 1.5};
  if (f == 0 && l == -1 && t == 0) return {1 / s.length, 0.5, 50};
  if (f == 0 && l == 0 && t == 1) return {s.time, 0.01, 10};
  return {std::pow(s.force, f) * std::pow(s.length, l) * std::pow(s.time, t), 0.01, 2};
}

class Lister {
 public:
  Lister(const AnyModel& model, const Setup& setup, const Scales& scales, const Clock& clock,
         std::size_t records)
      : model_(model), setup_(setup), scales_(scales), clock_(clock), records_(records) {}

  void add_parameters() {
    for (const ParameterInfo& info : model_.description().parameters) {
      if (info.kind != Kind::scalar && info.kind != Kind::vector) continue;
      const Value& value = model_.parameters().at(info.name);
      const std::size_t count = element_count(value);
      for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i) {
        const std::string name = element_name(info.name, i, count);
        names_.push_back(name);
        if (fixed(name, info)) continue;
        for (const int record : owners(name, info.name))
          unknowns_.push_back(parameter(info, name, i, element_of(value, i), record));
      }
    }
    link();
  }

  void add_measurement(const std::vector<Beginning>& beginnings) {
    const double answer = scales_.answer(), L = scales_.input();
    const char* input_unit = scales_.by_force() ? "F" : "L";
    using Role = Unknown::Role;
    add_extra(Role::offset, "offset", scales_.by_force() ? "L" : "F", answer, false, 4,
              scales_.answer_center() / answer, 0.3);
    add_extra(Role::gain, "gain", "1", 1, true, 7, 0, 0.7);
    // A record far from zero tells where the zero must be; near it, zero itself may be right.
    const double center = scales_.input_center() / L;
    add_extra(Role::offset_u, "offset_u", input_unit, L, false, 3,
              std::abs(center) > 0.5 ? center : 0, 0.3);
    // A tenth of a cycle; beyond, a delay is not told from another sign of the slope.
    add_extra(Role::delay, "delay", clock_.times ? "T" : "rows", clock_.quarter, false, 0.4, 0,
              0.15);
    add_extra(Role::drift, "drift", rate_of(scales_.by_force() ? "L" : "F").c_str(),
              answer / clock_.whole, false, 4, 0, 0.3);
    add_extra(Role::drift_u, "drift_u", rate_of(input_unit).c_str(), L / clock_.whole, false, 3, 0,
              0.3);
    for (const std::string& name : setup_.free)
      if (std::find(names_.begin(), names_.end(), name) == names_.end())
        throw Error("there is nothing to free that is called '" + name + "'" +
                    suggestion(name, std::vector<std::string>(std::begin(measurement_names),
                                                              std::end(measurement_names))));
    for (std::size_t r = 0; r < beginnings.size(); ++r)
      for (std::size_t i = 0; i < 2 && beginnings[r] == Beginning::unknown; ++i) {
        Unknown before;
        before.role = Role::before;
        before.name = "before[" + std::to_string(i + 1) + "]";
        before.element = i;
        before.record = static_cast<int>(r);
        before.unit = input_unit;
        before.reference = L;
        before.lower = -4;
        before.upper = 4;
        before.from = -1;
        before.to = 1;
        before.start = i == 0 ? -1 : 1;
        unknowns_.push_back(before);
      }
  }

  std::vector<Unknown> take() {
    check_names();
    return std::move(unknowns_);
  }

 private:
  std::string rate_of(const std::string& unit) const {
    return unit + (clock_.times ? "/T" : "/row");
  }

  bool fixed(const std::string& name, const ParameterInfo& info) {
    const auto found = setup_.fixed.find(name);
    if (found == setup_.fixed.end()) return setup_.fixed.contains(info.name);
    check_value(model_.description().name, name, found->second, info.bounds);
    return true;
  }

  std::vector<int> owners(const std::string& name, const std::string& parameter) const {
    const auto& separate = setup_.separate;
    const auto named = [&](const std::string& n) {
      return std::find(separate.begin(), separate.end(), n) != separate.end();
    };
    if (records_ < 2 || !(named(name) || named(parameter))) return {-1};
    std::vector<int> all(records_);
    for (std::size_t i = 0; i < records_; ++i) all[i] = static_cast<int>(i);
    return all;
  }

  Unknown parameter(const ParameterInfo& info, const std::string& name, std::size_t element,
                    double value, int record) const {
    Unknown unknown{.name = name, .parameter = info.name, .element = element, .record = record};
    unknown.unit = info.unit;
    Interval bounds = info.bounds;
    const auto ratio = setup_.ratios.find(info.name);
    const auto given =
        setup_.bounds.contains(name) ? setup_.bounds.find(name) : setup_.bounds.find(info.name);
    if (given != setup_.bounds.end()) {
      bounds = narrowed(bounds, given->second, name);
    } else if (ratio != setup_.ratios.end()) {
      bounds = ratio->second.bounds;
      unknown.limits = name + "/" + ratio->second.to + " in " + bounds.text();
    }
    if (unknown.limits.empty()) unknown.limits = name + " in " + bounds.text();
    const bool is_ratio = ratio != setup_.ratios.end() && given == setup_.bounds.end();
    const Unit unit = parse_unit(is_ratio ? "1" : info.unit);
    Range range = range_by_unit(unit, scales_);
    const bool plain = unit.force == 0 && unit.length == 0 && unit.time == 0;
    if (is_ratio) {
      range = {1, 0.02, 1};
    } else if (plain && unit.symbol.empty() && value != 0) {
      range = {std::abs(value), 0.2, 5};
    } else if (plain) {
      range = {1, 0.1, 2};
    }
    if (const auto look = setup_.look.find(info.name); look != setup_.look.end())
      range = {1, look->second.lo, look->second.hi};
    unknown.length = unit.symbol.empty() ? 1 : scales_.length;
    unknown.reference = range.reference;
    unknown.log = bounds.lo > 0 || (bounds.lo == 0 && bounds.lo_open);
    if (unknown.log)
      set_log(bounds, range, unknown);
    else
      set_linear(bounds, range, unknown);
    unknown.start = std::clamp(start_of(unknown, value, is_ratio), unknown.lower, unknown.upper);
    return unknown;
  }

  Interval narrowed(const Interval& law, const Interval& given, const std::string& name) const {
    if (!(given.lo < given.hi))
      throw Error("the bounds of " + name + ", " + given.text() + ", must leave room between them");
    const bool below = given.hi < law.lo || (given.hi == law.lo && law.lo_open);
    const bool above = given.lo > law.hi || (given.lo == law.hi && law.hi_open);
    if (below || above)
      throw Error("the bounds of " + name + ", " + given.text() + ", lie outside " + law.text());
    Interval both = law;
    if (given.lo > law.lo) both.lo = given.lo, both.lo_open = given.lo_open;
    if (given.hi < law.hi) both.hi = given.hi, both.hi_open = given.hi_open;
    return both;
  }

  /// Limits a factor of 10⁵ around the starts keep e^x from overflow; nothing in a record can tell
  /// a number out there from infinity or zero.
  static void set_log(const Interval& bounds, const Range& range, Unknown& unknown) {
    unknown.from = std::log(range.low);
    unknown.to = std::log(range.high);
    unknown.lower = unknown.from - start_room;
    unknown.upper = unknown.to + start_room;
    const double lo = bounds.lo / range.reference, hi = bounds.hi / range.reference;
    unknown.soft_lower = !(lo > 0);
    unknown.soft_upper = !(hi < infinity);
    if (lo > 0) unknown.lower = std::log(lo * (bounds.lo_open ? 1 + 1e-9 : 1));
    if (hi < infinity) unknown.upper = std::log(hi * (bounds.hi_open ? 1 - 1e-9 : 1));
    settle(unknown, lo > 0 && hi < infinity);
  }

  static void set_linear(const Interval& bounds, const Range& range, Unknown& unknown) {
    const double lo = bounds.lo / range.reference, hi = bounds.hi / range.reference;
    const bool both = lo > -infinity && hi < infinity;
    const double inside = 1e-6 * (both ? hi - lo : 1);  // an open end is not reached
    unknown.soft_lower = !(lo > -infinity);
    unknown.soft_upper = !(hi < infinity);
    unknown.lower = lo > -infinity ? lo + (bounds.lo_open ? inside : 0) : -1e6;
    unknown.upper = hi < infinity ? hi - (bounds.hi_open ? inside : 0) : 1e6;
    unknown.from = lo > -infinity ? lo : -range.high;
    unknown.to = hi < infinity ? hi : range.high;
    settle(unknown, both);
  }

  /// Starts lie inside the bounds; between two finite ones of the user they fill them.
  static void settle(Unknown& unknown, bool both) {
    if (both) unknown.from = unknown.lower, unknown.to = unknown.upper;
    unknown.from = std::clamp(unknown.from, unknown.lower, unknown.upper);
    unknown.to = std::clamp(unknown.to, unknown.lower, unknown.upper);
    if (!(unknown.from < unknown.to)) unknown.from = unknown.lower, unknown.to = unknown.upper;
  }

  double start_of(const Unknown& unknown, double value, bool is_ratio) const {
    if (is_ratio || !parse_unit(unknown.unit).symbol.empty())
      return 0.5 * (unknown.from + unknown.to);
    const double relative = value / unknown.reference;
    return unknown.log ? std::log(std::max(relative, 1e-300)) : relative;
  }

  /// References to other unknowns, or their fixed values.
  void link() {
    for (Unknown& unknown : unknowns_) {
      const auto ratio = setup_.ratios.find(unknown.parameter);
      const bool bounded =
          setup_.bounds.contains(unknown.name) || setup_.bounds.contains(unknown.parameter);
      if (ratio != setup_.ratios.end() && !bounded)
        refer(ratio->second.to, unknown, unknown.ratio_to,
              [&](double other) { unknown.reference *= other; });
      else if (const std::string symbol = symbol_of(unknown); !symbol.empty())
        refer(symbol, unknown, unknown.exponent_of,
              [&](double n) { unknown.reference *= std::pow(unknown.length, -n); });
    }
  }

  /// "n" of the same term: "bouc-wen.beta" refers to "bouc-wen.n".
  std::string symbol_of(const Unknown& unknown) const {
    const std::string symbol = parse_unit(unknown.unit).symbol;
    const auto dot = unknown.parameter.rfind('.');
    if (symbol.empty() || dot == std::string::npos) return symbol;
    return unknown.parameter.substr(0, dot + 1) + symbol;
  }

  template <class Use>
  void refer(const std::string& to, const Unknown& from, int& link, Use&& use_fixed) const {
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      if (unknowns_[j].parameter == to &&
          (unknowns_[j].record < 0 || unknowns_[j].record == from.record)) {
        link = static_cast<int>(j);
        return;
      }
    const auto fixed = setup_.fixed.find(to);
    use_fixed(fixed != setup_.fixed.end() ? fixed->second
                                          : element_of(model_.parameters().at(to), 0));
  }

  void add_extra(Unknown::Role role, const char* name, const char* unit, double reference, bool log,
                 double room, double start, double width) {
    names_.push_back(name);
    if (std::find(setup_.free.begin(), setup_.free.end(), name) == setup_.free.end()) return;
    if (setup_.fixed.contains(name)) throw Error(std::string(name) + " cannot be free and fixed");
    for (const int record : owners(name, name)) {
      Unknown unknown{.role = role, .name = name, .parameter = {}, .element = 0, .record = record};
      unknown.unit = unit;
      unknown.log = log;
      unknown.reference = reference;
      unknown.lower = start - room;
      unknown.upper = start + room;
      unknown.start = start;
      unknown.from = start - width;
      unknown.to = start + width;
      // The rows that are compared depend on how far a delay may go.
      if (role == Unknown::Role::delay) unknown.soft_lower = unknown.soft_upper = false;
      bound(unknown);
      unknowns_.push_back(unknown);
    }
  }

  /// Bounds of a number of the measurement, where they are given.
  void bound(Unknown& unknown) const {
    const auto given = setup_.bounds.find(unknown.name);
    const auto value_of = [&](double x) {
      return unknown.reference * (unknown.log ? std::exp(x) : x);
    };
    unknown.limits = unknown.name + " in " +
                     closed_interval(value_of(unknown.lower), value_of(unknown.upper)).text();
    if (given == setup_.bounds.end()) return;
    const Interval& bounds = given->second;
    unknown.limits = unknown.name + " in " + bounds.text();
    if (!(bounds.lo < bounds.hi) || (unknown.log && !(bounds.hi > 0)))
      throw Error("the bounds of " + unknown.name + ", " + bounds.text() +
                  ", must leave room between them");
    const auto x_of = [&](double value) {
      return unknown.log ? std::log(std::max(value / unknown.reference, 1e-300))
                         : value / unknown.reference;
    };
    if (bounds.lo > -infinity) unknown.lower = x_of(bounds.lo), unknown.soft_lower = false;
    if (bounds.hi < infinity) unknown.upper = x_of(bounds.hi), unknown.soft_upper = false;
    // Without the other end there is still room for a search.
    if (!(unknown.lower < unknown.upper))
      (bounds.hi < infinity ? unknown.lower : unknown.upper) =
          bounds.hi < infinity ? unknown.upper - 1 : unknown.lower + 1;
    unknown.start = std::clamp(unknown.start, unknown.lower, unknown.upper);
    settle(unknown, bounds.lo > -infinity && bounds.hi < infinity);
  }

  void check_names() const {
    std::vector<std::string> known = names_;
    for (const ParameterInfo& info : model_.description().parameters) known.push_back(info.name);
    const auto check = [&](const std::string& name) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw Error(model_.description().name + " has no parameter '" + name + "'" +
                    suggestion(name, known));
    };
    for (const auto& [name, value] : setup_.fixed) check(name);
    for (const auto& [name, value] : setup_.bounds) check(name);
    for (const auto& name : setup_.separate) check(name);
  }

  const AnyModel& model_;
  const Setup& setup_;
  const Scales& scales_;
  const Clock& clock_;
  std::size_t records_;
  std::vector<std::string> names_;
  std::vector<Unknown> unknowns_;
};

}  // namespace

std::optional<Interval> start_range(std::string_view text, const Scales& scales) {
  const Unit unit = parse_unit(text);
  const bool plain = unit.force == 0 && unit.length == 0 && unit.time == 0;
  if (plain || !unit.symbol.empty()) return {};
  const Range range = range_by_unit(unit, scales);
  return closed_interval(range.low * range.reference, range.high * range.reference);
}

std::vector<Unknown> list_unknowns(const AnyModel& model, const Setup& setup, const Scales& scales,
                                   const Clock& clock, std::size_t records,
                                   const std::vector<Beginning>& beginnings) {
  Lister lister(model, setup, scales, clock, records);
  lister.add_parameters();
  lister.add_measurement(beginnings);
  return lister.take();
}

}  // namespace microslip::fit
