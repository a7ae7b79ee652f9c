#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "dynamics/rigid/contact_set.hpp"
#include "dynamics/time/dormand_prince.hpp"
#include "dynamics/time/motion.hpp"

namespace microslip::dynamics {

struct TimeEvent {
  /// release: stuck joints begin to slip; course: a joint with several directions opens, closes, slips or
  /// sticks.
  enum class Kind { kink, reversal, release, course };
  std::size_t joint = 0;  ///< of a kink or a reversal; of a course, the number of the interface
  Kind kind = Kind::kink;
  double part = 2;               ///< of the step
  double kink = 0;               ///< displacement
  ContactSet::Plane plane{};     ///< of a release
  int number = -1;               ///< of a course, among the events of its walk
  InterfaceWalk::Event ahead{};  ///< of a course
};

/// A motion from event to event. Steps are in time_events.cpp, the search for the first event of a
/// step in event_search.cpp, what joints do between events and at them in event_joints.cpp, and the same of
/// joints with several directions, whose forces are linear between events, in event_interfaces.cpp.
class EventMotion final : public Motion {
 public:
  EventMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  std::unique_ptr<Motion> clone() const override { return std::make_unique<EventMotion>(*this); }
  double t() const override { return t_; }
  Eigen::VectorXd x() const override { return y_.head(n_); }
  Eigen::VectorXd v() const override { return y_.segment(n_, n_); }
  double next_stop() const override { return run_.next_break(t_); }

  bool step(double stop) override;
  void pass_break() override;

  /// Velocities may change sign without passing zero.
  void load_changed() override { choose_directions(); }

  /// The work that was integrated with the motion.
  EnergyAudit audit() const override;
  double joint_energy(std::size_t j) const override;
  void visit(MotionRecord& record) override;

 private:
  void refer_to(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity);

  /// Derivatives of motion, of the work of the loads, of what dampers lose and of the work on
  /// joints that see their velocity.
  void evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& out);

  /// Velocities or accelerations without what stuck joints stop, which is left in `stopped`.
  Eigen::VectorXd held(const Eigen::VectorXd& free, Eigen::VectorXd& stopped) const;

  /// What rounding makes of the time: a part of its own size and of the size of the simulation.
  double no_time() const { return 1e-13 * (run_.options.until + std::abs(t_)); }

  double first_step() const;

  /// One trial step; the error relative to the tolerance.
  double trial(double h);
  dormand_prince::Quintic path(std::size_t j, double h) const;

  /// The first event inside a trial step.
  TimeEvent first_event(double h) const;

  /// Limits that the forces on stuck joints have passed at a stage of the step.
  void look_for_release(TimeEvent& first) const;
  void consider(std::size_t j, TimeEvent::Kind kind, const dormand_prince::Quintic& q, double low,
                double high, TimeEvent& first) const;

  /// How far from the event the end of the trial step, of length h, is, in time.
  double time_to(const TimeEvent& event, double h) const;
  bool step_to(double stop);

  /// Velocities below this are rounding. A turn of such a motion is none: between it and the next
  /// turn the force changes by less than its own rounding. Friction stops them in no time.
  double noise(std::size_t j) const;

  /// Whether the start of a step is where the event happens.
  bool stands_at(const TimeEvent& event) const;

  /// Events that pile up at one time would never end: false if there are too many.
  bool moves_on();
  void accept(double h, double stop, const TimeEvent* event);
  void commit(std::size_t j, double u, double h);
  void set_rigid_forces();
  void pass(const TimeEvent& event);

  /// Joints of side 0 stick, which takes what is left of their velocity.
  void stick();

  /// Joints that stand still stick, as long as what they hold is within their limits.
  void settle_rigid_joints();
  void choose_directions();

  /// A joint with several directions on its way: its force is f + T (u − at), exactly, until its next event.
  struct Course {
    std::shared_ptr<InterfaceWalk> walk;  ///< of one motion: motions with interfaces are not cloned
    Eigen::VectorXd at, f;
    Eigen::MatrixXd T;
    double stored = 0, stored_first = 0;
  };
  void begin_courses(const Eigen::VectorXd& x);
  void add_courses(const Eigen::VectorXd& x, const Eigen::VectorXd& v, Eigen::VectorXd& force,
                   Eigen::VectorXd& out) const;
  /// Goes on to the present place; at an event, which happens there.
  void commit_courses(const TimeEvent* event);
  void set_out(std::size_t i);
  void look_for_courses(double h, TimeEvent& first) const;
  /// cᵀ(displacements of interface i) inside the step.
  dormand_prince::Quintic path(std::size_t i, const Eigen::VectorXd& c, double h) const;
  /// What counts as beyond an event, and not as rounding.
  double noise(const InterfaceWalk::Event& event, const dormand_prince::Quintic& q) const;
  Eigen::Index work_row(std::size_t i) const {
    return 2 * n_ + 2 + static_cast<Eigen::Index>(s_.joints.size() + i);
  }
  double lost_in_course(std::size_t i) const {
    return y_[work_row(i)] - (courses_[i].stored - courses_[i].stored_first);
  }

  /// The direction of a joint from now on; 0: from its velocity, or its acceleration at rest.
  void turn(std::size_t j, int direction);

  /// A kink within rounding of where the joint is counts as passed: a law that stands on it may
  /// still name it, and steps towards it would lead nowhere.
  void look_ahead(std::size_t j);

  const Structure& s_;
  Eigen::Index n_;
  Eigen::VectorXd y_, trial_;
  Eigen::VectorXd k_[dormand_prince::stages];
  double t_, h_ = 0;
  StructureContacts rigid_;
  std::vector<double>
      decelerations_;        ///< by the friction of each joint, as large as it was at first
  Eigen::VectorXd to_hold_;  ///< by stuck joints, on the coordinates of rigid_
  Eigen::VectorXd holds_[dormand_prince::stages];  ///< the same at the stages of a step
  double mark_ = -std::numeric_limits<double>::infinity();
  long since_mark_ = 0;
  std::vector<int> direction_;
  std::vector<double> kink_;
  std::vector<Course> courses_;
  double frequency_ = 0, reference_x_ = 0, reference_v_ = 0;
  double free_acceleration_ = 0;  ///< as it would be without stuck joints
};

}  // namespace microslip::dynamics
