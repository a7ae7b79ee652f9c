#include <cmath>

#include "dynamics/time/event_motion.hpp"

/// Where inside a step the first event lies.
namespace microslip::dynamics {
namespace {

using namespace dormand_prince;  // stages, a, c, e, Quintic

}  // namespace

Quintic EventMotion::path(std::size_t j, double h) const {
  const Eigen::VectorXd& w = s_.joints[j].w;
  return {w.dot(y_.head(n_)),
          w.dot(k_[0].head(n_)),
          w.dot(k_[0].segment(n_, n_)),
          w.dot(trial_.head(n_)),
          w.dot(k_[6].head(n_)),
          w.dot(k_[6].segment(n_, n_)),
          h,
          w.cwiseAbs().dot(y_.head(n_).cwiseAbs() + trial_.head(n_).cwiseAbs())};
}

TimeEvent EventMotion::first_event(double h) const {
  TimeEvent first;
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double d = direction_[j];
    if (d == 0) continue;
    const Quintic q = path(j, h);
    double before = 0;
    for (const double s : {0.25, 0.5, 0.75, 1.0}) {
      const Quintic::Point p = q.at(s);
      const bool back = d * p.v < -noise(j);
      const bool past = d * (p.u - kink_[j]) > 0;
      if (back || past) {
        if (past) consider(j, TimeEvent::Kind::kink, q, before, s, first);
        if (back) consider(j, TimeEvent::Kind::reversal, q, before, s, first);
        break;
      }
      before = s;
    }
  }
  look_for_courses(h, first);
  look_for_release(first);
  return first;
}

void EventMotion::look_for_release(TimeEvent& first) const {
  for (int i = 1; i < stages; ++i) {
    const std::vector<ContactSet::Plane> planes = rigid_.set.planes_passed(holds_[i]);
    for (const ContactSet::Plane& plane : planes) {
      const double from = plane.beyond(holds_[i - 1]), to = plane.beyond(holds_[i]);
      const double part = from < 0 ? c[i - 1] - from / (to - from) * (c[i] - c[i - 1]) : c[i - 1];
      if (part < first.part) first = {0, TimeEvent::Kind::release, part, 0, plane};
    }
    if (!planes.empty()) return;
  }
}

void EventMotion::consider(std::size_t j, TimeEvent::Kind kind, const Quintic& q, double low,
                           double high, TimeEvent& first) const {
  const double d = direction_[j];
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const Quintic::Point p = q.at(middle);
    const bool beyond =
        kind == TimeEvent::Kind::reversal ? d * p.v < -noise(j) : d * (p.u - kink_[j]) > 0;
    (beyond ? high : low) = middle;
  }
  if (high < first.part) first = {j, kind, high, kink_[j], {}};
}

double EventMotion::time_to(const TimeEvent& event, double h) const {
  if (event.kind == TimeEvent::Kind::course) {
    const Quintic q = path(event.joint, event.ahead.c, h);
    return event.ahead.of_rate ? -q.v1 / q.a1 : (event.ahead.value - q.u1) / q.v1;
  }
  const Eigen::VectorXd& w = s_.joints[event.joint].w;
  switch (event.kind) {
    case TimeEvent::Kind::reversal:
      // A joint that hardly moved turns at no certain time, but where it begins to move.
      if (std::abs(w.dot(k_[0].head(n_))) <= noise(event.joint)) return 0;
      return -w.dot(k_[6].head(n_)) / w.dot(k_[6].segment(n_, n_));
    case TimeEvent::Kind::kink:
      return (event.kink - w.dot(trial_.head(n_))) / w.dot(k_[6].head(n_));
    case TimeEvent::Kind::release:
    case TimeEvent::Kind::course:
      break;
  }
  // By the chord; a force that has just passed its limit changes little over what is left.
  const double before = event.plane.beyond(holds_[0]), after = event.plane.beyond(holds_[6]);
  return -after * h / (after - before);
}

bool EventMotion::stands_at(const TimeEvent& event) const {
  if (event.kind == TimeEvent::Kind::course) {
    const Quintic q = path(event.joint, event.ahead.c, 0);
    const double left = event.ahead.of_rate ? q.v0 : event.ahead.value - q.u0;
    return left <= 1e4 * noise(event.ahead, q);
  }
  const Eigen::VectorXd& w = s_.joints[event.joint].w;
  if (event.kind == TimeEvent::Kind::release)
    return event.plane.beyond(holds_[0]) >=
           -1e-9 * (std::abs(event.plane.most) + std::abs(event.plane.beyond(holds_[6])));
  if (event.kind == TimeEvent::Kind::reversal)
    return direction_[event.joint] * w.dot(k_[0].head(n_)) <= noise(event.joint);
  const double u = run_.joint_motion(event.joint, y_.head(n_));
  return std::abs(event.kink - u) <= 1e-9 * (std::abs(u) + reference_x_);
}

}  // namespace microslip::dynamics
