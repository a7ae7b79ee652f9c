#include <Eigen/LU>
#include <algorithm>

#include "dynamics/time/implicit_motion.hpp"
#include "microslip/detail/numerics/dense.hpp"

/// Rigid friction in implicit steps.
namespace microslip::dynamics {

void ImplicitMotion::guess_sides(double h, const Eigen::VectorXd& mean) {
  const double way = h * v_.lpNorm<Eigen::Infinity>();
  for (const std::size_t j : contacts_.joints) {
    ContactSet::Contact& contact = contacts_[j];
    contact.law.measure(std::abs(contact.place) + way);
    const double velocity = run_.joint_motion(j, mean);
    if (contact.side != 0 || velocity == 0) contact.side = velocity > 0 ? 1 : velocity < 0 ? -1 : 0;
    stuck_force_[contacts_.of_joint[j]] = run_.force[j];
  }
}

bool ImplicitMotion::sides_hold(double h, const Eigen::VectorXd& mean) {
  if (!rigid()) return true;
  Eigen::VectorXd moved(stuck_force_.size());
  for (Eigen::Index i = 0; i < moved.size(); ++i)
    moved[i] = run_.joint_motion(contacts_.joints[static_cast<std::size_t>(i)], mean);
  return contacts_.set.sides_hold(stuck_force_, moved, h);
}

std::vector<std::size_t> ImplicitMotion::stuck_joints() const {
  std::vector<std::size_t> result;
  for (const std::size_t j : contacts_.joints)
    if (stuck(j)) result.push_back(j);
  return result;
}

double ImplicitMotion::place_of(std::size_t j, const Eigen::VectorXd& from,
                                const Eigen::VectorXd& to) const {
  const double u = run_.joint_motion(j, to);
  return contacts_.is(j) ? contacts_[j].place + (u - run_.joint_motion(j, from)) : u;
}

bool ImplicitMotion::ask_joints(const Eigen::VectorXd& next, double h) {
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double u = place_of(j, x_, next);
    slopes_[j] = 0;
    if (stuck(j))
      forces_[j] = stuck_force_[contacts_.of_joint[j]];
    else if (contacts_.is(j) && (u - contacts_[j].place) * contacts_[j].side <= 0)
      forces_[j] = contacts_[j].slip_force(contacts_[j].place, 0, h);
    else if (!(of_midpoint() ? mean_force(j, u, h) : end_force(j, u, h)))
      return false;
  }
  return true;
}

void ImplicitMotion::correct(const Eigen::VectorXd& residual, double part,
                             const Eigen::VectorXd& way, double length, Eigen::VectorXd& z) {
  z -= tangent_.solve(residual);
  const std::vector<std::size_t> stuck = stuck_joints();
  if (stuck.empty()) return;
  const auto count = static_cast<Eigen::Index>(stuck.size());
  Eigen::MatrixXd w(s_.size(), count), moved(s_.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    w.col(k) = s_.joints[stuck[static_cast<std::size_t>(k)]].w;
    moved.col(k) = tangent_.solve(Eigen::VectorXd(w.col(k)));
  }
  const Eigen::MatrixXd flexibility = w.transpose() * moved;
  const Eigen::VectorXd more =
      dense::solve_with_full_pivoting(flexibility, w.transpose() * (z + way / length));
  z -= moved * more;
  for (Eigen::Index k = 0; k < count; ++k)
    stuck_force_[contacts_.of_joint[stuck[static_cast<std::size_t>(k)]]] += more[k] / part;
}

void ImplicitMotion::stop_stuck_joints() {
  const std::vector<std::size_t> stuck = stuck_joints();
  if (stuck.empty()) return;
  const double before = 0.5 * v_.dot(s_.M * v_);
  contacts_.set.stick();
  summed_ = false;
  for (Eigen::VectorXd* motion : {&v_, &acceleration_}) {
    const Eigen::VectorXd q = contacts_.to_ways * *motion;
    *motion -= contacts_.from_forces * (q - contacts_.set.free_part(q));
  }
  const double lost = before - 0.5 * v_.dot(s_.M * v_);
  run_.result.audit.joints += lost;
  for (const std::size_t j : stuck)
    run_.result.joint_energy[j] += lost / static_cast<double>(stuck.size());
}

bool ImplicitMotion::turned() const {
  return std::any_of(contacts_.joints.begin(), contacts_.joints.end(), [this](std::size_t j) {
    return run_.joint_motion(j, v_) * contacts_[j].side < 0;
  });
}

bool ImplicitMotion::advance(double h) {
  if (!rigid()) return in_halves(h);
  const ContactSet contacts = contacts_.set;
  const Eigen::VectorXd x = x_, v = v_, acceleration = acceleration_, held = stuck_force_;
  const std::vector<double> force = run_.force;
  const std::vector<double> joint_energy = run_.result.joint_energy;
  const std::vector<AnyState> state = run_.state, interface_state = run_.interface_state;
  const std::vector<Eigen::VectorXd> interface_force = run_.interface_force;
  const EnergyAudit audit = run_.result.audit;
  const double t = t_;
  const bool done = one_step(h);
  if (done && contacts_.set.sides() == contacts.sides() && !turned()) {
    t_ = t + h;
    return true;
  }
  if (h <= 1e-4 * run_.options.step) {
    t_ = t + h;
    return done;
  }
  contacts_.set = contacts;
  summed_ = false;
  x_ = x;
  v_ = v;
  acceleration_ = acceleration;
  stuck_force_ = held;
  run_.force = force;
  run_.result.joint_energy = joint_energy;
  run_.state = state;
  run_.interface_state = interface_state;
  run_.interface_force = interface_force;
  run_.result.audit = audit;
  run_.result.status = Status::ok;
  note_interfaces();
  return advance(0.5 * h) && advance(0.5 * h);
}

}  // namespace microslip::dynamics
