#pragma once

/// # elasto-plastic: LuGre with a purely elastic range
///
///     z' = u' (1 − α(z, u') z sgn(u')/zss(u')),   zss(v) = (zc + (zs − zc) exp(−(|v|/vs)^n))/σ0
///     f  = σ0 z + σ1 z' + σ2 u'
///
/// (75)–(80) of the review by Mathis et al. With y = z sgn(u'), α is 0 up to the break-away
/// displacement zba (and while unloading, y < 0), 1 from zss(u') on, and between them
///
///     α = ½ + ½ sin(π (y − (zmax + zba)/2)/(zmax − zba)),   zmax = zs/σ0 or zc/σ0, the larger.
///
/// Motions that stay below zba leave no drift, which lugre cannot do. The print drops sgn(u'), |z|
/// and the index of σ0; n is real (its Table 1 uses 2.5). zc, zs are forces, zba is a length.
///
/// At constant velocity y rises along a straight line to zba, then by dy/dx = 1 − α y/zss with
/// error control until it reaches zss and stays there; a y beyond zss comes down exponentially as
/// in lugre. If zss(u') < zba, y stops at zba instead.
///
/// Energy: Ψ = ½ σ0 z²; as in lugre, a fast motion after a slow one may give energy back.
///
/// Where zss is reached depends on the velocity, which next_kink is not told: it answers infinity.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bristles.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/kernels/sliding.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"
#include "microslip/detail/numerics/with_tangent.hpp"

namespace microslip {

template <Number Real>
class ElastoPlastic {
 public:
  using Scalar = Real;

  struct Params {
    Real sigma0{1};
    Real sigma1{0.1};
    Real sigma2{0.1};
    Real zc{1};
    Real zs{1.2};
    Real vs{0.5};
    Real n{2};
    Real zba{0.5};
    static constexpr auto fields =
        std::tuple_cat(bristle_rows::elastic<Params>(),
                       std::tuple{
                           field(&Params::n, "n", "1", positive, "sharpness of the transition"),
                           field(&Params::zba, "zba", "L", positive,
                                 "break-away: bend up to which all is elastic"),
                       });
  };
  using Options = NoOptions;
  using State = BristleState<Real>;

  static constexpr Info info{
      .name = "elasto-plastic",
      .sentence = "LuGre friction whose bristles are elastic up to a break-away displacement.",
      .equation = "z' = u' (1 − α(z, u') z sgn(u')/zss(u')),  f = σ0 z + σ1 z' + σ2 u'",
      .citation =
          "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter, Single state elastoplastic friction "
          "models, IEEE Transactions on Automatic Control 47 (2002) 787–792, "
          "doi:10.1109/TAC.2002.1000274",
      .claims = {.odd = holds,
                 .rate_independent = depends("zs = zc and sigma1 = sigma2 = 0"),
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("sigma1 |zs - zc| <= sigma2 min(zs, zc)"),
                 .bounded = depends("sigma1 = sigma2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"zs", "zc", positive}}, .look = {{"zs", closed_interval(1, 10)}}};
  }

  explicit constexpr ElastoPlastic(const Params& params, const Options& options = {})
      : ElastoPlastic(checked(params), options, were_checked) {}
  constexpr ElastoPlastic(const Params& params, const Options&, WereChecked) noexcept
      : sigma0_(fixed(params.sigma0)),
        sigma1_(fixed(params.sigma1)),
        sigma2_(fixed(params.sigma2)),
        curve_{fixed(params.zc), fixed(params.zs), fixed(params.vs), fixed(params.n)},
        zba_(fixed(params.zba)),
        zmax_((params.zs > params.zc ? curve_.still : curve_.fast) / sigma0_) {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    const double v_slope = relaxation::velocity_slope(dt);
    if (dt == 0 || u == from.u) {
      const Real force = dt == 0 ? from.f : settled<Real>(sigma0_) * from.z;
      to = from;
      to.f = force;
      return {force, settled<Real>(sigma0_ + (sigma1_ + sigma2_) * v_slope), Real(0)};
    }
    const T du = moving(u) - fixed(from.u);
    const double d = du > 0.0 ? 1 : -1;
    const T v = relaxation::velocity(du, dt);
    const T zss = curve_.at(d * v).force / sigma0_;
    const T z0 = fixed(from.z);
    const Leg leg = advance(zss, d * z0, d * du);
    const T z = d * leg.y;
    const T f = sigma0_ * z + (sigma1_ * leg.rate + sigma2_) * v;
    const T lost = sigma0_ * leg.lost + (sigma1_ * (z - z0) + sigma2_ * du) * v;
    to.u = u;
    to.z = settled<Real>(z);
    to.f = settled<Real>(f);
    return {to.f, Real(slope_along(f)), settled<Real>(lost), leg.status};
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    const double d = v < 0.0 ? -1 : 1;
    const T speed = moving(v), limit = curve_.at(d * speed).force;
    const T f = slides_steadily(at, d)
                    ? T(d * limit + sigma2_ * speed)
                    : T(sigma0_ * fixed(at.z) +
                        (sigma1_ * rate(limit / sigma0_, d * fixed(at.z)) + sigma2_) * speed);
    return {settled<Real>(f), Real(slope_along(f))};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * settled<Real>(sigma0_) * square(state.z);
  }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = WithTangent<Real>;
  struct Leg {
    T y, rate, lost;  ///< rate is dy/dx at the end; lost is ∫ y (1 − dy/dx) dx
    Status status = Status::ok;
  };

  static constexpr const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double largest =
        std::max(value_of(params.zs), value_of(params.zc)) / value_of(params.sigma0);
    check_value(info.name, "zba", value_of(params.zba), open_interval(0, largest));
    return params;
  }

  /// Whether it got here at z = zss of its speed, where z' jumps from above zero to below: while the speed
  /// changes little by little, z goes on with zss. What f is more than σ0 z tells the speed.
  constexpr bool slides_steadily(const State& at, double d) const noexcept {
    const double sigma0 = value_of(sigma0_), y = d * value_of(at.z);
    const double more = d * value_of(at.f) - sigma0 * y, size = std::abs(value_of(at.f));
    if (!(y > value_of(zba_))) return false;
    // Without dashpots f says nothing of it, and is that of z.
    if (!(value_of(sigma2_) > 0)) return value_of(sigma1_) > 0 && std::abs(more) <= 1e-14 * size;
    // Of the speed, rounding of f is known.
    const double speed = more / value_of(sigma2_), blur = 4e-15 * size / more;
    const auto limit = [&](double v) { return value_of(curve_.at(T(v)).force); };
    const double one = limit(speed * (1 - blur)), other = limit(speed * (1 + blur));
    const double digits = 1e-14 * sigma0 * y;
    return more > 0 && sigma0 * y >= std::min(one, other) - digits &&
           sigma0 * y <= std::max(one, other) + digits;
  }

  /// dy/dx.
  constexpr T rate(const T& zss, const T& y) const noexcept {
    const bool early = zss < zba_;
    if (y > (early ? zba_ : zss)) return 1.0 - y / zss;
    if (y < zba_) return T(1);
    if (early) return T(0);
    const Bend bend = bend_towards(zss);
    const T t = bend.start(y, zba_);
    return bend.over(t) ? T(1.0 - y / zss) : bend.slope(t);
  }

  constexpr Leg advance(const T& zss, const T& y0, const T& x) const noexcept {
    const bool early = zss < zba_;  // fast sliding below break-away: y stops there
    const T& limit = early ? zba_ : zss;
    if (y0 > limit) return descend(zss, limit, y0, x);
    T y = y0, left = x;
    if (y < zba_) {
      const T elastic = zba_ - y;
      if (left < elastic) return {y + left, T(1), T(0)};
      y = zba_;
      left -= elastic;
    }
    if (early) return {limit, T(0), limit * left};
    return climb(zss, y, left);
  }

  /// Down to zss with distance; held at a limit above it.
  constexpr Leg descend(const T& zss, const T& limit, const T& y0, const T& x) const noexcept {
    using std::log;
    const auto over = [&](const T& length) {
      const auto decay = relaxation::decay(T(length / zss));
      const T y = decay.stretch(y0, length);
      return Leg{y, 1.0 - y / zss, decay.lost(y0, length)};
    };
    if (limit > zss) {
      const T arrival = zss * log((y0 - zss) / (limit - zss));
      if (arrival < x) return {limit, T(0), over(arrival).lost + limit * (x - arrival)};
    }
    return over(x);
  }

  /// The way from zba to zss in t = tan θ, α = sin²θ, θ = (y − zba)/unit: there
  ///     dy/dx = (1 + t² (1 − y/zss))/(1 + t²),   dt/dx = (1 + t² (1 − y/zss))/unit.
  /// Where zss = zmax is approached for ever t only grows, and the gap keeps its digits however
  /// narrow zmax − zba is.
  struct Bend {
    T zss, unit, missing;  ///< missing is zmax − zss

    constexpr T start(const T& y, const T& zba) const noexcept {
      using std::tan;
      const T done = (y - zba) / unit, left = (zss - y + missing) / unit;
      if (value_of(done) < value_of(left)) return tan(done);
      return 1.0 / tan(value_of(left) > 1e-15 ? left : T(1e-15));  // closer is rounding
    }
    /// zss − y
    constexpr T gap(const T& t) const noexcept {
      using std::atan2;
      return unit * atan2(T(1), t) - missing;
    }
    /// dt/dx and the rate of the loss
    constexpr std::array<T, 2> operator()(const std::array<T, 2>& at) const noexcept {
      const T t2 = at[0] * at[0], share = gap(at[0]) / zss;
      return {(1.0 + t2 * share) / unit, zss * square(1.0 - share) * (t2 / (1.0 + t2))};
    }
    constexpr T slope(const T& t) const noexcept {
      const T t2 = t * t;
      return (1.0 + t2 * (gap(t) / zss)) / (1.0 + t2);
    }
    /// Nothing but rounding is left of the way; dy/dx just before the end is sin²(missing/unit).
    constexpr bool over(const T& t) const noexcept {
      const double last = std::sin(std::max(value_of(missing / unit), 0.0));
      return value_of(gap(t)) <= 1e-12 * value_of(zss) && value_of(slope(t)) - last * last <= 1e-12;
    }
  };

  constexpr Bend bend_towards(const T& zss) const noexcept {
    return {zss, (zmax_ - zba_) * (2 / pi), zmax_ - zss};
  }

  /// From zba or above up to zss, where it stays.
  constexpr Leg climb(const T& zss, const T& y0, const T& x) const noexcept {
    const T room = zmax_ - zba_;
    const Bend bend = bend_towards(zss);
    std::array<T, 2> at{bend.start(y0, zba_), T(0)};  // t, lost
    const auto here = [&] { return Leg{zss - bend.gap(at[0]), bend.slope(at[0]), at[1]}; };
    T left = x;
    double h = std::min(value_of(x), 0.2 * value_of(room));
    for (int i = 0; i < most_steps; ++i) {
      if (bend.over(at[0])) return {zss, T(0), at[1] + zss * left};
      const bool last = h >= value_of(left);
      T length = last ? left : T(h);
      const std::array<double, 2> scale{1 + value_of(at[0]), square(value_of(zss))};
      auto trial = extrapolation::step(at, length, bend, scale, tolerance);
      const double taken = value_of(length);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      if (value_of(bend.gap(trial.y[0])) <= 0) {
        arrive(bend, at, scale, length, trial.y);
        return {zss, T(0), trial.y[1] + zss * (left - length)};
      }
      h = next;
      at = trial.y;
      if (last) return here();
      left -= length;
    }
    Leg unfinished = here();
    unfinished.status = Status::not_converged;
    return unfinished;
  }

  /// Shortens a step that passes zss: Newton in a bracket, whose last change has the derivatives.
  static constexpr void arrive(const Bend& bend, const std::array<T, 2>& from,
                               const std::array<double, 2>& scale, T& length,
                               std::array<T, 2>& end) noexcept {
    using std::tan;
    const T goal = 1.0 / tan(bend.missing / bend.unit);
    Bracket bracket{0, value_of(length)};
    for (int i = 0; i < 100; ++i) {
      const T change = (end[0] - goal) / bend(end)[0];
      const double size = std::abs(value_of(change));
      bracket.narrow(value_of(length), value_of(end[0]) - value_of(goal));
      const double next = value_of(length) - value_of(change);
      const bool inside = bracket.holds(next);
      const bool last = (inside && size <= 1e-8 * next) || size <= 1e-15 * bracket.above;
      length = inside || last ? length - change : T(bracket.middle());
      end = extrapolation::step(from, length, bend, scale, tolerance).y;
      if (last) return;
    }
  }

  static constexpr double tolerance = 1e-14;
  static constexpr int most_steps = 10000;

  T sigma0_, sigma1_, sigma2_;
  StribeckCurve<T> curve_;  ///< σ0 zss against speed
  T zba_, zmax_;
};

}  // namespace microslip
