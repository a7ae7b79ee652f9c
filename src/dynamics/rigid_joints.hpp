#pragma once

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "microslip/dynamics/rigid_friction.hpp"
#include "time_support.hpp"

namespace microslip::dynamics {

/// Joints with rigid friction on their way through time. Those that stick are constraints: the
/// forces λ that hold them follow from the acceleration they would have without,
///     Wᵀ M⁻¹ W λ = Wᵀ a.
class RigidJoints {
 public:
  RigidJoints(TimeRun& run, const Eigen::VectorXd& x) : run_(run) {
    for (const JointElement& joint : run.structure.joints) {
      laws_.emplace_back();
      place_.push_back(joint.w.dot(x));
      if (!jumps(joint.model)) continue;
      laws_.back().emplace(joint.model);
      some_ = true;
    }
    limits_.resize(laws_.size());
    for (auto& hold : holds_) hold = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(laws_.size()));
  }

  bool none() const { return !some_; }
  bool is(std::size_t j) const { return laws_[j].has_value(); }
  bool sees_velocity(std::size_t j) const { return laws_[j]->sees_velocity(); }
  const std::vector<std::size_t>& stuck() const { return stuck_; }

  /// Joints of direction 0 stick from now on, which takes what is left of their velocity.
  void stick(const std::vector<int>& direction, Eigen::VectorXd& y, double reach, double moment) {
    const Eigen::Index n = run_.structure.size();
    stuck_.clear();
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (!is(j)) continue;
      laws_[j]->measure(reach, moment);
      if (direction[j] != 0) continue;
      stuck_.push_back(j);
      limits_[j] = laws_[j]->limits(run_.state[j], place_[j]);
    }
    const auto count = static_cast<Eigen::Index>(stuck_.size());
    directions_.resize(n, count);
    moved_.resize(n, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      directions_.col(i) = run_.structure.joints[stuck_[static_cast<std::size_t>(i)]].w;
      moved_.col(i) = run_.mass.solve(directions_.col(i));
    }
    if (count == 0) return;
    factors_.compute(directions_.transpose() * moved_);
    y.segment(n, n) -= moved_ * factors_.solve(directions_.transpose() * y.segment(n, n));
  }

  /// The acceleration that stuck joints leave.
  Eigen::VectorXd held(const Eigen::VectorXd& free) {
    if (stuck_.empty()) return free;
    hold_ = factors_.solve(directions_.transpose() * free);
    return free - moved_ * hold_;
  }

  void note_stage(int stage) {
    for (std::size_t i = 0; i < stuck_.size(); ++i)
      holds_[static_cast<std::size_t>(stage)][static_cast<Eigen::Index>(stuck_[i])] =
          hold_[static_cast<Eigen::Index>(i)];
  }
  double hold(std::size_t j, int stage) const {
    return holds_[static_cast<std::size_t>(stage)][static_cast<Eigen::Index>(j)];
  }

  /// The limit that the force on a stuck joint has passed at a stage; not a number if none.
  double limit_passed(std::size_t j, int stage) const {
    const int side = side_of(j, hold(j, stage));
    if (side == 0) return std::numeric_limits<double>::quiet_NaN();
    return side > 0 ? limits_[j].on : limits_[j].back;
  }
  double middle(std::size_t j) const { return 0.5 * (limits_[j].back + limits_[j].on); }

  /// The stuck joint that holds most beyond its limit, and the side it slips to; side 0 if none.
  std::pair<std::size_t, int> overloaded() const {
    std::pair<std::size_t, int> worst{0, 0};
    double most = 0;
    for (const std::size_t j : stuck_) {
      const int side = side_of(j, hold(j, 0));
      const double excess = side > 0 ? hold(j, 0) - limits_[j].on : limits_[j].back - hold(j, 0);
      if (side == 0 || excess <= most) continue;
      most = excess;
      worst = {j, side};
    }
    return worst;
  }

  double slipping(std::size_t j, int side, double u, double v, double after) {
    return laws_[j]->force({run_.state[j], place_[j], side}, u, v, after);
  }

  /// The law follows; what was lost, unless that is integrated with the motion.
  double commit(std::size_t j, int direction, double u, double h) {
    const bool timed = sees_velocity(j);
    if (direction == 0) u = place_[j];
    if (direction * (u - place_[j]) <= 0 && !(timed && direction == 0)) return 0;
    const AnyModel& model = laws_[j]->model();
    const double before = model.stored(run_.state[j]);
    const Response<double> reply = model.step(
        run_.state[j], u, timed ? h : std::numeric_limits<double>::infinity(), run_.state[j]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    place_[j] = u;
    // The work on a law that sees its velocity is known; what it stores is not lost.
    return timed ? before - model.stored(run_.state[j]) : reply.dissipated;
  }

 private:
  int side_of(std::size_t j, double force) const {
    const double rounding = 1e-13 * (std::abs(limits_[j].on) + std::abs(limits_[j].back));
    return force > limits_[j].on + rounding ? 1 : force < limits_[j].back - rounding ? -1 : 0;
  }

  TimeRun& run_;
  std::vector<std::optional<RigidFriction>> laws_;
  bool some_ = false;
  std::vector<double> place_;  ///< of the laws
  std::vector<RigidFriction::Limits> limits_;
  std::vector<std::size_t> stuck_;
  Eigen::MatrixXd directions_, moved_;  ///< W of the stuck joints, M⁻¹ W
  Eigen::FullPivLU<Eigen::MatrixXd> factors_;
  Eigen::VectorXd hold_;
  std::array<Eigen::VectorXd, 7> holds_;  ///< at the stages of a step
};

}  // namespace microslip::dynamics
