#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/description.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/catalog/erasure/describe.hpp"
#include "microslip/detail/kernels/turning_points.hpp"

/// Run-time values into a law's own structs, and its states as numbers and back.
namespace microslip::catalog {

// ------------------------------------------------- values into a law's structs

/// All values of the law: those that are given and the standard ones. Refuses names that the law
/// does not have.
ParameterValues completed(const Description& law, const ParameterValues& given);
OptionValues completed(const Description& law, const OptionValues& given);

/// nullptr where the name has no value.
const Value* find(const ParameterValues& values, std::string_view name);
const OptionValue* find(const OptionValues& values, std::string_view name);
/// The numbers of one field of a saved state; Error if it has none.
const std::vector<double>& numbers_of(const StateRecord& record, std::string_view law,
                                      std::string_view name);
[[noreturn]] void refuse_numbers(std::string_view law, std::string_view name);

[[noreturn]] void refuse(std::string_view law, std::string_view name, const Value& value,
                         std::string_view wanted);
[[noreturn]] void refuse_count(std::string_view law, std::string_view name, std::size_t wanted,
                               std::size_t given);
/// The number or the place among the choices that an option's value means.
double option_number(std::string_view law, std::string_view name, const OptionValue& value,
                     const Interval& bounds, bool whole);
std::size_t option_choice(std::string_view law, std::string_view name, const OptionValue& value,
                          const std::array<std::string_view, 8>& choices);

// `take` sets a member if its name has a value. These functions know nothing of a law's type, so that
// all laws share them; inlined into each law they took a tenth of its time to compile.

template <class Real>
[[gnu::noinline]] void take(const ParameterValues& values, std::string_view law,
                            std::string_view name, Real& member) requires Number<Real> {
  const Value* const value = find(values, name);
  if (!value) return;
  if (const auto* number = std::get_if<double>(value))
    member = Real(*number);
  else
    refuse(law, name, *value, "one number");
}
template <class Real>
[[gnu::noinline]] void take(const ParameterValues& values, std::string_view law,
                            std::string_view name, std::vector<Real>& member) {
  const Value* const value = find(values, name);
  if (!value) return;
  const auto* list = std::get_if<std::vector<double>>(value);
  const auto* number = std::get_if<double>(value);
  if (!list && !number) refuse(law, name, *value, "a list of numbers");
  member.clear();
  if (number) member.emplace_back(*number);
  if (list)
    for (const double x : *list) member.emplace_back(x);  // a dual number is made, not assigned
}
template <class Real>
[[gnu::noinline]] void take(const ParameterValues& values, std::string_view law,
                            std::string_view name, Matrix<Real>& member) {
  const Value* const value = find(values, name);
  if (!value) return;
  if (const auto* matrix = std::get_if<Matrix<double>>(value))
    member = matrix->template cast<Real>();
  else if (const auto* number = std::get_if<double>(value))
    member = Matrix<Real>::Constant(1, 1, Real(*number));
  else
    refuse(law, name, *value, "a matrix, row by row");
}
void take(const ParameterValues& values, std::string_view law, std::string_view name,
          const Variables& variables, Expression& member);

template <class M>
typename M::Params params_from(const ParameterValues& values) {
  typename M::Params params{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    auto& member = params.*(row.member);
    if constexpr (std::is_same_v<decltype(member), Expression&>)
      take(values, M::info.name, row.name, row.variables, member);
    else
      take(values, M::info.name, row.name, member);
  });
  return params;
}

/// A value with derivatives; it has as many numbers as the plain value it replaces.
void take(const DualValues& values, std::string_view law, std::string_view name, WideDual& member);
void take(const DualValues& values, std::string_view law, std::string_view name,
          std::vector<WideDual>& member);
void take(const DualValues& values, std::string_view law, std::string_view name,
          Matrix<WideDual>& member);
/// Throws if there are derivatives: a formula has none.
void take(const DualValues& values, std::string_view law, std::string_view name,
          Expression& member);

template <class M>
typename M::Params params_from(const ParameterValues& values, const DualValues& derivatives) {
  typename M::Params params = params_from<M>(values);
  for_each_field(M::Params::fields, [&](const auto& row) {
    take(derivatives, M::info.name, row.name, params.*(row.member));
  });
  return params;
}

template <class Member>
void assign_option(std::string_view law, const auto& row, const OptionValue& value,
                   Member& member) {
  if constexpr (std::is_enum_v<Member>)
    member = static_cast<Member>(option_choice(law, row.name, value, row.choices));
  else
    member = static_cast<Member>(
        option_number(law, row.name, value, row.bounds, std::is_integral_v<Member>));
}

template <class M>
typename M::Options options_from(const OptionValues& values) {
  typename M::Options options{};
  for_each_field(M::Options::fields, [&](const auto& row) {
    if (const auto* value = find(values, row.name))
      assign_option(M::info.name, row, *value, options.*(row.member));
  });
  return options;
}

// ------------------------------------------------------------ states as numbers

void to_numbers(double x, std::vector<double>& out);
template <class Range>
requires requires(const Range& range) { range.begin(); }
void to_numbers(const Range& range, std::vector<double>& out) {
  for (const auto& x : range) to_numbers(x, out);
}
template <int N>
void to_numbers(const Eigen::Matrix<double, N, 1>& x, std::vector<double>& out) {
  out.insert(out.end(), x.data(), x.data() + N);
}
void to_numbers(const TurningPoints<double>& points, std::vector<double>& out);

/// False when the numbers do not fit the member.
bool from_numbers(const std::vector<double>& in, double& x);
bool from_numbers(const std::vector<double>& in, int& x);
/// A vector of a state has the length that the law's rest state gives it.
bool from_numbers(const std::vector<double>& in, std::vector<double>& x);
template <int N>
bool from_numbers(const std::vector<double>& in, Eigen::Matrix<double, N, 1>& x) {
  if (in.size() != N) return false;
  std::copy(in.begin(), in.end(), x.data());
  return true;
}
bool from_numbers(const std::vector<double>& in, TurningPoints<double>& points);
template <std::size_t N>
bool from_numbers(const std::vector<double>& in, std::array<double, N>& x) {
  if (in.size() != N) return false;
  std::copy(in.begin(), in.end(), x.begin());
  return true;
}

/// Where the numbers of a member lie.
template <class Real>
void find_numbers(Real& x, std::vector<Real*>& out) requires Number<Real> {
  out.push_back(&x);
}
template <class Real>
void find_numbers(int&, std::vector<Real*>&) {}
template <class Real>
void find_numbers(TurningPoints<Real>& points, std::vector<Real*>& out) {
  for (std::size_t i = 0; i < points.size(); ++i)
    out.insert(out.end(), {&points[i].u, &points[i].f, &points[i].stored});
}
template <class Real, class List>
void find_numbers(List& list, std::vector<Real*>& out) requires requires {
  list.data();
}
{
  for (Real* x = list.data(); x != list.data() + list.size(); ++x) out.push_back(x);
}

/// Of a state, u first; see StateNumbers.
template <class State, class Real>
Memory find_state_numbers(State& state, Numbers which, std::vector<Real*>& out) {
  out.clear();
  Memory memory = Memory::fixed;
  bool all = true;
  find_numbers(state.u, out);
  for_each_field(State::fields, [&](const auto& row) {
    auto& member = state.*(row.member);
    if constexpr (std::is_same_v<decltype(member), TurningPoints<Real>&>) {
      memory = Memory::growing;
      all = all && (which == Numbers::with_reversals || member.empty());
    }
    if (row.name != "u") find_numbers(member, out);
  });
  if (!all) out.clear();
  // They may be written to.
  if constexpr (requires { state.forget(); }) state.forget();
  return memory;
}

/// One for each number of a member that find_numbers finds.
template <class Member>
void add_parities(const Member& member, Parity parity, std::vector<Parity>& out) {
  if constexpr (Number<Member>)
    out.push_back(parity);
  else if constexpr (requires { requires Number<std::remove_cvref_t<decltype(*member.data())>>; })
    out.insert(out.end(), static_cast<std::size_t>(member.size()), parity);
}
/// Of find_state_numbers without reversals.
template <class State>
void find_state_parities(const State& state, std::vector<Parity>& out) {
  out.clear();
  add_parities(state.u, Parity::odd, out);
  for_each_field(State::fields, [&](const auto& row) {
    if (row.name != "u") add_parities(state.*(row.member), row.parity, out);
  });
}

}  // namespace microslip::catalog
