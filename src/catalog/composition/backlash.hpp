#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "catalog/composition/wrapped.hpp"
#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/any_model.hpp"
#include "microslip/core/force_drive.hpp"

namespace microslip::catalog {

/// A gap in series with a law. The law sits at v; while the gap is open, |u − v| < gap/2, nothing
/// is carried and v rests. On one side of the gap the law can only be pushed up, on the other only
/// down: on the way back it unloads until its force is zero, and there it is left.
///
/// Model is AnyModel or AnyDualModel, Real its number.
template <class Real, class Model>
class Backlash {
 public:
  using Scalar = Real;
  struct State {
    AnyState law;
    Real u{0}, f{0};
    Real v{0}, carried{0};  ///< displacement and force of the law
    int contact = 0;        ///< side of the gap that touches; 0 while it is open

    /// Copies, reusing memory.
    void assign(const State& other) {
      law.get().assign(other.law.get());
      u = other.u;
      f = other.f;
      v = other.v;
      carried = other.carried;
      contact = other.contact;
    }
    std::vector<Real*> numbers() { return {&u, &f, &v, &carried}; }
  };

  /// The one number is the gap.
  Backlash(Model law, const std::vector<Real>& own, bool rate_dependent)
      : law_(std::move(law)), half_(0.5 * own[0]), rate_dependent_(rate_dependent) {}

  /// With these numbers all claims are those of the law inside.
  static bool keeps_claims(const std::vector<double>& own) { return own[0] == 0; }

  State rest() const {
    State state;
    state.law = law_.rest();
    AnyState trial = state.law;
    state.carried = law_.step(state.law, Real(0), 0, trial).force;
    return state;
  }
  double stored(const State& state) const { return law_.stored(state.law); }

  static void save(const State& state, StateRecord& record) {
    record["v"] = {state.v};
    record["carried"] = {state.carried};
    record["contact"] = {static_cast<double>(state.contact)};
  }
  static void load(const StateRecord& record, State& state) {
    state.v = one_number(record, "v");
    state.carried = one_number(record, "carried");
    state.contact = static_cast<int>(one_number(record, "contact"));
  }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const {
    if (&to != &from) to.assign(from);
    const int direction = u > to.u ? 1 : u < to.u ? -1 : 0;
    Move move{u, dt, Real(0), Status::ok};
    Real tangent(0);
    if (direction == 0) {
      // Without a gap the law is always touched.
      const bool touches = to.contact != 0 || value(half_) == 0;
      if (rate_dependent_ && touches) {
        tangent = drive(to, to.v, move, move.dt);
        to.f = to.carried;
      } else if (rate_dependent_) {
        drive(to, to.v, move, move.dt);
      } else if (touches) {
        tangent = drive(to, to.v, move, 0);
      }
      return {to.f, tangent, move.dissipated, move.status};
    }
    if (to.contact == -direction && withdraw(to, move, tangent)) {
      finish(to, u, to.carried);
      return {to.f, tangent, move.dissipated, move.status};
    }
    if (to.contact != direction && !close(to, move, direction)) {
      finish(to, u, Real(0));
      return {to.f, Real(0), move.dissipated, move.status};
    }
    tangent = drive(to, u - static_cast<double>(direction) * half_, move, move.dt);
    finish(to, u, to.carried);
    return {to.f, tangent, move.dissipated, move.status};
  }

  ForceInMotion<Real> force(const State& at, const Real& v) const {
    const int direction = v > 0.0 ? 1 : v < 0.0 ? -1 : 0;
    const bool meets = direction != 0 && direction * value(at.u - at.v) >= value(half_);
    if (at.contact == 0 && value(half_) != 0 && !meets) return {Real(0), Real(0)};
    const auto inside = law_.force(at.law, v);
    // The gap opens before the law would pull.
    const bool opens = value(half_) != 0 && direction == -at.contact && direction != 0 &&
                       at.contact * value(inside.force) < 0;
    return opens ? ForceInMotion<Real>{Real(0), Real(0), inside.status} : inside;
  }

  /// The gap first goes to where the sliding is; then the law inside slides, if it is pushed.
  SlipForce<double> slip(const State& from, const Sliding& at, State& to) const {
    to.assign(from);
    if (at.side * (at.u - from.u) > 0) {
      const bool timed = law_.rigidity().rate_dependent && at.after > 0;
      step(from, at.u, timed ? at.after : std::numeric_limits<double>::infinity(), to);
    }
    const SlipForce<double> open{0, 0, 0};
    if (to.contact == 0 && at.side * (to.u - to.v) < half_) return open;
    Sliding inside = at;
    inside.u = to.v;
    inside.after = 0;
    AnyState scratch = to.law;
    const SlipForce<double> law = law_.slip(to.law, inside, scratch);
    // The gap opens before the law would pull.
    const bool opens = to.contact == -at.side && at.side * law.force > 0;
    return opens ? open : law;
  }

  Real next_kink(const State& state, int direction) const {
    const double d = direction;
    const Real at_contact = state.v + d * half_;
    const bool touches = state.contact == direction || !(d * (at_contact - state.u) > 0.0);
    const bool leaves = state.contact == -direction;
    if (!leaves)
      return touches ? moved(law_.next_kink(state.law, direction), d * half_, state, d)
                     : at_contact;
    const Real kink = law_.next_kink(state.law, direction);
    if (rate_dependent_) return moved(kink, -d * half_, state, d);
    const Real zero = free_place(state);
    const Real first = d * (zero - kink) < 0.0 ? zero : kink;
    if (d * (first - state.v) > 0.0) return moved(first, -d * half_, state, d);
    return d * (at_contact - state.u) > 0.0
               ? at_contact
               : moved(law_.next_kink(state.law, direction), d * half_, state, d);
  }

 private:
  /// What is left of a step.
  struct Move {
    Real u;
    double dt;
    Real dissipated;
    Status status;
  };

  static double value(double x) { return x; }
  static double value(const WideDual& x) { return x.a; }

  static void finish(State& to, const Real& u, const Real& force) {
    to.u = u;
    to.f = force;
  }

  /// A kink of the law as the wrapper sees it; one that rounds to the present place is just ahead.
  static Real moved(const Real& kink, const Real& by, const State& state, double d) {
    const Real there = kink + by;
    if (d * (there - state.u) > 0.0) return there;
    return Real(std::nextafter(value(state.u), d * std::numeric_limits<double>::infinity()));
  }

  /// Moves the law; answers its tangent.
  Real drive(State& to, const Real& v, Move& move, double dt) const {
    const auto reply = law_.step(to.law, v, dt, to.law);
    move.dissipated += reply.dissipated;
    if (reply.status != Status::ok) move.status = reply.status;
    to.v = v;
    to.carried = reply.force;
    return reply.tangent;
  }

  /// Back from the side that touches. True if the law still pushes at the end; else it is left
  /// where its force is zero, and the gap is open.
  bool withdraw(State& to, Move& move, Real& tangent) const {
    const double side = to.contact;
    AnyState trial = to.law;
    const Real start = to.v;
    const Real way = move.u - side * half_ - start;
    const auto push = [&](double fraction) {
      const Real v = fraction == 1 ? move.u - side * half_ : start + fraction * way;
      return law_.step(to.law, v, fraction * move.dt, trial);
    };
    const auto end = push(1);
    if (end.status != Status::ok) move.status = end.status;
    if (move.status != Status::ok || side * value(end.force) >= 0) {
      to.law.get().assign(trial.get());
      to.v = move.u - side * half_;
      to.carried = end.force;
      move.dissipated += end.dissipated;
      tangent = end.tangent;
      return true;
    }
    to.contact = 0;
    if (!(side * value(to.carried) > 0)) return false;  // it was already free
    const double fraction = zero_of(
        [&](double s) { return s == 0 ? side * value(to.carried) : side * value(push(s).force); },
        side * value(to.carried), side * value(end.force));
    if (fraction > 0) {
      const auto near = push(fraction);
      Real v = start + fraction * way;
      // One Newton step carries the derivatives of the place where the force vanishes.
      if (value(near.tangent) > 0) v += (value(near.force) - near.force) / near.tangent;
      drive(to, v, move, fraction * move.dt);
    }
    move.dt *= 1 - fraction;
    return false;
  }

  /// Across the open gap. True if the other side is reached, with what is left of the step.
  bool close(State& to, Move& move, int direction) const {
    const double d = direction;
    const Real contact = to.v + d * half_;
    if (d * (move.u - contact) < 0.0) {
      if (rate_dependent_) drive(to, to.v, move, move.dt);
      return false;
    }
    if (rate_dependent_ && std::isfinite(move.dt)) {
      // Over what is left of the step the velocity is constant.
      const Real here = std::abs(value(to.u - to.v)) > value(half_) ? Real(to.v - d * half_) : to.u;
      const double way = value(move.u - here);
      const double part = way != 0 ? std::clamp(value(contact - here) / way, 0.0, 1.0) : 0;
      if (part > 0) drive(to, to.v, move, part * move.dt);
      move.dt *= 1 - part;
    }
    to.contact = direction;
    return true;
  }

  /// Where the law, pushed back, carries nothing.
  Real free_place(const State& state) const {
    AnyState trial = state.law;
    const auto push = [&](double v) {
      const auto reply = law_.step(state.law, Real(v), 0, trial);
      return Response<double>{value(reply.force), value(reply.tangent), 0, reply.status};
    };
    if (!(state.contact * value(state.carried) > 0)) return state.v;
    const auto found = displacement_for(0, value(state.v), value(state.carried), push);
    if (found.status != Status::ok)
      return Real(-state.contact * std::numeric_limits<double>::infinity());
    const auto reply = law_.step(state.law, Real(found.u), 0, trial);
    Real v(found.u);
    if (value(reply.tangent) > 0) v += (value(reply.force) - reply.force) / reply.tangent;
    return v;
  }

  /// The fraction of the way at which a falling function is zero, from below if it jumps.
  template <class F>
  static double zero_of(const F& f, double first, double last) {
    std::uintmax_t iterations = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        f, 0.0, 1.0, first, last, boost::math::tools::eps_tolerance<double>(53), iterations);
    return std::abs(f(bracket.second)) < std::abs(f(bracket.first)) && f(bracket.second) >= 0
               ? bracket.second
               : bracket.first;
  }

  Model law_;
  Real half_;
  bool rate_dependent_;
};

}  // namespace microslip::catalog
