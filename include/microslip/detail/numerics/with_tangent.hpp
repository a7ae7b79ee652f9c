#pragma once

#include <type_traits>

#include "microslip/core/dual.hpp"

/// For laws whose tangent has no short formula: the same lines, run with one more derivative, that
/// along the motion, give it to rounding.
namespace microslip {

template <class Real>
struct WithTangentOf {
  using Type = Dual<1>;
};
template <int N>
struct WithTangentOf<Dual<N>> {
  using Type = Dual<N + 1>;
};

/// `Real` and its derivative with respect to the displacement at the end of the step, the last one.
template <Number Real>
using WithTangent = typename WithTangentOf<Real>::Type;

inline Dual<1> fixed(double x) { return Dual<1>(x); }
template <int N>
constexpr Dual<N + 1> fixed(const Dual<N>& x) {
  Dual<N + 1> result(x.a);
  result.v.template head<N>() = x.v;
  return result;
}

/// The displacement itself.
template <Number Real>
constexpr WithTangent<Real> moving(const Real& u) {
  WithTangent<Real> result = fixed(u);
  result.v[result.v.size() - 1] = 1;
  return result;
}

/// Without the derivative along the motion.
template <Number Real>
constexpr Real settled(const WithTangent<Real>& x) {
  if constexpr (std::is_same_v<Real, double>) {
    return x.a;
  } else {
    Real result(x.a);
    result.v = x.v.template head<Real::DIMENSION>();
    return result;
  }
}

/// The derivative along the motion, a plain number: it carries no derivatives of its own.
template <int N>
constexpr double slope_along(const Dual<N>& x) {
  return x.v[N - 1];
}

}  // namespace microslip
