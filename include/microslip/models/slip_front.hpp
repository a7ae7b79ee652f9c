#pragma once

/// # slip-front: a rod on dry friction, pulled at its end
///
/// A rod of stiffness EA (force per strain) and length ℓ lies on dry friction t (x/ℓ)^p per length,
/// x from the end that is pulled with the force F. Slip spreads from there. With the front at depth s,
///
///     F = t s^{p+1}/((p+1) ℓ^p),    u = t s^{p+2}/((p+2) EA ℓ^p),    du/dF = s/EA,
///
/// so that F ∝ u^{(p+1)/(p+2)}. At F = t ℓ/(p+1) the front reaches the other end and the rod slides as
/// a whole (status `macroslip`). On the way back friction turns around over the length that slips, a
/// change of twice the friction: Masing's rules in the force. For uniform friction (p = 0) u is a sum
/// of play operators of F, the continuum of a series–series Iwan chain.
///
/// The stiffness at rest and after each reversal is infinite; therefore the law is driven by force, and
/// its tangent is the compliance s/EA. With u = g(F) ∝ F^m, m = (p+2)/(p+1), the virgin curve loses
///
///     ∫₀^F (s g' − g) ds = F u/(2p+3),
///
/// a branch twice that of half its depth, and a steady cycle 4 F₀ u₀/(2p+3) ∝ F₀^{(2p+3)/(p+1)}: the
/// exponent is 3 for uniform friction and tends to 2 as the friction at the pulled end vanishes. What is
/// not lost is stored: ½ (F u − loss) on the virgin curve, ½ (F + F_r)(u − u_r) more on a branch.
///
/// The energies of Masing's kernel belong to a law driven by displacement. With u and f exchanged its
/// loss has the other sign and its Ψ is F u − Ψ, because ½(F + F_r)(u − u_r) + ½(u + u_r)(F − F_r) is
/// the change of F u.
///
/// Only p, ℓ/EA and t ℓ enter, so a fit holds ell. Before macroslip even less shows: u(F) tells p and
/// EA t^{1/(p+1)} ℓ^{−p/(p+1)}, and of t only that macroslip has not been reached.
///
/// The two-ended chain of Miller and Quinn is two such rods, one from each end.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// The displacement against the force, up to macroslip.
template <Number Real>
struct SlipFrontBackbone {
  using Scalar = Real;
  Real most;        ///< force of macroslip
  Real compliance;  ///< ℓ/EA, when the whole rod slips
  Real p;

  constexpr BackbonePoint<Real> at(const Real& F) const noexcept {
    using std::pow;
    if (!(F > 0.0)) return {Real(0), Real(0), Real(0)};
    const Real slope = compliance * pow(F / most, 1.0 / (p + 1.0));
    const Real u = (p + 1.0) / (p + 2.0) * F * slope;
    return {u, slope, -F * u / (2.0 * p + 3.0)};
  }
  constexpr Real next_kink(const Real&) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }
};

template <Number Real>
class SlipFront : public MasingLaw<SlipFrontBackbone<Real>> {
  using Base = MasingLaw<SlipFrontBackbone<Real>>;

 public:
  struct Params {
    Real EA{1};
    Real t{1};
    Real p{0};
    Real ell{1};

    static constexpr auto fields = std::tuple{
        field(&Params::EA, "EA", "F", positive, "stiffness of the rod: force per strain"),
        field(&Params::t, "t", "F/L", positive,
              "friction per length at the end that is not pulled"),
        field(&Params::p, "p", "1", non_negative,
              "exponent of the friction along the rod: 0 is uniform"),
        field(&Params::ell, "ell", "L", positive, "length of the rod"),
    };
  };
  using Options = NoOptions;

  /// The kernel's `u` is the force and its `f` the displacement.
  struct State : MasingState<Real> {
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "F", "force"),
        state_field(&State::f, "f", "L", "displacement"),
        state_field(&State::lost, "lost", "F L",
                    "loss of the virgin curve at the present depth, negative", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last change of the force"),
        state_field(&State::reversals, "reversals", "F,L,F L",
                    "reversals not yet wiped out: force, displacement, energy of each"),
    };
  };

  static constexpr Info info{
      .name = "slip-front",
      .sentence = "A rod on dry friction, pulled at its end: slip spreads as a front.",
      .equation =
          "F = t s^(p+1)/((p+1) ell^p),  u = t s^(p+2)/((p+2) EA ell^p),  s ≤ ell, on the virgin "
          "curve; branches are it, doubled",
      .citation =
          "D. D. Quinn, D. J. Segalman, Using series–series Iwan-type models for understanding "
          "joint dynamics, Journal of Applied Mechanics 72 (2005) 778–784; J. D. Miller, D. D. "
          "Quinn, Journal of Sound and Vibration 321 (2009) 201–219, eq. 26",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = not_applicable,
                 .planar_isotropic = not_applicable},
      .driven = Driven::force,
  };

  static FitHints fit_hints() {
    return {.look = {{"p", closed_interval(0, 4)}}, .held = {{"ell", "EA"}}};
  }

  explicit constexpr SlipFront(const Params& params, const Options& options = {})
      : SlipFront(checked_fields(info.name, params), options, were_checked) {}
  constexpr SlipFront(const Params& params, const Options&, WereChecked) noexcept
      : Base({params.t * params.ell / (params.p + 1.0), params.ell / params.EA, params.p}) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u > macroslip() || u < -macroslip()) {
      Response<Real> reply = Base::step(from, from.u, to);
      reply.status = Status::macroslip;
      return reply;
    }
    Response<Real> reply = Base::step(from, u, to);
    reply.dissipated = -reply.dissipated;
    return reply;
  }
  constexpr Real stored(const State& state) const noexcept {
    return state.u * state.f - Base::stored(state);
  }

  /// The force at which the whole rod slides.
  constexpr const Real& macroslip() const noexcept { return this->backbone().most; }
  /// Energy lost in a steady cycle between −F and F, in closed form.
  constexpr Real energy_per_cycle(const Real& F) const noexcept {
    return -4.0 * this->backbone().at(F).dissipated;
  }
};

}  // namespace microslip
