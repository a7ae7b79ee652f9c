#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/affine.hpp"
#include "microslip/detail/numerics/expression.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"
#include "microslip/detail/numerics/quotients.hpp"
#include "microslip/detail/numerics/taylor.hpp"

/// dz/du = g(u, z) along a monotone motion, g a formula, with error control; the work ∫z du is
/// integrated alongside.
///
/// A slope a + b z + c u, with numbers that may depend on the velocity, has a closed form (the
/// semilinear Duhem model): the formula itself shows that it is one (numerics/affine.hpp).
///
/// Where any other slope varies gently the force is a power series of the motion, as long as need be
/// (numerics/taylor.hpp); at its end and at three places before it its slope must be that of the
/// formula. Where a formula has no series (at the end of a root, or if it is very long) extrapolated
/// midpoint rules take over (numerics/extrapolation.hpp), and where it is stiff, as on the way along
/// a limit force, the linearly implicit Euler rule, extrapolated too (Deuflhard), which crosses any
/// distance in a few steps once the force has settled.
namespace microslip {

/// Whether a formula of (u, z) or (u, z, v) is written as a + b z + c u at each velocity.
inline bool affine_slope(const Expression& formula) {
  bool curved = false;
  const std::array values{affine::Term<double>(1, 1, 0, &curved),
                          affine::Term<double>(1, 0, 1, &curved), affine::Term<double>(1)};
  formula.evaluate(std::span<const affine::Term<double>>(values));
  return !curved;
}

/// A formula of (u, z), or of (u, z, v) at a velocity that does not change on the way.
template <Number Real>
struct DuhemSlope {
  const Expression& formula;
  bool affine;
  const Real* velocity = nullptr;

  template <class T>
  T operator()(const T& u, const T& z) const noexcept {
    if (velocity == nullptr) return formula(u, z);
    if constexpr (std::is_constructible_v<T, Real>)
      return formula(u, z, T(*velocity));
    else
      return formula(u, z, T(value_of(*velocity)));
  }
  /// The value with its derivatives with respect to u and z alone.
  Dual<2> partial(double u, double z) const noexcept {
    const Dual<2> here(u, 0), force(z, 1);
    return velocity == nullptr ? formula(here, force)
                               : formula(here, force, Dual<2>(value_of(*velocity)));
  }
};

template <Number Real>
class DuhemFlow {
 public:
  using Slope = DuhemSlope<Real>;

  /// A point of a leg; work counts from its start.
  struct Place {
    Real u, z, work, slope;
    Status status = Status::ok;
  };
  static Place advance(const Slope& slope, Place at, const Real& end) noexcept {
    if (slope.affine) return closed_step(slope, at, end);
    const double target = value_of(end);
    const Place start = at;
    double h = target - value_of(at.u);
    double size = std::numeric_limits<double>::min();  // of the force: errors are relative to it
    for (int steps = 0; steps < most_steps; ++steps) {
      const double left = target - value_of(at.u);
      if (std::abs(h) > std::abs(left)) h = left;
      size = std::max(size, std::abs(value_of(at.z)));
      Real length = h == left ? end - at.u : Real(h);
      const Trial trial = try_step(slope, at, length, size);
      if (trial.end.status != Status::ok) return trial.end;
      const double used = value_of(length);
      const double size_with_trial = std::max(size, std::abs(value_of(trial.end.z)));
      double error = trial.error / size_with_trial;
      if (!std::isfinite(error)) error = std::numeric_limits<double>::max();  // far too long
      const bool shortest = std::abs(used) < 1e-15 * (std::abs(target) + std::abs(value_of(at.u)));
      if (error <= tolerance || (shortest && trial.error <= unseen(slope, start, target))) {
        size = size_with_trial;
        at = trial.end;
        if (used == left) return at;
      } else if (shortest) {
        break;
      }
      const double factor = 0.9 * std::pow(tolerance / std::max(error, 1e-300), 1 / trial.order);
      h = used * std::clamp(factor, 0.2, 4.0);
    }
    return {at.u, at.z, at.work, Real(0), Status::not_converged};
  }

 private:
  struct Trial {
    Place end;
    double error;  ///< of the force, and of the work over the way
    double order;  ///< in which the error falls with the length
  };
  static constexpr double tolerance = 1e-12;  ///< a hundredth of what substeps may differ by
  static constexpr int most_steps = 20000;    ///< a leg through a rough formula ends with a status

  /// dz/dh = g + c h + b (z − z0) at the distance h.
  static Place closed_step(const Slope& slope, const Place& at, const Real& end) noexcept {
    using std::exp;
    bool curved = false;
    const affine::Term<Real> g = slope(affine::Term<Real>(at.u, Real(1), Real(0), &curved),
                                       affine::Term<Real>(at.z, Real(0), Real(1), &curved));
    if (!std::isfinite(value_of(g.value))) return {at.u, at.z, at.work, Real(0), Status::undefined};
    const Real h = end - at.u, bend = g.by_u * h, bh = g.by_z * h;
    const auto [phi1, phi2, phi3] = exponential_integrals(bh);
    const Place there{end, at.z + h * (phi1 * g.value + phi2 * bend),
                      at.work + h * (at.z + h * (phi2 * g.value + phi3 * bend)),
                      exp(bh) * g.value + phi1 * bend};
    if (std::isfinite(value_of(there.work)) && std::isfinite(value_of(there.slope))) return there;
    return {at.u, at.z, at.work, Real(0), Status::not_converged};
  }

  /// A small part of what the first slope leads to: where a leg begins with no force at a jump or
  /// at the end of a root, no step is short enough for an error relative to the force.
  static double unseen(const Slope& slope, const Place& start, double target) noexcept {
    const double u = value_of(start.u);
    return tolerance * std::abs(slope(u, value_of(start.z)) * (target - u));
  }

  /// A series that ends early shortens the step, unless it is stiffness that keeps it short.
  static Trial try_step(const Slope& slope, const Place& at, Real& h, double size) noexcept {
    taylor::Solution<Real> series(slope.formula, at.u, at.z, slope.velocity);
    if (!series.defined()) return {{at.u, at.z, at.work, Real(0), Status::undefined}, 0, 1};
    const double wanted = std::abs(value_of(h));
    const double small = 0.1 * tolerance * std::max(size, wanted * std::abs(series.first_slope()));
    double reach = 0;
    const auto g = slope.partial(value_of(at.u), value_of(at.z));
    // Explicit rules are stable up to a few units of h ∂g/∂z, and a series covers no more. Where z
    // has come to its limit it does, but derivatives of it grow beyond all bounds.
    const double stiffness = -value_of(h) * g.v[1];
    while (series.fits() && !series.complete()) {
      reach = series.reach(wanted, small);
      if (reach < wanted) break;
      const Trial trial = series_step(slope, at, h, size, series);
      if (trial.error == 0)
        return stiffness > 20 ? implicit_step(slope, at, h, g.v[0], g.v[1]) : trial;
    }
    if (reach < wanted) {
      if (stiffness > (reach > 0 ? 20 : 2)) return implicit_step(slope, at, h, g.v[0], g.v[1]);
      if (!(reach > 0)) return midpoint_step(slope, at, h);
      h = Real(std::copysign(reach, value_of(h)));
    }
    return series_step(slope, at, h, size, series);
  }

  /// The error counts as 0 where it is small enough: the degree was chosen so, and the next step
  /// may be as long as it likes.
  static Trial series_step(const Slope& slope, const Place& at, const Real& h, double size,
                           taylor::Solution<Real>& series) noexcept {
    const auto point = series.at(h);
    const Real u = at.u + h, g = slope(u, point.value);
    const Place end{u, point.value, at.work + point.integral, g};
    // What the next terms would be, or the other side of a kink.
    double error = std::abs((value_of(g) - value_of(point.slope)) * value_of(h));
    const double allowed = tolerance * std::max(size, std::abs(value_of(end.z)));
    // A formula may also leave the series and come back to it: a bump, or a wave.
    for (const double part : looked_at) {
      if (!(error <= allowed)) break;
      const double way = part * value_of(h);
      const auto [z, dz] = series.value_at(way);
      error = std::abs((slope(value_of(at.u) + way, z) - dz) * value_of(h));
    }
    return {end, error <= allowed ? 0 : error, static_cast<double>(series.degree())};
  }
  /// Parts of a step, from the golden section: no wave repeats itself in all of them.
  static constexpr double looked_at[] = {0.2360679774997897, 0.4721359549995794,
                                         0.7639320225002103};

  /// The rules look at all but the end, which the way back begins with.
  static Trial midpoint_step(const Slope& slope, const Place& at, const Real& h) noexcept {
    constexpr double any = std::numeric_limits<double>::infinity();
    const auto rate = [&]<class T>(const std::array<T, 3>& y) {
      return std::array<T, 3>{T(1), slope(y[0], y[1]), y[1]};
    };
    const double length = value_of(h), enough = tolerance * std::abs(value_of(at.z));
    const std::array<double, 3> scale{any, 1, std::abs(length)};
    const auto there = extrapolation::step<Real, 3>({at.u, at.z, Real(0)}, h, rate, scale, enough);
    const auto& [u, z, work] = there.y;
    const auto back = extrapolation::step<double, 3>({value_of(u), value_of(z), 0.0}, -length, rate,
                                                     scale, enough);
    return {{u, z, at.work + work, slope(u, z)},
            std::max({there.error, back.error, std::abs(back.y[1] - value_of(at.z))}),
            11};
  }

  /// (1 − h ∂g/∂z) Δz = h (g + h ∂g/∂u), Δwork = h (z + Δz), with the derivatives of the start, in
  /// 1, 2, … parts, extrapolated in the size of the part.
  static Trial implicit_step(const Slope& slope, const Place& at, const Real& h, double by_u,
                             double by_z) noexcept {
    std::array<Real, implicit_order> z, work;  // Neville's scheme, the row under construction
    std::array<double, implicit_order> rate;   // of z at the end
    Place best = at;                           // the end of the last row
    double error = 0;
    for (std::size_t row = 0; row < implicit_order; ++row) {
      const auto parts = static_cast<double>(row + 1);
      const Real part = h / parts;
      Real here = at.u, now = at.z, done(0), last(0);
      for (std::size_t i = 0; i <= row; ++i) {
        last = (slope(here, now) + part * by_u) / (1.0 - part * by_z);
        now += part * last;
        here += part;
        done += part * now;
      }
      double ending = value_of(last);
      for (std::size_t column = 1; column <= row; ++column) {
        const double divisor = parts / (parts - static_cast<double>(column)) - 1;
        const Real dz = (now - z[column - 1]) / divisor, dw = (done - work[column - 1]) / divisor;
        const double dr = (ending - rate[column - 1]) / divisor;
        z[column - 1] = now;
        work[column - 1] = done;
        rate[column - 1] = ending;
        now += dz;
        done += dw;
        ending += dr;
      }
      if (row > 0)
        error = std::max(std::abs(value_of(now - best.z)),
                         std::abs(value_of(done - best.work) / value_of(h)));
      z[row] = best.z = now;
      work[row] = best.work = done;
      rate[row] = ending;
    }
    // No rule looked at the end itself. Behind a kink the force is beside the curve it follows.
    const Real u = at.u + h;
    const auto g = slope.partial(value_of(u), value_of(best.z));
    const double beside =
        (g.a - rate.back()) / std::max(std::abs(g.v[1]), 1 / std::abs(value_of(h)));
    error = std::max(error, std::abs(beside));
    if (!std::isfinite(error)) error = std::numeric_limits<double>::infinity();
    return {{u, best.z, at.work + best.work, slope(u, best.z)}, error, implicit_order};
  }
  static constexpr int implicit_order = 6;
};

}  // namespace microslip
