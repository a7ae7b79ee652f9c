#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "dynamics/joint/joint_period.hpp"

namespace microslip::dynamics {

/// How a rate-independent law comes to the loop that repeats: from reversal to reversal.
class ClosedLoop {
 public:
  explicit ClosedLoop(JointPeriod& period)
      : period_(period),
        law_(period.law),
        motion_(period.motion),
        before_(period.law.rest),
        kept_state_(period.law.rest) {}

  /// Leaves the law at the start of the closed loop. It has gone from rest to the first reversal.
  /// Derivatives are for `go_to_start`.
  void close(bool with_derivatives);
  /// Whether the closed loop repeats itself, mirrored, after half a period.
  bool symmetric() const { return symmetric_; }
  /// Leaves the law on dual numbers there, with seeds at some reversals.
  bool go_to_start(Eigen::Index chunk);
  /// The displacement of a reversal with its seed among those of a chunk.
  WideDual turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const;

 private:
  bool solve_half_loop(bool with_derivatives);
  bool solve_half_from_rest(std::size_t half);
  bool solve_half_from_last(std::size_t half, bool with_derivatives);
  bool check_half_loop(std::size_t half);
  void hand_switches_to_dual();
  void go_to_closed_state();
  bool jump_to_closed_loop(std::vector<double>& last);
  bool find_numbers();
  bool start_round_by_duals();
  bool run_round(Eigen::Index chunk, std::size_t reversals);
  void close_derivatives();
  bool close_half_derivatives(bool from_rest);

  JointPeriod& period_;
  LawWalk& law_;
  const PeriodicMotion& motion_;
  AnyState before_;                ///< the law a round ago
  Eigen::VectorXd begin_, end_;    ///< numbers of a round, but for u
  Eigen::VectorXd reference_;      ///< where marching had come to
  Eigen::MatrixXd wrt_begin_;      ///< end of a round by its begin and by what moves
  Eigen::MatrixXd wrt_reversals_;  ///< the state of the closed loop by the reversals
  std::vector<WideDual> dual_u_, dual_f_;
  bool symmetric_ = false;

  // The last half loop that was solved for, from which the next one is sought.
  std::size_t kept_half_ = 0;         ///< its reversals; 0: none
  AnyState kept_state_;               ///< at its start
  std::vector<double> kept_turning_;  ///< its displacements
};

}  // namespace microslip::dynamics
