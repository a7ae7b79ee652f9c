#pragma once

/// The Bouc–Wen equation with coefficients of either sign over a monotone motion:
///
///     y ≥ 0:          dy/dx = A − g yⁿ
///     y < 0, p = −y:  dp/dx = −(A + h pⁿ), until p = 0.
///
/// With g < 0 loading stiffens without limit, for n > 1 to infinity at a finite length; with h < 0 a
/// state beyond (−A/h)^(1/n) never unloads. kernels/bouc_wen.hpp has the closed forms for g, h ≥ 0.
///
/// n = 1 is linear on either side of zero and exact here too. For other n Runge and Kutta's method takes steps over
/// which the slope changes by a hundredth, which is exact to 1e-11.

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/gauss5.hpp"

namespace microslip::bouc_wen {

template <Number Real>
class FreeFlow {
 public:
  constexpr FreeFlow(const Real& A, const Real& g, const Real& h, const Real& n)
      : A_(A), g_(g), h_(h), n_(n) {
    linear_ = value_of(n) == 1;
    if constexpr (!std::is_same_v<Real, double>) linear_ = linear_ && n.v.isZero(0);
  }

  struct Leg {
    Real y, lost;  ///< lost: ∫ y (1 − y'/A) dx, of either sign
    Status status = Status::ok;
  };

  constexpr Leg advance(const Real& y0, const Real& x) const noexcept {
    Leg leg{y0, Real(0)};
    Real left = x;
    if (value_of(y0) < 0) {
      const Real to_zero = crossing(y0);
      if (!(value_of(to_zero) < value_of(x))) return side(y0, x);
      leg = side(y0, to_zero);
      if (leg.status != Status::ok) return leg;
      left = x - to_zero;
      leg.y = Real(0);
    }
    const Leg rest = side(leg.y, left);
    return {rest.y, leg.lost + rest.lost, rest.status};
  }

  constexpr Real slope(const Real& y) const noexcept {
    using std::pow;
    const double value = value_of(y);
    if (value == 0) return A_ - (linear_ ? g_ * y : 0.0 * y);
    if (linear_) return value < 0 ? A_ - h_ * y : A_ - g_ * y;
    return value < 0 ? A_ + h_ * pow(Real(-y), n_) : A_ - g_ * pow(y, n_);
  }

  /// Length of the motion that brings y0 < 0 to zero; infinity if it never does.
  constexpr Real crossing(const Real& y0) const noexcept {
    const double A = value_of(A_), h = value_of(h_), p0 = -value_of(y0);
    const double limit = std::numeric_limits<double>::infinity();
    if (!(A + h * std::pow(p0, value_of(n_)) > 0)) return Real(limit);
    double x;
    if (value_of(n_) == 1) {
      const double w = h * p0 / A;
      x = std::abs(w) < 1e-8 ? p0 / A * (1 - 0.5 * w) : std::log1p(w) / h;
    } else {
      // ∫ dp/(A + h pⁿ): Simpson's rule on pieces of smooth slopes, refined towards zero for n < 1.
      x = 0;
      constexpr int pieces = 400;
      const auto inverse = [&](double s) {
        const double p = p0 * s * s * s;
        return 3 * s * s * p0 / (A + h * std::pow(p, value_of(n_)));
      };
      for (int i = 0; i < pieces; ++i) {
        const double a = static_cast<double>(i) / pieces, b = static_cast<double>(i + 1) / pieces;
        x += (b - a) / 6 * (inverse(a) + 4 * inverse(0.5 * (a + b)) + inverse(b));
      }
    }
    if constexpr (std::is_same_v<Real, double>) {
      return x;
    } else {
      // One step of Newton's method carries the derivatives: y(x) = 0 where the slope is A.
      const Leg leg = side(y0, Real(x));
      return Real(x) - (leg.y - value_of(leg.y)) / A_;
    }
  }

 private:
  /// On one side of zero.
  constexpr Leg side(const Real& y0, const Real& x) const noexcept {
    const bool below = value_of(y0) < 0;
    if (value_of(x) == 0 && !linear_) return {y0 + slope(y0) * x, Real(0)};
    return linear_ ? exact(y0, x, below ? h_ : g_) : stepped(y0, x);
  }

  /// (1 − e^(−s))/s.
  static constexpr Real ramp(const Real& s) noexcept {
    using std::exp;
    if (std::abs(value_of(s)) < 1e-2)
      return 1.0 -
             s / 2.0 *
                 (1.0 -
                  s / 3.0 * (1.0 - s / 4.0 * (1.0 - s / 5.0 * (1.0 - s / 6.0 * (1.0 - s / 7.0)))));
    return (1.0 - exp(-s)) / s;
  }

  /// y' = A − c y, and c/A ∫ y² dx, in which y' y = A y − c y² leaves
  /// ∫ y² dx = (A ∫ y dx − (y² − y0²)/2)/c; short motions take the mean of y² by Simpson's rule.
  constexpr Leg exact(const Real& y0, const Real& x, const Real& c) const noexcept {
    const auto at = [&](const Real& length) {
      return Real(y0 + length * ramp(c * length) * (A_ - c * y0));
    };
    const Real y = at(x);
    if (!std::isfinite(value_of(y))) return {y, y, Status::undefined};
    // Simpson's rule over a fiftieth of the relaxation length is exact to 1e-11 of the loss.
    if (const Real way = c * x; std::abs(value_of(way)) < 0.02) {
      const Real middle = at(0.5 * x);
      return {y, way / A_ * (square(y0) + 4.0 * square(middle) + square(y)) / 6.0};
    }
    // Five nodes of Gauss's rule over half a relaxation length are exact to 1e-13.
    Real lost(0);
    const int pieces = std::min(4000, 1 + static_cast<int>(2 * std::abs(value_of(c * x))));
    for (int i = 0; i < pieces; ++i)
      lost += gauss5<Real>([&](double s) { return square(at(x * ((i + s) / pieces))); }) /
              static_cast<double>(pieces);
    return {y, c / A_ * x * lost};
  }

  Leg stepped(Real y, const Real& x) const noexcept {
    Real lost(0);
    double done = 0;
    const double length = value_of(x), n = value_of(n_);
    // y = 0, a singularity unless n is whole, is left in short steps.
    const double A = value_of(A_);
    const double steepest = std::max(std::abs(value_of(g_)), std::abs(value_of(h_)));
    const double scale = std::pow(A / steepest, 1 / n);
    for (int count = 0; done < 1; ++count) {
      const double size = std::abs(value_of(y));
      const double rate = n * steepest * std::pow(size + 1e-3 * scale, n - 1);
      double part = length > 0 ? std::min({1 - done, 0.01 / (rate * length),
                                           0.04 * (size + 1e-3 * scale) / (A * length)})
                               : 1;
      if (1 - done - part < 1e-12) part = 1 - done;
      if (count > 100000 || !(part > 0) || !std::isfinite(value_of(y)))
        return {y, lost, Status::undefined};
      const Real dx = part * x;
      const Real k1 = slope(y), y2 = y + 0.5 * dx * k1;
      const Real k2 = slope(y2), y3 = y + 0.5 * dx * k2;
      const Real k3 = slope(y3), y4 = y + dx * k3;
      const Real k4 = slope(y4);
      const auto loss = [&](const Real& at, const Real& rate_at) {
        return at * (1.0 - rate_at / A_);
      };
      lost += dx / 6.0 * (loss(y, k1) + 2.0 * loss(y2, k2) + 2.0 * loss(y3, k3) + loss(y4, k4));
      y += dx / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      done += part;
    }
    return {y, lost};
  }

  Real A_, g_, h_, n_;
  bool linear_ = true;
};

}  // namespace microslip::bouc_wen
