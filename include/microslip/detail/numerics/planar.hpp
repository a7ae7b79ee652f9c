#pragma once

#include <tuple>
#include <type_traits>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"

/// For laws in the plane: the tangent, a 2×2 matrix, from the lines that give the force, run with
/// two more derivatives.
namespace microslip {

template <class Real>
struct AlongPlaneOf {
  using Type = Dual<2>;
};
template <int N>
struct AlongPlaneOf<Dual<N>> {
  using Type = Dual<N + 2>;
};

/// `Real` and its derivatives with respect to the displacement at the end of the step, the last
/// two.
template <Number Real>
using AlongPlane = typename AlongPlaneOf<Real>::Type;

template <Number Real>
constexpr AlongPlane<Real> plane_fixed(const Real& x) {
  AlongPlane<Real> result(value_of(x));
  if constexpr (!std::is_same_v<Real, double>) result.v.template head<Real::DIMENSION>() = x.v;
  return result;
}
template <Number Real>
constexpr Vec2<AlongPlane<Real>> plane_fixed(const Vec2<Real>& x) {
  return {plane_fixed<Real>(x[0]), plane_fixed<Real>(x[1])};
}

/// The displacement itself.
template <Number Real>
constexpr Vec2<AlongPlane<Real>> plane_moving(const Vec2<Real>& u) {
  Vec2<AlongPlane<Real>> result = plane_fixed<Real>(u);
  for (int i = 0; i < 2; ++i) result[i].v[result[i].v.size() - 2 + i] = 1;
  return result;
}

/// Without the derivatives along the motion.
template <Number Real>
constexpr Real plane_settled(const AlongPlane<Real>& x) {
  if constexpr (std::is_same_v<Real, double>) {
    return x.a;
  } else {
    Real result(x.a);
    result.v = x.v.template head<Real::DIMENSION>();
    return result;
  }
}
template <Number Real>
constexpr Vec2<Real> plane_settled(const Vec2<AlongPlane<Real>>& x) {
  return {plane_settled<Real>(x[0]), plane_settled<Real>(x[1])};
}

/// ∂f/∂u, plain numbers: they carry no derivatives of their own.
template <Number Real>
constexpr Mat2<Real> plane_tangent(const Vec2<AlongPlane<Real>>& f) {
  Mat2<Real> result;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) result(i, j) = Real(f[i].v[f[i].v.size() - 2 + j]);
  return result;
}

template <Number Real>
constexpr Vec2<Real> zero_vector() {
  return {Real(0), Real(0)};
}
template <Number Real>
constexpr Real dot(const Vec2<Real>& x, const Vec2<Real>& y) {
  return x[0] * y[0] + x[1] * y[1];
}
inline Vec2<double> value_of(const Vec2<double>& x) { return x; }
template <int N>
Vec2<double> value_of(const Vec2<Dual<N>>& x) {
  return {x[0].a, x[1].a};
}

}  // namespace microslip
