#include "dynamics/rigid/rigid_friction.hpp"

namespace microslip::dynamics {

RigidFriction::RigidFriction(const AnyModel& model)
    : model_(model), rigidity_(model.rigidity()), scratch_(model.rest()) {}

/// A trial that lies behind the law, seen from the side, counts as the place where the law is.
RigidFriction::Slopes RigidFriction::slopes(const Slip& slip, double u, double v, double after) {
  const double ahead = slip.side * (u - slip.place) > 0 ? u : slip.place;
  return model_.slip(slip.state, {slip.side, ahead, v, after, length_}, scratch_);
}

double RigidFriction::force(const Slip& slip, double u, double v, double after) {
  return slopes(slip, u, v, after).force;
}

RigidFriction::Limits RigidFriction::limits(const AnyState& state, double place, double after) {
  return {force({state, place, -1}, place, 0, after), force({state, place, 1}, place, 0, after)};
}

}  // namespace microslip::dynamics
