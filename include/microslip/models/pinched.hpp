#pragma once

/// # pinched: frictional microcracks, a loop pinched at the origin
///
///     θ' = K0/(|u| + ε) (θm + β sgn(u u') − θ) |u'|,   f = θ u
///
/// θ is a secant stiffness that runs to θm + β on the way out and to θm − β on the way back. At
/// rest θ = θm. While |u| grows or falls monotonically, with τ = θm ± β,
///
///     θ ← τ + (θ − τ) (smaller/larger of |u| + ε before and after)^K0
///
/// exactly; a motion is cut at u = 0. The work ∫ θ u du is closed too, by powers of |u| + ε;
/// written with (eˣ − 1)/x it has no special case at K0 = 1 or 2.
///
/// Energy: the law has no natural Ψ. Reported is, with ϑ = θ − θm and S = |u| + ε,
///
///     Ψ = ½ θm u² + ∫ K0 β ln(s/S*) (s − ε) ds  from max(S*, ε) to S,   S* = S e^(−ϑ/(K0 β)),
///
/// the solution P of P_u + K0 β P_ϑ/S = ϑ|u| with P = 0 at ϑ = 0. It is never negative, and a
/// motion either way loses K0 ϑ P_ϑ/S ≥ 0 per displacement: the law is dissipative for all
/// parameters. (A return to the origin may give back less than Ψ: pushing out a little first can
/// pay.)

#include <algorithm>
#include <cmath>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {

template <Number Real>
class Pinched {
 public:
  using Scalar = Real;

  struct Params {
    Real K0{4};
    Real theta_m{2};
    Real beta{1.8};
    Real eps{1e-4};

    static constexpr auto fields = std::tuple{
        field(&Params::K0, "K0", "1", positive, "rate at which the stiffness adapts"),
        field(&Params::theta_m, "theta_m", "F/L", positive, "mean stiffness"),
        field(&Params::beta, "beta", "F/L", positive, "stiffness gained outwards and lost inwards"),
        field(&Params::eps, "eps", "L", positive, "displacement that rounds the origin"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real theta{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::theta, "theta", "F/L", "secant stiffness", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "pinched",
      .sentence = "A secant stiffness that adapts to the way out and the way back.",
      .equation = "θ' = K0/(|u| + ε)(θm + β sgn(u u') − θ)|u'|,  f = θ u",
      .citation =
          "S. Biswas, P. Jana, A. Chatterjee, Hysteretic damping in an elastic body with "
          "frictional microcracks, International Journal of Mechanical Sciences 108–109 (2016) "
          "61–71",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Pinched(const Params& params, const Options& options = {})
      : Pinched(checked_fields(info.name, params), options, were_checked) {}
  constexpr Pinched(const Params& params, const Options&, WereChecked) noexcept : p_(params) {}

  constexpr State rest() const {
    State state;
    state.theta = p_.theta_m;
    return state;
  }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, from.direction), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const double d = direction;
    const Real before = stored(from);
    Real x = d * from.u;
    const Real end = d * u;
    Real theta = from.theta;
    Real work(0);
    if (x < 0.0) {
      const Real stop = end < 0.0 ? end : Real(0);
      work += move(theta, -x, -stop);
      x = stop;
    }
    if (x < end) work += move(theta, x, end);
    to.u = u;
    to.theta = theta;
    to.f = theta * u;
    to.direction = direction;
    return {to.f, tangent(to, direction), work - (stored(to) - before)};
  }

  constexpr Real stored(const State& state) const noexcept {
    using std::exp;
    const Real rate = p_.K0 * p_.beta;
    const Real S = size(state.u) + p_.eps;
    const Real l = (state.theta - p_.theta_m) / rate;  // ln(S/S*)
    const Real start = S * exp(-l);
    // ∫ ln(s/S*)(s − ε) ds = (s²/2 − εs) ln(s/S*) − s²/4 + εs
    const auto antiderivative = [&](const Real& s, const Real& log) {
      return s * ((0.5 * s - p_.eps) * log - 0.25 * s + p_.eps);
    };
    const Real lower = start > p_.eps ? antiderivative(start, Real(0))
                                      : antiderivative(p_.eps, log_of(p_.eps / S) + l);
    return 0.5 * p_.theta_m * square(state.u) + rate * (antiderivative(S, l) - lower);
  }

  /// The origin, and ends of the layers behind it, each four times as thick, in which θ runs to its
  /// new value.
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    if (d * state.u < 0.0) return Real(0);
    const Real left = state.theta - (p_.theta_m + p_.beta);
    if (size(left) <= 1e-7 * p_.beta) return Real(d * infinity);
    Real end = 4.0 * p_.eps;
    while (end <= size(state.u) && end < infinity) end *= 4.0;
    return d * end;
  }

 private:
  static constexpr Real size(const Real& u) noexcept { return u < 0.0 ? -u : u; }
  static constexpr Real log_of(const Real& x) noexcept {
    using std::log;
    return log(x);
  }

  /// From |u| = a to b on one side of the origin; answers the work.
  constexpr Real move(Real& theta, const Real& a, const Real& b) const noexcept {
    using std::exp, std::log1p;
    const double way = b > a ? 1 : -1;
    const Real target = p_.theta_m + way * p_.beta;
    const Real S = a + p_.eps;
    const Real change = (b - a) / S;
    // ln of the ratio of |u| + ε; towards the origin ε counts, however small beside a
    const Real stretch = change < -0.5 ? log_of((b + p_.eps) / S) : Real(log1p(change));
    const Real exponent = -way * p_.K0;
    // ∫ (s/S)^exponent (s − ε) ds
    const Real moment = S * stretch *
                        (S * exprel(Real((2.0 + exponent) * stretch)) -
                         p_.eps * exprel(Real((1.0 + exponent) * stretch)));
    const Real work = 0.5 * target * (b - a) * (b + a) + (theta - target) * moment;
    theta = target + (theta - target) * exp(exponent * stretch);
    return work;
  }

  constexpr Real tangent(const State& state, int direction) const noexcept {
    const Real x = size(state.u);
    const double way = static_cast<double>(direction) * value_of(state.u) < 0 ? -1 : 1;
    const Real target = p_.theta_m + way * p_.beta;
    return state.theta + way * p_.K0 * x / (x + p_.eps) * (target - state.theta);
  }

  Params p_;
};

}  // namespace microslip
