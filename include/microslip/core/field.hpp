#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "microslip/core/dual.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/expression.hpp"

/// Tables that let a law describe its numbers: parameters, options and state.
/// The command line, JSON, fitting bounds and the documentation are made from them.
namespace microslip {

/// Admissible values of a number.
struct Interval {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  bool lo_open = true;
  bool hi_open = true;

  constexpr bool contains(double x) const {
    return (lo_open ? x > lo : x >= lo) && (hi_open ? x < hi : x <= hi);
  }
  /// "(-1, 0]"
  std::string text() const;
};

inline constexpr Interval any_number{};
inline constexpr Interval positive{.lo = 0};
inline constexpr Interval non_negative{.lo = 0, .lo_open = false};
constexpr Interval open_interval(double lo, double hi) { return {lo, hi, true, true}; }
constexpr Interval closed_interval(double lo, double hi) { return {lo, hi, false, false}; }
constexpr Interval left_open_interval(double lo, double hi) { return {lo, hi, true, false}; }

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// Names of the variables an expression parameter may use, at most three.
using Variables = std::array<std::string_view, 3>;

/// What becomes of a number of a state when the motion is mirrored, u → −u, for laws that are odd:
/// forces and displacements change their sign, energies and stiffnesses stay. An upper and a lower
/// bound that change places as well stand next to each other.
enum class Parity { odd, even, odd_of_next, odd_of_last };

/// One row of a table: which member, how it is called, what it means.
template <class Owner, class Value>
struct Field {
  Value Owner::*member;
  std::string_view name;
  std::string_view unit;
  Interval bounds;
  Variables variables;
  std::string_view sentence;
  Parity parity = Parity::odd;  ///< of a state
};

/// Compile-time refusal of a row that leaves a reader without an answer.
constexpr std::string_view required(std::string_view text) {
  if (text.empty()) throw "name, unit and sentence of a field must not be empty";
  return text;
}

/// A row of Params::fields. Units are symbolic: products of F, L, T, or "1".
/// The default value is the member's own initialiser.
template <class Owner, class Value>
constexpr auto field(Value Owner::*member, std::string_view name, std::string_view unit,
                     Interval bounds, std::string_view sentence) {
  return Field<Owner, Value>{member, required(name),    required(unit), bounds,
                             {},     required(sentence)};
}

/// A parameter that is a formula in the named variables.
template <class Owner>
constexpr auto field(Expression Owner::*member, std::string_view name, std::string_view unit,
                     Variables variables, std::string_view sentence) {
  return Field<Owner, Expression>{member,     required(name), required(unit),
                                  any_number, variables,      required(sentence)};
}

/// A row of State::fields.
template <class Owner, class Value>
constexpr auto state_field(Value Owner::*member, std::string_view name, std::string_view unit,
                           std::string_view sentence, Parity parity = Parity::odd) {
  auto row = field(member, name, unit, any_number, sentence);
  row.parity = parity;
  return row;
}

/// A row of Options::fields: a number in an interval, or an enumeration by the names of its values.
template <class Owner, class Value>
struct OptionField {
  Value Owner::*member;
  std::string_view name;
  Interval bounds;
  std::array<std::string_view, 8> choices;  ///< empty names end the list
  std::string_view sentence;
};

template <class Owner, class Value>
requires std::is_arithmetic_v<Value>
constexpr auto option(Value Owner::*member, std::string_view name, Interval bounds,
                      std::string_view sentence) {
  return OptionField<Owner, Value>{member, required(name), bounds, {}, required(sentence)};
}

template <class Owner, class Value>
requires std::is_enum_v<Value>
constexpr auto option(Value Owner::*member, std::string_view name,
                      std::array<std::string_view, 8> choices, std::string_view sentence) {
  return OptionField<Owner, Value>{member, required(name), any_number, choices, required(sentence)};
}

/// For laws without numerical knobs.
struct NoOptions {
  static constexpr std::tuple<> fields{};
};

template <class Table, class Visit>
constexpr void for_each_field(const Table& table, Visit&& visit) {
  std::apply([&](const auto&... row) { (visit(row), ...); }, table);
}

[[noreturn]] void refuse_value(std::string_view law, std::string_view name, double x,
                               const Interval& bounds);
/// Throws unless x is finite and inside the bounds.
constexpr void check_value(std::string_view law, std::string_view name, double x,
                           const Interval& bounds) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(x >= -largest && x <= largest && bounds.contains(x))) refuse_value(law, name, x, bounds);
}
/// The same for the values of a list, which must not be empty.
void check_values(std::string_view law, std::string_view name, const std::vector<double>& x,
                  const Interval& bounds);

/// The check every model makes first in its constructor.
template <class Params>
constexpr void check_fields(std::string_view law, const Params& params) {
  for_each_field(Params::fields, [&](const auto& row) {
    const auto& member = params.*(row.member);
    using Value = std::remove_cvref_t<decltype(member)>;
    if constexpr (Number<Value>) {
      check_value(law, row.name, value_of(member), row.bounds);
    } else if constexpr (!std::is_same_v<Value, Expression>) {
      std::vector<double> list;
      for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(member.size()); ++i)
        list.push_back(value_of(*(member.data() + i)));
      check_values(law, row.name, list, row.bounds);
    }
  });
}

template <class Params>
constexpr const Params& checked_fields(std::string_view law, const Params& params) {
  check_fields(law, params);
  return params;
}

/// Second constructor of a law, M(params, options, were_checked): for parameters that the first one has
/// taken before. It cannot throw; what it makes of other parameters is undefined.
struct WereChecked {};
inline constexpr WereChecked were_checked{};

/// Lists that belong together, element by element.
void check_same_length(std::string_view law, std::string_view one, std::size_t length_one,
                       std::string_view other, std::size_t length_other);

/// The indices of a list in ascending order of its values.
template <class Real>
std::vector<std::size_t> ascending(const std::vector<Real>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  return order;
}

}  // namespace microslip
