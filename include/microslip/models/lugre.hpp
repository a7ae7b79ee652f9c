#pragma once

/// # lugre: bristles that bend, slip and damp
///
///     z' = u' − |u'| z/g(u'),   g(v) = (zc + (zs − zc) exp(−(v/vs)²))/σ0
///     f  = σ0 z + σ1 z' + σ2 u'
///
/// z is the mean bend of the bristles, (72)–(74) of the review by Mathis et al. Steady sliding
/// meets the Stribeck friction σ0 g(v) + σ2 v; small motions meet the stiffness σ0. zc and zs are
/// forces. With zs = zc and σ1 = σ2 = 0 this is Dahl's law of exponent 1.
///
/// At constant velocity z forgets with distance, exactly as a Maxwell spring forgets with time
/// (kernels/relaxation.hpp, x = |Δu|/g), so a step of any size is exact. An infinitely slow motion
/// meets g(0); at rest z stays and f = σ0 z.
///
/// Energy: Ψ = ½ σ0 z². The loss σ0 z²|u'|/g + σ1 z'u' + σ2 u'² becomes negative when a slow motion
/// has bent the bristles further than g(u') of a sudden fast one allows, unless σ2 makes up for
/// it: cycles of that kind create energy.

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bristles.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/kernels/sliding.hpp"

namespace microslip {

template <Number Real>
class LuGre {
 public:
  using Scalar = Real;

  using Params = BristleParams<Real>;
  using Options = NoOptions;
  using State = BristleState<Real>;

  static constexpr Info info{
      .name = "lugre",
      .sentence = "Bristles that bend, slip and damp: presliding and Stribeck friction in one.",
      .equation =
          "z' = u' − |u'| z/g(u'),  g = (zc + (zs − zc) exp(−(u'/vs)²))/σ0,  "
          "f = σ0 z + σ1 z' + σ2 u'",
      .citation =
          "C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of "
          "systems with friction, IEEE Transactions on Automatic Control 40 (1995) 419–425, "
          "doi:10.1109/9.376053",
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

  explicit constexpr LuGre(const Params& params, const Options& options = {})
      : LuGre(checked_fields(info.name, params), options, were_checked) {}
  constexpr LuGre(const Params& params, const Options&, WereChecked) noexcept
      : sigma0_(params.sigma0),
        sigma1_(params.sigma1),
        sigma2_(params.sigma2),
        curve_{params.zc, params.zs, params.vs, Real(2)} {}

  constexpr State rest() const { return {}; }

  constexpr Response<Real> step(const State& from, const Real& u, double dt,
                                State& to) const noexcept {
    if (dt == 0 || u == from.u) {
      const Real force = dt == 0 ? from.f : sigma0_ * from.z;
      to = from;
      to.f = force;
      return {force, sigma0_ + (sigma1_ + sigma2_) * relaxation::velocity_slope(dt), Real(0)};
    }
    const Real du = u - from.u;
    const double d = du > 0.0 ? 1 : -1;
    const Real v = relaxation::velocity(du, dt);
    const double v_slope = relaxation::velocity_slope(dt);
    const auto [limit, limit_slope] = curve_.at(d * v);
    const Real g = limit / sigma0_;
    const auto decay = relaxation::decay(Real(d * du / g));
    const Real z = decay.stretch(from.z, du);
    const Real slip = d * z / g;  // u' − z' relative to u'
    const Real lost =
        sigma0_ * decay.lost(from.z, du) + (sigma1_ * (z - from.z) + sigma2_ * du) * v;

    // z = d g + (z₀ − d g) exp(−x), with g and x = |Δu|/g both functions of u.
    const Real g_slope = d * limit_slope / sigma0_ * v_slope;
    const Real x_slope = (d - d * du / g * g_slope) / g;
    const Real z_slope =
        d * g_slope * (decay.ramp * (d * du / g)) + (d * g - from.z) * decay.keep * x_slope;
    const Real slip_slope = (d * z_slope - slip * g_slope) / g;
    const Real tangent =
        sigma0_ * z_slope + sigma1_ * (v_slope * (1.0 - slip) - v * slip_slope) + sigma2_ * v_slope;
    to.u = u;
    to.z = z;
    to.f = sigma0_ * z + sigma1_ * (v * (1.0 - slip)) + sigma2_ * v;
    return {to.f, tangent, lost};
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    if (v == 0.0) return {sigma0_ * at.z, sigma1_ + sigma2_};
    const double d = v > 0.0 ? 1 : -1;
    const auto [limit, limit_slope] = curve_.at(d * v);
    const Real slip = d * at.z * sigma0_ / limit;
    const Real slip_slope = -d * slip * limit_slope / limit;
    return {sigma0_ * at.z + sigma1_ * (v * (1.0 - slip)) + sigma2_ * v,
            sigma1_ * (1.0 - slip - v * slip_slope) + sigma2_};
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 * sigma0_ * square(state.z);
  }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  Real sigma0_, sigma1_, sigma2_;
  StribeckCurve<Real> curve_;  ///< σ0 g against speed
};

}  // namespace microslip
