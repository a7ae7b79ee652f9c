#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/response.hpp"
#include "microslip/detail/kernels/unilateral_spring.hpp"

namespace microslip {

/// A unilateral spring against a surface, and a spring with a Coulomb slider along it: the element of
/// `contact`, with directions (t, n). A straight motion of any size is one exact step.
template <Number Real>
struct FrictionSpring {
  Real kt, mu;
  UnilateralSpring<Real> normal;

  /// Slip that has begun goes on to the end of the step or to opening, because its rate kt ut′ ∓ μ kn un′ is
  /// constant: one clamp at the end, of the force of a spring that begins at ft, or at zero where the contact
  /// closes on the way.
  constexpr VectorResponse<Real, 2> step(const Vec2<Real>& from, const Real& ft,
                                         const Vec2<Real>& u) const noexcept {
    const Real before = normal.load(from[1]), after = normal.load(u[1]);
    const Real way = u[0] - from[0], approach = u[1] - from[1];
    VectorResponse<Real, 2> reply{Vec2<Real>(Real(0), normal.force(u[1])), Mat2<Real>::Zero(),
                                  Real(0)};
    const bool closed = value_of(after) > 0;
    const bool closes = closed && !(value_of(before) > 0);
    if (closed) reply.tangent(1, 1) = normal.kn;
    if (!closed && !(value_of(before) > 0)) return reply;
    // The part of the step in contact, the limits at both of its ends, and the elastic force.
    const Real part = closes   ? Real(after / (after - before))
                      : closed ? Real(1)
                               : Real(before / (before - after));
    const Real start = closes ? Real(0) : Real(mu * before);
    const Real limit = closed ? Real(mu * after) : Real(0);
    const Real pull = kt * part * way;
    const Real elastic = closes ? pull : Real(ft + pull);
    if (closed && !(elastic > limit || elastic < -limit)) {
      reply.force[0] = elastic;
      reply.tangent(0, 0) = kt * part;
      // A later contact is a shorter way: part = after/(kn approach).
      if (closes) reply.tangent(0, 1) = kt * way * (1.0 - part) / approach;
      return reply;
    }
    const double side = elastic > limit ? 1 : -1;
    reply.force[0] = side * limit;
    if (closed) reply.tangent(0, 1) = side * mu * normal.kn;
    // How far the spring would be beyond its limit at the end, and how fast that grows.
    const Real excess = side * elastic - limit, rate = side * pull - (limit - start);
    Real slipping = excess / rate;
    if (!(value_of(slipping) < 1)) slipping = Real(1);
    reply.dissipated = excess / kt * (limit - 0.5 * slipping * (limit - start));
    return reply;
  }

  /// At the limit it goes on to slip; at N = 0 it touches.
  constexpr Mat2<Real> tangent_at_rest(const Real& un, const Real& ft) const noexcept {
    Mat2<Real> tangent = Mat2<Real>::Zero();
    const Real N = normal.load(un);
    if (!(value_of(N) >= 0)) return tangent;
    tangent(1, 1) = normal.kn;
    const Real limit = mu * N;
    if (value_of(N) == 0 || (ft < limit && ft > -limit))
      tangent(0, 0) = kt;
    else
      tangent(0, 1) = (value_of(ft) < 0 ? -1.0 : 1.0) * mu * normal.kn;
    return tangent;
  }

  constexpr Real stored(const Real& un, const Real& ft) const noexcept {
    return 0.5 / kt * square(ft) + normal.stored(un);
  }

  /// Opening, closing, or the onset of slip.
  constexpr Real next_kink(const Vec2<Real>& u, const Real& ft,
                           const Vec2<Real>& along) const noexcept {
    const Real never(std::numeric_limits<double>::infinity());
    // What rounds to the present place counts as passed.
    const double size = value_of(kt) * std::abs(value_of(along[0])) +
                        value_of(normal.kn) * std::abs(value_of(along[1]));
    const double forces =
        std::abs(value_of(normal.N0)) + value_of(normal.kn) * std::abs(value_of(u[1]));
    // So does what is nearer than rounding of the motion: at N0 = 0 there is no other measure.
    const double least = std::max(1e-13 * (1 + value_of(mu)) * forces / size, 4e-15);
    Real next = normal.change_of_state(u[1], along[1]);
    if (!(value_of(next) > least)) next = never;
    const Real limit = mu * normal.load(u[1]);
    if (!(value_of(limit) > 0)) return next;
    const Real pull = kt * along[0], growth = mu * normal.kn * along[1];
    for (const double side : {1.0, -1.0}) {
      const Real onset = (limit - side * ft) / (side * pull - growth);
      if (value_of(onset) > least && value_of(onset) < value_of(next)) next = onset;
    }
    return next;
  }
};

}  // namespace microslip
