#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/description.hpp"
#include "microslip/core/expression.hpp"

/// From a law's compile-time tables to its description at run time.
namespace microslip::catalog {

template <class Member>
Kind kind_of() {
  if constexpr (Number<Member>)
    return Kind::scalar;
  else if constexpr (std::is_same_v<Member, Expression>)
    return Kind::expression;
  else if constexpr (std::is_same_v<Member, Matrix<double>>)
    return Kind::matrix;
  else
    return Kind::vector;
}

inline Value to_value(double x) { return x; }
inline Value to_value(const std::vector<double>& x) { return x; }
inline Value to_value(const Matrix<double>& x) { return x; }
inline Value to_value(const Expression& x) { return x.text(); }

template <class M>
constexpr Family family_of() {
  if constexpr (PlanarLaw<M>)
    return Family::planar;
  else if constexpr (RateDependentLaw<M>)
    return Family::rate_dependent;
  else
    return Family::rate_independent;
}

inline std::vector<std::string> given(const auto& names) {
  std::vector<std::string> result;
  for (const auto& name : names)
    if (!name.empty()) result.emplace_back(name);
  return result;
}

template <class Options>
auto describe_options() {
  decltype(Description::options) rows;
  const Options options{};
  for_each_field(Options::fields, [&](const auto& row) {
    const auto member = options.*(row.member);
    OptionValue value;
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(member)>>)
      value = std::string(row.choices[static_cast<std::size_t>(member)]);
    else
      value = static_cast<double>(member);
    rows.push_back(
        {std::string(row.name), row.bounds, given(row.choices), value, std::string(row.sentence)});
  });
  return rows;
}

template <class M>
Description describe() {
  Description d{std::string(M::info.name),
                std::string(M::info.sentence),
                std::string(M::info.equation),
                std::string(M::info.citation),
                M::info.claims,
                M::info.driven,
                family_of<M>(),
                {},
                {},
                {}};
  const typename M::Params parameters{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    const auto& member = parameters.*(row.member);
    d.parameters.push_back({std::string(row.name), std::string(row.unit),
                            kind_of<std::remove_cvref_t<decltype(member)>>(), row.bounds,
                            given(row.variables), to_value(member), std::string(row.sentence)});
  });
  d.options = describe_options<typename M::Options>();
  for_each_field(M::State::fields, [&](const auto& row) {
    d.states.push_back({std::string(row.name), std::string(row.unit), std::string(row.sentence)});
  });
  return d;
}

template <class M>
const Description& description_of() {
  static const Description once = describe<M>();
  return once;
}

}  // namespace microslip::catalog
