#include "dynamics/body/sliding_motion.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "dynamics/body/sliding_grid.hpp"
#include "dynamics/fourier/gauss_six.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
void SlidingMotion::begin(const Eigen::VectorXd& excitation, double omega) {
  SlidingStepper::begin(excitation, omega);
  status_ = excitation.allFinite() ? Status::ok : Status::not_converged;
}

bool SlidingMotion::run(const Eigen::VectorXd& u, const Eigen::VectorXd& v, bool recording,
                        Eigen::Index columns) {
  const Eigen::Index r = size();
  theta_ = 0;
  stuck_until_ = 0;
  events_ = 0;
  u_ = u;
  v_ = v;
  derivatives_.setZero(2 * r, columns + 2 * r);
  derivatives_.rightCols(2 * r).setIdentity();
  if (recording) {
    nodes_ = 0;
    for (JointAnswer& answer : answers_) {
      answer.loop = {};
      answer.course = {};
      answer.force.energy = 0;
    }
  }
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    ContactSet::Contact& contact = contacts_[j];
    const double place = motion_of(j, u_);
    if (place != contact.place) contact.move(place, infinity);
    contact.side = stands(j) ? 0 : motion_of(j, v_) > 0 ? 1 : -1;
  }
  choose_sides();
  if (recording)
    for (std::size_t j = 0; j < contacts_.size(); ++j)
      if (contacts_[j].side == 0) answers_[j].course.rests.push_back({0, 0});
  const Eigen::Index cells = grid_rows_.rows() / 3;
  for (Eigen::Index i = 1; i <= cells; ++i)
    while (theta_ < static_cast<double>(i) * cell_) {
      if (++events_ > most_events) status_ = Status::not_converged;
      advance(static_cast<double>(i) * cell_, recording, 0);
      if (status_ != Status::ok) return false;
    }
  if (recording)
    for (std::size_t j = 0; j < contacts_.size(); ++j)
      if (contacts_[j].side == 0) answers_[j].course.rests.back().to = theta_;
  return true;
}

/// Of the joints that stand, those slip that the acceleration moves.
void SlidingMotion::choose_sides() {
  contacts_.stick();
  if (!contacts_.stuck().empty()) {
    take_sides();
    const ContactSet::Decision decision = contacts_.decide(
        stuck_part(unbalanced_force(excitation_at(theta_), u_, v_, 0)), excitation_size_);
    if (decision.acceleration.size() > 0) contacts_.let_go(decision);
  }
  take_sides();
}

void SlidingMotion::record_rests(const std::vector<int>& before) {
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    std::vector<SlidingCourse::Rest>& rests = answers_[j].course.rests;
    if (before[j] == 0 && contacts_[j].side != 0) rests.back().to = theta_;
    if (before[j] != 0 && contacts_[j].side == 0) rests.push_back({theta_, theta_});
  }
}

/// A joint has come to rest, and others with it that move as it does. It stops a little later or
/// earlier when the velocity is disturbed, and from then on the acceleration is another.
void SlidingMotion::stop(std::size_t j, bool recording) {
  const std::vector<int> before = contacts_.sides();
  const Eigen::VectorXd excitation = excitation_at(theta_);
  const Eigen::VectorXd from = contacts_.free_part(unbalanced_force(excitation, u_, v_, 0));
  contacts_[j].side = 0;
  const double standing = 1e-11 * omega_ * reach_;
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (std::abs(motion_of(k, v_)) <= standing * contacts_.length(k)) contacts_[k].side = 0;
  const Eigen::MatrixXd wrt_v = derivatives_.bottomRows(size());
  choose_sides();
  const Eigen::VectorXd to = contacts_.free_part(unbalanced_force(excitation, u_, v_, 0));
  const Eigen::VectorXd along = contacts_.along(j);
  derivatives_.bottomRows(size()) =
      wrt_v + (to - from) * (along.transpose() * wrt_v) / along.dot(from);
  if (!recording) return;
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (before[k] != 0 && before[k] != contacts_[k].side)
      answers_[k].course.stops.push_back({theta_, motion_of(k, to) / motion_of(k, from)});
  record_rests(before);
}

void SlidingMotion::release(const ContactSet::Plane& plane, bool recording) {
  const std::vector<int> before = contacts_.sides();
  contacts_.let_go(plane.slips);
  take_sides();
  if (recording) record_rests(before);
}

/// For three more nodes.
void SlidingMotion::make_room() {
  const Eigen::Index r = size(), wanted = nodes_ + 3, width = r * derivatives_.cols();
  if (node_rows_.rows() >= wanted && wrt_u_.rows() >= wanted && wrt_u_.cols() == width) return;
  const Eigen::Index rows = std::max({grid_rows_.rows() + 96, 2 * nodes_, node_rows_.rows()});
  node_rows_.conservativeResize(rows, grid_rows_.cols());
  node_u_.conservativeResize(rows, r);
  wrt_u_.conservativeResize(rows, width);
}

/// But for the derivatives.
void SlidingMotion::note(const Step& step, int stage) {
  const double theta = theta_ + gauss_six.c[stage] * (step.to - theta_);
  const double weight = gauss_six.b[stage] * (step.to - theta_);
  const Eigen::Index functions = node_rows_.cols();
  node_rows_.row(nodes_) =
      weight * Eigen::Map<const Eigen::RowVectorXd>(step.rows + stage * functions, functions);
  auto u = node_u_.row(nodes_);
  u = u_.transpose();
  u.noalias() += step.x.col(stage).transpose().lazyProduct(contacts_.free().transpose());
  ++nodes_;
  const auto note_joint = [&](std::size_t j, double displacement, double f) {
    JointLoop& loop = answers_[j].loop;
    loop.theta.push_back(theta);
    loop.weight.push_back(weight);
    loop.u.push_back(displacement);
    loop.f.push_back(f);
  };
  for (std::size_t i = 0; i < slipping().size(); ++i) {
    const std::size_t j = slipping()[i];
    const auto c = free_along_.col(column(i));
    const RigidFriction::Slopes& f = step.friction[3 * i + static_cast<std::size_t>(stage)];
    note_joint(j, here_.places[column(i)] + c.dot(step.x.col(stage)), f.force);
    SlidingCourse& course = answers_[j].course;
    course.slopes.push_back({theta, f.by_u, f.by_v});
    (contacts_[j].side > 0 ? course.slips_on : course.slips_back) = true;
    answers_[j].force.energy += weight / omega_ * f.force * c.dot(step.y.col(stage));
  }
  const std::vector<std::size_t>& stuck = contacts_.stuck();
  if (stuck.empty()) return;
  const Eigen::VectorXd held = contacts_.holds(to_hold(step, stage));
  for (std::size_t i = 0; i < stuck.size(); ++i)
    note_joint(stuck[i], contacts_[stuck[i]].place, held[column(i)]);
}

void SlidingMotion::take(const Step& step, const Event& event, bool recording) {
  const Eigen::MatrixXd& free = contacts_.free();
  if (recording) make_room();
  carry_derivatives(step, recording ? &wrt_u_ : nullptr, nodes_);
  for (int i = 0; recording && i < 3; ++i) note(step, i);
  u_.noalias() += free.lazyProduct(step.end_x);
  v_.noalias() = free.lazyProduct(step.end_y);
  theta_ = step.to;
  for (const std::size_t j : slipping()) {
    const bool at_kink = event.kind == Event::Kind::kink && event.joint == j;
    const double u = at_kink ? event.kink : motion_of(j, u_);
    if (contacts_[j].side * (u - contacts_[j].place) <= 0) continue;
    const Status status = contacts_[j].move(u, step.h).status;
    if (status != Status::ok) status_ = status;
  }
  look_around();
}

void SlidingMotion::advance(double theta, bool recording, int depth) {
  load(theta, step_);
  solve(step_);
  if (!(step_.solved && smooth(step_))) {
    if (depth < 16) return advance(0.5 * (theta_ + theta), recording, depth + 1);
    if (!step_.solved) {
      status_ = Status::not_converged;
      return;
    }
  }
  const Event event = first_event(step_);
  if (event.kind == Event::Kind::stop && event.length <= no_slip(stands(event.joint))) {
    // It was on the point of slipping, and does not.
    const std::vector<int> before = contacts_.sides();
    contacts_[event.joint].side = 0;
    contacts_.stick();
    take_sides();
    if (recording) record_rests(before);
    stuck_until_ = theta;
    return;
  }
  if (event.length > 0)
    take(event.kind == Event::Kind::none ? step_ : step_to(event.length), event, recording);
  if (event.kind == Event::Kind::stop) stop(event.joint, recording);
  if (event.kind == Event::Kind::release) release(event.plane, recording);
}

SlidingMotion::Event SlidingMotion::first_event(const Step& step) {
  Event first;
  first.length = step.to - theta_;
  for (std::size_t i = 0; i < slipping().size(); ++i) look_for_stop(step, i, first);
  for (std::size_t i = 0; i < slipping().size(); ++i)
    if (!contacts_[slipping()[i]].law.rate_dependent()) look_for_kink(step, i, first);
  if (!contacts_.stuck().empty() && theta_ >= stuck_until_) look_for_release(step, first);
  return first;
}

void SlidingMotion::look_for_stop(const Step& step, std::size_t i, Event& first) {
  const int side = contacts_[slipping()[i]].side;
  const double noise = -1e-15 * omega_ * reach_ * contacts_.length(slipping()[i]);
  const double slowest = length_to_slowest(step, i);
  double within = 0;
  if (slowest > 0 && side * velocity_at_end(i, step_to(slowest)) < noise)
    within = slowest;
  else if (side * velocity_at_end(i, step) < noise)
    within = step.to - theta_;
  if (within == 0) return;
  const double length = root_between(0, within, side < 0, [&](double x) {
    const Step& there = step_to(x);
    return RootValue{velocity_at_end(i, there),
                     free_along_.col(column(i)).dot(acceleration_at_end(there)) / omega_};
  });
  if (first.kind != Event::Kind::none && length >= first.length) return;
  first.kind = Event::Kind::stop;
  first.length = length;
  first.joint = slipping()[i];
}

/// To where inside the step the joint is slowest, 0 if nowhere. The acceleration of the stages is a
/// parabola, good for a guess.
double SlidingMotion::length_to_slowest(const Step& step, std::size_t i) {
  const int side = contacts_[slipping()[i]].side;
  const auto c = free_along_.col(column(i));
  const Eigen::Vector3d a = step.a.transpose() * c;
  const double d = gauss_six.c[2] - 0.5;
  const double bend = (a[0] - 2 * a[1] + a[2]) / (2 * d * d);
  const double slope = (a[2] - a[0]) / (2 * d);
  const double root = side * std::sqrt(std::max(0.0, slope * slope - 4 * bend * a[1]));
  double part = 0.5 - 2 * a[1] / (slope + root);
  if (!(part > (stands(slipping()[i]) ? 0.1 : 0) && part < 1)) return 0;
  const double length = step.to - theta_;
  for (int k = 0; k < 2; ++k) {
    part -= c.dot(acceleration_at_end(step_to(part * length))) / root;
    if (!(part > 0 && part < 1)) return 0;
  }
  return part * length;
}

void SlidingMotion::look_for_kink(const Step& step, std::size_t i, Event& first) {
  const ContactSet::Contact& joint = contacts_[slipping()[i]];
  const double kink = joint.law.model().next_kink(joint.state, joint.side);
  const double ahead = joint.side * (kink - here_.places[column(i)]);
  const double reach = reach_ * contacts_.length(slipping()[i]);
  if (!std::isfinite(kink) || !(ahead > 1e-14 * reach)) return;
  const auto passed = [&](const Step& derivatives) {
    return joint.side * (displacement_at_end(i, derivatives) - kink) > 0;
  };
  if (first.kind == Event::Kind::none ? !passed(step) : !passed(step_to(first.length))) return;
  first.length = root_between(0, first.length, joint.side > 0, [&](double x) {
    const Step& there = step_to(x);
    return RootValue{displacement_at_end(i, there) - kink, velocity_at_end(i, there) / omega_};
  });
  first.kind = Event::Kind::kink;
  first.joint = slipping()[i];
  first.kink = kink;
}

void SlidingMotion::look_for_release(const Step& step, Event& first) {
  const double whole = step.to - theta_;
  // What lies inside the limits of all is not decided about.
  const auto overloads = [&](const Eigen::VectorXd& force) {
    return !contacts_.can_hold(force) &&
           contacts_.decide(force, excitation_size_).acceleration.size() > 0;
  };
  for (int i = 0; i < 3 && gauss_six.c[i] * whole < first.length; ++i) {
    if (!overloads(to_hold(step, i))) continue;
    const double length = gauss_six.c[i] * whole;
    const ContactSet::Decision beyond = contacts_.decide(to_hold(length), excitation_size_);
    if (beyond.acceleration.size() > 0) return trace_release(length, beyond, first);
  }
  const Eigen::VectorXd& last =
      first.length == whole ? to_hold_at_end(step) : to_hold(first.length);
  if (overloads(last)) trace_release(first.length, contacts_.decide(last, excitation_size_), first);
}

/// A force that the stuck joints cannot hold lies beyond a plane; the motion is followed back to that
/// plane, until they can.
void SlidingMotion::trace_release(double length, ContactSet::Decision beyond, Event& first) {
  first.kind = Event::Kind::release;
  for (int i = 0; i < 50 && beyond.acceleration.size() > 0 && length > 0; ++i) {
    first.plane = contacts_.plane(beyond);
    const auto excess = [&](double x) { return first.plane.beyond(to_hold(x)); };
    const double now = excess(0), then = excess(length);
    if (now >= 0) length = 0;
    if (!(now < 0 && then > 0)) break;
    std::uintmax_t iterations = 60;
    length =
        boost::math::tools::toms748_solve(excess, 0.0, length, now, then,
                                          boost::math::tools::eps_tolerance<double>(52), iterations)
            .second;
    beyond = contacts_.decide(to_hold(length), excitation_size_);
  }
  first.length = length;
}

}  // namespace microslip::dynamics
