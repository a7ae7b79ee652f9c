#pragma once

/// # duhem: hysteresis from two slopes, given as formulas
///
///     z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,   f = z,   z = z0 at rest
///
/// so dz/du is g1 while u grows and g2 while it falls ((u')⁻ is the size of a falling velocity). It
/// is the mother of `bouc` (g1 = A − αz, g2 = A + αz), `dahl`, Bouc–Wen and Valanis, and whatever a
/// user writes: 1 - z^3, 1.2 - (z - 0.2*u) …
///
/// The step is error-controlled. Where the slope varies gently the force is a power series of the
/// motion, as long as need be (numerics/taylor.hpp); at its end and at three places before it its slope
/// must be that of the formula. Where a formula has no series (at the end of a root, or if it is
/// very long) extrapolated midpoint rules take over (numerics/extrapolation.hpp), and where it is
/// stiff, as on the way along a limit force, the linearly implicit Euler rule, extrapolated too
/// (Deuflhard), which crosses any distance in a few steps once the force has settled. The work ∫z
/// du is integrated alongside. Kinks of the formulas (abs, sign, min, max) are not told by
/// next_kink, and cost many small steps; a bump narrower than a quarter of a step may be passed
/// over.
///
/// Energy: a Duhem law has no natural Ψ. This one reports z²/(2 k0), k0 = g1(0, z0) the first
/// slope, which is the energy of the spring in `bouc`; 0 if k0 ≤ 0. What a step loses is work − ΔΨ.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/numerics/extrapolation.hpp"
#include "microslip/numerics/taylor.hpp"

namespace microslip {

template <Number Real>
class Duhem {
 public:
  using Scalar = Real;

  struct Params {
    Expression g1 = Expression::parse("1-z", {"u", "z"});
    Expression g2 = Expression::parse("1+z", {"u", "z"});
    Real z0{0};

    static constexpr auto fields = std::tuple{
        field(&Params::g1, "g1", "F/L", Variables{"u", "z"}, "slope dz/du while u grows"),
        field(&Params::g2, "g2", "F/L", Variables{"u", "z"}, "slope dz/du while u falls"),
        field(&Params::z0, "z0", "F", any_number, "force at rest"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force, z"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "duhem",
      .sentence = "Hysteresis whose slope is one formula while loading and another unloading.",
      .equation = "z' = g1(u, z) (u')⁺ − g2(u, z) (u')⁻,  f = z",
      .citation =
          "P. Duhem, Die dauernden Änderungen und die Thermodynamik, Zeitschrift für "
          "Physikalische Chemie 22 (1897) 545–589",
      .claims = {.odd = depends("g2(u, z) = g1(-u, -z) and z0 = 0"),
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .bounded = depends("the formulas make it so, as g1 = 1 - z, g2 = 1 + z does"),
                 .planar_isotropic = not_applicable},
  };

  explicit Duhem(const Params& params, const Options& = {}) : p_(params) {
    check_fields(info.name, params);
    const double slope = p_.g1(0.0, value_of(p_.z0));
    if (!std::isfinite(slope))
      throw Error("duhem.g1 = " + p_.g1.text() + " must have a value at u = 0, z = z0");
    const Real first = p_.g1(Real(0), p_.z0);
    compliance_ = slope > 0 ? 1.0 / first : Real(0);
  }

  State rest() const {
    State state;
    state.f = p_.z0;
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const Expression& slope = direction < 0 ? p_.g2 : p_.g1;
    if (u == from.u) {
      const Response<Real> unchanged{from.f, slope(from.u, from.f), Real(0)};
      to = from;
      return unchanged;
    }
    const Place end = advance(slope, {from.u, from.f, Real(0), Real(0)}, u);
    if (end.status != Status::ok) {
      const Response<Real> failed{from.f, Real(0), Real(0), end.status};
      to = from;
      return failed;
    }
    const Real before = energy(from.f);
    to.u = u;
    to.f = end.z;
    to.direction = direction;
    return {to.f, end.slope, end.work + before - energy(to.f)};
  }

  Real stored(const State& state) const noexcept { return energy(state.f); }

  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  /// A point of a leg; work counts from its start.
  struct Place {
    Real u, z, work, slope;
    Status status = Status::ok;
  };
  struct Trial {
    Place end;
    double error;  ///< of the force, and of the work over the way
    double order;  ///< in which the error falls with the length
  };
  static constexpr double tolerance = 1e-12;  ///< a hundredth of what substeps may differ by
  static constexpr int most_steps = 20000;    ///< a leg through a rough formula ends with a status

  Real energy(const Real& z) const noexcept { return 0.5 * compliance_ * z * z; }

  Place advance(const Expression& slope, Place at, const Real& end) const noexcept {
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

  /// A small part of what the first slope leads to: where a leg begins with no force at a jump or
  /// at the end of a root, no step is short enough for an error relative to the force.
  static double unseen(const Expression& slope, const Place& start, double target) noexcept {
    const double u = value_of(start.u);
    return tolerance * std::abs(slope(u, value_of(start.z)) * (target - u));
  }

  /// A series that ends early shortens the step, unless it is stiffness that keeps it short.
  Trial try_step(const Expression& slope, const Place& at, Real& h, double size) const noexcept {
    taylor::Solution<Real> series(slope, at.u, at.z);
    if (!series.defined()) return {{at.u, at.z, at.work, Real(0), Status::undefined}, 0, 1};
    const double wanted = std::abs(value_of(h));
    const double small = 0.1 * tolerance * std::max(size, wanted * std::abs(series.first_slope()));
    double reach = 0;
    const auto g = slope(Dual<2>(value_of(at.u), 0), Dual<2>(value_of(at.z), 1));
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
  Trial series_step(const Expression& slope, const Place& at, const Real& h, double size,
                    taylor::Solution<Real>& series) const noexcept {
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
  Trial midpoint_step(const Expression& slope, const Place& at, const Real& h) const noexcept {
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
  Trial implicit_step(const Expression& slope, const Place& at, const Real& h, double by_u,
                      double by_z) const noexcept {
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
    const auto g = slope(Dual<2>(value_of(u), 0), Dual<2>(value_of(best.z), 1));
    const double beside =
        (g.a - rate.back()) / std::max(std::abs(g.v[1]), 1 / std::abs(value_of(h)));
    error = std::max(error, std::abs(beside));
    if (!std::isfinite(error)) error = std::numeric_limits<double>::infinity();
    return {{u, best.z, at.work + best.work, slope(u, best.z)}, error, implicit_order};
  }
  static constexpr int implicit_order = 6;

  Params p_;
  Real compliance_{0};
};

}  // namespace microslip
