#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/periodic/joint_period.hpp"

namespace microslip::dynamics {

/// How a rate-independent law comes to the loop that repeats: from reversal to reversal.
class ClosedLoop {
 public:
  explicit ClosedLoop(JointPeriod& period)
      : period_(period), law_(period.law), motion_(period.motion) {}

  /// Leaves the law at the start of the closed loop. It has gone from rest to the first reversal.
  void close();
  /// Leaves the law on dual numbers there, with seeds at some reversals.
  bool go_to_start(Eigen::Index chunk);
  /// The displacement of a reversal with its seed among those of a chunk.
  WideDual turning(std::size_t reversal, Eigen::Index seed, Eigen::Index width) const;

 private:
  bool solve_half_loop();
  bool jump_to_closed_loop(std::vector<double>& last);
  bool start_round_by_duals();
  bool run_round(Eigen::Index chunk, std::size_t reversals);
  void close_derivatives();
  void close_half_derivatives();

  JointPeriod& period_;
  LawWalk& law_;
  const PeriodicMotion& motion_;
  Eigen::VectorXd begin_, end_;   ///< numbers of a round, but for u
  Eigen::MatrixXd by_begin_;      ///< end of a round by its begin and by what moves
  Eigen::MatrixXd by_reversals_;  ///< the state of the closed loop by the reversals
  std::vector<WideDual> dual_u_, dual_f_;
};

}  // namespace microslip::dynamics
