#pragma once

/// # rocking: a smooth S with dissipaters beside it
///
///     f = k2 u + (k1 − k2) u_l h(u/u_l) + kd z,   u_l = fl/k1,   h(x) = x (1 + |x|^m)^(−1/m)
///     z' = u' (1 − ½(1 + sgn(u' z)) |kd z/fd|^n)
///
/// A block, a column or a wall that rocks on its base: stiffness k1 until it lifts at about the force
/// fl, k2 afterwards (negative if its weight tips it, positive if a tendon holds it), along an elastic
/// S whose knee has the sharpness m (Richard and Abbott). Beside it dissipaters of stiffness kd yield
/// at the force fd: a Bouc–Wen element that unloads straight. With fd < fl the loop is a flag with
/// rounded corners, and the rest position is near zero.
///
/// The S is a curve and the dissipater has a closed form (kernels/bouc_wen.hpp): the step is exact for
/// any size.
///
/// Energy: Ψ is that of the S and of the dissipater's spring, ½ kd z²; with k2 < 0 it may be negative
/// far out, where the weight has fallen. Lost is |kd z| |kd z/fd|^n per displacement of loading.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/kernels/rounded_knee.hpp"

namespace microslip {

template <Number Real>
class Rocking {
 public:
  using Scalar = Real;

  struct Params {
    Real k1{1};
    Real fl{1};
    Real k2{0.05};
    Real m{3};
    Real kd{0.5};
    Real fd{0.4};
    Real n{2};

    static constexpr auto fields = std::tuple{
        field(&Params::k1, "k1", "F/L", positive, "stiffness before lift-off, without dissipaters"),
        field(&Params::fl, "fl", "F", positive, "force at which the base lifts"),
        field(&Params::k2, "k2", "F/L", any_number,
              "stiffness after lift-off; negative if the weight tips over"),
        field(&Params::m, "m", "1", positive, "sharpness of the lift-off"),
        field(&Params::kd, "kd", "F/L", positive, "stiffness of the dissipaters"),
        field(&Params::fd, "fd", "F", positive, "force at which the dissipaters yield"),
        field(&Params::n, "n", "1", positive, "sharpness of their knee"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "1", "force of the dissipaters over fd"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "rocking",
      .sentence =
          "Rocking on a base: an elastic S with a smooth lift-off, and dissipaters that yield.",
      .equation =
          "f = k2 u + (k1 − k2) u (1 + |k1 u/fl|^m)^(−1/m) + fd z,  "
          "z' = (kd/fd) u'(1 − ½(1 + sgn(u'z))|z|ⁿ)",
      .citation =
          "A. Palermo, S. Pampanin, D. Marriott, Design, modeling, and experimental response of "
          "seismic resistant bridge piers with posttensioned dissipating connections, Journal of "
          "Structural Engineering 133 (2007) 1648–1661; the S by R. M. Richard, B. J. Abbott, "
          "Versatile elastic-plastic stress-strain formula, Journal of the Engineering Mechanics "
          "Division 101 (1975) 511–515",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("k2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"k2", "k1", Interval{.lo = -1, .hi = 1}}},
            .look = {{"k2", closed_interval(-0.2, 0.3)},
                     {"m", closed_interval(0.7, 8)},
                     {"n", closed_interval(0.5, 4)}},
            .springs = {"k2"}};
  }

  explicit constexpr Rocking(const Params& params, const Options& options = {})
      : Rocking(checked_fields(info.name, params), options, were_checked) {}
  constexpr Rocking(const Params& params, const Options&, WereChecked) noexcept
      : p_(params), lift_(params.fl / params.k1), rate_(params.kd / params.fd), flow_(params.n) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const double d = u > from.u ? 1 : -1;
    const auto leg = flow_.advance(rate_, rate_, Real(0), d * from.z, d * (u - from.u));
    to.u = u;
    to.z = d * leg.y;
    to.direction = static_cast<int>(d);
    const double side = u < 0.0 ? -1 : 1;
    const Real lifted = side * lift_ * RoundedKnee<Real>{p_.m}.at(side * u / lift_);
    to.f = p_.k2 * u + (p_.k1 - p_.k2) * lifted + p_.fd * to.z;
    return {to.f, tangent(to, to.direction), p_.fd * leg.lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    const double side = state.u < 0.0 ? -1 : 1;
    return 0.5 * p_.k2 * square(state.u) + 0.5 * p_.fd * square(state.z) / rate_ +
           (p_.k1 - p_.k2) * square(lift_) *
               RoundedKnee<Real>{p_.m}.integral(Real(0), side * state.u / lift_);
  }

  /// The origin of the S, and the crossing of z = 0.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    Real nearest(d * std::numeric_limits<double>::infinity());
    if (d * state.u < 0.0) nearest = Real(0);
    const Real y = d * state.z;
    if (y < 0.0) {
      const Real kink = state.u - state.z / rate_;
      if (d * (kink - state.u) > 0.0 && d * (kink - nearest) < 0.0) nearest = kink;
    }
    return nearest;
  }

 private:
  constexpr Real tangent(const State& state, int direction) const noexcept {
    const double d = direction, side = state.u < 0.0 ? -1 : 1;
    return p_.k2 + (p_.k1 - p_.k2) * RoundedKnee<Real>{p_.m}.slope(side * state.u / lift_) +
           p_.fd * flow_.rate(rate_, rate_, Real(0), d * state.z);
  }

  Params p_;
  Real lift_;  ///< displacement at which the base lifts
  Real rate_;  ///< kd/fd
  bouc_wen::Flow<Real> flow_;
};

}  // namespace microslip
