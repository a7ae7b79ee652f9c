#pragma once

#include <cmath>

#include "microslip/core/dual.hpp"
#include "microslip/detail/numerics/integral.hpp"

/// The curve that rounds the corner between two straight lines (Goldberg and Richard; Menegotto and
/// Pinto; Richard and Abbott):
///
///     h(x) = x (1 + x^m)^(−1/m),   x ≥ 0,
///
/// from slope 1 at the origin to the level 1 far out; the larger m, the sharper the knee at x = 1.
namespace microslip {

template <Number Real>
struct RoundedKnee {
  Real m;

  constexpr Real at(const Real& x) const noexcept {
    using std::exp, std::log1p;
    if (!(x > least)) return x;
    const bool far = x > 1.0;
    const Real rounded = exp(-log1p(share(x, far)) / m);
    return far ? rounded : x * rounded;
  }
  /// h' = (1 + x^m)^(−1/m − 1).
  constexpr Real slope(const Real& x) const noexcept {
    using std::exp, std::log, std::log1p;
    if (!(x > least)) return Real(1);
    const bool far = x > 1.0;
    const Real rounded = exp(-(1.0 / m + 1.0) * log1p(share(x, far)));
    return far ? rounded * exp(-(m + 1.0) * log(x)) : rounded;
  }
  /// ∫ h from a to b, 0 ≤ a ≤ b: quadrature with error control, far out over the logarithm.
  [[gnu::noinline]] constexpr Real integral(const Real& a, const Real& b) const noexcept {
    using std::exp, std::log;
    constexpr double edge = 2;
    Real sum(0);
    if (a < edge) {
      const Real end = b < edge ? b : Real(edge);
      sum += (end - a) * unit_integral<Real>([&](double s) { return at(a + s * (end - a)); });
    }
    if (b > edge) {
      const Real start = a < edge ? Real(edge) : a;
      const Real way = log(b / start);
      sum += way * unit_integral<Real>([&](double s) {
               const Real x = start * exp(s * way);
               return x * at(x);
             });
    }
    return sum;
  }

 private:
  static constexpr double least = 1e-300;  ///< below, 1/x may overflow

  /// x^m, or its inverse where x is large, so that neither overflows.
  constexpr Real share(const Real& x, bool far) const noexcept {
    using std::exp, std::log;
    return exp((far ? -m : m) * log(x));
  }
};

}  // namespace microslip
