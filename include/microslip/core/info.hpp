#pragma once

#include <string_view>

namespace microslip {

enum class Verdict { holds, fails, depends, not_applicable };

/// A tested statement about a law. There is no default: a law that says nothing does not compile.
struct Claim {
  Verdict verdict;
  std::string_view condition;  ///< when it holds, if the verdict is `depends`
  constexpr Claim(Verdict v, std::string_view when = "") : verdict(v), condition(when) {}
};

inline constexpr Claim holds{Verdict::holds};
inline constexpr Claim fails{Verdict::fails};
inline constexpr Claim not_applicable{Verdict::not_applicable};
constexpr Claim depends(std::string_view condition) {
  if (condition.empty()) throw "a claim that depends needs its condition";
  return {Verdict::depends, condition};
}

/// One place for the eight claims, in the order in which they are listed everywhere.
struct Claims {
  Claim odd;                  ///< f[−u] = −f[u]
  Claim rate_independent;     ///< the speed of the motion does not matter
  Claim masing;               ///< branches are the doubled backbone
  Claim return_point_memory;  ///< after an excursion the law returns to the path it left
  Claim minor_loops_close;    ///< a small unload–reload excursion ends where it began
  Claim dissipative;          ///< no cycle creates energy
  Claim bounded;              ///< the force stays finite however far the motion goes
  Claim planar_isotropic;     ///< turning the path in the plane turns the force (x, y)

  static constexpr std::string_view names[] = {"odd",
                                               "rate_independent",
                                               "masing",
                                               "return_point_memory",
                                               "minor_loops_close",
                                               "dissipative",
                                               "bounded",
                                               "planar_isotropic"};
  static constexpr Claim Claims::*members[] = {&Claims::odd,
                                               &Claims::rate_independent,
                                               &Claims::masing,
                                               &Claims::return_point_memory,
                                               &Claims::minor_loops_close,
                                               &Claims::dissipative,
                                               &Claims::bounded,
                                               &Claims::planar_isotropic};
};

/// The quantity in column `u` that the law takes as its input.
enum class Driven { displacement, force };

/// The size of a law's state: known from the law alone, or growing with its parameters or with the reversals it
/// remembers. A law with a state of fixed size is `constexpr`, and runs on a GPU.
enum class StateSize { fixed, growing };

/// How a law introduces itself. Every member is required.
struct Info {
  std::string_view name;      ///< kebab-case, as on the command line
  std::string_view sentence;  ///< what it is, in one sentence
  std::string_view equation;  ///< the law in Unicode maths
  std::string_view citation;
  Claims claims;
  Driven driven = Driven::displacement;
};

/// For static_assert: nothing that a reader needs is left out.
constexpr bool complete(const Info& info) {
  return !info.name.empty() && !info.sentence.empty() && !info.equation.empty() &&
         !info.citation.empty();
}

}  // namespace microslip
