#pragma once

#include <Eigen/Core>

namespace microslip::dynamics {

class HarmonicBalance;

/// Unknowns of harmonic balance from which Newton's method may begin.
class BalanceStarts {
 public:
  explicit BalanceStarts(HarmonicBalance& balance) : balance_(balance) {}

  /// The response without joints' forces beyond their tangent at rest.
  Eigen::VectorXd linear_response(double omega);
  /// The same without joints that slide.
  Eigen::VectorXd response_without_sliding(double omega) const;
  /// The motion shape · cos ωt, without forces on bodies.
  Eigen::VectorXd cosine_motion(const Eigen::VectorXd& shape, double omega) const;
  /// A motion with these forces of the joints: coefficients, a row for each.
  Eigen::VectorXd unknowns_of(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f,
                              double omega) const;
  /// Under the static loads alone.
  Eigen::VectorXd at_rest() const;

  // Of joints that slide, in a motion that is there:
  /// Its own unknowns as the motion begins.
  void set_beginnings(Eigen::VectorXd& y) const;
  /// First harmonics of the forces that move them as if they never stuck.
  void set_sliding_forces(Eigen::VectorXd& y) const;
  /// The same where they stick, from the first harmonics of what they hold, in phase.
  void set_stuck_forces(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const;
  /// The same motion, half a period later.
  void shift_by_half(Eigen::VectorXd& y) const;

 private:
  HarmonicBalance& balance_;
};

}  // namespace microslip::dynamics
