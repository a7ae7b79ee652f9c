#include "microslip/dynamics/rigid/rigid_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// As the law declares: its force depends on velocity unless it claims not to for all parameters.
bool depends_on_velocity(const AnyModel& model) {
  return sees_time(model) && model.description().claims.rate_independent.verdict != Verdict::holds;
}

/// Whatever came before, and wherever it is. Laws have no unit of length: every decade is tried.
bool depends_on_velocity_alone(const AnyModel& model) {
  AnyState to = model.rest();
  for (int decade = -100; decade <= 100; ++decade) {
    const double size = std::pow(10.0, decade);
    for (const double v : {-0.75 * size, 0.5 * size}) {
      const double fresh = model.step(model.rest(), v, 1, to).force;
      AnyState state = model.rest();
      for (const double u : {0.25, 8.0, -3.0, -2.5, 64.0, -64.0}) {
        model.step(state, u * size, 0.5, state);
        // A place that is no sum of powers of two leaves rounding in the velocity.
        const double there = model.step(state, u * size + v, 1, to).force;
        if (std::abs(there - fresh) > 1e-12 * (std::abs(there) + std::abs(fresh))) return false;
      }
    }
  }
  return true;
}

}  // namespace

RigidFriction::RigidFriction(const AnyModel& model)
    : model_(model),
      timed_(depends_on_velocity(model)),
      placed_(true),
      alone_(timed_ && depends_on_velocity_alone(model)),
      rest_(model.rest()),
      ahead_(model.rest()),
      scratch_(model.rest()) {
  placed_ = !alone_;
}

double RigidFriction::probe_time(double after) const {
  if (alone_) return 1;
  const double most = 1e-4 * moment_;
  return after > 0 ? std::min(most, 0.01 * after) : most;
}

/// Laws that see time are asked by a short step at the velocity wanted, after a longer one to where
/// that begins; those that see nothing else by a long one from rest, where velocities that small
/// are not rounded away.
Response<double> RigidFriction::ask(const Slip& slip, double u, double v, double after) {
  const auto& [state, place, side] = slip;
  if (!timed_) {
    const double onset = 1e-14 * (std::abs(place) + reach_);
    const double target = side * (u - place) > onset ? u : place + side * onset;
    return model_.step(state, target, infinity, scratch_);
  }
  const double probe = probe_time(after);
  if (alone_) {
    const double onset = 1e-15 * reach_ / moment_;
    return model_.step(rest_, side * std::max(side * v, onset), probe, scratch_);
  }
  const double least = 1e-15 * (std::abs(u) + reach_) / probe;
  const double way = side * std::max(side * v, least) * probe;
  if (!(after > 0)) return model_.step(state, place + way, probe, scratch_);
  model_.step(state, u - way, after - probe, ahead_);
  return model_.step(ahead_, u, probe, scratch_);
}

double RigidFriction::force(const Slip& slip, double u, double v, double after) {
  return ask(slip, u, v, after).force;
}

RigidFriction::Slopes RigidFriction::slopes(const Slip& slip, double u, double v, double after) {
  const Response<double> reply = ask(slip, u, v, after);
  if (!timed_) return {reply.force, reply.tangent, 0};
  double by_u = 0;
  if (placed_) {
    const double du = 1e-6 * reach_;
    by_u = (force(slip, u + du, v, after) - force(slip, u - du, v, after)) / (2 * du);
  }
  return {reply.force, by_u, reply.tangent * probe_time(after)};
}

RigidFriction::Limits RigidFriction::limits(const AnyState& state, double place) {
  return {force({state, place, -1}, place, 0, 0), force({state, place, 1}, place, 0, 0)};
}

}  // namespace microslip::dynamics
