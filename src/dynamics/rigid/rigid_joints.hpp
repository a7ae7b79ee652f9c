#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "dynamics/rigid/nearest_forces.hpp"
#include "dynamics/rigid/sliding_inertia.hpp"
#include "dynamics/time/time_support.hpp"
#include "microslip/dynamics/rigid/rigid_friction.hpp"

namespace microslip::dynamics {

/// Joints with rigid friction on their way through time. Those that stick are constraints: the
/// forces λ that hold them follow from the acceleration they would have without,
///     Wᵀ M⁻¹ W λ = Wᵀ a.
/// Where more joints stick than are needed, nothing tells how they share the load, and they hold as
/// long as any forces within their limits do.
class RigidJoints {
 public:
  RigidJoints(TimeRun& run, const Eigen::VectorXd& x) {
    for (const JointElement& joint : run.structure.joints) {
      laws_.emplace_back();
      place_.push_back(joint.w.dot(x));
      decelerations_.push_back(0);
      if (!joint.model.rigid()) continue;
      laws_.back().emplace(joint.model);
      some_ = true;
      // A law may come from elsewhere.
      AnyState& state = run.state[laws_.size() - 1];
      joint.model.step(state, place_.back(), std::numeric_limits<double>::infinity(), state);
      const auto [back, on] = laws_.back()->limits(state, place_.back());
      decelerations_.back() =
          std::max(std::abs(back), std::abs(on)) * joint.w.dot(run.mass.solve(joint.w));
    }
    tied_ = has_tied_joints(run.structure);
    limits_.resize(laws_.size());
    for (auto& hold : holds_) hold = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(laws_.size()));
  }

  bool none() const { return !some_; }
  bool is(std::size_t j) const { return laws_[j].has_value(); }
  bool rate_dependent(std::size_t j) const { return laws_[j]->rate_dependent(); }
  const std::vector<std::size_t>& stuck() const { return stuck_; }
  /// What its friction does to a joint, as large as it was at first.
  double deceleration(std::size_t j) const { return decelerations_[j]; }

  /// Joints of direction 0 stick from now on, which takes what is left of their velocity. Joints
  /// that can no longer move stick as well.
  void stick(const TimeRun& run, std::vector<int>& direction, Eigen::VectorXd& y, double reach,
             double moment) {
    const Eigen::Index n = run.structure.size();
    if (tied_) bind(run.structure, direction);
    stuck_.clear();
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (!is(j)) continue;
      laws_[j]->measure(reach, moment);
      if (direction[j] != 0) continue;
      stuck_.push_back(j);
      limits_[j] = laws_[j]->limits(run.state[j], place_[j]);
    }
    const auto count = static_cast<Eigen::Index>(stuck_.size());
    directions_.resize(n, count);
    moved_.resize(n, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      directions_.col(i) = run.structure.joints[stuck_[static_cast<std::size_t>(i)]].w;
      moved_.col(i) = run.mass.solve(directions_.col(i));
    }
    if (count == 0) return;
    const Eigen::MatrixXd coupling = directions_.transpose() * moved_;
    factors_.compute(coupling);
    y.segment(n, n) -= moved_ * factors_.solve(directions_.transpose() * y.segment(n, n));
    if (more_than_needed()) prepare_shares(coupling);
  }

  /// The acceleration that stuck joints leave.
  Eigen::VectorXd held(const Eigen::VectorXd& free) {
    if (stuck_.empty()) return free;
    const Eigen::VectorXd motion = directions_.transpose() * free;
    hold_ = factors_.solve(motion);
    const Eigen::VectorXd left = free - moved_ * hold_;
    if (more_than_needed()) {
      wanted_now_ = to_root_ * motion;
      hold_ = nearest_forces(root_, wanted_now_, low_, high_);
    }
    return left;
  }

  void note_stage(int stage) {
    for (std::size_t i = 0; i < stuck_.size(); ++i)
      holds_[static_cast<std::size_t>(stage)][static_cast<Eigen::Index>(stuck_[i])] =
          hold_[static_cast<Eigen::Index>(i)];
    wanted_[static_cast<std::size_t>(stage)] = wanted_now_;
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

  /// Joints and the sides they slip to.
  using Slips = std::vector<std::pair<std::size_t, int>>;

  /// What more joints than needed can hold lies behind planes; those that give way at one of them.
  struct Plane {
    Eigen::VectorXd normal;
    double most = 0;
    Slips slips;
  };
  bool more_than_needed() const { return !stuck_.empty() && factors_.rank() < factors_.cols(); }
  /// A plane that the force at a stage has passed; without slips if none.
  Plane plane_passed(int stage) const {
    const Eigen::VectorXd& wanted = wanted_[static_cast<std::size_t>(stage)];
    const Eigen::VectorXd left = wanted - root_ * nearest_forces(root_, wanted, low_, high_);
    const double size = wanted.norm() + root_.norm() * (low_.norm() + high_.norm());
    if (left.norm() <= 1e-12 * size) return {};
    Plane plane{left.normalized(), 0, {}};
    for (std::size_t i = 0; i < stuck_.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const double along = root_.col(column).dot(plane.normal);
      plane.most += along * (along > 0 ? high_ : low_)[column];
      if (std::abs(along) > 1e-9 * root_.col(column).norm())
        plane.slips.emplace_back(stuck_[i], along > 0 ? 1 : -1);
    }
    return plane;
  }
  double beyond(const Plane& plane, int stage) const {
    return plane.normal.dot(wanted_[static_cast<std::size_t>(stage)]) - plane.most;
  }

  /// The stuck joint that holds most beyond its limit, or those that give way together.
  Slips overloaded() const {
    if (more_than_needed()) return plane_passed(0).slips;
    Slips worst;
    double most = 0;
    for (const std::size_t j : stuck_) {
      const int side = side_of(j, hold(j, 0));
      const double excess = side > 0 ? hold(j, 0) - limits_[j].on : limits_[j].back - hold(j, 0);
      if (side == 0 || excess <= most) continue;
      most = excess;
      worst = {{j, side}};
    }
    return worst;
  }
  /// The side of a stuck joint beyond its limit at a stage.
  int side_passed(std::size_t j, int stage) const { return side_of(j, hold(j, stage)); }

  double slipping(const TimeRun& run, std::size_t j, int side, double u, double v, double after) {
    return laws_[j]->force({run.state[j], place_[j], side}, u, v, after);
  }

  /// The law follows; what was lost, unless that is integrated with the motion.
  double commit(TimeRun& run, std::size_t j, int direction, double u, double h) {
    const bool timed = rate_dependent(j);
    if (direction == 0) u = place_[j];
    if (direction * (u - place_[j]) <= 0 && !(timed && direction == 0)) return 0;
    const AnyModel& model = laws_[j]->model();
    const double before = model.stored(run.state[j]);
    const Response<double> reply = model.step(
        run.state[j], u, timed ? h : std::numeric_limits<double>::infinity(), run.state[j]);
    if (reply.status != Status::ok) run.result.status = reply.status;
    place_[j] = u;
    // The work on a law that sees its velocity is known; what it stores is not lost.
    return timed ? before - model.stored(run.state[j]) : reply.dissipated;
  }

 private:
  /// Wᵀ M⁻¹ W = RᵀR.
  void prepare_shares(const Eigen::MatrixXd& coupling) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(coupling);
    const Eigen::Index rank = factors_.rank();
    const Eigen::VectorXd roots = eigen.eigenvalues().tail(rank).cwiseSqrt();
    const Eigen::MatrixXd across = eigen.eigenvectors().rightCols(rank).transpose();
    root_ = roots.asDiagonal() * across;
    to_root_ = roots.cwiseInverse().asDiagonal() * across;
    low_.resize(coupling.cols());
    high_.resize(coupling.cols());
    for (std::size_t i = 0; i < stuck_.size(); ++i) {
      low_[static_cast<Eigen::Index>(i)] = limits_[stuck_[i]].back;
      high_[static_cast<Eigen::Index>(i)] = limits_[stuck_[i]].on;
    }
  }

  void bind(const Structure& structure, std::vector<int>& direction) const {
    const std::vector<JointElement>& joints = structure.joints;
    std::vector<std::size_t> held;
    for (std::size_t j = 0; j < laws_.size(); ++j)
      if (is(j) && direction[j] == 0) held.push_back(j);
    if (held.empty()) return;
    Eigen::MatrixXd W(structure.size(), static_cast<Eigen::Index>(held.size()));
    for (std::size_t i = 0; i < held.size(); ++i)
      W.col(static_cast<Eigen::Index>(i)) = joints[held[i]].w.normalized();
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(W);
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (!is(j) || direction[j] == 0) continue;
      const Eigen::VectorXd w = joints[j].w.normalized();
      if ((w - W * factors.solve(w)).norm() < 1e-9) direction[j] = 0;
    }
  }

  int side_of(std::size_t j, double force) const {
    const double rounding = 1e-13 * (std::abs(limits_[j].on) + std::abs(limits_[j].back));
    return force > limits_[j].on + rounding ? 1 : force < limits_[j].back - rounding ? -1 : 0;
  }

  std::vector<std::optional<RigidFriction>> laws_;
  bool some_ = false;
  bool tied_ = false;          ///< some move only as others do
  std::vector<double> place_;  ///< of the laws
  std::vector<double> decelerations_;
  std::vector<RigidFriction::Limits> limits_;
  std::vector<std::size_t> stuck_;
  Eigen::MatrixXd directions_, moved_;  ///< W of the stuck joints, M⁻¹ W
  Eigen::FullPivLU<Eigen::MatrixXd> factors_;
  Eigen::VectorXd hold_;
  // If there are more than needed: R, R⁻ᵀ, and their limits.
  Eigen::MatrixXd root_, to_root_;
  Eigen::VectorXd low_, high_;
  Eigen::VectorXd wanted_now_;               ///< R⁻ᵀ Wᵀ a, which they hold together
  std::array<Eigen::VectorXd, 7> wanted_{};  ///< at the stages of a step
  std::array<Eigen::VectorXd, 7> holds_;     ///< at the stages of a step
};

}  // namespace microslip::dynamics
