#include <Eigen/LU>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

#include "dynamics/continuation/root.hpp"
#include "dynamics/rigid/gauss_six.hpp"
#include "dynamics/rigid/sliding_body.hpp"
#include "dynamics/rigid/sliding_grid.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"

/// Sliding bodies between events, and where the next one is.
namespace microslip::dynamics {

void SlidingBody::advance(double theta, bool recording, int depth) {
  Step step;
  load(theta, step);
  solve(step);
  if (!(step.solved && smooth(step))) {
    if (depth < 16) return advance(0.5 * (theta_ + theta), recording, depth + 1);
    if (!step.solved) {
      status_ = Status::not_converged;
      return;
    }
  }
  const Event event = first_event(step);
  if (event.kind == Event::Kind::stop && event.length <= no_slip(stands(event.joint))) {
    // It was on the point of slipping, and does not.
    const std::vector<int> before = contacts_.sides();
    contacts_[event.joint].side = 0;
    contacts_.stick();
    take_sides();
    if (recording) record_rests(before);
    held_ = theta;
    return;
  }
  if (event.kind != Event::Kind::none) step = step_to(event.length);
  if (event.length > 0) take(step, event, recording);
  if (event.kind == Event::Kind::stop) stop(event.joint, recording);
  if (event.kind == Event::Kind::release) release(event.plane, recording);
}

/// Fourier functions and push at the stages of the step from here.
void SlidingBody::load(double to, Step& step) const {
  step.to = to;
  step.h = (to - theta_) / omega_;
  const auto cell = static_cast<Eigen::Index>(std::lround(theta_ / cell_));
  if (theta_ == static_cast<double>(cell) * cell_ && to == static_cast<double>(cell + 1) * cell_) {
    step.rows = grid_rows_.middleRows(3 * cell, 3);
  } else {
    step.rows.resize(3, grid_rows_.cols());
    for (int i = 0; i < 3; ++i)
      fourier_row(theta_ + gauss_six.c[i] * (to - theta_), harmonics_, step.rows.row(i));
  }
  step.push = push_ * step.rows.transpose();
}

SlidingBody::Step SlidingBody::step_to(double length) {
  Step step;
  load(theta_ + length, step);
  solve(step);
  return step;
}

void SlidingBody::solve(Step& step) {
  const Gauss& g = gauss_six;
  const double h = step.h;
  const Eigen::MatrixXd& free = contacts_.free();
  const Eigen::Index d = free.cols();
  const std::size_t count = slipping().size();
  const Eigen::VectorXd start = free.transpose() * v_;
  step.solved = d == 0;
  step.friction.resize(3 * count);
  step.a.resize(d, 3);
  step.x.resize(d, 3);
  step.y.resize(d, 3);
  if (d > 0) {
    const Eigen::MatrixXd push = free.transpose() * (step.push.colwise() - stiffness_ * u_);
    step.a = (push.col(1) - free_damping_ * start).replicate(1, 3);
    Eigen::MatrixXd residual(d, 3);
    for (int iteration = 0; iteration < 15 && !step.solved; ++iteration) {
      step.y.noalias() = h * step.a * g.A.transpose();
      step.y.colwise() += start;
      step.x.noalias() = h * h * step.a * g.A2.transpose();
      step.x.noalias() += h * start * g.c.transpose();
      residual = push - step.a;
      residual.noalias() -= free_damping_ * step.y;
      residual.noalias() -= free_stiffness_ * step.x;
      for (std::size_t i = 0; i < count; ++i) {
        ContactSet::Contact& contact = contacts_[slipping()[i]];
        const auto c = free_along_.col(column(i));
        const double u = motion_of(slipping()[i], u_);
        for (int s = 0; s < 3; ++s) {
          RigidFriction::Slopes& f = step.friction[3 * i + static_cast<std::size_t>(s)];
          f = contact.slip(u + c.dot(step.x.col(s)), c.dot(step.y.col(s)), g.c[s] * h);
          residual.col(s) -= f.force * c;
        }
      }
      if (!residual.allFinite()) return;
      invert(step);
      const double size = push_size_ + push.norm() + step.a.norm();
      step.solved = residual.lpNorm<Eigen::Infinity>() <= noise() * size;
      if (!step.solved) step.a += (last_.inverse * residual.reshaped()).reshaped(d, 3);
    }
    step.inverse = last_.inverse;
  }
  step.end_y = start + h * step.a * g.b;
  step.end_x = h * start + h * h * step.a * g.bA;
}

/// Of accelerations under forces; the same as before if neither the step nor the slopes of the
/// friction differ.
void SlidingBody::invert(const Step& step) {
  const auto same_slopes = [](const RigidFriction::Slopes& a, const RigidFriction::Slopes& b) {
    return a.by_u == b.by_u && a.by_v == b.by_v;
  };
  if (step.h == last_.h && std::equal(step.friction.begin(), step.friction.end(),
                                      last_.friction.begin(), last_.friction.end(), same_slopes))
    return;
  const Gauss& g = gauss_six;
  const Eigen::Index d = contacts_.free().cols();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(3 * d, 3 * d);
  Eigen::MatrixXd by_v(d, d), by_u(d, d);
  for (int i = 0; i < 3; ++i) {
    by_v = free_damping_;
    by_u = free_stiffness_;
    for (std::size_t j = 0; j < slipping().size(); ++j) {
      const auto c = free_along_.col(column(j));
      const RigidFriction::Slopes& f = step.friction[3 * j + static_cast<std::size_t>(i)];
      by_v.noalias() += f.by_v * c * c.transpose();
      by_u.noalias() += f.by_u * c * c.transpose();
    }
    for (int l = 0; l < 3; ++l)
      matrix.block(i * d, l * d, d, d) +=
          step.h * g.A(i, l) * by_v + step.h * step.h * g.A2(i, l) * by_u;
  }
  last_.h = step.h;
  last_.friction = step.friction;
  last_.inverse = matrix.inverse();
}

double SlidingBody::displacement_at_end(std::size_t i, const Step& step) const {
  return motion_of(slipping()[i], u_) + free_along_.col(column(i)).dot(step.end_x);
}

double SlidingBody::velocity_at_end(std::size_t i, const Step& step) const {
  return free_along_.col(column(i)).dot(step.end_y);
}

Eigen::VectorXd SlidingBody::left_over_at_end(const Step& step) {
  const Eigen::MatrixXd& free = contacts_.free();
  return left_over(push_at(step.to), u_ + free * step.end_x, free * step.end_y, step.h);
}

Eigen::VectorXd SlidingBody::acceleration_at_end(const Step& step) {
  return contacts_.free().transpose() * left_over_at_end(step);
}

Eigen::VectorXd SlidingBody::to_hold(const Step& step, int stage) const {
  const Eigen::MatrixXd& free = contacts_.free();
  Eigen::VectorXd left = step.push.col(stage) - damping_ * (free * step.y.col(stage)) -
                         stiffness_ * (u_ + free * step.x.col(stage));
  for (std::size_t i = 0; i < slipping().size(); ++i)
    left -= step.friction[3 * i + static_cast<std::size_t>(stage)].force *
            contacts_.along(slipping()[i]);
  return held_part(left);
}

/// Whether the stages foretell the acceleration at the end.
bool SlidingBody::smooth(const Step& step) {
  if (contacts_.free().cols() == 0) return true;
  return (step.a * gauss_six.to_end - acceleration_at_end(step)).norm() <= 1e-4 * push_size_;
}

SlidingBody::Event SlidingBody::first_event(const Step& step) {
  Event first;
  first.length = step.to - theta_;
  for (std::size_t i = 0; i < slipping().size(); ++i) look_for_stop(step, i, first);
  for (std::size_t i = 0; i < slipping().size(); ++i)
    if (!contacts_[slipping()[i]].law.rate_dependent()) look_for_kink(step, i, first);
  if (!contacts_.stuck().empty() && theta_ >= held_) look_for_release(step, first);
  return first;
}

void SlidingBody::look_for_stop(const Step& step, std::size_t i, Event& first) {
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
    const Step there = step_to(x);
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
double SlidingBody::length_to_slowest(const Step& step, std::size_t i) {
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

void SlidingBody::look_for_kink(const Step& step, std::size_t i, Event& first) {
  const ContactSet::Contact& joint = contacts_[slipping()[i]];
  const double kink = joint.law.model().next_kink(joint.state, joint.side);
  const double ahead = joint.side * (kink - motion_of(slipping()[i], u_));
  const double reach = reach_ * contacts_.length(slipping()[i]);
  if (!std::isfinite(kink) || !(ahead > 1e-14 * reach)) return;
  const auto passed = [&](const Step& by) {
    return joint.side * (displacement_at_end(i, by) - kink) > 0;
  };
  if (first.kind == Event::Kind::none ? !passed(step) : !passed(step_to(first.length))) return;
  first.length = root_between(0, first.length, joint.side > 0, [&](double x) {
    const Step there = step_to(x);
    return RootValue{displacement_at_end(i, there) - kink, velocity_at_end(i, there) / omega_};
  });
  first.kind = Event::Kind::kink;
  first.joint = slipping()[i];
  first.kink = kink;
}

Eigen::VectorXd SlidingBody::to_hold(double length) {
  return held_part(length > 0 ? left_over_at_end(step_to(length))
                              : left_over(push_at(theta_), u_, v_, 0));
}

void SlidingBody::look_for_release(const Step& step, Event& first) {
  const double whole = step.to - theta_;
  const auto overloaded = [&](const ContactSet::Decision& d) { return d.acceleration.size() > 0; };
  for (int i = 0; i < 3 && gauss_six.c[i] * whole < first.length; ++i) {
    if (!overloaded(contacts_.decide(to_hold(step, i), push_size_))) continue;
    const double length = gauss_six.c[i] * whole;
    const ContactSet::Decision beyond = contacts_.decide(to_hold(length), push_size_);
    if (overloaded(beyond)) return trace_release(length, beyond, first);
  }
  const ContactSet::Decision beyond = contacts_.decide(to_hold(first.length), push_size_);
  if (overloaded(beyond)) trace_release(first.length, beyond, first);
}

/// A force that the stuck joints cannot hold lies beyond a plane; the motion is followed back to that
/// plane, until they can.
void SlidingBody::trace_release(double length, ContactSet::Decision beyond, Event& first) {
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
    beyond = contacts_.decide(to_hold(length), push_size_);
  }
  first.length = length;
}

void SlidingBody::note(const Step& step, int stage, const Eigen::MatrixXd& by_u) {
  const double theta = theta_ + gauss_six.c[stage] * (step.to - theta_);
  const double weight = gauss_six.b[stage] * (step.to - theta_);
  const Eigen::VectorXd u = u_ + contacts_.free() * step.x.col(stage);
  const auto row = step.rows.row(stage);
  motion_.noalias() += weight * u * row;
  append(node_rows_, nodes_, weight * row);
  append(by_u_, nodes_, by_u.reshaped().transpose());
  ++nodes_;
  const auto note_joint = [&](std::size_t j, double displacement, double f) {
    Answer& answer = answers_[j];
    answer.loop.theta.push_back(theta);
    answer.loop.weight.push_back(weight);
    answer.loop.u.push_back(displacement);
    answer.loop.f.push_back(f);
    answer.force.coefficients += weight * f * row.transpose();
  };
  for (std::size_t i = 0; i < slipping().size(); ++i) {
    const std::size_t j = slipping()[i];
    const RigidFriction::Slopes& f = step.friction[3 * i + static_cast<std::size_t>(stage)];
    note_joint(j, motion_of(j, u), f.force);
    SlidingCourse& course = answers_[j].course;
    course.slopes.push_back({theta, f.by_u, f.by_v});
    (contacts_[j].side > 0 ? course.slips_on : course.slips_back) = true;
    const double v = free_along_.col(column(i)).dot(step.y.col(stage));
    answers_[j].force.energy += weight / omega_ * f.force * v;
  }
  const std::vector<std::size_t>& stuck = contacts_.stuck();
  if (stuck.empty()) return;
  const Eigen::VectorXd held = contacts_.holds(to_hold(step, stage));
  for (std::size_t i = 0; i < stuck.size(); ++i)
    note_joint(stuck[i], contacts_[stuck[i]].place, held[column(i)]);
}

/// Derivatives are taken at given angles, so that a step shrinks in time when ω grows.
void SlidingBody::take(const Step& step, const Event& event, bool recording) {
  const Gauss& g = gauss_six;
  const double h = step.h;
  const Eigen::MatrixXd& free = contacts_.free();
  const Eigen::Index r = size(), d = free.cols(), columns = by_.cols();
  const Eigen::Index given = columns - 2 * r;  // columns of coefficients and of ω
  const Eigen::MatrixXd start_u = by_.topRows(r);
  const Eigen::MatrixXd start = free.transpose() * by_.bottomRows(r);
  const Eigen::VectorXd velocity = free.transpose() * v_;
  // Of the stages, for the accelerations as they are. What moves the start moves all.
  Eigen::MatrixXd by_x[3], by_y[3];
  Eigen::MatrixXd right(3 * d, columns);
  for (int i = 0; i < 3; ++i) {
    by_x[i] = g.c[i] * h * start;
    by_y[i] = start;
    if (given > 0) {
      by_x[i].col(given - 1) -=
          h / omega_ * (g.c[i] * velocity + 2 * h * step.a * g.A2.row(i).transpose());
      by_y[i].col(given - 1) -= h / omega_ * step.a * g.A.row(i).transpose();
    }
    Eigen::MatrixXd force = -(free.transpose() * stiffness_) * start_u;
    force.noalias() -= free_damping_ * by_y[i];
    force.noalias() -= free_stiffness_ * by_x[i];
    for (std::size_t j = 0; j < slipping().size(); ++j) {
      const auto c = free_along_.col(column(j));
      const RigidFriction::Slopes& f = step.friction[3 * j + static_cast<std::size_t>(i)];
      if (f.by_v != 0) force.noalias() -= (f.by_v * c) * (c.transpose() * by_y[i]);
      if (f.by_u != 0)
        force.noalias() -= (f.by_u * c) * (c.transpose() * by_x[i] +
                                           contacts_.along(slipping()[j]).transpose() * start_u);
    }
    for (Eigen::Index k = 0; given > 0 && k < step.rows.cols(); ++k)
      force.middleCols(k * r, r) += step.rows(i, k) * free.transpose();
    right.middleRows(i * d, d) = force;
  }
  const Eigen::MatrixXd by_a = step.inverse * right;
  for (int i = 0; recording && i < 3; ++i) {
    for (int l = 0; l < 3; ++l) by_x[i] += h * h * g.A2(i, l) * by_a.middleRows(l * d, d);
    note(step, i, start_u + free * by_x[i]);
  }
  Eigen::MatrixXd end_x = h * start, end_y = start;
  for (int i = 0; i < 3; ++i) {
    end_x += h * h * g.bA[i] * by_a.middleRows(i * d, d);
    end_y += h * g.b[i] * by_a.middleRows(i * d, d);
  }
  if (given > 0) {
    end_x.col(given - 1) -= h / omega_ * (velocity + 2 * h * step.a * g.bA);
    end_y.col(given - 1) -= h / omega_ * step.a * g.b;
  }
  by_.topRows(r) += free * end_x;
  by_.bottomRows(r) = free * end_y;
  u_ += free * step.end_x;
  v_ = free * step.end_y;
  theta_ = step.to;
  for (const std::size_t j : slipping()) {
    const bool at_kink = event.kind == Event::Kind::kink && event.joint == j;
    const double u = at_kink ? event.kink : motion_of(j, u_);
    if (contacts_[j].side * (u - contacts_[j].place) <= 0) continue;
    const Status status = contacts_[j].move(u, h).status;
    if (status != Status::ok) status_ = status;
  }
}

}  // namespace microslip::dynamics
