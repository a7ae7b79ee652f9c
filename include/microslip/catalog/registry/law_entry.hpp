#pragma once

#include <type_traits>
#include <utility>

#include "microslip/core/any_model.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"

/// How a law enters the catalogue: from its type alone.
namespace microslip::catalog {

/// A law that can be built by name.
struct Law {
  Description description;
  AnyModel (*make)(const ParameterValues&, const OptionValues&);
};

/// By size: a member that the table leaves out makes the struct larger than its rows, beyond the
/// padding of one member. Where pointers are shorter than numbers there are gaps between members as
/// well, and the check is left to other machines.
template <class Table>
constexpr bool describes_all_members() {
  if (sizeof(void*) < sizeof(double)) return true;
  std::size_t described = 0;
  for_each_field(Table::fields, [&](const auto& row) {
    described += sizeof(std::declval<Table>().*(row.member));
  });
  // What a state keeps that follows from its fields.
  if constexpr (requires { Table::kept; }) described += sizeof(std::declval<Table>().*Table::kept);
  return described == 0 ? std::is_empty_v<Table> : sizeof(Table) - described < alignof(Table);
}

/// The entry of a law; a law that does not describe itself wholly does not compile.
template <template <class> class M>
Law make_entry() {
  using L = M<double>;
  static_assert(AnyLaw<L> && AnyLaw<M<WideDual>>,
                "a law must satisfy one of the concepts in core/concepts.hpp");
  static_assert(describes_all_members<typename L::Params>(), "Params::fields leaves out a member");
  static_assert(describes_all_members<typename L::Options>(),
                "Options::fields leaves out a member");
  static_assert(describes_all_members<typename L::State>(), "State::fields leaves out a member");
  static_assert(RateDependentLaw<L> || L::info.claims.rate_independent.verdict == Verdict::holds,
                "a law whose step takes no time is rate-independent");
  static_assert(VectorLaw<L> || L::info.claims.planar_isotropic.verdict == Verdict::not_applicable,
                "only a law with several directions can be isotropic");
  return {describe<L>(), &make_any<L>};
}

}  // namespace microslip::catalog
