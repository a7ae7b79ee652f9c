#pragma once

/// # baber-noori: Bouc–Wen that pinches and degrades
///
///     z' = (h/η) (u' − ν (β |u'| |z|ⁿ⁻¹ z + γ u' |z|ⁿ)),   f = a k u + (1 − a) k z
///     ν = 1 + δν ε,   η = 1 + δη ε,   ε' = z u'
///     h = 1 − ζ1 exp(−((z sgn u' − q zu)/ζ2)²),   zu = (ν (β + γ))^(−1/n)
///     ζ1 = ζs (1 − exp(−p ε)),   ζ2 = (ψ + δψ ε)(λ + ζ1)
///
/// Strength falls with ν and stiffness with η, both with the energy ε that the hysteretic part has
/// absorbed, per unit of its stiffness (1 − a) k. The slip-lock function h makes the joint slip around
/// z = q zu, the deeper and the wider the more energy it has absorbed: walls, timber and concrete.
/// Without degradation (δν = δη = 0) and pinching (ζs = 0) this is `bouc-wen` with A = 1.
///
/// A step is error-controlled to rounding, the crossing of z = 0 in it included
/// (kernels/slip_lock.hpp). The work of the hysteretic part is (1 − a) k Δε, which is integrated
/// alongside.
///
/// Admissible: β ≥ |γ|, δν, δη ≥ 0 and q ≥ 0. Then h slips more on the way out than on the way back
/// at the same z and ε, and no excursion of z from zero and back gains energy.
///
/// Energy: Ψ = ½ a k u² + (1 − a) k η (1 − exp(−δη z²/2))/δη, what unloading without slip returns. A
/// motion back to z = 0 that slips returns a little more; over cycles energy is lost.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"
#include "microslip/detail/kernels/slip_lock.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {

template <Number Real>
class BaberNoori {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real a{0.1};
    Real beta{0.5};
    Real gamma{0.5};
    Real n{1};
    Real delta_nu{0.01};
    Real delta_eta{0.02};
    Real zeta_s{0.8};
    Real q{0.1};
    Real p{0.5};
    Real psi{0.2};
    Real delta_psi{0.005};
    Real lambda{0.3};

    static constexpr auto fields = std::tuple{
        bouc_wen_rows::k<Params>("stiffness at rest"),
        bouc_wen_rows::a<Params>(),
        bouc_wen_rows::beta<Params>(),
        bouc_wen_rows::gamma<Params>(),
        bouc_wen_rows::n<Params>(),
        field(&Params::delta_nu, "delta_nu", "L^-2", non_negative,
              "loss of strength with the energy absorbed"),
        field(&Params::delta_eta, "delta_eta", "L^-2", non_negative,
              "loss of stiffness with the energy absorbed"),
        field(&Params::zeta_s, "zeta_s", "1", Interval{.lo = 0, .hi = 1, .lo_open = false},
              "part of the stiffness that pinching takes in the end; 0: no pinching"),
        field(&Params::q, "q", "1", non_negative, "z at which pinching is deepest, over its limit"),
        field(&Params::p, "p", "L^-2", non_negative,
              "rate at which pinching sets in with the energy absorbed"),
        field(&Params::psi, "psi", "L", positive, "width of pinching in z, over lambda + zeta_1"),
        field(&Params::delta_psi, "delta_psi", "1/L", non_negative,
              "growth of that width with the energy absorbed"),
        field(&Params::lambda, "lambda", "1", positive,
              "how little the width follows the depth of pinching"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    Real energy{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "L", "hysteretic displacement"),
        state_field(&State::energy, "energy", "L^2",
                    "energy absorbed by the hysteretic part over its stiffness", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "baber-noori",
      .sentence =
          "Bouc-Wen that loses strength and stiffness and pinches: walls, timber, concrete.",
      .equation =
          "z' = (h/η)(u' − ν(β|u'||z|ⁿ⁻¹z + γu'|z|ⁿ)),  f = a k u + (1 − a) k z,  "
          "h = 1 − ζ1 exp(−((z sgn u' − q zu)/ζ2)²),  ν = 1 + δν ε,  η = 1 + δη ε,  ε' = z u'",
      .citation =
          "T. T. Baber, M. N. Noori, Modeling general hysteresis behavior and random vibration "
          "application, Journal of Vibration and Acoustics 108 (1986) 411–420; in the form of G. "
          "C. "
          "Foliente, Hysteresis modeling of wood joints and structural systems, Journal of "
          "Structural Engineering 121 (1995) 1013–1022",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("a = 0 and beta + gamma > 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)}},
            .look = {{"n", open_interval(0.5, 4)},
                     {"zeta_s", closed_interval(0, 0.95)},
                     {"q", closed_interval(0, 0.4)},
                     {"lambda", closed_interval(0.05, 1)}},
            .springs = {"a"}};
  }

  explicit constexpr BaberNoori(const Params& params, const Options& options = {})
      : BaberNoori(checked(params), options, were_checked) {}
  constexpr BaberNoori(const Params& params, const Options&, WereChecked) noexcept
      : p_(params),
        hysteretic_((1.0 - params.a) * params.k),
        flow_({.loading = params.beta + params.gamma,
               .unloading = params.beta - params.gamma,
               .n = params.n,
               .delta_nu = params.delta_nu,
               .delta_eta = params.delta_eta,
               .zeta_s = params.zeta_s,
               .q = params.q,
               .p = params.p,
               .psi = params.psi,
               .delta_psi = params.delta_psi,
               .lambda = params.lambda}) {}

  constexpr State rest() const { return {}; }

  /// Whether its loop comes to repeat: nothing grows with the energy absorbed, or it saturates.
  constexpr bool repeats() const noexcept {
    const bool pinches = p_.zeta_s > 0.0 && p_.p > 0.0;
    return p_.delta_nu == 0.0 && p_.delta_eta == 0.0 && !(pinches && p_.delta_psi > 0.0);
  }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const double d = u > from.u ? 1 : -1;
    const auto end = flow_.advance({d * from.z, from.energy}, d * (u - from.u));
    if (end.status != Status::ok) {
      to = from;
      return {from.f, Real(0), Real(0), end.status};
    }
    const Real before = elastic(from.z, from.energy), absorbed = end.e - from.energy;
    to.u = u;
    to.z = d * end.y;
    to.energy = end.e;
    to.f = p_.a * p_.k * u + hysteretic_ * to.z;
    to.direction = static_cast<int>(d);
    return {to.f, tangent(to, to.direction),
            hysteretic_ * (absorbed - (elastic(to.z, to.energy) - before))};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * p_.a * p_.k * square(state.u) + hysteretic_ * elastic(state.z, state.energy);
  }

  /// The crossing of z = 0.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real y = d * state.z;
    if (y < 0.0) {
      const Real kink = state.u + d * flow_.crossing({y, state.energy}).x;
      if (d * (kink - state.u) > 0.0) return kink;
    }
    return Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double beta = value_of(params.beta);
    check_value(info.name, "gamma", value_of(params.gamma), closed_interval(-beta, beta));
    return params;
  }

  /// Returned by unloading without slip, over (1 − a) k: η (1 − exp(−δη z²/2))/δη.
  constexpr Real elastic(const Real& z, const Real& energy) const noexcept {
    const Real half = 0.5 * square(z);
    return flow_.softening(energy) * half * exprel(Real(-p_.delta_eta * half));
  }
  constexpr Real tangent(const State& state, int direction) const noexcept {
    const double d = direction;
    return p_.a * p_.k + hysteretic_ * flow_.rate(d * state.z, state.energy);
  }

  Params p_;
  Real hysteretic_;  ///< (1 − a) k
  SlipLockFlow<Real> flow_;
};

}  // namespace microslip
