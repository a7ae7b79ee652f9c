#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "microslip/dynamics/rigid/rigid_friction.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace {

/// A structure that is loaded slowly. Joints with rigid friction stick, which makes the forces in
/// them further unknowns, or slip to one side.
class SlowLoading {
 public:
  SlowLoading(const Structure& structure, StaticState& at)
      : s_(structure), at_(at), trial_(at.joints), side_(s_.joints.size(), 0) {
    for (const JointElement& joint : s_.joints) {
      laws_.emplace_back();
      place_.push_back(0);
      if (joint.model.rigid()) laws_.back().emplace(joint.model);
    }
    hold_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s_.joints.size()));
  }

  bool go_to(const Eigen::VectorXd& force) {
    for (std::size_t round = 0; round <= 4 * s_.joints.size(); ++round) {
      if (!balance(force)) return false;
      if (sides_hold()) {
        commit();
        return true;
      }
    }
    return false;
  }

 private:
  bool sticks(std::size_t j) const { return laws_[j] && side_[j] == 0; }

  bool balance(const Eigen::VectorXd& force) {
    const Eigen::Index n = s_.size();
    Eigen::Index stuck = 0;
    for (std::size_t j = 0; j < laws_.size(); ++j) stuck += sticks(j);
    for (int iteration = 0; iteration < 50; ++iteration) {
      Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(n + stuck, n + stuck);
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(n + stuck);
      tangent.topLeftCorner(n, n) = s_.K;
      residual.head(n) = s_.K * at_.x - force;
      Eigen::Index row = n;
      for (std::size_t j = 0; j < laws_.size(); ++j) {
        const Eigen::VectorXd& w = s_.joints[j].w;
        if (sticks(j)) {
          residual.head(n) += hold_[static_cast<Eigen::Index>(j)] * w;
          residual[row] = w.dot(at_.x) - place_[j];
          tangent.block(0, row, n, 1) = w;
          tangent.block(row, 0, 1, n) = w.transpose();
          ++row;
          continue;
        }
        const auto [f, slope] = answer(j);
        residual.head(n) += f * w;
        tangent.topLeftCorner(n, n) += slope * w * w.transpose();
      }
      const double error = residual.head(n).lpNorm<Eigen::Infinity>();
      const double moved =
          residual.tail(stuck).size() > 0 ? residual.tail(stuck).lpNorm<Eigen::Infinity>() : 0;
      if (error <= 1e-12 * force.lpNorm<Eigen::Infinity>() &&
          moved <= 1e-13 * at_.x.lpNorm<Eigen::Infinity>())
        return at_.x.allFinite();
      const Eigen::VectorXd step = tangent.fullPivLu().solve(residual);
      at_.x -= step.head(n);
      row = n;
      for (std::size_t j = 0; j < laws_.size(); ++j)
        if (sticks(j)) hold_[static_cast<Eigen::Index>(j)] -= step[row++];
    }
    return false;
  }

  std::pair<double, double> answer(std::size_t j) {
    const double u = s_.joints[j].w.dot(at_.x);
    if (laws_[j]) {
      const auto slopes = laws_[j]->slopes({at_.joints[j], place_[j], side_[j]}, u, 0, infinity);
      return {slopes.force, slopes.by_u};
    }
    const Response<double> reply = s_.joints[j].model.step(at_.joints[j], u, infinity, trial_[j]);
    return {reply.force, reply.tangent};
  }

  bool sides_hold() {
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (!laws_[j]) continue;
      const double hold = hold_[static_cast<Eigen::Index>(j)];
      laws_[j]->measure(at_.x.lpNorm<Eigen::Infinity>(), 1);
      const auto limits = laws_[j]->limits(at_.joints[j], place_[j]);
      const double u = s_.joints[j].w.dot(at_.x);
      int side = side_[j];
      if (side == 0)
        side = hold > limits.on ? 1 : hold < limits.back ? -1 : 0;
      else if (side * (u - place_[j]) < 0)
        side = 0;
      if (side == side_[j]) continue;
      side_[j] = side;
      return false;
    }
    return true;
  }

  void commit() {
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (sticks(j)) continue;
      const double u = s_.joints[j].w.dot(at_.x);
      const Response<double> reply =
          s_.joints[j].model.step(at_.joints[j], u, infinity, at_.joints[j]);
      hold_[static_cast<Eigen::Index>(j)] = reply.force;
      place_[j] = u;
    }
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const Structure& s_;
  StaticState& at_;
  std::vector<AnyState> trial_;
  std::vector<int> side_;
  std::vector<std::optional<RigidFriction>> laws_;
  std::vector<double> place_;
  Eigen::VectorXd hold_;
};

}  // namespace

StaticState static_equilibrium(const Structure& structure, int increments) {
  StaticState result{Eigen::VectorXd::Zero(structure.size()), {}, true};
  Eigen::VectorXd target = Eigen::VectorXd::Zero(structure.size());
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      target += constant->value * load.direction;
  for (const JointElement& joint : structure.joints) result.joints.push_back(joint.model.rest());
  if (target.isZero(0)) return result;
  SlowLoading loading(structure, result);
  for (int i = 1; i <= increments; ++i)
    result.converged = loading.go_to(target * i / increments) && result.converged;
  return result;
}

}  // namespace microslip::dynamics
