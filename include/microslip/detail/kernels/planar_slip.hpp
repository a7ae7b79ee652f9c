#pragma once

/// A slider in the plane whose limit changes. Over the part s = 0 … 1 of a straight motion the elastic
/// force would grow by p, and the limit L = L0 + m s is linear:
///
///     f' = p                 inside |f| < L, or where |f| grows more slowly than L
///     f' = p − σ n, n = f/L  on the circle, σ = p·n − m ≥ 0
///
/// Stick ends at a root of a quadratic equation. On the circle n' = (p − (p·n) n)/L, and with
/// dτ = ds/L, τ = ln(L/L0)/m, this is the linear-fractional map of numerics/projective.hpp: the angle
/// ψ between force and motion obeys tan(ψ/2) ∝ e^(−|p|τ) = (L/L0)^(−|p|/m). cos ψ only grows, so slip
/// that has begun goes on. Lost is ∫ (p·n − m) L² dτ over the stiffness, by quadrature; from |p|τ ≈ 20
/// on force and motion have one direction, and the rest is closed.

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>

#include "microslip/detail/numerics/planar.hpp"
#include "microslip/detail/numerics/projective.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip::planar_slip {

template <Number Real>
struct Leg {
  Vec2<Real> f;
  Real lost;  ///< times the stiffness
};

/// The part of the motion until |f0 + s p| = L0 + s m; infinite if it sticks for ever.
template <Number Real>
constexpr Real onset(const Vec2<Real>& f0, const Vec2<Real>& p, const Real& L0,
                     const Real& m) noexcept {
  using std::sqrt;
  const Real never(std::numeric_limits<double>::infinity());
  const Real a = dot(p, p) - square(m), b = dot(f0, p) - L0 * m, c = dot(f0, f0) - square(L0);
  const bool outwards = value_of(b) > 0, faster = value_of(a) > 0;
  if (value_of(c) >= -1e-14 * square(value_of(L0))) {  // on the circle, to rounding
    if (outwards || (value_of(b) == 0 && faster)) return Real(0);
    return faster ? Real(-2.0 * b / a) : never;
  }
  const Real discriminant = b * b - a * c;
  if (!(value_of(discriminant) > 0) || (!outwards && !faster)) return never;
  const Real root = sqrt(discriminant);
  return outwards ? Real(-c / (b + root)) : Real((root - b) / a);
}

/// The force and the motion, |p| > 0, where they point against each other: tan(ψ/2) falls from a large
/// number, and as a quotient of sums cos ψ would be 0/0. At ψ = π to rounding it stays there.
template <Number Real>
struct Against {
  Real length, below, above, sine;  ///< |p|, 1 − cos ψ, 1 + cos ψ, sin ψ at the beginning
  Vec2<Real> along;

  constexpr Against(const Vec2<Real>& p, const Vec2<Real>& n0) noexcept {
    using std::sqrt;
    length = sqrt(dot(p, p));
    along = Vec2<Real>(p[0] / length, p[1] / length);
    sine = along[0] * n0[1] - along[1] * n0[0];
    below = 1.0 - dot(along, n0);
    above = square(sine) / below;
  }
  /// cos ψ and sin ψ after τ.
  constexpr Vec2<Real> turned(const Real& tau) const noexcept {
    using std::exp;
    if (!(value_of(above) > 0)) return {Real(-1), Real(0)};
    const Real decay = exp(-length * tau), rest = below * square(decay), sum = above + rest;
    return {(above - rest) / sum, 2.0 * decay * sine / sum};
  }
};

/// ∫ (p·n − m) L² dτ from τ = 0 to T.
template <Number Real>
constexpr Real slip_work(const Vec2<Real>& p, const Vec2<Real>& n0, const Real& L0, const Real& m,
                         const Real& T) noexcept {
  using Rule = boost::math::quadrature::gauss<double, 10>;
  using std::exp;
  const Real pp = dot(p, p), along = dot(p, n0);
  const bool against = value_of(along) < 0;
  const Against<Real> turn(against ? p : n0, n0);
  const auto rate = [&](const Real& tau) {
    if (against) return Real((turn.length * turn.turned(tau)[0] - m) * exp(2.0 * m * tau));
    const auto g = projective::growth(Real(pp * square(tau)));
    const Real S = tau * g.S;
    const Real pn = (pp * S + along * g.C) / (g.C + along * S);
    return Real((pn - m) * exp(2.0 * m * tau));
  };
  // Poles lie at |p|τ = ±iπ/2 beside the path.
  const double wide = value_of(T) * (std::sqrt(value_of(pp)) + 2 * std::abs(value_of(m))) / 1.2;
  const int cells = 1 + static_cast<int>(std::min(wide, 1000.0));
  const Real half = 0.5 * T / static_cast<double>(cells);
  Real sum(0);
  for (int cell = 0; cell < cells; ++cell) {
    const Real middle = (2.0 * cell + 1) * half;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      const double x = Rule::abscissa()[i];
      sum += Rule::weights()[i] * (rate(Real(middle + x * half)) + rate(Real(middle - x * half)));
    }
  }
  return square(L0) * half * sum;
}

/// From f0 on the circle L0 to the circle L1.
template <Number Real>
constexpr Leg<Real> slide(const Vec2<Real>& f0, const Vec2<Real>& p, const Real& L0,
                          const Real& L1) noexcept {
  using std::log, std::sqrt;
  const Real m = L1 - L0;
  const double size = std::sqrt(value_of(dot(p, p)));
  // A motion of length zero has a direction in no derivative either.
  const Real length = size > 0 ? Real(sqrt(dot(p, p))) : Real(0);
  if (!(value_of(L0) > 0) || !(value_of(dot(f0, f0)) > 0)) {
    // A contact that has just closed slips along the motion at once.
    if (!(value_of(L1) > 0) || !(size > 0)) return {zero_vector<Real>(), Real(0)};
    return {Vec2<Real>(L1 * p[0] / length, L1 * p[1] / length), 0.5 * (length - m) * L1};
  }
  const Real norm = sqrt(dot(f0, f0));
  const Vec2<Real> n0(f0[0] / norm, f0[1] / norm);
  const bool vanishes = !(value_of(L1) > 0);
  Real whole(std::numeric_limits<double>::infinity());
  if (!vanishes)
    whole = std::abs(value_of(m)) < 0.1 * value_of(L0) ? Real(log1prel(Real(m / L0)) / L0)
                                                       : Real(log(L1 / L0) / m);
  Leg<Real> leg{Vec2<Real>(Real(0), Real(0)), Real(0)};
  if (!vanishes && value_of(dot(p, n0)) < 0) {
    const Against<Real> turn(p, n0);
    const Vec2<Real> n = turn.turned(whole), &x = turn.along;
    leg.f = Vec2<Real>(L1 * (x[0] * n[0] - x[1] * n[1]), L1 * (x[1] * n[0] + x[0] * n[1]));
  } else if (!vanishes) {
    const Vec2<Real> turn(whole * p[0], whole * p[1]);
    const Vec2<Real> n = projective::advance(turn, turn, n0).z;
    const Real stretch = L1 / sqrt(dot(n, n));  // 1 to rounding
    leg.f = Vec2<Real>(stretch * n[0], stretch * n[1]);
  }
  const double cosine = size > 0 ? value_of(dot(p, n0)) / size : 1;
  const double turning =
      20 + (cosine < 0 ? std::min(20.0, 0.5 * std::log((1 - cosine) / (1 + cosine))) : 0);
  double most = std::numeric_limits<double>::infinity();
  if (size > 0) most = turning / size;
  if (value_of(m) < 0) most = std::min(most, -20 / value_of(m));
  if (value_of(whole) <= most) {
    leg.lost = slip_work(p, n0, L0, m, whole);
    return leg;
  }
  const Real T(most);
  const Real done = L0 * T * exprel(Real(m * T));  // s there
  leg.lost = slip_work(p, n0, L0, m, T) + 0.5 * (length - m) * (1.0 - done) * (L0 + m * done + L1);
  return leg;
}

/// From f0 inside a circle L0 or on it, over the whole motion.
template <Number Real>
constexpr Leg<Real> advance(const Vec2<Real>& f0, const Vec2<Real>& p, const Real& L0,
                            const Real& L1) noexcept {
  const Real m = L1 - L0;
  const Real stick = onset(f0, p, L0, m);
  if (!(value_of(stick) < 1)) return {Vec2<Real>(f0[0] + p[0], f0[1] + p[1]), Real(0)};
  const Vec2<Real> on(f0[0] + stick * p[0], f0[1] + stick * p[1]);
  const Real left = 1.0 - stick;
  return slide(on, Vec2<Real>(left * p[0], left * p[1]), Real(L0 + stick * m), L1);
}

}  // namespace microslip::planar_slip
