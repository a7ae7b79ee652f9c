#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dynamics/rigid/contact_set.hpp"
#include "dynamics/time/time_support.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace {

/// A structure that is loaded slowly. Joints with rigid friction stick, which makes the forces in
/// them further unknowns, or slip to one side.
class SlowLoading {
 public:
  SlowLoading(const Structure& structure, StaticState& at)
      : s_(structure),
        at_(at),
        trial_(at.joints),
        contacts_(s_,
                  [this](const Eigen::VectorXd& b) {
                    if (!mass_) mass_.emplace(s_.M);
                    return mass_->solve(b);
                  }),
        hold_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts_.joints.size()))) {}

  bool go_to(const Eigen::VectorXd& force) {
    for (std::size_t round = 0; round <= 4 * s_.joints.size(); ++round) {
      if (!balance(force) && !balance_with_held_motions(force)) return false;
      if (sides_hold()) {
        commit();
        return true;
      }
    }
    return false;
  }

 private:
  bool sticks(std::size_t j) const { return contacts_.is(j) && contacts_[j].side == 0; }

  /// Joints that open may leave a motion that nothing holds until they close: springs to the ground, weaker
  /// and weaker, lead there.
  bool balance_with_held_motions(const Eigen::VectorXd& force) {
    if (s_.interfaces.empty()) return false;
    double stiffness = Eigen::VectorXd(s_.K.diagonal()).lpNorm<Eigen::Infinity>();
    for (const InterfaceElement& interface : s_.interfaces) {
      // Closed, whatever the units: far out in all directions.
      constexpr double far = 1e30;
      const Eigen::VectorXd out = Eigen::VectorXd::Constant(interface.law->size(), far);
      const double closed = tangent_about(*interface.law, out).lpNorm<Eigen::Infinity>();
      if (std::isfinite(closed)) stiffness = std::max(stiffness, closed);
    }
    at_.x.setZero();
    for (held_ = stiffness; held_ > 1e-12 * stiffness; held_ *= 0.1) balance(force);
    held_ = 0;
    return balance(force);
  }

  bool balance(const Eigen::VectorXd& force) {
    const Eigen::Index n = s_.size();
    double last = infinity;
    Eigen::VectorXd tried;
    Eigen::Index stuck = 0;
    for (std::size_t j = 0; j < s_.joints.size(); ++j) stuck += sticks(j);
    int halvings = 0;
    for (int iteration = 0; iteration < (s_.interfaces.empty() ? 50 : 200); ++iteration) {
      Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(n + stuck, n + stuck);
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(n + stuck);
      tangent.topLeftCorner(n, n) = s_.K;
      residual.head(n) = s_.K * at_.x + held_ * at_.x - force;
      tangent.topLeftCorner(n, n).diagonal().array() += held_;
      double size = force.lpNorm<Eigen::Infinity>();  // preloaded laws push without a load
      Eigen::Index row = n;
      for (std::size_t j = 0; j < s_.joints.size(); ++j) {
        const Eigen::VectorXd& w = s_.joints[j].w;
        if (sticks(j)) {
          residual.head(n) += hold_[contacts_.of_joint[j]] * w;
          residual[row] = w.dot(at_.x) - contacts_[j].place;
          tangent.block(0, row, n, 1) = w;
          tangent.block(row, 0, 1, n) = w.transpose();
          ++row;
          continue;
        }
        const auto [f, slope] = answer(j);
        residual.head(n) += f * w;
        size = std::max(size, std::abs(f) * w.lpNorm<Eigen::Infinity>());
        tangent.topLeftCorner(n, n) += slope * w * w.transpose();
      }
      for (const InterfaceElement& interface : s_.interfaces)
        size = std::max(size, add_interface(interface, residual, tangent));
      const double error = residual.head(n).lpNorm<Eigen::Infinity>();
      const double moved =
          residual.tail(stuck).size() > 0 ? residual.tail(stuck).lpNorm<Eigen::Infinity>() : 0;
      if (error <= 1e-12 * size && moved <= 1e-13 * at_.x.lpNorm<Eigen::Infinity>())
        return at_.x.allFinite();
      // Where joints open and close, a step that does not help is halved.
      if (!s_.interfaces.empty()) {
        if (!std::isfinite(error)) return false;
        if (error >= last && ++halvings < 12) {
          tried *= 0.5;
          at_.x += tried;
          continue;
        }
        halvings = 0;
        last = error;
      }
      const Eigen::VectorXd step = dense::solve_with_full_pivoting(tangent, residual);
      at_.x -= step.head(n);
      tried = step.head(n);
      row = n;
      for (std::size_t j = 0; j < s_.joints.size(); ++j)
        if (sticks(j)) hold_[contacts_.of_joint[j]] -= step[row++];
    }
    return false;
  }

  /// Interfaces go there from rest in one step, as a motion that begins there takes them.
  double add_interface(const InterfaceElement& interface, Eigen::VectorXd& residual,
                       Eigen::MatrixXd& tangent) const {
    AnyState state = interface.law->rest();
    const InterfaceReply reply = interface.law->step(state, displacements(interface, at_.x), state);
    Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(s_.size(), s_.size());
    add_along(stiffness, interface.w, reply.tangent);
    tangent.topLeftCorner(s_.size(), s_.size()) += stiffness;
    for (std::size_t i = 0; i < interface.w.size(); ++i)
      residual.head(s_.size()) +=
          reply.force[static_cast<Eigen::Index>(i)] * interface.w[i].dense();
    return reply.force.lpNorm<Eigen::Infinity>();
  }

  std::pair<double, double> answer(std::size_t j) {
    const double u = s_.joints[j].w.dot(at_.x);
    if (contacts_.is(j)) {
      const auto slopes = contacts_[j].slip(u, 0, infinity);
      return {slopes.force, slopes.by_u};
    }
    const Response<double> reply = s_.joints[j].model.step(at_.joints[j], u, infinity, trial_[j]);
    return {reply.force, reply.tangent};
  }

  bool sides_hold() {
    if (contacts_.set.empty()) return true;
    Eigen::VectorXd moved(hold_.size());
    for (const std::size_t j : contacts_.joints) {
      contacts_[j].law.measure(at_.x.lpNorm<Eigen::Infinity>());
      moved[contacts_.of_joint[j]] = s_.joints[j].w.dot(at_.x) - contacts_[j].place;
    }
    return contacts_.set.sides_hold(hold_, moved, 0);
  }

  void commit() {
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      if (sticks(j)) continue;
      const double u = s_.joints[j].w.dot(at_.x);
      if (!contacts_.is(j)) {
        s_.joints[j].model.step(at_.joints[j], u, infinity, at_.joints[j]);
        continue;
      }
      hold_[contacts_.of_joint[j]] = contacts_[j].move(u, infinity).force;
      at_.joints[j] = contacts_[j].state;
    }
  }

  const Structure& s_;
  StaticState& at_;
  std::vector<AnyState> trial_;
  std::optional<MassSolver> mass_;  ///< if there are contacts
  StructureContacts contacts_;
  Eigen::VectorXd hold_;  ///< forces of stuck contacts
  double held_ = 0;       ///< stiffness of springs to the ground
};

}  // namespace

StaticState static_equilibrium(const Structure& structure, int increments) {
  StaticState result{Eigen::VectorXd::Zero(structure.size()), {}, true};
  Eigen::VectorXd target = Eigen::VectorXd::Zero(structure.size());
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      target += constant->value * load.direction;
  bool loaded = !target.isZero(0);
  for (const JointElement& joint : structure.joints) {
    result.joints.push_back(joint.model.rest());
    AnyState trial = joint.model.rest();
    loaded = loaded || joint.model.step(result.joints.back(), 0, 0, trial).force != 0;
  }
  if (!loaded) return result;
  SlowLoading loading(structure, result);
  for (int i = 1; i <= increments; ++i)
    result.converged = loading.go_to(target * i / increments) && result.converged;
  return result;
}

}  // namespace microslip::dynamics
