#pragma once

/// # valanis: endochronic friction with a stick modulus and a slip modulus
///
///     dF/du = E0 (1 + e)/(1 + κ e),   e = d (λ/E0)(Et u − F),   d = sgn u'
///
/// The slope runs from E0 at rest to Et in slip, where F − Et u = ±(E0/λ)(1 − ρ)/(1 − ρκ), with
/// ρ = Et/E0. κ sets the amount of microslip: κ = 0 is `bouc` (A = E0 − Et, α = λ, k = Et) with its
/// long exponential knee, κ → 1 an abrupt change from stick to slip. (The review by Mathis et al.
/// says it the other way round below its eq. (87).)
///
/// Along a motion of length x the distance from slip, y = e + (1 − ρ)/(1 − ρκ) ≥ 0, obeys
/// dy/dx = −c y/(a + κ y), a = (1 − κ)/(1 − ρκ), c = λ(1 − ρκ). With s = ln(y/y₀) therefore
///
///     κ y₀ (eˢ − 1) + a s + c x = 0:
///
/// convex and increasing in s; Newton's method comes down monotonically from −c x/(a + κ y₀).
///
/// Energy: Ψ = ½ Et u² + H²/(2(E0 − Et)), H = F − Et u. The rest of the work is lost, at
/// (1 − κ)/(1 − ρ) (E0/λ) e²/(1 + κ e) ≥ 0 per displacement; dx = −(a + κ y)/(c y) dy integrates
/// it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/numerics/gauss5.hpp"

namespace microslip {

template <Number Real>
class Valanis {
 public:
  using Scalar = Real;

  struct Params {
    Real E0{1};
    Real Et{0.1};
    Real lambda{1};
    Real kappa{0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::E0, "E0", "F/L", positive, "stiffness in stick"),
        field(&Params::Et, "Et", "F/L", non_negative, "stiffness in slip; below E0"),
        field(&Params::lambda, "lambda", "1/L", positive,
              "inverse length of slip; the slip force is of order E0/lambda"),
        field(&Params::kappa, "kappa", "1", Interval{.lo = 0, .hi = 1, .lo_open = false},
              "abruptness of slip: 0 exponential, towards 1 sudden"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real h{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::h, "h", "F", "hysteretic part of the force, f - Et u"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "valanis",
      .sentence = "Endochronic friction: a slope that runs from stick to slip, smooth or sudden.",
      .equation = "dF/du = E0 (1 + e)/(1 + κ e),  e = sgn(u')(λ/E0)(Et u − F)",
      .citation =
          "L. Gaul, J. Lenz, Nonlinear dynamics of structures assembled by bolted joints, Acta "
          "Mechanica 125 (1997) 169–181, doi:10.1007/BF01177306, after K. C. Valanis (1978)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("Et = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.ratios = {{"Et", "E0", {0, 1, false, true}}}}; }

  explicit constexpr Valanis(const Params& params, const Options& options = {})
      : Valanis(checked(params), options, were_checked) {}
  constexpr Valanis(const Params& params, const Options&, WereChecked) noexcept
      : p_(params),
        unit_(p_.E0 / p_.lambda),
        slack_(1.0 - p_.Et / p_.E0 * p_.kappa),
        slip_((1.0 - p_.Et / p_.E0) / slack_),
        a_((1.0 - p_.kappa) / slack_),
        c_(p_.lambda * slack_) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from.h, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    const Real length = d * (u - from.u);
    const Real y = distance(from.h, direction);
    const Leg leg = advance(y, -d * from.h / unit_, length);
    // Near slip from what is left of it, else as a change, so that a tiny step keeps its digits.
    to.h = 2.0 * leg.left < slip_ ? d * unit_ * (slip_ - leg.left) : from.h + d * unit_ * leg.gain;
    to.u = u;
    to.f = p_.Et * u + to.h;
    to.direction = direction;
    return {to.f, tangent(to.h, direction), unit_ * a_ / (slip_ * c_) * leg.lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * (p_.Et * square(state.u) + square(state.h) / (p_.E0 - p_.Et));
  }

  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  struct Leg {
    Real left;  ///< y at the end
    Real gain;  ///< what y lost
    Real lost;  ///< ∫ (y − slip)²/y dy
  };

  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_value(info.name, "Et", value_of(params.Et),
                {.lo = 0, .hi = value_of(params.E0), .lo_open = false});
    return params;
  }

  constexpr Real distance(const Real& h, int direction) const noexcept {
    return slip_ - static_cast<double>(direction) * h / unit_;
  }

  /// From y = slip + e.
  constexpr Leg advance(const Real& y, const Real& e, const Real& length) const noexcept {
    using std::exp, std::expm1;
    const Real x = c_ * length;
    if (!(y > 0.0)) return {Real(0), Real(0), square(slip_) * x / a_};
    const Real s = logarithm(y, x);
    const Real gain = -y * expm1(s);
    const Real left = s > -0.5 ? y - gain : Real(y * exp(s));
    if (s > -0.15) return {left, gain, short_loss(y, e, s)};
    return {left, gain, gain * (0.5 * (y + left) - 2.0 * slip_) - square(slip_) * s};
  }

  /// The closed form is a difference of terms of the order s, and near H = 0 the loss is s³; in
  /// dy/y it is the integral of e², smooth: Gauss's five points.
  constexpr Real short_loss(const Real& y, const Real& e, const Real& s) const noexcept {
    using std::expm1;
    return -s * gauss5<Real>(
                    [&](double part) { return Real(square(Real(e + y * expm1(Real(part * s))))); });
  }

  /// s of κ y (eˢ − 1) + a s + x = 0.
  constexpr Real logarithm(const Real& y, const Real& x) const noexcept {
    using std::exp, std::expm1;
    const double b = value_of(p_.kappa) * value_of(y);
    const double a = value_of(a_);
    double s = -value_of(x) / (a + b);
    for (int i = 0; i < 100; ++i) {  // a handful suffice; 100 ends a loop of rounding
      const double change = (b * std::expm1(s) + a * s + value_of(x)) / (b * std::exp(s) + a);
      s -= change;
      if (std::abs(change) <= 1e-9 * std::abs(s)) break;  // the error is the square of it
    }
    const Real curve = p_.kappa * y * exp(s) + a_;
    return s - (p_.kappa * y * std::expm1(s) + a_ * s + x) / curve;
  }

  constexpr Real tangent(const Real& h, int direction) const noexcept {
    const Real y = distance(h, direction);
    return y > 0.0 ? p_.Et + unit_ * c_ * y / (a_ + p_.kappa * y) : p_.Et;
  }

  Params p_;
  Real unit_;   ///< E0/λ, the force that e counts
  Real slack_;  ///< 1 − ρκ
  Real slip_;   ///< −e in slip
  Real a_, c_;
};

}  // namespace microslip
