#pragma once

/// # contact: friction under a normal force that changes, and opening
///
///     N  = max(0, N0 + kn un)
///     ft ← clamp(ft + kt Δut, −μN, μN),   ft = 0 while N = 0
///     fn = N − max(N0, 0)
///
/// A unilateral spring against the surface and a spring with a Coulomb slider along it. un is positive
/// where the surfaces approach. The rest of the structure holds a positive N0 at rest; a negative N0 is
/// a gap of −N0/kn that carries nothing.
///
/// The step is exact. Over a straight motion N, the elastic force and so the distance between force and
/// limit are linear in the path parameter. Slip that has begun goes on to the end of the step or to
/// opening, because its rate kt ut′ ∓ μ kn un′ is constant: one clamp at the end, of the force of a
/// spring that begins at ft, or at zero where the contact closes on the way. The joint slips when N falls
/// while ut rests, and sticks while μN grows faster than kt ut.
///
/// Energy: Ψ = ft²/(2kt) + ∫ (N − max(N0, 0)) dun. Slip by ds = dut − dft/kt loses μN |ds|: over a piece
/// the mean limit times the distance.
///
/// In slip ∂ft/∂un = ±μkn and ∂fn/∂ut = 0: the tangent is not symmetric.

#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/contact_walk.hpp"
#include "microslip/detail/kernels/unilateral_spring.hpp"

namespace microslip {

template <Number Real>
class Contact {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::contact;

  struct Params {
    Real kt{1};
    Real kn{1};
    Real mu{0.5};
    Real N0{1};
    static constexpr auto fields = std::tuple{
        field(&Params::kt, "kt", "F/L", positive, "tangential stiffness while it sticks"),
        field(&Params::kn, "kn", "F/L", positive, "normal stiffness while it is closed"),
        field(&Params::mu, "mu", "1", non_negative, "coefficient of friction"),
        field(&Params::N0, "N0", "F", any_number,
              "normal force at un = 0, held by the rest of the structure; negative: a gap −N0/kn"),
    };
  };
  using Options = NoOptions;

  struct State {
    Vec2<Real> u = Vec2<Real>(Real(0), Real(0));
    Vec2<Real> f = Vec2<Real>(Real(0), Real(0));
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  static constexpr Info info{
      .name = "contact",
      .sentence = "Friction along one direction under a normal force that changes and may vanish.",
      .equation = "N = max(0, N0 + kn un),  ft ← clamp(ft + kt Δut, −μN, μN),  fn = N − max(N0, 0)",
      .citation =
          "C. H. Menq, B. D. Yang, Non-linear spring resistance and friction damping of frictional "
          "constraint having two-dimensional motion, Journal of Sound and Vibration 217 (1998) "
          "127–143; E. P. Petrov, D. J. Ewins, Analytical formulation of friction interface "
          "elements "
          "for analysis of nonlinear multi-harmonic vibrations of bladed disks, Journal of "
          "Turbomachinery 125 (2003) 364–371",
      .claims = {.odd = fails,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit constexpr Contact(const Params& params, const Options& options = {})
      : Contact(checked_fields(info.name, params), options, were_checked) {}
  constexpr Contact(const Params& params, const Options&, WereChecked) noexcept
      : kt_(params.kt), mu_(params.mu), normal_{params.kn, params.N0} {}

  constexpr State rest() const { return {}; }

  constexpr VectorResponse<Real, 2> step(const State& from, const Vec2<Real>& u,
                                         State& to) const noexcept {
    if (u[0] == from.u[0] && u[1] == from.u[1]) {
      const VectorResponse<Real, 2> unchanged{from.f, tangent_at_rest(from), Real(0)};
      to = from;
      return unchanged;
    }
    const Real before = normal_.load(from.u[1]), after = normal_.load(u[1]);
    const Real way = u[0] - from.u[0], approach = u[1] - from.u[1];
    VectorResponse<Real, 2> reply{Vec2<Real>(Real(0), normal_.force(u[1])), Mat2<Real>::Zero(),
                                  Real(0)};
    const bool closed = value_of(after) > 0;
    const bool closes = closed && !(value_of(before) > 0);
    if (closed) reply.tangent(1, 1) = normal_.kn;
    if (closed || value_of(before) > 0) {
      // The part of the step in contact, the limits at both of its ends, and the elastic force.
      const Real part = closes   ? Real(after / (after - before))
                        : closed ? Real(1)
                                 : Real(before / (before - after));
      const Real start = closes ? Real(0) : Real(mu_ * before);
      const Real limit = closed ? Real(mu_ * after) : Real(0);
      const Real pull = kt_ * part * way;
      const Real elastic = closes ? pull : Real(from.f[0] + pull);
      const bool slips = elastic > limit || elastic < -limit;
      if (!slips) {
        reply.force[0] = elastic;
        reply.tangent(0, 0) = kt_ * part;
        // A later contact is a shorter way: part = after/(kn approach).
        if (closes) reply.tangent(0, 1) = kt_ * way * (1.0 - part) / approach;
      } else {
        const double side = elastic > limit ? 1 : -1;
        reply.force[0] = side * limit;
        if (closed) reply.tangent(0, 1) = side * mu_ * normal_.kn;
        // How far the spring would be beyond its limit at the end, and how fast that grows.
        const Real excess = side * elastic - limit, rate = side * pull - (limit - start);
        Real slipping = excess / rate;
        if (!(value_of(slipping) < 1)) slipping = Real(1);
        reply.dissipated = excess / kt_ * (limit - 0.5 * slipping * (limit - start));
      }
    }
    const Vec2<Real> target = u;  // `to` may hold `u`
    to.u = target;
    to.f = reply.force;
    return reply;
  }

  constexpr Real stored(const State& state) const noexcept {
    return 0.5 / kt_ * square(state.f[0]) + normal_.stored(state.u[1]);
  }

  /// Opening, closing, or the onset of slip.
  constexpr Real next_kink(const State& state, const Vec2<Real>& along) const noexcept {
    const Real never(std::numeric_limits<double>::infinity());
    // What rounds to the present place counts as passed.
    const double size = value_of(kt_) * std::abs(value_of(along[0])) +
                        value_of(normal_.kn) * std::abs(value_of(along[1]));
    const double forces =
        std::abs(value_of(normal_.N0)) + value_of(normal_.kn) * std::abs(value_of(state.u[1]));
    const double least = 1e-13 * (1 + value_of(mu_)) * forces / size;
    Real next = normal_.change_of_state(state.u[1], along[1]);
    if (!(value_of(next) > least)) next = never;
    const Real limit = mu_ * normal_.load(state.u[1]);
    if (!(value_of(limit) > 0)) return next;
    const Real pull = kt_ * along[0], growth = mu_ * normal_.kn * along[1];
    for (const double side : {1.0, -1.0}) {
      const Real onset = (limit - side * state.f[0]) / (side * pull - growth);
      if (value_of(onset) > least && value_of(onset) < value_of(next)) next = onset;
    }
    return next;
  }

  std::unique_ptr<Walk> walk() const {
    return std::make_unique<ContactWalk>(
        value_of(kt_), value_of(mu_),
        UnilateralSpring<double>{value_of(normal_.kn), value_of(normal_.N0)});
  }

 private:
  /// At the limit it goes on to slip; at N = 0 it touches.
  constexpr Mat2<Real> tangent_at_rest(const State& state) const noexcept {
    Mat2<Real> tangent = Mat2<Real>::Zero();
    const Real N = normal_.load(state.u[1]);
    if (!(value_of(N) >= 0)) return tangent;
    tangent(1, 1) = normal_.kn;
    const Real limit = mu_ * N;
    if (value_of(N) == 0 || (state.f[0] < limit && state.f[0] > -limit))
      tangent(0, 0) = kt_;
    else
      tangent(0, 1) = (value_of(state.f[0]) < 0 ? -1.0 : 1.0) * mu_ * normal_.kn;
    return tangent;
  }

  Real kt_, mu_;
  UnilateralSpring<Real> normal_;
};

}  // namespace microslip
