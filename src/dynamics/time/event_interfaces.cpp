#include <algorithm>
#include <cmath>

#include "dynamics/time/event_motion.hpp"

/// Joints with several directions whose forces are linear from event to event (Walk).
namespace microslip::dynamics {

using dormand_prince::Quintic;

void EventMotion::begin_courses(const Eigen::VectorXd& x) {
  for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
    const InterfaceLaw& law = *s_.interfaces[i].law;
    Course& course = courses_.emplace_back();
    course.walk = law.walk();
    course.at = run_.interface_motion(i, x);
    course.walk->rest(false);
    const Status status = course.walk->step(course.at);
    if (status != Status::ok) run_.result.status = status;
    course.f = course.walk->force();
    course.T = course.walk->tangent();
    course.stored = course.stored_first = law.stored(run_.interface_state[i]);
  }
}

void EventMotion::add_courses(const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                              Eigen::VectorXd& force, Eigen::VectorXd& out) const {
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    const Course& course = courses_[i];
    const std::vector<Direction>& w = s_.interfaces[i].w;
    const Eigen::VectorXd f =
        course.f + course.T * (displacements(s_.interfaces[i], x) - course.at);
    double power = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double one = f[static_cast<Eigen::Index>(k)];
      force -= one * w[k];
      power += one * w[k].dot(v);
    }
    out[work_row(i)] = power;
  }
}

void EventMotion::commit_courses(const TimeEvent* event) {
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    Course& course = courses_[i];
    const bool here = event && event->kind == TimeEvent::Kind::course && event->joint == i;
    course.at = run_.interface_motion(i, y_.head(n_));
    course.walk->go(course.at, here ? event->number : -1);
    course.f = course.walk->force();
    course.T = course.walk->tangent();
    run_.interface_force[i] = course.f;
    // The law goes along to know what is stored; what is lost is the rest of the work.
    const InterfaceLaw& law = *s_.interfaces[i].law;
    const InterfaceReply reply =
        law.step(run_.interface_state[i], course.at, run_.interface_state[i]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    course.stored = law.stored(run_.interface_state[i]);
  }
}

/// By its velocity; at rest by its acceleration.
void EventMotion::set_out(std::size_t i) {
  const auto along = [&](const auto& of_structure) {
    return displacements(s_.interfaces[i], of_structure);
  };
  Eigen::VectorXd velocity = along(k_[0].head(n_));
  if (velocity.isZero(0)) velocity = along(k_[0].segment(n_, n_));
  Course& course = courses_[i];
  course.walk->set_out(velocity);
  course.f = course.walk->force();
  course.T = course.walk->tangent();
}

Quintic EventMotion::path(std::size_t i, const Eigen::VectorXd& c, double h) const {
  Quintic q{0, 0, 0, 0, 0, 0, h, 0};
  for (Eigen::Index k = 0; k < c.size(); ++k) {
    if (c[k] == 0) continue;
    const Direction& w = s_.interfaces[i].w[static_cast<std::size_t>(k)];
    q.u0 += c[k] * w.dot(y_.head(n_));
    q.v0 += c[k] * w.dot(k_[0].head(n_));
    q.a0 += c[k] * w.dot(k_[0].segment(n_, n_));
    q.u1 += c[k] * w.dot(trial_.head(n_));
    q.v1 += c[k] * w.dot(k_[6].head(n_));
    q.a1 += c[k] * w.dot(k_[6].segment(n_, n_));
    for (Direction::InnerIterator entry(w); entry; ++entry)
      q.size += std::abs(c[k] * entry.value()) *
                (std::abs(y_[entry.index()]) + std::abs(trial_[entry.index()]));
  }
  return q;
}

double EventMotion::noise(const InterfaceWalk::Event& event, const Quintic& q) const {
  constexpr double rounding = 1e-13;
  const double size = event.c.lpNorm<1>();
  return rounding * (event.of_rate ? size * reference_v_
                                   : q.size + std::abs(event.value) + size * reference_x_);
}

void EventMotion::look_for_courses(double h, TimeEvent& first) const {
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    const auto& events = courses_[i].walk->events();
    for (std::size_t e = 0; e < events.size(); ++e) {
      const InterfaceWalk::Event& event = events[e];
      const Quintic q = path(i, event.c, h);
      const double least = noise(event, q);
      const auto beyond = [&](double s) {
        const Quintic::Point p = q.at(s);
        return (event.of_rate ? -p.v : p.u - event.value) > least;
      };
      double low = 0;
      for (const double s : {0.25, 0.5, 0.75, 1.0}) {
        if (!beyond(s)) {
          low = s;
          continue;
        }
        double high = s;
        for (int iteration = 0; iteration < 60; ++iteration) {
          const double middle = 0.5 * (low + high);
          (beyond(middle) ? high : low) = middle;
        }
        if (high < first.part)
          first = {i, TimeEvent::Kind::course, high, 0, {}, static_cast<int>(e), event};
        break;
      }
    }
  }
}

}  // namespace microslip::dynamics
