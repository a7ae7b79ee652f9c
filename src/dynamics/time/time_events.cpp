#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/time/event_motion.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

/// Steps of motions from event to event.
namespace microslip::dynamics {
namespace {

using namespace dormand_prince;  // stages, a, c, e, Quintic

}  // namespace

EventMotion::EventMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v)
    : Motion(std::move(run)),
      s_(run_.structure),
      n_(s_.size()),
      y_(Eigen::VectorXd::Zero(2 * n_ + 2 +
                               static_cast<Eigen::Index>(s_.joints.size() + s_.interfaces.size()))),
      t_(run_.t0),
      rigid_(s_, [this](const Eigen::VectorXd& b) { return run_.mass.solve(b); }) {
  y_.head(n_) = x;
  y_.segment(n_, n_) = v;
  for (auto& k : k_) k.resize(y_.size());
  trial_.resize(y_.size());
  direction_.assign(s_.joints.size(), 0);
  kink_.assign(s_.joints.size(), infinity);
  decelerations_.assign(s_.joints.size(), 0);
  begin_courses(x);
  for (std::size_t i = 0; i < rigid_.joints.size(); ++i) {
    const std::size_t j = rigid_.joints[i];
    ContactSet::Contact& contact = rigid_.set[i];
    contact.state = run_.state[j];
    // A law may come from elsewhere.
    contact.move(run_.joint_motion(j, x), infinity);
    run_.state[j] = contact.state;
    const auto [back, on] = contact.law.limits(contact.state, contact.place);
    decelerations_[j] = std::max(std::abs(back), std::abs(on)) * std::pow(rigid_.set.length(i), 2);
  }
  // At rest in equilibrium there is no velocity to compare with: frequency times displacement
  // serves.
  frequency_ = std::max(1 / run_.options.until, highest_frequency(s_));
  // A load that begins as gently as 1 − cos t is rounding at first.
  reference_v_ = 1e-6 * run_.velocity_by_loads(frequency_);
  refer_to(x, v);
  choose_directions();
  h_ = first_step();
}

bool EventMotion::step(double stop) {
  if (!step_to(stop)) return false;
  return moves_on() || fail("events without end");
}

void EventMotion::pass_break() {
  if (t_ >= run_.next_break(t_ - 10 * no_time()) - 0.1 * no_time()) {
    Eigen::VectorXd velocity = v();
    run_.apply_impulses(t_, velocity);
    y_.segment(n_, n_) = velocity;
    choose_directions();
  }
}

EnergyAudit EventMotion::audit() const {
  EnergyAudit sum = run_.result.audit;
  sum.input += y_[2 * n_];
  sum.viscous += y_[2 * n_ + 1];
  sum.joints += y_.segment(2 * n_ + 2, static_cast<Eigen::Index>(s_.joints.size())).sum();
  for (std::size_t i = 0; i < courses_.size(); ++i) sum.joints += lost_in_course(i);
  return sum;
}

double EventMotion::joint_energy(std::size_t j) const {
  const std::size_t joints = s_.joints.size();
  return run_.result.joint_energy[j] +
         (j < joints ? y_[2 * n_ + 2 + static_cast<Eigen::Index>(j)] : lost_in_course(j - joints));
}

void EventMotion::refer_to(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity) {
  reference_x_ = std::max(reference_x_, position.lpNorm<Eigen::Infinity>());
  reference_v_ =
      std::max({reference_v_, velocity.lpNorm<Eigen::Infinity>(), frequency_ * reference_x_});
  // A motion that begins when joints let go has no size yet: what they hold tells the one to come.
  if (!rigid_.set.stuck().empty())
    reference_v_ = std::max(reference_v_, free_acceleration_ / frequency_);
  reference_x_ = std::max(reference_x_, reference_v_ / frequency_ * 1e-3);
}

void EventMotion::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& out) {
  const auto position = y.head(n_);
  const auto velocity = y.segment(n_, n_);
  const Eigen::VectorXd load = run_.load(t);
  const Eigen::VectorXd damping = s_.C * velocity;
  Eigen::VectorXd force = load - damping - s_.K * position;
  out.segment(2 * n_ + 2, static_cast<Eigen::Index>(s_.joints.size())).setZero();
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const double u = run_.joint_motion(j, position);
    if (rigid_.is(j)) {
      ContactSet::Contact& contact = rigid_[j];
      if (contact.side == 0) continue;
      const double rate = run_.joint_motion(j, velocity);
      const double friction = contact.slip_force(u, rate, t - t_);
      force -= friction * s_.joints[j].w;
      if (contact.law.rate_dependent())
        out[2 * n_ + 2 + static_cast<Eigen::Index>(j)] = friction * rate;
      continue;
    }
    const Response<double> reply = s_.joints[j].model.step(run_.state[j], u, 0, run_.scratch[j]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    force -= reply.force * s_.joints[j].w;
  }
  add_courses(position, velocity, force, out);
  out.head(n_) = velocity;
  const Eigen::VectorXd free = run_.mass.solve(force);
  free_acceleration_ = free.lpNorm<Eigen::Infinity>();
  out.segment(n_, n_) = held(free, to_hold_);
  out[2 * n_] = load.dot(velocity);
  out[2 * n_ + 1] = velocity.dot(damping);
}

double EventMotion::first_step() const {
  const double velocity = k_[0].head(n_).norm();
  const double acceleration = k_[0].segment(n_, n_).norm();
  const double guess = acceleration > 0 ? 0.01 * velocity / acceleration : 0;
  return std::min(guess > 0 ? guess : 1e-4 / frequency_, 0.01 * run_.options.until);
}

double EventMotion::trial(double h) {
  for (int i = 1; i < stages; ++i) {
    trial_ = y_;
    for (int j = 0; j < i; ++j)
      if (a[i][j] != 0) trial_ += h * a[i][j] * k_[j];
    evaluate(t_ + c[i] * h, trial_, k_[i]);
    holds_[i] = to_hold_;
  }
  Eigen::VectorXd error = Eigen::VectorXd::Zero(y_.size());
  for (int i = 0; i < stages; ++i) error += h * e[i] * k_[i];
  if (!error.allFinite()) return infinity;
  const double size_x = std::max(reference_x_, trial_.head(n_).lpNorm<Eigen::Infinity>());
  const double size_v = std::max(reference_v_, trial_.segment(n_, n_).lpNorm<Eigen::Infinity>());
  const double tolerance = run_.options.tolerance;
  // What stuck joints leave of an acceleration is rounding.
  const double rounding = std::numeric_limits<double>::min() + 1e-15 * h * free_acceleration_;
  return std::max(
      error.head(n_).lpNorm<Eigen::Infinity>() / (tolerance * size_x + h * rounding),
      error.segment(n_, n_).lpNorm<Eigen::Infinity>() / (tolerance * size_v + rounding));
}

bool EventMotion::step_to(double stop) {
  while (true) {
    const double left = stop - t_;
    // Beyond this the method is not stable for free vibrations and rounding would grow.
    double h = std::min({h_, left, 1 / frequency_});
    if (left - h < 0.1 * h) h = left;  // no crumbs
    if (!(t_ + h > t_)) {
      t_ = stop;
      return true;
    }
    double error = trial(h);
    if (run_.result.status != Status::ok) return fail("a joint");
    // Before the error is judged: a step across an event is not smooth.
    TimeEvent event = first_event(h);
    bool at_event = false;
    if (event.part <= 1) {
      const double whole = h;
      h *= event.part;
      double tried = 0;
      for (int i = 0; i < 8; ++i) {
        if (!(h > 1e-14 * (whole + std::abs(t_)))) break;
        error = trial(h);
        tried = h;
        const double correction = time_to(event, h);
        if (!std::isfinite(correction) || std::abs(correction) > 0.5 * whole) break;
        if (std::abs(correction) <= 4e-16 * (std::abs(t_) + h)) break;
        h = std::min(h + correction, whole);
        // Of several planes that were passed the first one counts.
        if (event.kind == TimeEvent::Kind::release && event.plane.beyond(holds_[6]) <= 0)
          if (const auto others = rigid_.set.planes_passed(holds_[6]); !others.empty())
            event.plane = others.front();
      }
      // Whether the time was found or not, the motion is that of the step.
      if (h != tried && h > 1e-14 * (whole + std::abs(t_))) error = trial(h);
      if (!(h > 1e-14 * (whole + std::abs(t_)))) {
        if (stands_at(event)) {
          pass(event);
          ++run_.result.steps;
          return true;
        }
        // The path through a step that long has events which the motion has not.
        h_ = 0.5 * event.part * whole;
        if (!(h_ > no_time())) return fail("the step size went to zero");
        continue;
      }
      at_event = true;
    }
    if (error > 1) {
      h_ = h * std::max(0.2, 0.9 * std::pow(error, -0.2));
      if (!(h_ > no_time())) return fail("the step size went to zero");
      continue;
    }
    accept(h, stop, at_event ? &event : nullptr);
    const double growth = 0.9 * std::pow(std::max(error, 1e-10), -0.2);
    // A step cut short by an event or a row says little about the next one.
    h_ = std::max(h * std::clamp(growth, 0.2, 5.0), at_event ? 0.0 : std::min(h_, left));
    return true;
  }
}

double EventMotion::noise(std::size_t j) const {
  return 1e-13 * std::max(reference_v_, decelerations_[j] / frequency_);
}

bool EventMotion::moves_on() {
  if (t_ > mark_ + 1e-12 * (run_.options.until + std::abs(t_))) {
    mark_ = t_;
    since_mark_ = 0;
  }
  return ++since_mark_ < 1000 + 20 * static_cast<long>(s_.joints.size() + courses_.size());
}

void EventMotion::accept(double h, double stop, const TimeEvent* event) {
  t_ = t_ + h >= stop * (1 - 1e-16) && !event ? stop : t_ + h;
  y_ = trial_;
  refer_to(y_.head(n_), y_.segment(n_, n_));
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    const bool kink = event && event->kind == TimeEvent::Kind::kink && event->joint == j;
    commit(j, kink ? event->kink : run_.joint_motion(j, y_.head(n_)), h);
  }
  commit_courses(event);
  ++run_.result.steps;
  evaluate(t_, y_, k_[0]);
  holds_[0] = to_hold_;
  if (event) pass(*event);
  for (std::size_t j = 0; j < s_.joints.size(); ++j) {
    if (direction_[j] != 0)
      look_ahead(j);
    else if (!rigid_.is(j))
      turn(j, 0);
  }
  set_rigid_forces();
}

void EventMotion::visit(MotionRecord& record) {
  Motion::visit(record);
  record("t", t_);
  record("y", y_);
  record("rates", k_[0]);
  record("step", h_);
  rigid_.set.visit(record);
  record("decelerations", decelerations_);
  record("to hold", to_hold_);
  holds_[0] = to_hold_;
  record("mark", mark_);
  record("since mark", since_mark_);
  record("directions", direction_);
  record("kinks", kink_);
  record("reference x", reference_x_);
  record("reference v", reference_v_);
  record("free acceleration", free_acceleration_);
}

std::unique_ptr<Motion> motion_by_events(TimeRun run, const Eigen::VectorXd& x,
                                         const Eigen::VectorXd& v) {
  return std::make_unique<EventMotion>(std::move(run), x, v);
}

}  // namespace microslip::dynamics
