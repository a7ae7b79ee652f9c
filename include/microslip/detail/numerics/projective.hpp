#pragma once

#include <cmath>
#include <limits>

#include "microslip/core/dual.hpp"
#include "microslip/detail/numerics/planar.hpp"

/// A quadratic equation in the plane that is linear in disguise:
///
///     dz/ds = a − (b·z) z,   z(0) = z₀.
///
/// Put z = y/w with w' = b·y; then y' = a w, and w'' = m w with m = a·b. So with C, S, D the
/// solutions cosh, sinh/√m, (cosh − 1)/m of √m s (cos, sin, 1 − cos where m < 0)
///
///     w = C + (b·z₀) S,   y = z₀ + a (S + (b·z₀) D).
///
/// A planar slider on its circle and the planar Bouc–Wen laws with n = 2 move like this.
namespace microslip {
namespace projective {

/// C, S and D at s = 1, all divided by the same exp(log_scale), which keeps them finite.
template <Number Real>
struct Growth {
  Real C, S, D;
  Real one;  ///< what 1 becomes: exp(−log_scale)
  Real log_scale;
};

template <Number Real>
constexpr Growth<Real> growth(const Real& m) noexcept {
  using std::cos, std::exp, std::sin, std::sqrt;
  const double size = std::abs(value_of(m));
  if (size <= 1) {
    Real S(1), D(0.5);  // series by Horner's scheme; 1/20!, 0.01^4/10! and 1e-6^2/6! are rounding
    for (int k = size < 1e-6 ? 2 : size < 0.01 ? 4 : 9; k >= 1; --k) {
      S = 1.0 + (1.0 / (2 * k * (2 * k + 1))) * (S * m);
      D = 0.5 + (1.0 / ((2 * k + 1) * (2 * k + 2))) * (D * m);
    }
    return {1.0 + m * D, S, D, Real(1), Real(0)};
  }
  if (value_of(m) > 0) {
    const Real x = sqrt(m);
    const Real one = exp(-x), decay = square(one);
    return {0.5 * (1.0 + decay), 0.5 * (1.0 - decay) / x, 0.5 * (1.0 + decay - 2.0 * one) / m, one,
            x};
  }
  const Real x = sqrt(-m);
  return {cos(x), sin(x) / x, (cos(x) - 1.0) / m, Real(1), Real(0)};
}

template <Number Real>
struct Arc {
  Vec2<Real> z;
  Real log_w;  ///< ln w(1) = ∫ b·z ds
};

/// From z0 over s = 0 … 1.
template <Number Real>
constexpr Arc<Real> advance(const Vec2<Real>& a, const Vec2<Real>& b,
                            const Vec2<Real>& z0) noexcept {
  using std::log, std::log1p;
  const Real m = dot(a, b), rate = dot(b, z0);
  const Growth<Real> g = growth(m);
  const Real w = g.C + rate * g.S;
  const Real y = g.S + rate * g.D;
  const Vec2<Real> z{(z0[0] * g.one + a[0] * y) / w, (z0[1] * g.one + a[1] * y) / w};
  const bool small = value_of(g.log_scale) == 0;
  return {z, small ? Real(log1p(m * g.D + rate * g.S)) : Real(g.log_scale + log(w))};
}

/// artanh(√q)/√q, artan for q < 0; infinite from q = 1 on.
template <Number Real>
constexpr Real artanh_quotient(const Real& q) noexcept {
  using std::atan, std::log1p, std::sqrt;
  const double v = value_of(q);
  if (std::abs(v) < 0.02) {
    Real sum(1.0 / 17);
    for (int k = 7; k >= 0; --k) sum = 1.0 / (2 * k + 1) + sum * q;  // 0.02^9/19 < 1e-16
    return sum;
  }
  if (v >= 1) return Real(std::numeric_limits<double>::infinity());
  if (v < 0) {
    const Real x = sqrt(-q);
    return atan(x) / x;
  }
  const Real x = sqrt(q);
  return 0.5 * log1p(2.0 * x / (1.0 - x)) / x;
}

/// The s at which c·z, negative at s = 0, reaches zero; infinite if it never does. With
/// T = tanh(√m s/2)/√m the condition c·y = 0 is a quadratic in T.
template <Number Real>
constexpr Real crossing(const Vec2<Real>& a, const Vec2<Real>& b, const Vec2<Real>& z0,
                        const Vec2<Real>& c) noexcept {
  using std::sqrt;
  const Real before = dot(c, z0), push = dot(c, a), m = dot(a, b);
  const Real square_part = square(push) - before * (2.0 * dot(b, z0) * push - m * before);
  if (!(value_of(push) > 0) || !(value_of(square_part) > 0))
    return Real(std::numeric_limits<double>::infinity());
  const Real T = -before / (push + sqrt(square_part));
  return 2.0 * T * artanh_quotient(Real(m * T * T));
}

}  // namespace projective
}  // namespace microslip
