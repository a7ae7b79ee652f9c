#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The list of the members of a request or of a result, from which its text form is both written
/// and read (text.hpp):
///
///     struct DampingRequest {
///       std::vector<double> amplitudes;
///       double omega = 1;
///       static constexpr std::string_view schema = "microslip.damping-request/1";
///       static constexpr auto members = std::tuple{member("amplitudes", &DampingRequest::amplitudes),
///                                                  member("omega", &DampingRequest::omega)};
///     };
///
/// A member that is not in the list does not compile: `lists_all_members` compares it with the
/// aggregate.
namespace microslip::jobs {

enum class Written {
  always,
  unless_empty,  ///< left out where it is empty
  in_place,      ///< its keys stand beside those of the other members
  never,         ///< for callers in C++ only: what the text says in other words, or in less
};

/// A row of the list.
template <class Owner, class T, Written when>
struct Member {
  using Value = T;
  static constexpr Written written = when;
  std::string_view name;
  T Owner::*pointer;
};

template <class Owner, class T>
constexpr Member<Owner, T, Written::always> member(std::string_view name, T Owner::*pointer) {
  return {name, pointer};
}
template <class Owner, class T>
constexpr Member<Owner, T, Written::unless_empty> member_if_any(std::string_view name,
                                                                T Owner::*pointer) {
  return {name, pointer};
}
template <class Owner, class T>
constexpr Member<Owner, T, Written::in_place> member_in_place(T Owner::*pointer) {
  return {"", pointer};
}
template <class Owner, class T>
constexpr Member<Owner, T, Written::never> not_in_text(T Owner::*pointer) {
  return {"", pointer};
}

/// The list of a struct that other folders own; a specialisation is a tuple as above.
struct NoMembers {};
template <class T>
inline constexpr NoMembers members_of{};
template <class T>
requires requires { T::members; }
inline constexpr auto members_of<T> = T::members;

/// The first key of its text form, "microslip.fit/1"; none where it is a part of another one.
template <class T>
inline constexpr std::string_view schema_of{};
template <class T>
requires requires { T::schema; }
inline constexpr std::string_view schema_of<T> = T::schema;

template <class T>
concept Listed = !std::is_same_v<std::remove_cv_t<decltype(members_of<T>)>, NoMembers>;

namespace detail {
template <class T, class... Row>
constexpr bool is_whole_list(const std::tuple<Row...>*) {
  // The listed members fill the aggregate in their order, and there is no room for another one.
  return requires { T{std::declval<typename Row::Value>()...}; }
  &&!requires { T{std::declval<typename Row::Value>()..., {}}; };
}
}  // namespace detail

/// Whether the list names every member of the struct, in the order of their declaration.
template <Listed T>
constexpr bool lists_all_members() {
  return detail::is_whole_list<T>(static_cast<decltype(&members_of<T>)>(nullptr));
}

/// visit(row) for each row of the list.
template <Listed T, class Visit>
constexpr void each_member(Visit&& visit) {
  static_assert(lists_all_members<T>(),
                "a member is missing in the list `members`, or stands in another order there");
  std::apply([&](const auto&... row) { (visit(row), ...); }, members_of<T>);
}

}  // namespace microslip::jobs
