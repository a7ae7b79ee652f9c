#pragma once

/// # dahl: solid friction as a stress–strain curve
///
///     dz/du = σ₀ |r|ⁿ sgn r,   r = 1 − d z/zc,   f = z,   d = sgn u'
///
/// r is the distance from the friction limit in the direction of the motion, 0 at the limit, 1 at
/// z = 0 and 2 at the opposite limit. n = 0 is the elastic-plastic element `jenkins`, n = 1 is
/// `bouc`; n < 1 describes brittle materials, which reach their limit after a finite motion, and
/// n ≥ 1 ductile ones.
///
/// Over the length X = σ₀|Δu|/zc the equation dr/dX = −rⁿ has the solution
///
///     r ← r exp(−τ ln(1 + q)/q),   τ = X rⁿ⁻¹,  q = (n − 1) τ,   and r ← 0 when q ≤ −1,
///
/// smooth through n = 1. (The power form (1 + q)^(1/(1−n)) loses its digits there.)
///
/// Energy: Ψ = z²/(2σ₀). The rest of the work, (zc²/σ₀) ∫ (1 − r)(1 − rⁿ) dX ≥ 0, is lost; with
/// dX = −r⁻ⁿ dr it is X − ∫ r¹⁻ⁿ dr − ∫ (1 − r) dr in closed form. Over a short step, and for large
/// n, where z stays far below zc, that is a difference of nearly equal numbers; there s = 1 − r is
/// the variable (below).

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/numerics/gauss5.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {

template <Number Real>
class Dahl {
 public:
  using Scalar = Real;

  struct Params {
    Real sigma0{1};
    Real zc{1};
    Real n{1};

    static constexpr auto fields = std::tuple{
        field(&Params::sigma0, "sigma0", "F/L", positive, "stiffness at rest"),
        field(&Params::zc, "zc", "F", positive, "friction force that sliding tends to"),
        field(&Params::n, "n", "1", non_negative, "shape: 0 elastic-plastic, 1 exponential"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "dahl",
      .sentence = "Solid friction that approaches its limit along a stress-strain curve.",
      .equation = "dz/du = σ₀ |r|ⁿ sgn r,  r = 1 − (z/zc) sgn u',  f = z",
      .citation =
          "P. R. Dahl, Solid friction damping of mechanical vibrations, AIAA Journal 14 (1976) "
          "1675–1682, doi:10.2514/3.61511",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("n = 0"),
                 .return_point_memory = depends("n = 0"),
                 .minor_loops_close = depends("n = 0"),
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Dahl(const Params& params, const Options& options = {})
      : Dahl(checked_fields(info.name, params), options, were_checked) {}
  constexpr Dahl(const Params& params, const Options&, WereChecked) noexcept : p_(params) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from.f, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    const Real length = p_.sigma0 * d * (u - from.u) / p_.zc;
    const Real before = distance(from.f, direction);
    const Real start = d * from.f / p_.zc;
    Approach after;
    Real lost;
    if (relaxes(before)) {
      const auto decay = relaxation::decay(length);
      after = {before * decay.keep, before * (length * decay.ramp), length};
      lost = square(p_.zc) / p_.sigma0 * decay.lost(start, length);
    } else {
      after = approach(before, start, length);
      lost = square(p_.zc) / p_.sigma0 * loss(before, start, after, length);
    }
    to.u = u;
    // Near the limit from r, far from it as a change, so that a tiny step keeps its digits.
    to.f = after.r < 0.5 ? d * p_.zc * (1.0 - after.r) : from.f + d * p_.zc * after.gain;
    to.direction = direction;
    return {to.f, tangent(to.f, direction), lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    return square(state.f) / (2.0 * p_.sigma0);
  }

  /// For n < 1, where the limit is reached.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    using std::pow;
    const double d = direction;
    const Real r = distance(state.f, direction);
    if (p_.n < 1.0 && r > 0.0) {
      const Real m = 1.0 - p_.n;
      const Real kink = state.u + d * p_.zc / p_.sigma0 * pow(r, m) / m;
      if (d * (kink - state.u) > 0.0) return kink;
    }
    return Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  constexpr Real distance(const Real& z, int direction) const noexcept {
    return 1.0 - static_cast<double>(direction) * z / p_.zc;
  }

  struct Approach {
    Real r;
    Real gain;  ///< what r lost
    Real way;   ///< −ln of what is left of r, if any is
  };
  /// n = 1 in plain numbers: s = 1 − r follows ds/dX = 1 − s and loses ∫ s² dX (kernels/relaxation.hpp).
  constexpr bool relaxes(const Real& r) const noexcept {
    if constexpr (std::is_same_v<Real, double>)
      return p_.n == 1 && r > 0;
    else
      return false;
  }
  constexpr bool steep() const noexcept { return value_of(p_.n) > 50; }

  /// r^m, from s = 1 − r where that has more digits.
  constexpr Real power(const Real& r, const Real& s, const Real& m) const noexcept {
    using std::exp, std::log1p, std::pow;
    if constexpr (std::is_same_v<Real, double>) {
      if (m == 1) return r;
    }
    return steep() && value_of(s) < 0.5 ? exp(m * log1p(Real(-s))) : pow(r, m);
  }

  constexpr Approach approach(const Real& r, const Real& s, const Real& length) const noexcept {
    using std::exp, std::expm1;
    if (!(r > 0.0)) return {Real(0), Real(0), Real(0)};
    const Real tau = length * power(r, s, p_.n - 1.0);
    const Real q = (p_.n - 1.0) * tau;
    if (q <= -1.0) return {Real(0), r, Real(0)};
    const Real way = tau * log1prel(q);
    const Real gain = -r * expm1(Real(-way));
    return {gain < 0.5 * r ? r - gain : Real(r * exp(-way)), gain, way};
  }

  /// ∫ (1 − r)(1 − rⁿ) dX.
  constexpr Real loss(const Real& r, const Real& s, const Approach& after,
                      const Real& length) const noexcept {
    if (!(r > 0.0)) return length;
    const Real tau = length * power(r, s, p_.n - 1.0);
    // Of X, the loss is some n s², and the closed form knows it to a rounding of X.
    const double n = value_of(p_.n), a = value_of(s), b = a + value_of(after.gain);
    const bool little = steep() || n * std::max(a * a, b * b) < 0.01;
    // (n − 1) τ < 0.1 keeps the pole of the integrand ten steps away, r > 0.1 that of ln r.
    if (little && value_of(r) > 0.1 && (n + 1) * value_of(tau) < 0.1)
      return short_loss(r, s, tau, length);
    if (steep()) return steep_loss(s, after, tau, length);
    const Real elastic = after.gain * (1.0 - 0.5 * (r + after.r));
    const Real lost = length - power_integral(r, after, 2.0 - p_.n) - elastic;
    return lost < 0.0 ? lost - value_of(lost) : lost;  // rounding
  }

  /// Large n. With A = r^(1−n) at the start both integrals are (n − 1) X = ΔA and
  /// (n − 2) ∫ r¹⁻ⁿ dr = (r A) at the end less at the start, so that
  ///     X − ∫ r¹⁻ⁿ dr = X ((n − 1) s₁ − 1 + Δs/τ)/(n − 2),   τ = X/A.
  constexpr Real steep_loss(const Real& s, const Approach& after, const Real& tau,
                            const Real& length) const noexcept {
    const Real end = s + after.gain;
    return length * ((p_.n - 1.0) * end - 1.0 + after.gain / tau) / (p_.n - 2.0) -
           0.5 * after.gain * (s + end);
  }

  /// Over a short step the integrand is smooth: Gauss's five points.
  constexpr Real short_loss(const Real& r, const Real& s, const Real& tau,
                            const Real& length) const noexcept {
    using std::expm1, std::log1p;
    const Real q = (p_.n - 1.0) * tau;
    return length * gauss5<Real>([&](double part) {
             const Real here = s - r * expm1(Real(-part * tau * log1prel(Real(part * q))));
             return Real(-here * expm1(Real(p_.n * log1p(Real(-here)))));
           });
  }

  /// ∫ r^(m−1) dr of the approach from a.
  constexpr Real power_integral(const Real& a, const Approach& to, const Real& m) const noexcept {
    using std::pow;
    if (!(to.r > 0.0)) return pow(a, m) / m;  // reached only for n < 2
    if (std::abs(value_of(m) * value_of(to.way)) > 0.5) return (pow(a, m) - pow(to.r, m)) / m;
    return pow(to.r, m) * to.way * exprel(Real(m * to.way));
  }

  constexpr Real tangent(const Real& z, int direction) const noexcept {
    const Real r = distance(z, direction);
    const Real s = static_cast<double>(direction) * z / p_.zc;
    return r > 0.0 ? Real(p_.sigma0 * power(r, s, p_.n)) : Real(0);
  }

  Params p_;
};

}  // namespace microslip
