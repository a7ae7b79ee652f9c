#pragma once

/// # bouc-wen-degrading: Bouc–Wen that loses strength and stiffness with use
///
///     dz/dv = 1 − |z|ⁿ (β sgn(v' z) + γ),   v = u/uy,  γ = 1 − β
///     D' = |v' − z'|,   φ = 1/(1 + D/d0),   f = fp φ ((1 − κ) z + κ v)
///
/// `bouc-wen-hardening` whose plastic force falls with the damage D, the plastic ductility
/// accumulated in either direction. z does not feel the damage, so its solution is that of
/// kernels/bouc_wen.hpp; v − z is monotone on each side of z = 0, hence ΔD = |Δv − Δz| there exactly.
///
/// The notes print D' ≈ |u' − z'| and leave open which other parameters follow the damage; here the
/// whole force does, spring included. Admissible: β ≥ ½, as for `bouc-wen-hardening`, and n ≥ 0.1:
/// below, z is of the size of n and nothing but the spring κ is left of the force, while the work of
/// its solution grows like 1/n.
///
/// Energy: Ψ = fp uy φ ½((1 − κ) z² + κ v²), an elastic energy with damage. What a motion loses,
///
///     fp uy ∫ φ [(1 − κ)|z| + ½((1 − κ) z² + κ v²)/(d0 + D)] dD ≥ 0,
///
/// friction and damage, has no closed form: quadrature with error control (numerics/integral.hpp).

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/numerics/integral.hpp"

namespace microslip {

template <Number Real>
class BoucWenDegrading {
 public:
  using Scalar = Real;

  struct Params {
    Real fp{1};
    Real uy{1};
    Real kappa{0.1};
    Real beta{0.6};
    Real n{2};
    Real d0{20};

    static constexpr auto fields = std::tuple{
        field(&Params::fp, "fp", "F", positive, "plastic force before any damage"),
        bouc_wen_rows::uy<Params>(),
        bouc_wen_rows::kappa<Params>(),
        bouc_wen_rows::shape<Params>(),
        bouc_wen_rows::n<Params>(Interval{.lo = 0.1, .lo_open = false}),
        field(&Params::d0, "d0", "1", positive, "plastic ductility that halves the force"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    Real damage{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "1", "hysteretic variable"),
        state_field(&State::damage, "damage", "1", "accumulated plastic ductility", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "bouc-wen-degrading",
      .sentence = "Bouc-Wen whose force falls with the plastic ductility accumulated so far.",
      .equation =
          "dz/dv = 1 − |z|ⁿ(β sgn(v'z) + 1 − β),  v = u/uy,  D' = |v' − z'|,  "
          "f = fp((1 − κ) z + κ v)/(1 + D/d0)",
      .citation =
          "T. T. Baber, Y.-K. Wen, Random vibration of hysteretic, degrading systems, Journal of "
          "the Engineering Mechanics Division 107 (1981) 1069–1087; in the form of H. P. Gavin, "
          "Dynamic models for yielding and friction hysteresis, lecture notes CEE 541, Duke "
          "University (2018), extension 6",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.springs = {"kappa"}}; }

  explicit constexpr BoucWenDegrading(const Params& params, const Options& options = {})
      : BoucWenDegrading(checked_fields(info.name, params), options, were_checked) {}
  constexpr BoucWenDegrading(const Params& params, const Options&, WereChecked) noexcept
      : p_(params), unloading_(2.0 * params.beta - 1.0), flow_(params.n) {}

  constexpr State rest() const { return {}; }
  /// The damage grows as long as the motion goes on.
  constexpr bool repeats() const noexcept { return false; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    Place at{d * from.u / p_.uy, d * from.z, from.damage};
    const Real end = d * u / p_.uy;
    Real lost(0);
    if (at.y < 0.0) {
      const Real zero = at.v + flow_.crossing(Real(1), unloading_, at.y);
      if (zero < end) {
        lost += loss(at, zero);
        at = {zero, Real(0), at.damage + abs_of(at.v - at.y - zero)};
      }
    }
    lost += loss(at, end);
    at = moved(at, end - at.v);
    to.u = u;
    to.z = d * at.y;
    to.damage = at.damage;
    to.f = p_.fp * strength(at.damage) * d * pull(Place{end, at.y, at.damage});
    to.direction = direction;
    return {to.f, tangent(to, direction), p_.fp * p_.uy * lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    return p_.fp * p_.uy * strength(state.damage) *
           elastic(Place{state.u / p_.uy, state.z, state.damage});
  }

  /// The crossing of z = 0.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real y = d * state.z;
    if (y < 0.0) {
      const Real kink = state.u + d * p_.uy * flow_.crossing(Real(1), unloading_, y);
      if (d * (kink - state.u) > 0.0) return kink;
    }
    return Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  /// A state as the motion sees it: v and z times the direction.
  struct Place {
    Real v, y, damage;
  };

  static constexpr Real abs_of(const Real& x) noexcept { return x < 0.0 ? -x : x; }

  /// After the length x on the same side of z = 0.
  constexpr Place moved(const Place& at, const Real& x) const noexcept {
    const Real y = flow_.position(Real(1), Real(1), unloading_, at.y, x);
    return {at.v + x, y, at.damage + abs_of(x - (y - at.y))};
  }

  constexpr Real strength(const Real& damage) const noexcept {
    return 1.0 / (1.0 + damage / p_.d0);
  }
  constexpr Real pull(const Place& at) const noexcept {
    return (1.0 - p_.kappa) * at.y + p_.kappa * at.v;
  }
  constexpr Real elastic(const Place& at) const noexcept {
    return 0.5 * ((1.0 - p_.kappa) * square(at.y) + p_.kappa * square(at.v));
  }
  /// dy/dv.
  constexpr Real rate(const Real& y) const noexcept {
    return flow_.rate(Real(1), Real(1), unloading_, y);
  }

  /// dD/dv = |1 − dy/dv|, without the cancellation.
  constexpr Real plastic(const Real& y) const noexcept {
    if (y == 0.0) return Real(0);
    return y < 0.0 ? unloading_ * flow_.to_power(Real(-y)) : flow_.to_power(y);
  }

  /// Energy lost on the way to `end`, in units of fp uy. A long way is cut into pieces that grow
  /// fourfold, so that no rule steps over the knee at its beginning.
  constexpr Real loss(Place at, const Real& end) const noexcept {
    Real lost(0);
    for (double piece = 1; value_of(end) - value_of(at.v) > 2 * piece; piece *= 4) {
      lost += loss_over(at, Real(piece));
      at = moved(at, Real(piece));
    }
    return lost + loss_over(at, end - at.v);
  }
  /// Next to z = 0 the integrand is a power |z|ⁿ; in t, with s = t⁴ measured from there, it is
  /// smooth enough for the rule.
  constexpr Real loss_over(const Place& start, const Real& way) const noexcept {
    const bool loading = !(start.y < 0.0);
    if (start.y > 0.3 || value_of(way) < 0.2 * std::abs(value_of(start.y)))
      return way * unit_integral<Real>([&](double s) { return loss_rate(start, s * way); });
    return way * unit_integral<Real>([&](double t) {
             const double s = loading ? t * t * t * t : 1 - t * t * t * t;
             return 4 * t * t * t * loss_rate(start, s * way);
           });
  }
  constexpr Real loss_rate(const Place& start, const Real& x) const noexcept {
    const Place at = moved(start, x);
    const Real friction = (1.0 - p_.kappa) * abs_of(at.y);
    const Real damaging = elastic(at) / (p_.d0 + at.damage);
    return strength(at.damage) * plastic(at.y) * (friction + damaging);
  }

  constexpr Real tangent(const State& state, int direction) const noexcept {
    const double d = direction;
    const Place at{d * state.u / p_.uy, d * state.z, state.damage};
    const Real slope = rate(at.y);
    const Real elastic_part = (1.0 - p_.kappa) * slope + p_.kappa;
    const Real weakening = plastic(at.y) * pull(at) / (p_.d0 + at.damage);
    return p_.fp / p_.uy * strength(at.damage) * (elastic_part - weakening);
  }

  Params p_;
  Real unloading_;  ///< β − γ
  bouc_wen::Flow<Real> flow_;
};

}  // namespace microslip
