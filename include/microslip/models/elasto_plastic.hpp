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

#include "microslip/core/along.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/extrapolation.hpp"
#include "microslip/core/relaxation.hpp"
#include "microslip/core/sliding.hpp"

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
    static constexpr auto fields = std::tuple{
        field(&Params::sigma0, "sigma0", "F/L", positive, "stiffness of the bristles"),
        field(&Params::sigma1, "sigma1", "F T/L", non_negative, "damping of the bristles"),
        field(&Params::sigma2, "sigma2", "F T/L", non_negative, "viscous coefficient"),
        field(&Params::zc, "zc", "F", positive, "friction of fast sliding"),
        field(&Params::zs, "zs", "F", positive, "friction at the onset of sliding"),
        field(&Params::vs, "vs", "L/T", positive, "velocity of the transition"),
        field(&Params::n, "n", "1", positive, "sharpness of the transition"),
        field(&Params::zba, "zba", "L", positive, "break-away: bend up to which all is elastic"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    Real z{0};
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "L", "bend of the bristles"),
    };
  };

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

  explicit ElastoPlastic(const Params& params, const Options& = {})
      : sigma0_(fixed(checked(params).sigma0)),
        sigma1_(fixed(params.sigma1)),
        sigma2_(fixed(params.sigma2)),
        curve_{fixed(params.zc), fixed(params.zs), fixed(params.vs), fixed(params.n)},
        zba_(fixed(params.zba)),
        zmax_((params.zs > params.zc ? curve_.still : curve_.fast) / sigma0_) {}

  State rest() const { return {}; }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
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

  Real stored(const State& state) const noexcept {
    return 0.5 * settled<Real>(sigma0_) * square(state.z);
  }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = Along<Real>;
  struct Leg {
    T y, rate, lost;  ///< rate is dy/dx at the end; lost is ∫ y (1 − dy/dx) dx
    Status status = Status::ok;
  };

  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    const double largest =
        std::max(value_of(params.zs), value_of(params.zc)) / value_of(params.sigma0);
    check_value(info.name, "zba", value_of(params.zba), open_interval(0, largest));
    return params;
  }

  /// dy/dx between zba and zss.
  T rate(const T& zss, const T& y) const noexcept {
    using std::sin;
    constexpr double pi = 3.14159265358979323846;
    // sin² of half the angle keeps the digits of a small α.
    const T half = sin(T(0.5 * pi * (y - zba_) / (zmax_ - zba_)));
    return 1.0 - half * half * y / zss;
  }

  Leg advance(const T& zss, const T& y0, const T& x) const noexcept {
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
  Leg descend(const T& zss, const T& limit, const T& y0, const T& x) const noexcept {
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

  /// From zba or above up to zss, where it stays.
  Leg climb(const T& zss, const T& y0, const T& x) const noexcept {
    using Y = std::array<T, 2>;
    const auto slopes = [&](const Y& y) {
      const T r = rate(zss, y[0]);
      return Y{r, y[0] * (1.0 - r)};
    };
    const double size = value_of(zss);
    const std::array<double, 2> scale{size, size * size};
    const double room = value_of(zmax_ - zba_);
    Y y{y0, T(0)};
    T left = x;
    double h = std::min(value_of(x), 0.2 * room);
    for (int i = 0; i < most_steps; ++i) {
      const T gap = zss - y[0];
      // As close as the errors of many steps let it come: with zss = zmax it would take forever.
      if (value_of(gap) <= 1e-12 * size) return {zss, T(0), y[1] + zss * left};
      const bool last = h >= value_of(left);
      T length = last ? left : T(h);
      auto trial = extrapolation::step(y, length, slopes, scale, tolerance);
      const double taken = value_of(length);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      if (!(trial.error <= 10 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      if (trial.y[0] >= zss && arrives(zss, y, slopes, scale, length, trial.y))
        return {zss, T(0), y[1] + (trial.y[1] - y[1]) + zss * (left - length)};
      h = std::min(next, room);
      y = trial.y;
      if (last) return {y[0], rate(zss, y[0]), y[1]};
      left -= length;
    }
    return {y[0], rate(zss, y[0]), y[1], Status::not_converged};
  }

  /// Newton for the length at which y reaches zss; the last iterations carry the derivatives.
  template <class Y, class Slopes>
  bool arrives(const T& zss, const Y& y, const Slopes& slopes, const std::array<double, 2>& scale,
               T& length, Y& end) const noexcept {
    for (int i = 0; i < 8; ++i) {
      const T speed = rate(zss, end[0]);
      if (!(speed > 0.0)) return false;
      length -= (end[0] - zss) / speed;
      end = extrapolation::step(y, length, slopes, scale).y;
    }
    return true;
  }

  static constexpr double tolerance = 1e-14;
  static constexpr int most_steps = 10000;

  T sigma0_, sigma1_, sigma2_;
  StribeckCurve<T> curve_;  ///< σ0 zss against speed
  T zba_, zmax_;
};

}  // namespace microslip
