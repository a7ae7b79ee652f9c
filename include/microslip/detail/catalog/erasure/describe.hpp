#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/description.hpp"
#include "microslip/detail/numerics/expression.hpp"

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
  if constexpr (VectorLaw<M>)
    return Family::planar;
  else if constexpr (RateDependentLaw<M>)
    return Family::rate_dependent;
  else
    return Family::rate_independent;
}

/// The names of a row without the empty ones at its end.
std::vector<std::string> given(std::span<const std::string_view> names);

Description make_description(const Info& info, Family family);
void add_parameter(Description& d, std::string_view name, std::string_view unit, Kind kind,
                   const Interval& bounds, std::span<const std::string_view> variables,
                   Value standard, std::string_view sentence);
void add_option(std::vector<OptionInfo>& options, std::string_view name, const Interval& bounds,
                std::span<const std::string_view> choices, double standard,
                std::string_view sentence);
void add_state(Description& d, std::string_view name, std::string_view unit,
               std::string_view sentence);

template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> rows;
  const Options options{};
  for_each_field(Options::fields, [&](const auto& row) {
    add_option(rows, row.name, row.bounds, row.choices, static_cast<double>(options.*(row.member)),
               row.sentence);
  });
  return rows;
}

template <class M>
Description describe() {
  Description d = make_description(M::info, family_of<M>());
  d.state = state_size<M>;
  d.rigid = RigidLaw<M>;
  if constexpr (VectorLaw<M>) d.directions = given(M::directions);
  if constexpr (LoadedLaw<M>) d.friction_limits = given(M::friction_limits);
  const typename M::Params parameters{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    const auto& member = parameters.*(row.member);
    add_parameter(d, row.name, row.unit, kind_of<std::remove_cvref_t<decltype(member)>>(),
                  row.bounds, row.variables, to_value(member), row.sentence);
  });
  d.options = describe_options<typename M::Options>();
  if constexpr (requires { M::fit_hints(); }) d.fit_hints = M::fit_hints();
  for_each_field(M::State::fields,
                 [&](const auto& row) { add_state(d, row.name, row.unit, row.sentence); });
  return d;
}

template <class M>
const Description& description_of() {
  static const Description once = describe<M>();
  return once;
}

}  // namespace microslip::catalog
