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
  /// ∫ h from a to b, 0 ≤ a ≤ b: quadrature with error control. A sharp knee is narrow, and a rule over x may
  /// miss one next to an end: there what h lacks of the two lines is integrated by a variable of its own.
  [[gnu::noinline]] constexpr Real integral(const Real& a, const Real& b) const noexcept {
    if (!(m > sharp)) return over_way(a, b);
    Real sum(0);
    if (a < 1.0) {
      const Real end = b < 1.0 ? b : Real(1);
      sum += 0.5 * (end - a) * (end + a) - lacking_before(a, end);
    }
    if (b > 1.0) {
      const Real start = a < 1.0 ? Real(1) : a;
      sum += (b - start) - lacking_beyond(start, b);
    }
    return sum;
  }

 private:
  static constexpr double least = 1e-300;  ///< below, 1/x may overflow
  static constexpr double sharp = 8;   ///< m from which a rule over x does not always see the knee
  static constexpr double faded = 40;  ///< exp(−faded) is nothing

  /// By x, far out by its logarithm.
  constexpr Real over_way(const Real& a, const Real& b) const noexcept {
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

  /// ∫ (x − h) from a to b ≤ 1, by y = m ln x: then the knee has the width 1 for any m.
  constexpr Real lacking_before(const Real& a, const Real& b) const noexcept {
    using std::exp, std::expm1, std::log, std::log1p;
    if (!(b > least)) return Real(0);
    const Real end = m * log(b);
    Real way(faded);
    if (const Real whole = a > least ? Real(m * log1p((b - a) / a)) : way; whole < way) way = whole;
    return way / m * unit_integral<Real>([&](double s) {
             const Real y = end - s * way;
             return exp(2.0 / m * y) * -expm1(-log1p(exp(y)) / m);
           });
  }
  /// ∫ (1 − h) from 1 ≤ a to b, likewise.
  constexpr Real lacking_beyond(const Real& a, const Real& b) const noexcept {
    using std::exp, std::expm1, std::log, std::log1p;
    const Real start = m * log(a), whole = m * log1p((b - a) / a);
    const double most = faded / (1 - 1 / sharp);
    const Real way = whole < most ? whole : Real(most);
    return way / m * unit_integral<Real>([&](double s) {
             const Real y = start + s * way;
             return exp(y / m) * -expm1(-log1p(exp(-y)) / m);
           });
  }

  /// x^m, or its inverse where x is large, so that neither overflows.
  constexpr Real share(const Real& x, bool far) const noexcept {
    using std::exp, std::log;
    return exp((far ? -m : m) * log(x));
  }
};

}  // namespace microslip
