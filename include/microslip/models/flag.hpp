#pragma once

/// # flag: self-centring with a flag-shaped loop
///
///     f = k2 u + (k1 − k2)(u − s),   s the slip (opening), |u − s| ≤ ua = fa/k1
///     s moves away from 0 at |u − s| = ua, and back to 0 at |u − s| = (1 − β) ua
///
/// A post-tensioned rocking joint, a ring spring or a shape-memory brace: stiffness k1 up to the
/// activation force fa, k2 beyond it, and on the way back the same slope lower by the height β fa of
/// the flag. For β ≤ 1 the force returns to zero at zero displacement, whatever happened before.
/// β = 0 is an elastic curve of three straight lines.
///
/// s is a play whose width is that of the side on which it is, so the step is exact for any size.
///
/// Energy: s works against the constant force c = (k1 − k2)(1 − β/2) ua, which is recovered, and
/// against the friction r = (k1 − k2) β ua/2, which is not:
///
///     Ψ = ½ k2 u² + ½ (k1 − k2)(u − s)² + c |s|,   loss = r ∫|ds|.
///
/// Admissible: 0 ≤ k2 ≤ k1.

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip {

template <Number Real>
class Flag {
 public:
  using Scalar = Real;

  struct Params {
    Real k1{1};
    Real k2{0.1};
    Real fa{1};
    Real beta{0.8};

    static constexpr auto fields = std::tuple{
        field(&Params::k1, "k1", "F/L", positive, "stiffness before activation"),
        field(&Params::k2, "k2", "F/L", non_negative,
              "stiffness after activation; not more than k1"),
        field(&Params::fa, "fa", "F", positive, "force of activation"),
        field(&Params::beta, "beta", "1", closed_interval(0, 1),
              "height of the flag over the force of activation"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real s{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::s, "s", "L", "slip, the opening of the joint"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "flag",
      .sentence =
          "Self-centring with a flag-shaped loop: opens at one force, closes at a lower one.",
      .equation =
          "f = k2 u + (k1 − k2)(u − s),  s opens at |u − s| = fa/k1, closes at (1 − β) fa/k1",
      .citation =
          "C. Christopoulos, A. Filiatrault, B. Folz, Seismic response of self-centring hysteretic "
          "SDOF systems, Earthquake Engineering & Structural Dynamics 31 (2002) 1131–1150",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("k2 = k1"),
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("k2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"k2", "k1", closed_interval(0, 1)}}, .springs = {"k2"}};
  }

  explicit constexpr Flag(const Params& params, const Options& options = {})
      : Flag(checked(params), options, were_checked) {}
  constexpr Flag(const Params& params, const Options&, WereChecked) noexcept
      : p_(params),
        opens_(params.fa / params.k1),
        closes_((1.0 - params.beta) * opens_),
        series_(params.k1 - params.k2) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const double d = u > from.u ? 1 : -1;
    // As the motion sees it: upwards.
    Real s = d * from.s;
    const Real start = s, end = d * u;
    if (s < 0.0 && end + closes_ > s) s = end + closes_ < 0.0 ? Real(end + closes_) : Real(0);
    if (!(s < 0.0) && end - opens_ > s) s = end - opens_;
    // Of a sliding joint the elongation is known better than u − s.
    const Real stretch = !slides(s, end) ? Real(end - s) : s < 0.0 ? Real(-closes_) : opens_;
    const Real lost = 0.5 * p_.beta * series_ * opens_ * (s - start);
    to.u = u;
    to.s = d * s;
    to.f = p_.k2 * u + d * series_ * stretch;
    to.direction = static_cast<int>(d);
    return {to.f, tangent(to, to.direction), lost};
  }

  constexpr Real stored(const State& state) const noexcept {
    const Real slip = state.s < 0.0 ? -state.s : state.s;
    return 0.5 * p_.k2 * square(state.u) + 0.5 * series_ * square(state.u - state.s) +
           series_ * opens_ * (1.0 - 0.5 * p_.beta) * slip;
  }

  /// The onset of slip, away from zero or back to it, and the end of the way back.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real s = d * state.s, x = d * state.u;
    const Real none(d * std::numeric_limits<double>::infinity());
    if (s < 0.0) {
      const Real onset = s - closes_;
      if (!slides(s, x) && onset > x) return d * onset;
      if (-closes_ > x) return -d * closes_;
      return none;
    }
    const Real onset = s + opens_;
    return !slides(s, x) && onset > x ? Real(d * onset) : none;
  }

  /// Steady loop between −A and A: a flag on either side.
  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    const double k1 = value_of(p_.k1), k2 = value_of(p_.k2), ua = value_of(opens_),
                 uc = value_of(closes_);
    if (A <= ua) return HarmonicForce{k1 * A, 0, k1 * A};
    // The part beyond the straight line, (k1 − k2)(u − s), is a line up to u_i, then level: on the way
    // out up to ua, on the way back from A by a line over ua − uc, level, and a line below uc.
    const double k = k1 - k2;
    const auto line = [A](double from, double to) {  // ∫ u/A · u/√(A² − u²) du
      const auto part = [A](double u) {
        const double r = u / A;
        return 0.5 * (std::asin(r) - r * std::sqrt(1 - r * r));
      };
      return A * (part(to) - part(from));
    };
    const auto level = [A](double from, double to) {  // ∫ (u/A)/√(A² − u²) du
      return std::sqrt(1 - from * from / (A * A)) - std::sqrt(1 - to * to / (A * A));
    };
    const double back = A - (ua - uc);  // where the way back becomes level
    const double out = k * line(0, ua) + k * ua * level(ua, A);
    const double home = k * (line(back, A) - (A - ua) * level(back, A)) + k * uc * level(uc, back) +
                        k * line(0, uc);
    // Both ways, both sides, over π.
    const double in_phase = k2 * A + 2 / pi * (out + home);
    const double loss = 2 * k * (ua - uc) * (A - ua);
    return HarmonicForce{in_phase, loss / (pi * A), k2 * A + k * ua};
  }

 private:
  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_value(info.name, "k2", value_of(params.k2), closed_interval(0, value_of(params.k1)));
    return params;
  }

  /// Whether a motion upwards from x moves the slip at once.
  constexpr bool slides(const Real& s, const Real& x) const noexcept {
    return s < 0.0 ? x + closes_ >= s : x - opens_ >= s;
  }
  constexpr Real tangent(const State& state, int direction) const noexcept {
    const double d = direction;
    return direction != 0 && slides(d * state.s, d * state.u) ? p_.k2 : p_.k1;
  }

  Params p_;
  Real opens_, closes_;  ///< elongation at which the joint opens, and at which it closes again
  Real series_;          ///< stiffness in series with the slip
};

}  // namespace microslip
