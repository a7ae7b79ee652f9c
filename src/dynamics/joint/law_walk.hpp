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
  /// out all older ones, so numbers are all of its state even where reversals are remembered. Other
  /// loops of such laws remember some at their start: see find_numbers_with_reversals.
  bool find_numbers(bool odd_loop);
  /// Numbers of `state` and of `dual_state`, which remember as many reversals, with those of the
  /// reversals. `kept` is the same state a period before: numbers of reversals that have not changed
  /// since are older than the loop; they come last, and there are `older` of them.
  bool find_numbers_with_reversals(AnyState& kept);
  /// Whether `state` remembers much more than `kept`, the same state a period before: not reversals,
  /// but all of its past.
  bool grows_without_end(AnyState& kept);
  bool with_reversals() const { return !order_.empty(); }
  /// Where the numbers of `state` or `dual_state` lie now; false if it remembers more or fewer
  /// reversals than before.
  bool find_again();
  bool find_dual_again();
  /// What a mirrored motion makes of the numbers of the state but for u: S with x → S x.
  const Eigen::MatrixXd& mirror();
  /// Numbers of the state but for u.
  Eigen::VectorXd state_numbers() const;
  /// What of `state` is no number: directions, sides in contact.
  std::vector<int> switches();
  /// Those of `state` for `dual_state`.
  void hand_switches_to_dual();

  // Set once.
  const AnyModel model;
  const AnyDualModel dual;
  const std::vector<double> before;
  const AnyState rest, dual_rest;

  // Moved on by those who go along the period.
  AnyState state, scratch;
  AnyState dual_state, dual_scratch;
  AnyState dual_closed;  ///< where the closed loop starts; ClosedLoop and RateDependentLoop set it

  // Set by the functions above: find_numbers, find_again.
  std::vector<double*> numbers;
  std::vector<WideDual*> dual_numbers, dual_scratch_numbers;
  Eigen::Index older = 0;     ///< numbers of reversals older than the loop, which come last
  bool memory_grows = false;  ///< with reversals: derivatives are carried by the state itself

 private:
  Eigen::MatrixXd mirror_;
  std::vector<std::size_t> order_;  ///< of the numbers with reversals
};

}  // namespace microslip::dynamics
