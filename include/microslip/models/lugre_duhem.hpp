#pragma once

/// # lugre-duhem: LuGre's idea on a Bouc–Wen curve
///
///     z' = (1 − |z|^n (β sgn(u'z) + γ) q) u'/uy,   q = g0/(1 + exp(−(u'/(uy vs))²))
///     f  = fc g0^(1/n) (z + Ts z')
///
/// (12)–(14) of the notes by Gavin, who measures u in yield displacements uy; so vs is a rate, 1/T.
/// Slow motions meet q = g0/2 and fast ones q = g0, so the ratio of static to kinetic friction is
/// 2^(1/n) whatever g0, as printed. The option transition = meant takes
///
///     q = 1/(1 + g0 exp(−(u'/(uy vs))²)),   f = fc (z + Ts z'),
///
/// which was probably meant: slow motions meet q = 1/(1 + g0), fast ones q = 1, so that kinetic
/// friction is fc and static friction fc (1 + g0)^(1/n): g0 scales it. (The factor g0^(1/n) of the
/// print belongs to the printed q.) Admissible: β ≥ |γ|, as for bouc-wen.
///
/// At constant velocity q is constant and z follows the Bouc–Wen equation, solved exactly
/// (kernels/bouc_wen.hpp). Only a z that a slower motion has left beyond the present limit is
/// integrated with error control while it comes down.
///
/// Energy: Ψ = fc g0^(1/n) uy z²/2. As in lugre, Ts > 0 gives energy back when a fast motion
/// follows a slow one.
///
/// The kink at z = 0 lies where the velocity puts it, so next_kink, which is not told the velocity,
/// answers infinity.

#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"
#include "microslip/detail/numerics/with_tangent.hpp"

namespace microslip {

template <Number Real>
class LuGreDuhem {
 public:
  using Scalar = Real;

  struct Params {
    Real beta{0.5};
    Real gamma{0.5};
    Real n{1};
    Real g0{1};
    Real vs{1};
    Real Ts{0.05};
    Real fc{1};
    Real uy{1};
    static constexpr auto fields = std::tuple{
        field(&Params::beta, "beta", "1", positive,
              "part of the slope lost with |z|^n in loading and gained in unloading"),
        field(&Params::gamma, "gamma", "1", any_number,
              "part of the slope lost with |z|^n in both; between -beta and beta"),
        field(&Params::n, "n", "1", positive, "sharpness of the knee"),
        field(&Params::g0, "g0", "1", positive, "static friction scaling"),
        field(&Params::vs, "vs", "1/T", positive, "velocity of the transition, in uy per time"),
        field(&Params::Ts, "Ts", "T", non_negative, "decay time of the static friction"),
        field(&Params::fc, "fc", "F", positive,
              "friction force of fast sliding, if beta + gamma = 1"),
        field(&Params::uy, "uy", "L", positive, "yield displacement"),
    };
  };
  enum class Transition { printed, meant };
  struct Options {
    Transition transition = Transition::printed;
    static constexpr auto fields = std::tuple{
        option(&Options::transition, "transition", {"printed", "meant"},
               "from static to kinetic friction: q = g0/(1 + e) as printed, or q = 1/(1 + g0 e), "
               "e = exp(−(u'/(uy vs))²)"),
    };
  };

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "1", "hysteretic variable"),
    };
  };

  static constexpr Info info{
      .name = "lugre-duhem",
      .sentence = "LuGre friction written as a Bouc–Wen law whose limit falls with speed.",
      .equation =
          "z' = (1 − |z|ⁿ(β sgn(u'z) + γ) q(u'/uy)) u'/uy,  q(v) = g0/(1 + exp(−(v/vs)²)),  "
          "f = fc g0^(1/n) (z + Ts z')",
      .citation =
          "H. P. Gavin, Dynamic Models for Yielding and Friction Hysteresis, CEE 541 lecture "
          "notes, Duke University (2018), after M. F. M. Naser, F. Ikhouane, Consistency of the "
          "Duhem model with hysteresis, Mathematical Problems in Engineering 2013, 586130",
      .claims = {.odd = holds,
                 .rate_independent = fails,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("Ts = 0"),
                 .bounded = depends("Ts = 0 and beta + gamma > 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)}}}; }

  explicit constexpr LuGreDuhem(const Params& params, const Options& options = {})
      : LuGreDuhem(checked(params), options, were_checked) {}
  constexpr LuGreDuhem(const Params& params, const Options& options, WereChecked) noexcept
      : loading_(fixed(params.beta + params.gamma)),
        unloading_(fixed(params.beta - params.gamma)),
        n_(fixed(params.n)),
        g0_(fixed(params.g0)),
        vs_(fixed(params.vs)),
        Ts_(fixed(params.Ts)),
        uy_(fixed(params.uy)),
        scale_(options.transition == Transition::printed ? fixed(params.fc) * power(g0_, 1.0 / n_)
                                                         : fixed(params.fc)),
        flow_(n_),
        transition_(options.transition) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    if (dt == 0 || u == from.u) {
      const Real force = dt == 0 ? from.f : settled<Real>(scale_) * from.z;
      to = from;
      to.f = force;
      const double v_slope = relaxation::velocity_slope(dt);
      return {force, settled<Real>(scale_ / uy_ * (1.0 + Ts_ * v_slope)), Real(0)};
    }
    const T du = (moving(u) - fixed(from.u)) / uy_;
    const double d = du > 0.0 ? 1 : -1;
    const T v = relaxation::velocity(du, dt);
    const T q = limiter(v);
    const T z0 = fixed(from.z);
    const Leg leg = advance(q, d * z0, d * du);
    const T z = d * leg.y;
    const T f = scale_ * (z + Ts_ * v * rate(q, leg.y));
    const T lost = scale_ * uy_ * (leg.lost + Ts_ * v * (z - z0));
    to.u = u;
    to.z = settled<Real>(z);
    to.f = settled<Real>(f);
    return {to.f, Real(slope_along(f)), settled<Real>(lost), leg.status};
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    const double d = v < 0.0 ? -1 : 1;
    const T rate_of_u = moving(v) / uy_;
    const T z = fixed(at.z);
    const T f = scale_ * (z + Ts_ * rate_of_u * rate(limiter(rate_of_u), d * z));
    return {settled<Real>(f), Real(slope_along(f))};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * settled<Real>(scale_ * uy_) * square(state.z);
  }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = WithTangent<Real>;
  struct Leg {
    T y, lost;
    Status status = Status::ok;
  };

  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double beta = value_of(params.beta);
    check_value(info.name, "gamma", value_of(params.gamma), closed_interval(-beta, beta));
    return params;
  }

  static constexpr T power(const T& x, const T& exponent) {
    using std::exp, std::log;
    return exp(exponent * log(x));
  }

  /// q at the rate v.
  constexpr T limiter(const T& v) const noexcept {
    using std::exp;
    const T slow = exp(-square(T(v / vs_)));
    return transition_ == Transition::printed ? T(g0_ / (1.0 + slow)) : T(1.0 / (1.0 + g0_ * slow));
  }

  /// dy/dx.
  constexpr T rate(const T& q, const T& y) const noexcept {
    // 1/y of a smaller y is no number.
    if (std::abs(value_of(y)) < std::numeric_limits<double>::min()) return T(1);
    return y > 0.0 ? 1.0 - q * loading_ * power(y, n_) : 1.0 + q * unloading_ * power(-y, n_);
  }

  [[gnu::noinline]] constexpr Leg advance(const T& q, const T& y0, const T& x) const noexcept {
    const T g = q * loading_;
    if (y0 > 0.0 && value_of(1.0 - g * power(y0, n_)) < -1e-7) return descend(g, y0, x);
    const auto leg = flow_.advance(T(1), g, q * unloading_, y0, x);
    return {leg.y, leg.lost};
  }

  /// From beyond the limit towards it. Closer than 1e-7 the linearised decay of the closed form is
  /// exact to 1e-14.
  [[gnu::noinline]] constexpr Leg descend(const T& g, const T& y0, const T& x) const noexcept {
    using Y = std::array<T, 2>;
    const auto slopes = [&](const Y& y) {
      const T spent = g * power(y[0], n_);
      return Y{1.0 - spent, y[0] * spent};
    };
    Y y{y0, T(0)};
    T left = x;
    double h = std::min(value_of(x), value_of(y0) / (1 + value_of(n_)) / 4);
    for (int i = 0; i < most_steps; ++i) {
      const T excess = g * power(y[0], n_) - 1.0;
      if (value_of(excess) < 1e-7) {
        const auto rest = flow_.advance(T(1), g, T(0), y[0], left);
        return {rest.y, y[1] + rest.lost};
      }
      const bool last = h >= value_of(left);
      const T length = last ? left : T(h);
      const double size = value_of(y[0]);
      const auto trial = extrapolation::step(y, length, slopes, {size, size * size}, tolerance);
      const double taken = value_of(length);
      h = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(h, taken / 2);
        continue;
      }
      y = trial.y;
      if (last) return {y[0], y[1]};
      left -= length;
    }
    return {y[0], y[1], Status::not_converged};
  }

  static constexpr double tolerance = 1e-14;  ///< a step; a descent takes a few dozen
  static constexpr int most_steps = 10000;

  T loading_, unloading_;  ///< β + γ, β − γ
  T n_, g0_, vs_, Ts_, uy_;
  T scale_;  ///< fc g0^(1/n), or fc
  bouc_wen::Flow<T> flow_;
  Transition transition_;
};

}  // namespace microslip
