#pragma once

#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "microslip/catalog/erased.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/dual.hpp"

/// What the checks need to treat all laws alike: scalar, with time, planar; double and dual.
/// A law is named by a tag L with a member template Model<Real>.
namespace microslip::laws {

template <class L, class Real = double>
using ModelOf = typename L::template Model<Real>;
template <class L>
using ParamsOf = typename ModelOf<L>::Params;
template <class L>
using OptionsOf = typename ModelOf<L>::Options;

/// A displacement or a force.
template <class M>
using Point = std::conditional_t<PlanarLaw<M>, Vec2<typename M::Scalar>, typename M::Scalar>;
template <class M>
using Reply = std::conditional_t<PlanarLaw<M>, PlanarResponse<typename M::Scalar>,
                                 Response<typename M::Scalar>>;

template <class M>
Reply<M> step(const M& law, const typename M::State& from, const Point<M>& u,
              [[maybe_unused]] double dt, typename M::State& to) noexcept {
  if constexpr (RateDependentLaw<M>)
    return law.step(from, u, dt, to);
  else
    return law.step(from, u, to);
}

/// The law answers a displacement to a load: then the work is that of the load on the answer.
template <class M>
bool driven_by_force(const M& law) {
  if constexpr (requires { law.driven(); })
    return law.driven() == Driven::force;
  else
    return M::info.driven == Driven::force;
}

inline double magnitude(double x) { return std::abs(x); }
template <class Derived>
double magnitude(const Eigen::MatrixBase<Derived>& x) {
  return x.norm();
}
inline double dot(double x, double y) { return x * y; }
inline double dot(const Vec2<double>& x, const Vec2<double>& y) { return x.dot(y); }
inline bool finite(double x) { return std::isfinite(x); }
inline bool finite(const Vec2<double>& x) { return x.allFinite(); }
inline bool finite(const Mat2<double>& x) { return x.allFinite(); }
inline std::string text(double x) { return number_text(x); }
inline std::string text(const Vec2<double>& x) {
  return "(" + text(x[0]) + ", " + text(x[1]) + ")";
}

template <class R>
bool finite_reply(const R& reply) {
  return finite(reply.force) && finite(reply.tangent) && finite(reply.dissipated);
}

/// The numbers of a state or an answer, for comparison bit by bit.
template <class State>
std::vector<double> numbers(const State& state) requires requires {
  State::fields;
}
{
  std::vector<double> result;
  for_each_field(State::fields,
                 [&](const auto& row) { catalog::to_numbers(state.*(row.member), result); });
  return result;
}
inline std::vector<double> numbers(const Response<double>& r) {
  return {r.force, r.tangent, r.dissipated, static_cast<double>(r.status)};
}
inline std::vector<double> numbers(const PlanarResponse<double>& r) {
  return {r.force[0],      r.force[1],      r.tangent(0, 0), r.tangent(0, 1),
          r.tangent(1, 0), r.tangent(1, 1), r.dissipated,    static_cast<double>(r.status)};
}
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

// ------------------------------------------------- scalar entries of a parameter set

/// Calls visit(full name, bounds, number) for each number that can be varied by itself.
template <class Params, class Visit>
void for_each_entry(Params& params, Visit&& visit) {
  for_each_field(std::remove_const_t<Params>::fields, [&](const auto& row) {
    auto& member = params.*(row.member);
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (Number<Member>) {
      visit(std::string(row.name), row.bounds, member);
    } else if constexpr (requires { typename Member::allocator_type; }) {
      for (std::size_t i = 0; i < member.size(); ++i)
        visit(std::string(row.name) + "[" + std::to_string(i + 1) + "]", row.bounds, member[i]);
    }
  });
}

template <class Params>
std::string text_of(const Params& params) {
  std::string result;
  for_each_entry(params, [&](const std::string& name, const Interval&, double x) {
    result += (result.empty() ? "" : ", ") + name + " = " + number_text(x);
  });
  return result;
}

template <class To, class From, std::size_t... I>
void copy_members(const From& from, To& to, std::index_sequence<I...>) {
  [[maybe_unused]] const auto copy = []<class Target>(const auto& source, Target& target) {
    using Source = std::remove_cvref_t<decltype(source)>;
    if constexpr (Number<Target>)
      target = Target(source);
    else if constexpr (std::is_same_v<Source, Target>)
      target = source;
    else if constexpr (std::is_enum_v<Target>)
      target = static_cast<Target>(source);
    else if constexpr (requires { typename Source::allocator_type; }) {
      target.clear();
      for (const auto& x : source) target.emplace_back(x);
    } else
      target = source.template cast<typename Target::Scalar>();
  };
  (copy(from.*(std::get<I>(From::fields).member), to.*(std::get<I>(To::fields).member)), ...);
}

/// The same parameters or options for a law over another kind of number.
template <class To, class From>
To lift(const From& from) {
  To to{};
  copy_members(from, to, std::make_index_sequence<std::tuple_size_v<decltype(From::fields)>>());
  return to;
}

/// Parameters over dual numbers; entry `seed` carries the derivative.
template <class To, class From>
To lift_seeded(const From& from, std::size_t seed) {
  To to = lift<To>(from);
  std::size_t index = 0;
  for_each_entry(to, [&](const std::string&, const Interval&, auto& x) {
    if (index++ == seed) x.v[0] = 1;
  });
  return to;
}

/// Fills a state with what must not matter.
template <class State>
void poison(State& state) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for_each_field(State::fields, [&](const auto& row) {
    auto& member = state.*(row.member);
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_floating_point_v<Member>)
      member = nan;
    else if constexpr (std::is_integral_v<Member>)
      member = static_cast<Member>(77);
    else if constexpr (std::is_same_v<Member, TurningPoints<double>>)
      static_cast<void>(member.push({nan, nan, nan}));
    else if constexpr (std::is_same_v<Member, Vec2<double>>)
      member.setConstant(nan);
    else
      for (auto& x : member) x = nan;
  });
}

}  // namespace microslip::laws
