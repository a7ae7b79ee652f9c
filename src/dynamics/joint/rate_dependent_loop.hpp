#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "dynamics/joint/joint_period.hpp"

namespace microslip::dynamics {

/// A period taken in time, node after node: rate-dependent laws, whose force depends on a place and a
/// velocity, and the sampled rule.
class RateDependentLoop {
 public:
  /// Between nodes the motion is taken as so many chords.
  RateDependentLoop(JointPeriod& period, int chords)
      : period_(period),
        law_(period.law),
        motion_(period.motion),
        chords_(chords),
        begin_state_(period.law.rest) {}

  /// Nodes between the reversals, or equal samples.
  void plan_legs();
  void plan_samples();

  /// Newton's method for the state that repeats after a period or, of an odd loop, is mirrored after
  /// half of one. False where the state has no fixed numbers or a solution was not found.
  bool solve_period(double omega);
  /// Period after period until the force at every node repeats. Of an odd loop only the odd part of
  /// the force counts: an offset that fades over many periods changes it in second order.
  void run_every_node(double omega);

  /// By the coefficients of the motion and by ω, of a period that was solved for.
  void jacobian_of_period(double omega);
  /// By the coefficients, of one that was not.
  void jacobian_from_seeds(double omega);

 private:
  struct Sensitivity;

  void add_chords(double from);
  void add_leg(double from, double to);
  double time_to(std::size_t node, double omega) const;
  bool force_at(std::size_t node, double omega, double& force);
  Eigen::MatrixXd mirror_of(Eigen::Index size);
  bool run_nodes(double omega, bool with_forces = true);
  void go_to_begin();
  bool solve_from_rest(double omega, const Eigen::MatrixXd& mirror);
  bool solve_with_reversals(double omega);
  bool solve_with_numbers(double omega);
  bool move_last(double omega);
  bool march_by_duals();
  bool march_once(double omega);
  Eigen::VectorXd units_of_numbers() const;
  Eigen::MatrixXd open_slope(const Eigen::MatrixXd& mirror) const;
  bool solve_from_last(double omega, const Eigen::MatrixXd& mirror);
  bool check_period(double omega, const Eigen::MatrixXd& mirror);
  bool second_half_mirrors(double omega);
  template <class Ask>
  bool seed_by_chunks(double value, const Ask& ask);
  bool step_by_duals(double u, double dt);
  bool force_by_duals(double velocity);
  bool run_by_duals(double omega, Sensitivity& at, bool with_forces);
  /// What derivatives are with respect to: some numbers of the begin, or of the way from rest none,
  /// and some coefficients of the motion.
  struct Seeds {
    bool from_rest = false;
    Eigen::Index numbers = 0, functions = 0;
  };
  bool carry_duals(double omega, const Seeds& seeds, bool with_forces, Eigen::MatrixXd& wrt_all);
  bool run_period_by_duals(double omega, bool with_forces);
  bool reference_by_duals(double omega, Eigen::MatrixXd& wrt_motion);
  Eigen::VectorXd find_slope_wrt_omega(double omega, const Eigen::MatrixXd& slope,
                                       const Eigen::VectorXd& units);
  void seeds_of_chunk(Eigen::Index chunk, double omega);

  JointPeriod& period_;
  LawWalk& law_;
  const PeriodicMotion& motion_;
  int chords_;
  AnyState begin_state_;
  int rounds_ = 1;                ///< from rest to where a solution was sought from
  Eigen::VectorXd begin_, end_;   ///< numbers of a period, but for u
  Eigen::VectorXd reference_;     ///< where the way from rest had come to
  double left_ = 0;               ///< of the numbers, when Newton's method stopped
  Eigen::MatrixXd wrt_begin_;     ///< its end by its begin and by what moves
  Eigen::MatrixXd wrt_numbers_;   ///< forces at the nodes by the begin and by the motion
  Eigen::MatrixXd step_slopes_;   ///< of the last step on dual numbers
  Eigen::VectorXd force_slopes_;  ///< and of its force
  std::vector<double> times_;

  // The last period that was solved for with its derivatives, from which the next one is sought.
  struct Kept {
    bool found = false, odd = false;
    std::size_t nodes = 0;
    double omega = 0;
    Eigen::VectorXd q, begin;
    Eigen::MatrixXd slope, wrt_motion;  ///< of what is left open; of the begin
    Eigen::VectorXd wrt_omega;
    Eigen::Index older =
        -1;  ///< numbers of older reversals; −1 of a law that was solved for without
  } kept_;
  std::vector<WideDual> dual_u_, dual_f_, dual_velocity_;
};

}  // namespace microslip::dynamics
