#pragma once

/// # menegotto-pinto: the steel of structural codes
///
///     f = f_r + b k (u − u_r) + (1 − b) k w h(x),   x = (u − u_r)/w,   h(x) = x (1 + x^R)^(−1/R)
///
/// From the last reversal (u_r, f_r) the force bends from the elastic line of slope k into the line
/// of slope b k; w is the distance to the place (u_0, f_0) where both meet. R falls with the plastic
/// excursion ξ,
///
///     R = R0 (1 − cR1 ξ/(cR2 + ξ)),   ξ = |u_p − u_0|/uy,   uy = fy/k,
///
/// u_p the largest (or smallest) displacement of a reversal so far, at least uy. Isotropic hardening
/// moves the yield line of a branch by the range of displacement so far,
///
///     fy → fy (1 + a ((u_max − u_min)/(2 a' uy))^0.8),
///
/// with a1, a2 for (a, a') of downward branches and a3, a4 of upward ones. This is the law as Filippou,
/// Popov and Bertero (1983) completed it and as structural codes run it (Steel02 of OpenSees),
/// reversal rule included.
///
/// That rule is simple: every reversal, however small, starts a new branch, and nothing returns to
/// the branch before. After a small unloading on a round branch the force on reloading rises far above
/// the branch that was left, the more the smaller the excursion was, and a small loop does not close.
/// The tests show both: an excursion of 1e-9 yield displacements adds 18 % of fy.
///
/// A branch is a closed form, so the step is exact for any size.
///
/// Energy: the law has no natural Ψ. Reported is that of two springs, ½ b k u² + g²/(2(1 − b)k) with
/// g = f − b k u; the loss is the work, ∫h by quadrature (kernels/rounded_knee.hpp), without its
/// change. Loops of a size lose energy, but the reversal rule lets other motions produce it: loading
/// with small unloadings on the way is nearly elastic, and the branch back bends and returns more
/// than that took. So the law is not dissipative; the tests show a closed cycle that gains 3 % of fy uy.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/rounded_knee.hpp"

namespace microslip {

template <Number Real>
class MenegottoPinto {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real fy{1};
    Real b{0.05};
    Real R0{20};
    Real cR1{0.925};
    Real cR2{0.15};
    Real a1{0};
    Real a2{1};
    Real a3{0};
    Real a4{1};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "elastic stiffness"),
        field(&Params::fy, "fy", "F", positive, "yield force"),
        field(&Params::b, "b", "1", Interval{.lo = 0, .hi = 1, .lo_open = false},
              "stiffness after yield over stiffness before"),
        field(&Params::R0, "R0", "1", positive, "sharpness of the first knee"),
        field(&Params::cR1, "cR1", "1", Interval{.lo = 0, .hi = 1, .lo_open = false},
              "part of the sharpness that large plastic excursions take"),
        field(&Params::cR2, "cR2", "1", positive,
              "plastic excursion, in yield displacements, that takes half of it"),
        field(&Params::a1, "a1", "1", non_negative,
              "isotropic hardening of downward branches; 0: none"),
        field(&Params::a2, "a2", "1", positive, "range of displacement for which a1 counts"),
        field(&Params::a3, "a3", "1", non_negative,
              "isotropic hardening of upward branches; 0: none"),
        field(&Params::a4, "a4", "1", positive, "range of displacement for which a3 counts"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real u_r{0};
    Real f_r{0};
    Real high{0};
    Real low{0};
    Real w{0};
    Real R{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::u_r, "u_r", "L", "displacement of the last reversal"),
        state_field(&State::f_r, "f_r", "F", "force of the last reversal"),
        state_field(&State::high, "high", "L", "largest displacement of a reversal so far",
                    Parity::odd_of_next),
        state_field(&State::low, "low", "L", "smallest displacement of a reversal so far",
                    Parity::odd_of_last),
        state_field(&State::w, "w", "L", "from the last reversal to the knee of the branch",
                    Parity::even),
        state_field(&State::R, "R", "1", "sharpness of the knee of the branch", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "menegotto-pinto",
      .sentence =
          "Steel as structural codes model it: each branch bends from one line into another.",
      .equation =
          "f = f_r + b k(u − u_r) + (1 − b) k w x(1 + x^R)^(−1/R),  x = (u − u_r)/w,  "
          "R = R0(1 − cR1 ξ/(cR2 + ξ))",
      .citation =
          "M. Menegotto, P. E. Pinto, Method of analysis for cyclically loaded R.C. plane frames, "
          "IABSE Symposium, Lisbon (1973) 15–22; with isotropic hardening by F. C. Filippou, E. P. "
          "Popov, V. V. Bertero, Effects of bond deterioration on hysteretic behavior of "
          "reinforced "
          "concrete joints, report UCB/EERC-83/19, Berkeley (1983)",
      .claims = {.odd = depends("a1 = a3 = 0, or a1 = a3 and a2 = a4"),
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = fails,
                 .bounded = depends("b = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.look = {{"b", closed_interval(0, 0.2)},
                     {"R0", closed_interval(2, 30)},
                     {"cR1", closed_interval(0.3, 0.98)},
                     {"cR2", closed_interval(0.02, 2)},
                     {"a1", closed_interval(0, 0.1)},
                     {"a3", closed_interval(0, 0.1)}},
            // Only a1/a2^0.8 and a3/a4^0.8 matter.
            .held = {{"a2", "a1"}, {"a4", "a3"}},
            .springs = {"b"}};
  }

  explicit constexpr MenegottoPinto(const Params& params, const Options& options = {})
      : MenegottoPinto(checked_fields(info.name, params), options, were_checked) {}
  constexpr MenegottoPinto(const Params& params, const Options&, WereChecked) noexcept
      : p_(params), uy_(params.fy / params.k), hysteretic_((1.0 - params.b) * params.k) {}

  constexpr bool odd() const {
    const double up = value_of(p_.a3), down = value_of(p_.a1);
    return up == down && (up == 0 || value_of(p_.a2) == value_of(p_.a4));
  }

  constexpr State rest() const {
    State state;
    state.high = uy_;
    state.low = -uy_;
    state.w = uy_;
    state.R = p_.R0;
    return state;
  }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from), Real(0)};
      to = from;
      return unchanged;
    }
    const Real before = stored(from);
    const int direction = u > from.u ? 1 : -1;
    const Real start = from.u;
    to = from;
    if (direction * from.direction < 0) reverse(to, direction);
    to.direction = direction;
    const double d = direction;
    const Real a = d * (start - to.u_r), b = d * (u - to.u_r);
    to.u = u;
    // On the line itself, where a branch begins with no way left to the knee.
    const bool bends = to.w > 0.0;
    const RoundedKnee<Real> knee{to.R};
    const Real elastic = bends ? to.w * knee.at(Real(b / to.w)) : Real(0);
    to.f = to.f_r + p_.b * p_.k * (u - to.u_r) + d * hysteretic_ * elastic;
    const Real bent = bends ? square(to.w) * knee.integral(a / to.w, b / to.w) : Real(0);
    const Real level = to.f_r + 0.5 * p_.b * p_.k * ((start - to.u_r) + (u - to.u_r));
    const Real work = level * (u - start) + hysteretic_ * bent;
    return {to.f, tangent(to), work - (stored(to) - before)};
  }

  constexpr Real stored(const State& state) const noexcept {
    const Real spring = p_.b * p_.k * state.u;
    return 0.5 * (spring * state.u + square(state.f - spring) / hysteretic_);
  }

  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  /// A new branch from where the state is.
  constexpr void reverse(State& s, int direction) const noexcept {
    using std::pow;
    const double d = direction;
    const bool up = direction > 0;
    s.u_r = s.u;
    s.f_r = s.f;
    Real& extreme = up ? s.low : s.high;
    if (d * (s.u - extreme) < 0.0) extreme = s.u;
    Real shift(1);
    if (const Real& a = up ? p_.a3 : p_.a1; a != 0.0 || is_dual)
      shift += a * pow(Real((s.high - s.low) / (2.0 * (up ? p_.a4 : p_.a2) * uy_)), 0.8);
    // Force between the lines of slope b k, which the new branch has left to bend.
    const Real room = hysteretic_ * uy_ * shift - d * (s.f - p_.b * p_.k * s.u);
    s.w = room > 0.0 ? Real(room / hysteretic_) : Real(0);
    const Real xi = ((up ? s.high : s.low) - (s.u_r + d * s.w)) / uy_;
    const Real size = xi < 0.0 ? -xi : xi;
    s.R = p_.R0 * (1.0 - p_.cR1 * size / (p_.cR2 + size));
  }

  constexpr Real tangent(const State& s) const noexcept {
    if (s.direction == 0) return p_.k;
    if (!(s.w > 0.0)) return p_.b * p_.k;
    const double d = s.direction;
    return p_.b * p_.k + hysteretic_ * RoundedKnee<Real>{s.R}.slope(d * (s.u - s.u_r) / s.w);
  }

  static constexpr bool is_dual = !std::is_same_v<Real, double>;

  Params p_;
  Real uy_;
  Real hysteretic_;  ///< (1 − b) k
};

}  // namespace microslip
