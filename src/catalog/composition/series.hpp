#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "catalog/composition/wrapped.hpp"
#include "microslip/core/any_model.hpp"
#include "microslip/detail/numerics/bracket.hpp"

namespace microslip::catalog {

/// The root of a rising function between a and b, to rounding of values of this size.
template <class F>
double rising_root(double a, double b, double scale, const F& at) {
  return root_in({std::min(a, b), std::max(a, b)}, b, 1e-16 * scale, 0, at);
}

/// Where a law behind a spring comes to from v: on the way of the whole, or beyond if its force falls.
template <class F>
double place_behind_spring(double v, double way, double scale, const F& at) {
  double far = v + way;
  for (int i = 0; i < 200 && (way > 0 ? 1 : -1) * at(far).value < 0; ++i) far = v + 2 * (far - v);
  return rising_root(v, far, scale, at);
}

/// A law in series with a spring of compliance c: both carry the force f, and u = v + c f.
///
/// Inside may be a law that answers a displacement to a force, v = N[f]; this is how such a law is
/// driven by displacement. With c = 0 it is the inverse of the law: rigid friction if nothing moves
/// before the first slider slips. Where the law slides as a whole (macroslip) it goes on sliding under
/// the force that it can carry, and v differs from N[f] by the distance.
///
/// Along a monotone motion u rises with the unknown (the force, or v), so that Newton's method inside
/// a bracket finds it to rounding.
///
/// Energy: the law's own, and ½ c f² in the spring; macroslip loses its force times the distance.
template <class Real, class Model>
class Series {
 public:
  using Scalar = Real;
  /// Derivatives by parameters are differences of a law driven by force and of rigid friction behind a
  /// spring: `slip` and macroslip have none of their own. For others see SeriesDual.
  static constexpr bool by_differences = true;
  bool follows() const { return !by_force_ && !(law_.rigidity().rigid && c_ > 0); }
  /// A law driven by force that moves from the first force on; see InverseDual.
  bool inverts() const { return by_force_ && !rigid_; }

  struct State {
    AnyState law;
    Real u{0}, f{0};
    Real v{0};     ///< displacement of the law
    Real slid{0};  ///< in macroslip: v − N[f]

    /// Copies, reusing memory.
    void assign(const State& other) {
      law.get().assign(other.law.get());
      u = other.u;
      f = other.f;
      v = other.v;
      slid = other.slid;
    }
    std::vector<Real*> numbers() { return {&u, &f, &v, &slid}; }
  };

  /// The one number is the compliance.
  Series(Model law, const std::vector<Real>& own, bool rate_dependent)
      : law_(std::move(law)), c_(own[0]), by_force_(law_.description().driven == Driven::force) {
    if (rate_dependent)
      throw Error("series needs a law that does not depend on time; " + law_.description().name +
                  " is rate-dependent");
    if (!by_force_) return;
    for (const int side : {-1, 1}) most_[side > 0] = find_most(side);
    const double kink = std::min(law_.next_kink(law_.rest(), 1), most_[1]);
    AnyState state = law_.rest();
    compliant_ = law_.step(state, 0, 0, state).tangent > 0;
    if (!std::isfinite(kink)) return;
    state = law_.rest();
    rigid_ = law_.step(state, 0.5 * kink, 0, state).force == 0;
  }

  State rest() const {
    State state;
    state.law = law_.rest();
    AnyState trial = state.law;
    const double answer = law_.step(state.law, Real(0), 0, trial).force;
    state.v = by_force_ ? answer : 0;
    state.f = by_force_ ? 0 : answer;
    state.slid = -state.v;
    state.v = 0;
    // A law that pushes at rest strains the spring.
    state.u = c_ * state.f;
    if (state.u != 0) {
      State moved = state;
      step(state, 0, 0, moved);
      return moved;
    }
    return state;
  }
  double stored(const State& state) const {
    return law_.stored(state.law) + 0.5 * c_ * state.f * state.f;
  }

  static void save(const State& state, StateRecord& record) {
    record["v"] = {state.v};
    record["slid"] = {state.slid};
  }
  static void load(const StateRecord& record, State& state) {
    state.v = one_number(record, "v");
    state.slid = one_number(record, "slid");
  }

  Response<Real> step(const State& from, Real u, double /*dt*/, State& to) const {
    if (by_force_) return step_by_force(from, u, to);
    if (law_.rigidity().rigid && c_ > 0) return step_rigid(from, u, to);
    return step_by_displacement(from, u, to);
  }

  /// It does not depend on the rate.
  ForceInMotion<Real> force(const State& at, const Real& /*v*/) const { return {at.f, Real(0)}; }

  Rigidity rigidity() const {
    if (by_force_)
      return {.rigid = rigid_ && c_ == 0, .infinite_stiffness = !rigid_ && !compliant_ && c_ == 0};
    return c_ == 0 ? law_.rigidity() : Rigidity{};
  }
  SlipForce<double> slip(const State& from, const Sliding& at, State& scratch) const {
    if (!by_force_) return law_.slip(from.law, at, scratch.law);
    if (at.side * (at.u - from.u) > 0) {
      const Response<double> reply = step_by_force(from, at.u, scratch);
      return {reply.force, reply.tangent, 0};
    }
    const double limit = slip_limit(from, at.side);
    return {limit, slope_beyond(from, limit, at.side, scratch), 0};
  }

  Real next_kink(const State& state, int direction) const {
    const double d = direction;
    const double none = d * std::numeric_limits<double>::infinity();
    if (!by_force_) {
      if (c_ > 0 && law_.rigidity().rigid) {
        const double at_limit = state.v + c_ * limit(state, direction);
        if (d * (at_limit - state.u) > 0) return at_limit;
      }
      const double kink = law_.next_kink(state.law, direction);
      if (c_ == 0 || !std::isfinite(kink)) return kink;
      AnyState trial = state.law;
      return ahead(kink + c_ * law_.step(state.law, kink, 0, trial).force, state.u, d);
    }
    const double most = most_[direction > 0];
    State at = state;
    // Forces at which the law is stuck move nothing unless there is a spring.
    for (int kinks = 0; kinks < 3; ++kinks) {
      if (!(d * (most - at.f) > 0)) return none;
      double kink = law_.next_kink(at.law, direction);
      if (!(d * (most - kink) > 0)) kink = most;
      if (!std::isfinite(kink)) return none;
      const Response<double> reply = law_.step(at.law, kink, 0, at.law);
      if (reply.status != Status::ok) return none;
      at.f = kink;
      const double there = reply.force + state.slid + c_ * kink;
      if (d * (there - state.u) > 1e-15 * (std::abs(there) + std::abs(state.u))) return there;
    }
    return none;
  }

 private:
  static double ahead(double place, double u, double d) {
    return d * (place - u) > 0 ? place
                               : std::nextafter(u, d * std::numeric_limits<double>::infinity());
  }

  // ----------------------------------------------------------------- a law driven by force

  /// The largest force that the law carries on a side: beyond it slides as a whole. Infinite if it does
  /// not.
  double find_most(int side) const {
    const AnyState rest = law_.rest();
    AnyState trial = rest;
    const auto carries = [&](double f) {
      return law_.step(rest, side * f, 0, trial).status == Status::ok;
    };
    const double kink = std::abs(law_.next_kink(rest, side));
    double low = std::isfinite(kink) && kink > 0 ? kink : 1;
    for (int i = 0; i < 400 && !carries(low); ++i) low /= 8;
    double high = low;
    for (int i = 0; i < 30; ++i) {
      high *= 8;
      if (!carries(high)) break;
      low = high;
      if (i == 29) return side * std::numeric_limits<double>::infinity();
    }
    while (true) {
      const double middle = 0.5 * (low + high);
      // A little less: along another path rounding may let it slide earlier.
      if (middle == low || middle == high) return side * low * (1 - 1e-12);
      (carries(middle) ? low : high) = middle;
    }
  }

  Response<double> step_by_force(const State& from, double u, State& to) const {
    if (&to != &from) to.assign(from);
    if (u == from.u) {
      AnyState& trial = to.law;
      const Response<double> reply = law_.step(trial, to.f, 0, trial);
      const double compliance = reply.tangent + c_;
      return {to.f, compliance > 0 ? 1 / compliance : 0, 0, reply.status};
    }
    const AnyState start = to.law;
    const double d = u > to.u ? 1 : -1, f0 = to.f, slid = to.slid;
    const double lack = u - to.u;
    double most = most_[d > 0];
    Response<double> reply{};
    const auto at = [&](double f) -> RootValue {
      reply = law_.step(start, f, 0, to.law);
      return {reply.force + slid + c_ * f - u, reply.tangent + c_};
    };
    // How far the force may go: the spring alone, the largest force, or doubled strides.
    double far = most;
    if (c_ > 0 && d * (f0 + lack / c_ - far) < 0) far = f0 + lack / c_;
    if (!std::isfinite(far)) {
      const double kink = law_.next_kink(start, d > 0 ? 1 : -1);
      double stride = std::isfinite(kink) ? std::abs(kink - f0) : 0;
      if (!(stride > 0)) stride = std::max(std::abs(f0), std::abs(lack));
      for (int i = 0; i < 1000; ++i, stride *= 2) {
        far = f0 + d * stride;
        if (!(d * at(far).value < 0)) break;
      }
    }
    const double scale = std::abs(u) + std::abs(slid) + std::abs(c_ * f0);
    double end = far == most ? at(most).value : d;
    // Among many sliders rounding along another path may let the law slide earlier than from rest.
    for (double less = 1e-11; far == most && reply.status == Status::macroslip && less < 1e-7;
         less *= 10) {
      far = most = most_[d > 0] * (1 - less);
      end = at(most).value;
    }
    if (reply.status != Status::ok) return {f0, 0, 0, reply.status};
    if (far == most && d * end <= 0) {
      // The law slides as a whole.
      reply = law_.step(start, most, 0, to.law);
      const double before = reply.force + slid;
      to.f = most;
      to.v = u - c_ * most;
      to.slid = to.v - reply.force;
      to.u = u;
      return {to.f, 0, reply.dissipated + std::abs(most * (to.v - before)), reply.status};
    }
    const double f = rising_root(f0, far, scale, at);
    reply = law_.step(start, f, 0, to.law);
    if (reply.status != Status::ok) return {f0, 0, 0, reply.status};
    to.f = f;
    to.v = u - c_ * f;
    to.slid = to.v - reply.force;
    to.u = u;
    const double compliance = reply.tangent + c_;
    return {f, compliance > 0 ? 1 / compliance : 0, reply.dissipated, Status::ok};
  }

  /// The force at which a stuck law begins to move to a side.
  double slip_limit(const State& state, int side) const {
    const double most = most_[side > 0];
    double kink = law_.next_kink(state.law, side);
    if (!(side * (most - kink) > 0)) kink = most;
    if (!std::isfinite(kink) || !(side * (kink - state.f) > 0)) return state.f;
    AnyState trial = state.law;
    const double before = law_.step(state.law, state.f, 0, trial).force;
    const double half = law_.step(state.law, 0.5 * (state.f + kink), 0, trial).force;
    return half == before ? kink : state.f;
  }
  /// df/du just beyond a force at which it begins to move.
  double slope_beyond(const State& state, double limit, int side, State& scratch) const {
    const double most = most_[side > 0];
    double beyond = limit + 1e-6 * side * std::max(std::abs(limit), std::abs(limit - state.f));
    if (!(side * (most - beyond) > 0)) return 0;
    const double compliance = law_.step(state.law, beyond, 0, scratch.law).tangent;
    return compliance > 0 ? 1 / compliance : 0;
  }

  // ---------------------------------------------------------- a law driven by displacement

  Response<double> step_by_displacement(const State& from, double u, State& to) const {
    if (&to != &from) to.assign(from);
    Response<double> reply{};
    if (c_ == 0 || u == to.u) {
      const double v = c_ == 0 ? u : to.v;
      reply = law_.step(to.law, v, 0, to.law);
      return finish(u, v, reply, to);
    }
    const AnyState start = to.law;
    const auto at = [&](double v) -> RootValue {
      reply = law_.step(start, v, 0, to.law);
      return {v + c_ * reply.force - u, 1 + c_ * reply.tangent};
    };
    const double v =
        place_behind_spring(to.v, u - to.u, std::abs(u) + std::abs(to.v) + std::abs(c_ * to.f), at);
    reply = law_.step(start, v, 0, to.law);
    return finish(u, v, reply, to);
  }
  Response<double> finish(double u, double v, const Response<double>& reply, State& to) const {
    to.u = u;
    to.v = v;
    to.f = reply.force;
    const double below = 1 + c_ * reply.tangent;
    return {reply.force, std::isfinite(reply.tangent) ? reply.tangent / below : 1 / c_,
            reply.dissipated, reply.status};
  }

  /// Rigid friction with a spring: it stands while the spring carries less than its limits.
  double limit(const State& state, int side) const {
    AnyState scratch = state.law;
    Sliding at;
    at.side = side;
    at.u = state.v;
    return law_.slip(state.law, at, scratch).force;
  }
  Response<double> step_rigid(const State& from, double u, State& to) const {
    if (&to != &from) to.assign(from);
    const double pull = (u - to.v) / c_;
    const double high = limit(to, 1), low = limit(to, -1);
    if (pull >= low && pull <= high) {
      to.u = u;
      to.f = pull;
      return {pull, 1 / c_, 0, Status::ok};
    }
    const double v0 = to.v;
    const AnyState start = to.law;
    Response<double> reply{};
    const auto at = [&](double v) -> RootValue {
      reply = law_.step(start, v, 0, to.law);
      return {v + c_ * reply.force - u, 1 + c_ * reply.tangent};
    };
    const double v = place_behind_spring(v0, c_ * (pull - (pull > high ? high : low)),
                                         std::abs(u) + std::abs(v0), at);
    reply = law_.step(start, v, 0, to.law);
    return finish(u, v, reply, to);
  }

  Model law_;
  Real c_;
  bool by_force_;
  bool rigid_ = false;
  bool compliant_ = true;  ///< under the first force already
  double most_[2] = {-std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity()};
};

}  // namespace microslip::catalog
