#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "dynamics/continuation/root.hpp"
#include "dynamics/rigid/gauss_six.hpp"
#include "dynamics/rigid/sliding_body.hpp"
#include "dynamics/rigid/sliding_grid.hpp"

/// Sliding bodies from one event to the next: a joint stops, stuck joints let go, a law has a kink.
namespace microslip::dynamics {

void SlidingBody::advance(double theta, bool recording, int depth) {
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
    held_ = theta;
    return;
  }
  if (event.length > 0)
    take(event.kind == Event::Kind::none ? step_ : step_to(event.length), event, recording);
  if (event.kind == Event::Kind::stop) stop(event.joint, recording);
  if (event.kind == Event::Kind::release) release(event.plane, recording);
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
  const double ahead = joint.side * (kink - here_.places[column(i)]);
  const double reach = reach_ * contacts_.length(slipping()[i]);
  if (!std::isfinite(kink) || !(ahead > 1e-14 * reach)) return;
  const auto passed = [&](const Step& by) {
    return joint.side * (displacement_at_end(i, by) - kink) > 0;
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

void SlidingBody::look_for_release(const Step& step, Event& first) {
  const double whole = step.to - theta_;
  // What lies inside the limits of all is not decided about.
  const auto overloads = [&](const Eigen::VectorXd& force) {
    return !contacts_.can_hold(force) &&
           contacts_.decide(force, push_size_).acceleration.size() > 0;
  };
  for (int i = 0; i < 3 && gauss_six.c[i] * whole < first.length; ++i) {
    if (!overloads(to_hold(step, i))) continue;
    const double length = gauss_six.c[i] * whole;
    const ContactSet::Decision beyond = contacts_.decide(to_hold(length), push_size_);
    if (beyond.acceleration.size() > 0) return trace_release(length, beyond, first);
  }
  const Eigen::VectorXd& last =
      first.length == whole ? to_hold_at_end(step) : to_hold(first.length);
  if (overloads(last)) trace_release(first.length, contacts_.decide(last, push_size_), first);
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

}  // namespace microslip::dynamics
