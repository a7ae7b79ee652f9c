#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/any_model.hpp"

namespace microslip::dynamics {

/// A law on its way through a period, in plain and in dual numbers, and where the numbers of its
/// states lie, for laws whose closed loop can be looked for.
struct LawWalk {
  /// `before` is where a preload took the law, turning point by turning point.
  LawWalk(const AnyModel& model, std::vector<double> before);

  /// Whether the numbers of the states can be found. At its outermost reversal an odd loop has wiped
  /// out all older ones, so numbers are all of its state even where reversals are remembered.
  bool find_numbers(bool odd_loop);
  /// Which numbers of the state change their sign with the motion (forces and displacements do, a
  /// stiffness does not).
  void find_mirror(double u);
  /// Numbers of the state but for u.
  Eigen::VectorXd state_numbers() const;

  AnyModel model;
  AnyDualModel dual;
  std::vector<double> before;
  AnyState rest, state, scratch;
  AnyState dual_rest, dual_state, dual_closed, dual_scratch;  ///< closed: where the loop starts
  std::vector<double*> numbers;
  std::vector<WideDual*> dual_numbers, dual_scratch_numbers;
  bool memory_grows = false;  ///< with reversals: derivatives are carried by the state itself
  Eigen::VectorXd mirror;     ///< −1 for numbers that change their sign with the motion
};

}  // namespace microslip::dynamics
