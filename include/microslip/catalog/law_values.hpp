#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microslip/catalog/describe.hpp"
#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/description.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/core/turning_points.hpp"

/// Run-time values into a law's own structs, and its states as numbers and back.
namespace microslip::catalog {

// ------------------------------------------------- values into a law's structs

template <class Infos>
void refuse_unknown(std::string_view law, std::string_view what, const auto& values,
                    const Infos& infos) {
  for (const auto& entry : values) {
    const std::string& name = entry.first;
    if (std::any_of(infos.begin(), infos.end(), [&](const auto& i) { return i.name == name; }))
      continue;
    std::vector<std::string> names;
    for (const auto& info : infos) names.push_back(info.name);
    throw Error("unknown " + std::string(what) + " '" + name + "' for " + std::string(law) +
                suggestion(name, names));
  }
}

inline std::string expected(std::string_view law, std::string_view name, const Value& value,
                            std::string_view what) {
  const auto* text = std::get_if<std::string>(&value);
  return std::string(law) + "." + std::string(name) + (text ? " = " + *text : "") + " must be " +
         std::string(what);
}

template <class Real>
void assign(std::string_view law, const auto& row, const Value& value,
            Real& member) requires Number<Real> {
  if (const auto* number = std::get_if<double>(&value))
    member = Real(*number);
  else
    throw Error(expected(law, row.name, value, "one number"));
}
template <class Real>
void fill(std::vector<Real>& member, const std::vector<double>& list) {
  member.clear();
  for (const double x : list) member.emplace_back(x);  // a dual number is made, not assigned
}
template <class Real>
void assign(std::string_view law, const auto& row, const Value& value, std::vector<Real>& member) {
  if (const auto* number = std::get_if<double>(&value))
    member.assign(1, Real(*number));
  else if (const auto* list = std::get_if<std::vector<double>>(&value))
    fill(member, *list);
  else
    throw Error(expected(law, row.name, value, "a list of numbers"));
}
template <class Real>
void assign(std::string_view law, const auto& row, const Value& value, Matrix<Real>& member) {
  if (const auto* matrix = std::get_if<Matrix<double>>(&value))
    member = matrix->template cast<Real>();
  else if (const auto* number = std::get_if<double>(&value))
    member = Matrix<Real>::Constant(1, 1, Real(*number));
  else
    throw Error(expected(law, row.name, value, "a matrix, row by row"));
}
inline void assign(std::string_view law, const auto& row, const Value& value, Expression& member) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::vector<std::string_view> variables;
    for (const auto& variable : row.variables)
      if (!variable.empty()) variables.push_back(variable);
    member = Expression::parse(*text, variables);
  } else if (const auto* number = std::get_if<double>(&value)) {
    member = Expression::parse(number_text(*number), {});
  } else {
    throw Error(expected(law, row.name, value, "an expression"));
  }
}

template <class M>
typename M::Params params_from(const ParameterValues& values) {
  typename M::Params params{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    if (const auto found = values.find(row.name); found != values.end())
      assign(M::info.name, row, found->second, params.*(row.member));
  });
  return params;
}

/// A value with derivatives; it has as many numbers as the plain value it replaces.
inline void assign_dual(const std::vector<WideDual>& from, WideDual& member) {
  member = from.front();
}
inline void assign_dual(const std::vector<WideDual>& from, std::vector<WideDual>& member) {
  member = from;
}
inline void assign_dual(const std::vector<WideDual>& from, Matrix<WideDual>& member) {
  for (Eigen::Index i = 0; i < member.size(); ++i)
    member(i / member.cols(), i % member.cols()) = from[static_cast<std::size_t>(i)];
}
inline void assign_dual(const std::vector<WideDual>&, Expression&) {}

inline std::size_t count_of(const WideDual&) { return 1; }
inline std::size_t count_of(const std::vector<WideDual>& list) { return list.size(); }
inline std::size_t count_of(const Matrix<WideDual>& matrix) {
  return static_cast<std::size_t>(matrix.size());
}
inline std::size_t count_of(const Expression&) { return 0; }

template <class M>
typename M::Params params_from(const ParameterValues& values, const DualValues& derivatives) {
  typename M::Params params = params_from<M>(values);
  for_each_field(M::Params::fields, [&](const auto& row) {
    const auto found = derivatives.find(row.name);
    if (found == derivatives.end()) return;
    auto& member = params.*(row.member);
    if (found->second.size() != count_of(member))
      throw Error(std::string(M::info.name) + "." + std::string(row.name) + " needs " +
                  std::to_string(count_of(member)) + " numbers with derivatives, not " +
                  std::to_string(found->second.size()));
    assign_dual(found->second, member);
  });
  return params;
}

template <class Member>
void assign_option(std::string_view law, const auto& row, const OptionValue& value,
                   Member& member) {
  const auto* number = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  const std::string full = std::string(law) + "." + std::string(row.name);
  if constexpr (std::is_enum_v<Member>) {
    const auto choices = given(row.choices);
    const std::string chosen = word ? *word : number_text(*number);
    const auto found = std::find(choices.begin(), choices.end(), chosen);
    if (found == choices.end())
      throw Error("unknown choice '" + chosen + "' for " + full + suggestion(chosen, choices));
    member = static_cast<Member>(found - choices.begin());
  } else {
    if (!number) throw Error(full + " = " + *word + " must be a number");
    check_value(law, row.name, *number, row.bounds);
    member = static_cast<Member>(*number);
    if (static_cast<double>(member) != *number)
      throw Error(full + " = " + number_text(*number) + " must be a whole number");
  }
}

template <class M>
typename M::Options options_from(const OptionValues& values) {
  typename M::Options options{};
  for_each_field(M::Options::fields, [&](const auto& row) {
    if (const auto found = values.find(row.name); found != values.end())
      assign_option(M::info.name, row, found->second, options.*(row.member));
  });
  return options;
}

// ------------------------------------------------------------ states as numbers

inline void to_numbers(double x, std::vector<double>& out) { out.push_back(x); }
inline void to_numbers(int x, std::vector<double>& out) { out.push_back(x); }
template <class Range>
requires requires(const Range& range) { range.begin(); }
void to_numbers(const Range& range, std::vector<double>& out) {
  for (const auto& x : range) to_numbers(x, out);
}
inline void to_numbers(const Vec2<double>& x, std::vector<double>& out) {
  out.insert(out.end(), {x[0], x[1]});
}
inline void to_numbers(const TurningPoints<double>& points, std::vector<double>& out) {
  for (std::size_t i = 0; i < points.size(); ++i)
    out.insert(out.end(), {points[i].u, points[i].f, points[i].stored});
}

/// False when the numbers do not fit the member.
inline bool from_numbers(const std::vector<double>& in, double& x) {
  if (in.size() != 1) return false;
  x = in[0];
  return true;
}
inline bool from_numbers(const std::vector<double>& in, int& x) {
  if (in.size() != 1 || !(std::abs(in[0]) < 1e9)) return false;
  x = static_cast<int>(in[0]);
  return x == in[0];
}
template <std::size_t N>
bool from_numbers(const std::vector<double>& in, std::array<double, N>& x) {
  if (in.size() != N) return false;
  std::copy(in.begin(), in.end(), x.begin());
  return true;
}
/// A vector of a state has the length that the law's rest state gives it.
inline bool from_numbers(const std::vector<double>& in, std::vector<double>& x) {
  if (in.size() != x.size()) return false;
  x = in;
  return true;
}
inline bool from_numbers(const std::vector<double>& in, Vec2<double>& x) {
  if (in.size() != 2) return false;
  x = {in[0], in[1]};
  return true;
}
inline bool from_numbers(const std::vector<double>& in, TurningPoints<double>& points) {
  if (in.size() % 3 != 0) return false;
  points.clear();
  for (std::size_t i = 0; i < in.size(); i += 3)
    if (!points.push({in[i], in[i + 1], in[i + 2]})) return false;
  return true;
}

}  // namespace microslip::catalog
