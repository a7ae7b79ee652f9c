#include <cmath>

#include "dynamics/time/event_motion.hpp"
#include "microslip/detail/numerics/constants.hpp"

/// Joints between events and at them: which way they go, and which of them stick.
namespace microslip::dynamics {
Eigen::VectorXd EventMotion::held(const Eigen::VectorXd& free, Eigen::VectorXd& stopped) const {
  if (rigid_.set.stuck().empty()) return free;
  const Eigen::VectorXd q = rigid_.to_ways * free;
  stopped = q - rigid_.set.free_part(q);
  return free - rigid_.from_forces * stopped;
}

void EventMotion::commit(std::size_t j, double u, double h) {
  Response<double> reply{};
  if (rigid_.is(j)) {
    ContactSet::Contact& contact = rigid_[j];
    const bool timed = contact.law.rate_dependent();
    if (contact.side == 0) u = contact.place;
    if (contact.side * (u - contact.place) <= 0 && !(timed && contact.side == 0)) return;
    const double before = s_.joints[j].model.stored(contact.state);
    reply = contact.move(u, h);
    run_.state[j] = contact.state;
    // The work on a law that depends on velocity is integrated with the motion; what it stores is
    // not lost.
    if (timed) reply.dissipated = before - s_.joints[j].model.stored(contact.state);
  } else {
    reply = s_.joints[j].model.step(run_.state[j], u, 0, run_.state[j]);
    run_.force[j] = reply.force;
  }
  if (reply.status != Status::ok) run_.result.status = reply.status;
  run_.result.joint_energy[j] += reply.dissipated;
  run_.result.audit.joints += reply.dissipated;
}

void EventMotion::set_rigid_forces() {
  const std::vector<std::size_t>& stuck = rigid_.set.stuck();
  if (!stuck.empty()) {
    const Eigen::VectorXd holds = rigid_.set.holds(holds_[0]);
    for (std::size_t i = 0; i < stuck.size(); ++i)
      run_.force[rigid_.joints[stuck[i]]] = holds[static_cast<Eigen::Index>(i)];
  }
  for (const std::size_t i : rigid_.set.slipping()) {
    const std::size_t j = rigid_.joints[i];
    run_.force[j] = rigid_.set[i].slip_force(run_.joint_motion(j, y_.head(n_)),
                                             run_.joint_motion(j, y_.segment(n_, n_)), 0);
  }
}

void EventMotion::pass(const TimeEvent& event) {
  ++run_.result.events;
  const std::size_t j = event.joint;
  switch (event.kind) {
    case TimeEvent::Kind::reversal:
      if (rigid_.is(j)) {
        rigid_[j].side = 0;
        settle_rigid_joints();
      } else {
        turn(j, -direction_[j]);
      }
      break;
    case TimeEvent::Kind::kink:
      commit(j, event.kink, 0);
      turn(j, direction_[j]);
      break;
    case TimeEvent::Kind::release:
      rigid_.set.let_go(event.plane.slips);
      settle_rigid_joints();
      break;
    case TimeEvent::Kind::course:
      set_out(j);
      break;
  }
}

void EventMotion::stick() {
  for (std::size_t i = 0; i < rigid_.set.size(); ++i) rigid_.set[i].law.measure(reference_x_);
  rigid_.set.stick();
  Eigen::VectorXd stopped;
  y_.segment(n_, n_) = held(v(), stopped);
  evaluate(t_, y_, k_[0]);
  holds_[0] = to_hold_;
  refer_to(y_.head(n_), y_.segment(n_, n_));
  for (const std::size_t j : rigid_.joints) direction_[j] = rigid_[j].side;
}

void EventMotion::settle_rigid_joints() {
  if (rigid_.set.empty()) return;
  stick();
  if (!rigid_.set.stuck().empty()) {
    const ContactSet::Decision decision = rigid_.set.decide(holds_[0]);
    if (decision.acceleration.size() > 0) {
      rigid_.set.let_go(decision);
      stick();
    }
  }
  for (const std::size_t j : rigid_.joints) look_ahead(j);
  set_rigid_forces();
}

void EventMotion::choose_directions() {
  for (const std::size_t j : rigid_.joints) {
    const double velocity = run_.joint_motion(j, y_.segment(n_, n_));
    rigid_[j].side = velocity > noise(j) ? 1 : velocity < -noise(j) ? -1 : 0;
  }
  stick();
  for (std::size_t j = 0; j < direction_.size(); ++j)
    if (!rigid_.is(j)) turn(j, 0);
  settle_rigid_joints();
  for (std::size_t i = 0; i < courses_.size(); ++i) set_out(i);
}

void EventMotion::turn(std::size_t j, int direction) {
  const Eigen::VectorXd& w = s_.joints[j].w;
  if (direction == 0) {
    const double velocity = w.dot(k_[0].head(n_));
    const double moving = velocity != 0 ? velocity : w.dot(k_[0].segment(n_, n_));
    direction = moving > 0 ? 1 : moving < 0 ? -1 : 0;
  }
  direction_[j] = direction;
  look_ahead(j);
}

void EventMotion::look_ahead(std::size_t j) {
  const double none = direction_[j] * infinity;
  if (direction_[j] == 0) {
    kink_[j] = infinity;
    return;
  }
  const double u = run_.joint_motion(j, y_.head(n_));
  const double kink = s_.joints[j].model.next_kink(run_.state[j], direction_[j]);
  const bool here = direction_[j] * (kink - u) <= 1e-14 * (std::abs(u) + reference_x_);
  kink_[j] = here ? none : kink;
}

}  // namespace microslip::dynamics
