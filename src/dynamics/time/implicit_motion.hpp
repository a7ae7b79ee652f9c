#pragma once

#include <memory>
#include <vector>

#include "dynamics/rigid/contact_set.hpp"
#include "dynamics/time/kept_factor.hpp"
#include "dynamics/time/linear_forces.hpp"
#include "dynamics/time/motion.hpp"

namespace microslip::dynamics {

/// A motion in implicit steps. The methods are in time_implicit.cpp, contacts with rigid friction
/// inside a step in implicit_contacts.cpp.
class ImplicitMotion final : public Motion {
 public:
  ImplicitMotion(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  std::unique_ptr<Motion> clone() const override { return std::make_unique<ImplicitMotion>(*this); }
  double t() const override { return t_; }
  Eigen::VectorXd x() const override { return x_; }
  Eigen::VectorXd v() const override { return v_; }
  double next_stop() const override { return run_.next_jump(t_); }

  bool step(double stop) override;
  void visit(MotionRecord& record) override;
  const std::vector<double>& forces() override;
  void record() override { run_.record(t_, x_, v_, audit().joints, forces()); }
  void note_energy() override { run_.note_energy(0.5 * (sums().kinetic + sums().elastic)); }

 private:
  bool rigid() const { return !contacts_.set.empty(); }
  bool stuck(std::size_t j) const { return contacts_.is(j) && contacts_[j].side == 0; }

  /// Adds forces of joints and interfaces, times a factor, to a vector of all degrees of freedom.
  void add_forces(const std::vector<double>& joints, const std::vector<Eigen::VectorXd>& interfaces,
                  double factor, Eigen::VectorXd& sum) const;
  /// Of x_ and v_.
  const LinearForces::Sums& sums();
  /// The size of the forces, which the tolerances of Newton's method are parts of.
  double scale(double h);
  /// The largest force of all joints or all interfaces on a degree of freedom.
  double largest_force(const std::vector<double>& joints,
                       const std::vector<Eigen::VectorXd>& interfaces);
  bool ask(std::size_t j, double u, double h, Response<double>& reply);

  /// The mean force on the way from the committed state to u: work over distance. Where the
  /// distance is too small for a quotient the mean of both ends serves.
  bool mean_force(std::size_t j, double u, double h);
  bool end_force(std::size_t j, double u, double h);
  /// Forces of the interfaces on the way to `next`. Of the midpoint rule: the mean of both ends, and as
  /// much along the way as the work asks for.
  bool ask_interfaces(const Eigen::VectorXd& next);
  bool ask_interface(std::size_t i, const Eigen::VectorXd& u);
  void note_interfaces();
  bool of_midpoint() const { return run_.options.method == Method::midpoint; }

  double force_now(std::size_t j);
  void commit(double h);
  // Rigid friction: over a step such a joint slips one way or the other, or is stuck and holds the
  // force that keeps it so, as long as that is within its limits.

  void guess_sides(double h, const Eigen::VectorXd& mean);

  /// Changes the sides that the solution contradicts; true if there are none.
  bool sides_hold(double h, const Eigen::VectorXd& mean);
  std::vector<std::size_t> stuck_joints() const;

  /// Where the law of a joint is after a motion of the structure. For a contact it is counted from its
  /// place: while the contact is stuck, rounding moves the structure but not the law, and the next slip
  /// may be as short as that.
  double place_of(std::size_t j, const Eigen::VectorXd& from, const Eigen::VectorXd& to) const;

  /// Forces of the joints on the way to `next`, held or slipping on their side.
  bool ask_joints(const Eigen::VectorXd& next, double h);

  /// Newton's step for z; stuck joints change their force, which counts by a part, so that they do
  /// not move: wᵀ(z + way/length) = 0.
  void correct(const Eigen::VectorXd& residual, double part, const Eigen::VectorXd& way,
               double length, Eigen::VectorXd& z);

  /// A joint that came to rest inside the step left its velocity at the end reversed; it stands,
  /// and friction takes what was left of the motion.
  void stop_stuck_joints();
  bool solve_midpoint(double h);

  /// A guess for z that Newton's method has only to confirm. A large structure is linear but for its
  /// few joints: half a solve tells how these would move without their forces, Newton's method finds
  /// the forces alone, and the other half of the solve takes them along. `residual` is that of z without the
  /// forces of the joints, which count by a part; at z the structure is at `next`, and a change of z
  /// moves it by so much.
  bool large() const { return tangent_.in_parts() && !rigid() && s_.interfaces.empty(); }
  void solve_joints_first(double h, double part, double moves, const Eigen::VectorXd& next,
                          const Eigen::VectorXd& residual, Eigen::VectorXd& z);

  /// The same of a small structure whose only joints are interfaces of a few displacements in all:
  /// Newton's method in these alone.
  static constexpr int most_directions = 8;
  bool small_with_interfaces() const;
  void solve_interfaces_first(double part, double moves, const Eigen::VectorXd& next,
                              const Eigen::VectorXd& residual, Eigen::VectorXd& z);

  /// Whether a slipping joint ends the step with the velocity of the other side.
  bool turned() const;

  /// One step, in halves where rigid joints stop, start or turn, so that this happens in a step too
  /// small to matter.
  bool advance(double h);

  /// One step, in halves where Newton's method fails, which leaves the motion as it was.
  bool in_halves(double h);
  bool one_step(double h);

  /// Solves a step; as long as the solution, whose mean velocity is asked for, contradicts the sides
  /// of rigid joints, with other sides.
  template <class Guess, class Solve, class Mean>
  bool find_sides(double h, const Guess& guess, const Solve& solve, const Mean& mean) {
    if (!rigid()) return solve();
    guess_sides(h, guess());
    for (int attempt = 0; attempt <= 50; ++attempt) {
      if (!solve()) return false;
      if (sides_hold(h, mean())) return true;
    }
    return false;
  }

  bool midpoint(double h);
  bool alpha(double h);

  /// The mean of the load over a step, by Simpson's rule.
  void find_mean_load(double h);
  /// Where a step to `stop` has to end because a joint turns or comes to a kink on the way. A step across
  /// one has an error of the order h² that depends on where in the step it lies, so that no extrapolation
  /// removes it. In implicit_events.cpp.
  double before_event(double stop);
  bool event_possible(double h) const;
  /// For each joint: its velocity, and the distance to its next kink; each counts from positive down, and
  /// zero is the event. `kinks` are those ahead at the start of the step.
  struct Ahead {
    double direction, kink;
  };
  std::vector<Ahead> events_ahead() const;
  Eigen::VectorXd events_left(const std::vector<Ahead>& ahead, const Eigen::VectorXd& x,
                              const Eigen::VectorXd& v) const;

  const Structure& s_;
  Eigen::VectorXd x_, v_, acceleration_;
  double t_;
  std::vector<double> slopes_, forces_;
  std::vector<double> now_;  ///< forces at the present time and velocity
  std::vector<Eigen::VectorXd> interface_forces_;
  std::vector<Eigen::MatrixXd> interface_slopes_;
  /// Displacements and stored energy where the step begins.
  std::vector<Eigen::VectorXd> interface_start_;
  std::vector<double> interface_stored_;
  InterfaceReply interface_reply_;
  Eigen::VectorXd interface_way_, interface_motion_;
  StructureContacts contacts_;
  Eigen::VectorXd stuck_force_;  ///< forces of stuck contacts
  double noise_ = 0;             ///< of the mean forces
  double viscous_ = 0;           ///< power of the dampers at the mean velocity
  KeptFactor tangent_;
  std::shared_ptr<const LinearForces> linear_;
  LinearForces::Sums sums_;
  bool summed_ = false;  ///< sums_ are those of x_ and v_

  // Kept, since a large vector costs more to get than to fill.
  Eigen::VectorXd residual_, work_, halfway_;  ///< work_ is zero between uses
  Eigen::VectorXd load_before_, load_after_, load_;
  Eigen::VectorXd next_, next_v_, a_, mean_, way_, v_part_, at_x_, at_v_;
};

}  // namespace microslip::dynamics
