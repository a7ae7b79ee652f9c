#pragma once

/// # muravskii: reid without the jumps
///
///     |f| ← clamp(|f| + ku Δ|u|, k (1 − η)|u|, k (1 + η)|u|),   f u ≥ 0
///
/// The triangular loop of `reid`, with unloading and reloading along lines of slope ku instead of
/// jumps; ku → ∞ is `reid`. Muravskii sketched the loop and gave no equation for it that produces
/// it (Spitas 2009); this continuous rule does. Outwards the force climbs with ku to the upper line
/// and follows it, inwards it falls with ku to the lower line and follows that to the origin. So a
/// motion without change of side is one clamp, exact for any size.
///
/// With kU, kL = k (1 ± η) and q = (ku − kU)/(ku − kL), unloading from the upper line at u reaches
/// the lower one at q u. Energy per cycle of amplitude U: 2 k η q U².
///
/// Reported is the Ψ that a return to the origin gives back: down to the lower line at
/// l = (ku|u| − |f|)/(ku − kL), then along it. All that is lost, k η q Δ(u²), is lost on the upper
/// line.

#include <algorithm>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"

namespace microslip {

template <Number Real>
class Muravskii {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real eta{0.2};
    Real ku{5};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "mean stiffness"),
        field(&Params::eta, "eta", "1", closed_interval(0, 1),
              "part by which the stiffness is larger outwards and smaller inwards"),
        field(&Params::ku, "ku", "F/L", positive,
              "stiffness between the two lines; above k (1 + eta)"),
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
      .name = "muravskii",
      .sentence =
          "A continuous triangular loop pinched at the origin, unloading along steep lines.",
      .equation = "|f| ← clamp(|f| + ku Δ|u|, k(1 − η)|u|, k(1 + η)|u|),  f u ≥ 0",
      .citation =
          "G. B. Muravskii, On frequency independent damping, Journal of Sound and Vibration 274 "
          "(2004) 653–668",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"ku", "k", {.lo = 1}}}, .look = {{"ku", open_interval(1.2, 20)}}};
  }

  explicit constexpr Muravskii(const Params& params, const Options& options = {})
      : Muravskii(checked(params), options, were_checked) {}
  constexpr Muravskii(const Params& params, const Options&, WereChecked) noexcept
      : upper_(params.k * (1.0 + params.eta)),
        lower_(params.k * (1.0 - params.eta)),
        steep_(params.ku) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    Real x = d * from.u;
    Real f = d * from.f;
    const Real end = d * u;
    if (x < 0.0) {  // inwards; the origin forgets everything
      f = end < 0.0 ? std::min(f + steep_ * (end - x), lower_ * end) : Real(0);
      x = end < 0.0 ? end : Real(0);
    }
    Real lost(0);
    if (x < end) {
      const Real meets = (steep_ * x - f) / (steep_ - upper_);  // the upper line
      if (end >= meets) {
        lost = 0.5 * (upper_ - lower_) * kept() * (end - meets) * (end + meets);
        f = upper_ * end;
      } else {
        f += steep_ * (end - x);
      }
    }
    to.u = u;
    to.f = d * f;
    to.direction = direction;
    return {to.f, tangent(to, direction), lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    const double side = state.u < 0.0 ? -1 : 1;
    const Real x = side * state.u;
    const Real f = side * state.f;
    const Real l = (steep_ * x - f) / (steep_ - lower_);
    return 0.5 * ((f + lower_ * l) * (x - l) + lower_ * square(l));
  }

  /// Where the steep line meets the line ahead; then the origin.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real x = d * state.u;
    const Real f = d * state.f;
    const Real line = x < 0.0 ? lower_ : upper_;
    const Real meets = (steep_ * x - f) / (steep_ - line);
    const Real place = d * meets;
    if (x != 0.0 && d * (place - state.u) > 0.0) return place;
    return x < 0.0 ? Real(0) : Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_value(info.name, "ku", value_of(params.ku),
                {.lo = value_of(params.k * (1.0 + params.eta))});
    return params;
  }
  constexpr Real kept() const noexcept { return (steep_ - upper_) / (steep_ - lower_); }

  /// Inwards between the lines and outwards below the upper one the slope is ku.
  constexpr Real tangent(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real x = d * state.u;
    const Real f = d * state.f;
    if (x < 0.0) return f < lower_ * x ? steep_ : lower_;
    return f < upper_ * x ? steep_ : upper_;
  }

  Real upper_, lower_, steep_;
};

}  // namespace microslip
