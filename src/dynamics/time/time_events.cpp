#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/rigid/contact_set.hpp"
#include "dynamics/time/dormand_prince.hpp"
#include "dynamics/time/motion.hpp"
#include "microslip/core/text.hpp"

namespace microslip::dynamics {
namespace {

using namespace dormand_prince;  // stages, a, c, e, Quintic

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Event {
  enum class Kind { kink, reversal, release };  ///< release: stuck joints begin to slip
  std::size_t joint = 0;                        ///< of a kink or a reversal
  Kind kind = Kind::kink;
  double part = 2;            ///< of the step
  double kink = 0;            ///< displacement
  ContactSet::Plane plane{};  ///< of a release
};

class EventMotion final : public Motion {
 public:
  EventMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v)
      : Motion(std::move(run)),
        s_(run_.structure),
        n_(s_.size()),
        y_(Eigen::VectorXd::Zero(2 * n_ + 2 + static_cast<Eigen::Index>(s_.joints.size()))),
        t_(run_.t0),
        rigid_(s_, [this](const Eigen::VectorXd& b) { return run_.mass.solve(b); }) {
    y_.head(n_) = x;
    y_.segment(n_, n_) = v;
    for (auto& k : k_) k.resize(y_.size());
    trial_.resize(y_.size());
    direction_.assign(s_.joints.size(), 0);
    kink_.assign(s_.joints.size(), infinity);
    decelerations_.assign(s_.joints.size(), 0);
    for (std::size_t i = 0; i < rigid_.joints.size(); ++i) {
      const std::size_t j = rigid_.joints[i];
      ContactSet::Contact& contact = rigid_.set[i];
      contact.state = run_.state[j];
      // A law may come from elsewhere.
      contact.move(run_.joint_motion(j, x), infinity);
      run_.state[j] = contact.state;
      const auto [back, on] = contact.law.limits(contact.state, contact.place);
      decelerations_[j] =
          std::max(std::abs(back), std::abs(on)) * std::pow(rigid_.set.length(i), 2);
    }
    // At rest in equilibrium there is no velocity to compare with: frequency times displacement
    // serves.
    frequency_ = std::max(1 / run_.options.until, highest_frequency(s_));
    refer_to(x, v);
    choose_directions();
    h_ = first_step();
  }

  std::unique_ptr<Motion> clone() const override { return std::make_unique<EventMotion>(*this); }
  double t() const override { return t_; }
  Eigen::VectorXd x() const override { return y_.head(n_); }
  Eigen::VectorXd v() const override { return y_.segment(n_, n_); }
  double next_stop() const override { return run_.next_break(t_); }

  bool step(double stop) override {
    if (!step_to(stop)) return false;
    return moves_on() || fail("events without end");
  }

  void pass_break() override {
    if (t_ >= run_.next_break(t_ - 10 * no_time()) - 0.1 * no_time()) {
      Eigen::VectorXd velocity = v();
      run_.apply_impulses(t_, velocity);
      y_.segment(n_, n_) = velocity;
      choose_directions();
    }
  }
  /// Velocities may change sign without passing zero.
  void load_changed() override { choose_directions(); }

  /// The work that was integrated with the motion.
  EnergyAudit audit() const override {
    EnergyAudit sum = run_.result.audit;
    sum.input += y_[2 * n_];
    sum.viscous += y_[2 * n_ + 1];
    sum.joints += y_.tail(static_cast<Eigen::Index>(s_.joints.size())).sum();
    return sum;
  }
  double joint_energy(std::size_t j) const override {
    return run_.result.joint_energy[j] + y_[2 * n_ + 2 + static_cast<Eigen::Index>(j)];
  }

 private:
  void refer_to(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity) {
    reference_x_ = std::max(reference_x_, position.lpNorm<Eigen::Infinity>());
    reference_v_ =
        std::max({reference_v_, velocity.lpNorm<Eigen::Infinity>(), frequency_ * reference_x_});
    reference_x_ = std::max(reference_x_, reference_v_ / frequency_ * 1e-3);
  }

  /// Derivatives of motion, of the work of the loads, of what dampers lose and of the work on
  /// joints that see their velocity.
  void evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& out) {
    const auto position = y.head(n_);
    const auto velocity = y.segment(n_, n_);
    const Eigen::VectorXd load = run_.load(t);
    const Eigen::VectorXd damping = s_.C * velocity;
    Eigen::VectorXd force = load - damping - s_.K * position;
    out.tail(static_cast<Eigen::Index>(s_.joints.size())).setZero();
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
    out.head(n_) = velocity;
    const Eigen::VectorXd free = run_.mass.solve(force);
    free_acceleration_ = free.lpNorm<Eigen::Infinity>();
    out.segment(n_, n_) = held(free, to_hold_);
    out[2 * n_] = load.dot(velocity);
    out[2 * n_ + 1] = velocity.dot(damping);
  }

  /// Velocities or accelerations without what stuck joints stop, which is left in `stopped`.
  Eigen::VectorXd held(const Eigen::VectorXd& free, Eigen::VectorXd& stopped) const {
    if (rigid_.set.stuck().empty()) return free;
    const Eigen::VectorXd q = rigid_.to_ways * free;
    stopped = q - rigid_.set.free_part(q);
    return free - rigid_.from_forces * stopped;
  }

  /// What rounding makes of the time.
  double no_time() const { return 1e-13 * (run_.options.until + std::abs(t_)); }

  double first_step() const {
    const double velocity = k_[0].head(n_).norm();
    const double acceleration = k_[0].segment(n_, n_).norm();
    const double guess = acceleration > 0 ? 0.01 * velocity / acceleration : 0;
    return std::min(guess > 0 ? guess : 1e-4 / frequency_, 0.01 * run_.options.until);
  }

  /// One trial step; the error relative to the tolerance.
  double trial(double h) {
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

  Quintic path(std::size_t j, double h) const {
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

  /// The first event inside a trial step.
  Event first_event(double h) const {
    Event first;
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
          if (past) consider(j, Event::Kind::kink, q, before, s, first);
          if (back) consider(j, Event::Kind::reversal, q, before, s, first);
          break;
        }
        before = s;
      }
    }
    look_for_release(first);
    return first;
  }

  /// Limits that the forces on stuck joints have passed at a stage of the step.
  void look_for_release(Event& first) const {
    for (int i = 1; i < stages; ++i) {
      const std::vector<ContactSet::Plane> planes = rigid_.set.planes_passed(holds_[i]);
      for (const ContactSet::Plane& plane : planes) {
        const double from = plane.beyond(holds_[i - 1]), to = plane.beyond(holds_[i]);
        const double part = from < 0 ? c[i - 1] - from / (to - from) * (c[i] - c[i - 1]) : c[i - 1];
        if (part < first.part) first = {0, Event::Kind::release, part, 0, plane};
      }
      if (!planes.empty()) return;
    }
  }

  void consider(std::size_t j, Event::Kind kind, const Quintic& q, double low, double high,
                Event& first) const {
    const double d = direction_[j];
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      const Quintic::Point p = q.at(middle);
      const bool beyond = kind == Event::Kind::reversal ? d * p.v < 0 : d * (p.u - kink_[j]) > 0;
      (beyond ? high : low) = middle;
    }
    if (high < first.part) first = {j, kind, high, kink_[j], {}};
  }

  /// How far from the event the end of the trial step, of length h, is, in time.
  double time_to(const Event& event, double h) const {
    const Eigen::VectorXd& w = s_.joints[event.joint].w;
    switch (event.kind) {
      case Event::Kind::reversal:
        return -w.dot(k_[6].head(n_)) / w.dot(k_[6].segment(n_, n_));
      case Event::Kind::kink:
        return (event.kink - w.dot(trial_.head(n_))) / w.dot(k_[6].head(n_));
      case Event::Kind::release:
        break;
    }
    // By the chord; a force that has just passed its limit changes little over what is left.
    const double before = event.plane.beyond(holds_[0]), after = event.plane.beyond(holds_[6]);
    return -after * h / (after - before);
  }

  bool step_to(double stop) {
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
      Event event = first_event(h);
      bool at_event = false;
      if (event.part <= 1) {
        const double whole = h;
        h *= event.part;
        for (int i = 0; i < 8; ++i) {
          if (!(h > 1e-14 * (whole + std::abs(t_)))) break;
          error = trial(h);
          const double correction = time_to(event, h);
          if (!std::isfinite(correction) || std::abs(correction) > 0.5 * whole) break;
          if (std::abs(correction) <= 4e-16 * (std::abs(t_) + h)) break;
          h = std::min(h + correction, whole);
          // Of several planes that were passed the first one counts.
          if (event.kind == Event::Kind::release && event.plane.beyond(holds_[6]) <= 0)
            if (const auto others = rigid_.set.planes_passed(holds_[6]); !others.empty())
              event.plane = others.front();
        }
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

  /// Velocities below this are rounding. A turn of such a motion is none: between it and the next
  /// turn the force changes by less than its own rounding. Friction stops them in no time.
  double noise(std::size_t j) const {
    return 1e-13 * std::max(reference_v_, decelerations_[j] / frequency_);
  }

  /// Whether the start of a step is where the event happens.
  bool stands_at(const Event& event) const {
    const Eigen::VectorXd& w = s_.joints[event.joint].w;
    if (event.kind == Event::Kind::release)
      return event.plane.beyond(holds_[0]) >=
             -1e-9 * (std::abs(event.plane.most) + std::abs(event.plane.beyond(holds_[6])));
    if (event.kind == Event::Kind::reversal)
      return direction_[event.joint] * w.dot(k_[0].head(n_)) <= noise(event.joint);
    const double u = run_.joint_motion(event.joint, y_.head(n_));
    return std::abs(event.kink - u) <= 1e-9 * (std::abs(u) + reference_x_);
  }

  /// Events that pile up at one time would never end: false if there are too many.
  bool moves_on() {
    if (t_ > mark_ + 1e-12 * (run_.options.until + std::abs(t_))) {
      mark_ = t_;
      since_mark_ = 0;
    }
    return ++since_mark_ < 1000 + 20 * static_cast<long>(s_.joints.size());
  }

  void accept(double h, double stop, const Event* event) {
    t_ = t_ + h >= stop * (1 - 1e-16) && !event ? stop : t_ + h;
    y_ = trial_;
    refer_to(y_.head(n_), y_.segment(n_, n_));
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const bool kink = event && event->joint == j && event->kind == Event::Kind::kink;
      commit(j, kink ? event->kink : run_.joint_motion(j, y_.head(n_)), h);
    }
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

  void commit(std::size_t j, double u, double h) {
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

  void set_rigid_forces() {
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

  void pass(const Event& event) {
    ++run_.result.events;
    const std::size_t j = event.joint;
    switch (event.kind) {
      case Event::Kind::reversal:
        if (rigid_.is(j)) {
          rigid_[j].side = 0;
          settle_rigid_joints();
        } else {
          turn(j, -direction_[j]);
        }
        break;
      case Event::Kind::kink:
        commit(j, event.kink, 0);
        turn(j, direction_[j]);
        break;
      case Event::Kind::release:
        rigid_.set.let_go(event.plane.slips);
        settle_rigid_joints();
        break;
    }
  }

  /// Joints of side 0 stick, which takes what is left of their velocity.
  void stick() {
    for (std::size_t i = 0; i < rigid_.set.size(); ++i)
      rigid_.set[i].law.measure(reference_x_, 1 / frequency_);
    rigid_.set.stick();
    Eigen::VectorXd stopped;
    y_.segment(n_, n_) = held(v(), stopped);
    evaluate(t_, y_, k_[0]);
    holds_[0] = to_hold_;
    for (const std::size_t j : rigid_.joints) direction_[j] = rigid_[j].side;
  }

  /// Joints that stand still stick, as long as what they hold is within their limits.
  void settle_rigid_joints() {
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

  void choose_directions() {
    for (const std::size_t j : rigid_.joints) {
      const double velocity = run_.joint_motion(j, y_.segment(n_, n_));
      rigid_[j].side = velocity > noise(j) ? 1 : velocity < -noise(j) ? -1 : 0;
    }
    stick();
    for (std::size_t j = 0; j < direction_.size(); ++j)
      if (!rigid_.is(j)) turn(j, 0);
    settle_rigid_joints();
  }

  /// The direction of a joint from now on; 0: from its velocity, or its acceleration at rest.
  void turn(std::size_t j, int direction) {
    const Eigen::VectorXd& w = s_.joints[j].w;
    if (direction == 0) {
      const double velocity = w.dot(k_[0].head(n_));
      const double moving = velocity != 0 ? velocity : w.dot(k_[0].segment(n_, n_));
      direction = moving > 0 ? 1 : moving < 0 ? -1 : 0;
    }
    direction_[j] = direction;
    look_ahead(j);
  }

  /// A kink within rounding of where the joint is counts as passed: a law that stands on it may
  /// still name it, and steps towards it would lead nowhere.
  void look_ahead(std::size_t j) {
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

  const Structure& s_;
  Eigen::Index n_;
  Eigen::VectorXd y_, trial_;
  Eigen::VectorXd k_[stages];
  double t_, h_ = 0;
  StructureContacts rigid_;
  std::vector<double>
      decelerations_;              ///< by the friction of each joint, as large as it was at first
  Eigen::VectorXd to_hold_;        ///< by stuck joints, on the coordinates of rigid_
  Eigen::VectorXd holds_[stages];  ///< the same at the stages of a step
  double mark_ = -infinity;
  long since_mark_ = 0;
  std::vector<int> direction_;
  std::vector<double> kink_;
  double frequency_ = 0, reference_x_ = 0, reference_v_ = 0;
  double free_acceleration_ = 0;  ///< as it would be without stuck joints
};

}  // namespace

std::unique_ptr<Motion> motion_by_events(TimeRun run, const Eigen::VectorXd& x,
                                         const Eigen::VectorXd& v) {
  return std::make_unique<EventMotion>(std::move(run), x, v);
}

}  // namespace microslip::dynamics
