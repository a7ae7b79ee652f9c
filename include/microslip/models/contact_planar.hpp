#pragma once

/// # contact-planar: friction in the plane under a normal force that changes, and opening
///
///     N  = max(0, N0 + kn un),   fn = N − max(N0, 0)
///     f' = kt (u' − s'),  |f| ≤ μN,  s' along f,  f = 0 while N = 0
///
/// The same as contact with two tangential directions and a circular limit. The slider follows the force:
/// slip is along f, and the force turns towards the motion. The step is exact for any size. Over a
/// straight motion the limit is linear; while it slips, the angle ψ between force and motion obeys
///
///     tan(ψ/2) ← tan(ψ/2) (N/N₀)^(−kt|u′|/(μN′)),   exponentially for N′ = 0,
///
/// and slip pauses while kt|u′| cos ψ < μN′ (kernels/planar_slip.hpp). Only the energy that slip loses
/// needs a quadrature.
///
/// Energy: Ψ = |f|²/(2kt) + ∫ (N − max(N0, 0)) dun.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/planar_slip.hpp"
#include "microslip/detail/kernels/unilateral_spring.hpp"
#include "microslip/detail/numerics/along.hpp"

namespace microslip {

template <Number Real>
class ContactPlanar {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::space;

  using Params = ContactParams<Real>;
  using Options = NoOptions;

  struct State {
    Vec<Real, 3> u = Vec<Real, 3>(Real(0), Real(0), Real(0));
    Vec<Real, 3> f = Vec<Real, 3>(Real(0), Real(0), Real(0));
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  static constexpr Info info{
      .name = "contact-planar",
      .sentence =
          "Friction in the plane, with a circular limit, under a normal force that changes and may "
          "vanish.",
      .equation =
          "N = max(0, N0 + kn un),  f' = kt (u' − s'),  |f| ≤ μN,  s' along f,  fn = N − max(N0, "
          "0)",
      .citation =
          "B. D. Yang, C. H. Menq, Characterization of 3D contact kinematics and prediction of "
          "resonant response of structures having 3D frictional constraint, Journal of Sound and "
          "Vibration 217 (1998) 909–925",
      .claims = {.odd = fails,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = holds},
  };

  explicit constexpr ContactPlanar(const Params& params, const Options& options = {})
      : ContactPlanar(checked_fields(info.name, params), options, were_checked) {}
  constexpr ContactPlanar(const Params& params, const Options&, WereChecked) noexcept
      : kt_(params.kt), mu_(params.mu), normal_{params.kn, params.N0} {}

  constexpr State rest() const { return {}; }

  constexpr VectorResponse<Real, 3> step(const State& from, const Vec<Real, 3>& u,
                                         State& to) const noexcept {
    if (u[0] == from.u[0] && u[1] == from.u[1] && u[2] == from.u[2]) {
      const VectorResponse<Real, 3> unchanged{from.f, tangent_at_rest(from), Real(0)};
      to = from;
      return unchanged;
    }
    const UnilateralSpring<T> normal{fixed(normal_.kn), fixed(normal_.N0)};
    const T kt = fixed(kt_), mu = fixed(mu_);
    const Vec<T, 3> end = along_moving<Real, 3>(u);
    const T before = normal.load(fixed(from.u[2])), after = normal.load(end[2]);
    const T fn = normal.force(end[2]);
    planar_slip::Leg<T> leg{zero_vector<T>(), T(0)};
    const bool closed = value_of(after) > 0, was_closed = value_of(before) > 0;
    if (closed || was_closed) {
      // The part of the step in contact. No force is left where it closes, or where it opens.
      const T part = closed == was_closed ? T(1)
                     : closed             ? T(after / (after - before))
                                          : T(before / (before - after));
      const T pull = kt * part;
      const Vec2<T> p{pull * (end[0] - fixed(from.u[0])), pull * (end[1] - fixed(from.u[1]))};
      const Vec2<T> f0 =
          was_closed ? Vec2<T>(fixed(from.f[0]), fixed(from.f[1])) : zero_vector<T>();
      leg = planar_slip::advance(f0, p, was_closed ? T(mu * before) : T(0),
                                 closed ? T(mu * after) : T(0));
    }
    VectorResponse<Real, 3> reply;
    reply.force = {settled(leg.f[0]), settled(leg.f[1]), normal_.force(u[2])};
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) reply.tangent(i, j) = Real(along_slope<Real, 3>(leg.f[i], j));
      reply.tangent(2, j) = Real(along_slope<Real, 3>(fn, j));
    }
    reply.dissipated = settled(T(leg.lost / kt));
    const Vec<Real, 3> target = u;  // `to` may hold `u`
    to.u = target;
    to.f = reply.force;
    return reply;
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 / kt_ * (square(state.f[0]) + square(state.f[1])) + normal_.stored(state.u[2]);
  }

  /// Opening, closing, or the onset of slip.
  constexpr Real next_kink(const State& state, const Vec<Real, 3>& along) const noexcept {
    // What rounds to the present place counts as passed.
    const double size = value_of(kt_) * std::hypot(value_of(along[0]), value_of(along[1])) +
                        value_of(normal_.kn) * std::abs(value_of(along[2]));
    const double forces =
        std::abs(value_of(normal_.N0)) + value_of(normal_.kn) * std::abs(value_of(state.u[2]));
    // So does what is nearer than rounding of the motion: at N0 = 0 there is no other measure.
    const double least = std::max(1e-13 * (1 + value_of(mu_)) * forces / size, 4e-15);
    const Real never(std::numeric_limits<double>::infinity());
    Real change = normal_.change_of_state(state.u[2], along[2]);
    if (!(value_of(change) > least)) change = never;
    const Real limit = mu_ * normal_.load(state.u[2]);
    if (!(value_of(limit) > 0)) return change;
    const Vec2<Real> f(state.f[0], state.f[1]), p(kt_ * along[0], kt_ * along[1]);
    const Real slip = planar_slip::onset(f, p, limit, Real(mu_ * normal_.kn * along[2]));
    return value_of(slip) > least && value_of(slip) < value_of(change) ? slip : change;
  }

 private:
  using T = Along<Real, 3>;
  static constexpr T fixed(const Real& x) { return along_fixed<3, Real>(x); }
  static constexpr Real settled(const T& x) { return along_settled<Real, 3>(x); }

  /// At the limit it goes on to slip, outwards; at N = 0 it touches.
  constexpr Mat<Real, 3> tangent_at_rest(const State& state) const noexcept {
    Mat<Real, 3> tangent = Mat<Real, 3>::Constant(Real(0));
    const Real N = normal_.load(state.u[2]);
    if (!(value_of(N) >= 0)) return tangent;
    tangent(2, 2) = normal_.kn;
    tangent(0, 0) = tangent(1, 1) = kt_;
    const Vec2<Real> f(state.f[0], state.f[1]);
    const Real limit = mu_ * N;
    if (value_of(N) == 0 || value_of(dot(f, f)) < square(value_of(limit)) * (1 - 1e-14))
      return tangent;
    if (!(value_of(limit) > 0)) {  // without friction
      tangent(0, 0) = tangent(1, 1) = Real(0);
      return tangent;
    }
    const Vec2<Real> n(f[0] / limit, f[1] / limit);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) tangent(i, j) -= kt_ * n[i] * n[j];
      tangent(i, 2) = mu_ * normal_.kn * n[i];
    }
    return tangent;
  }

  Real kt_, mu_;
  UnilateralSpring<Real> normal_;
};

}  // namespace microslip
