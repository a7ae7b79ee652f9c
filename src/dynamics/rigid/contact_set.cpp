#include "dynamics/rigid/contact_set.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/bounded_least_squares.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

/// Directions are dependent if what is left of one of them is shorter than this part of it.
constexpr double dependent = 1e-9;

Eigen::Index column(std::size_t j) { return static_cast<Eigen::Index>(j); }

/// Forces, counted from the middle between the limits, that share a force in proportion to them:
/// Σ |c_j| f_j² / limit_j is least. Side by side, all are then as near to their limits.
Eigen::MatrixXd proportional_shares(const Eigen::MatrixXd& along, const Eigen::VectorXd& low,
                                    const Eigen::VectorXd& high) {
  if (along.cols() == 1) return along.transpose() / along.squaredNorm();
  const Eigen::VectorXd roots =
      (0.5 * (high - low)).cwiseQuotient(along.colwise().norm().transpose()).cwiseSqrt();
  const Eigen::MatrixXd scaled = along * roots.asDiagonal();
  return roots.asDiagonal() * dense::pseudo_inverse(scaled);
}

}  // namespace

Response<double> ContactSet::Contact::move(double u, double time) {
  const Response<double> reply =
      law.model().step(state, u, law.rate_dependent() ? time : infinity, state);
  place = u;
  return reply;
}

ContactSet::ContactSet(const std::vector<AnyModel>& laws, const Eigen::MatrixXd& along)
    : along_(along), lengths_(along.colwise().norm().transpose()) {
  for (const AnyModel& law : laws) {
    contacts_.push_back({RigidFriction(law), law.rest()});
    rate_dependent_ = rate_dependent_ || contacts_.back().law.rate_dependent();
  }
}

void ContactSet::rest() {
  for (Contact& contact : contacts_) {
    contact.state = contact.law.model().rest();
    contact.place = 0;
  }
}

std::vector<int> ContactSet::sides() const {
  std::vector<int> result;
  for (const Contact& contact : contacts_) result.push_back(contact.side);
  return result;
}

void ContactSet::measure(double length) {
  for (std::size_t j = 0; j < contacts_.size(); ++j)
    contacts_[j].law.measure(lengths_[column(j)] * length);
}

void ContactSet::stick(double after) {
  collect(after);
  if (stuck_.empty()) {
    free_.setIdentity(ways(), ways());
    idle_.resize(0);
  } else {
    const dense::PivotedQr factors(stuck_along_.colwise().normalized(), dependent);
    free_ = factors.Q.rightCols(ways() - factors.rank);
    bool more = false;
    for (const std::size_t j : slipping_) {
      if ((free_.transpose() * along(j)).norm() > dependent * length(j)) continue;
      contacts_[j].side = 0;
      more = true;
    }
    if (more) collect(after);
    shares_ = proportional_shares(stuck_along_, low_, high_);
    const Eigen::VectorXd middle = 0.5 * (low_ + high_);
    idle_ = middle - shares_ * (stuck_along_ * middle);
  }
}

void ContactSet::collect(double after) {
  stuck_.clear();
  slipping_.clear();
  for (std::size_t j = 0; j < contacts_.size(); ++j)
    (contacts_[j].side == 0 ? stuck_ : slipping_).push_back(j);
  stuck_along_.resize(ways(), column(stuck_.size()));
  low_.resize(column(stuck_.size()));
  high_.resize(column(stuck_.size()));
  for (std::size_t i = 0; i < stuck_.size(); ++i) {
    Contact& contact = contacts_[stuck_[i]];
    const auto [back, on] = contact.law.limits(contact.state, contact.place, after);
    stuck_along_.col(column(i)) = along(stuck_[i]);
    low_[column(i)] = back;
    high_[column(i)] = on;
  }
}

Eigen::VectorXd ContactSet::holds(const Eigen::VectorXd& force) const {
  Eigen::VectorXd shared = idle_;
  shared.noalias() += shares_ * force;
  if ((shared.array() >= low_.array()).all() && (shared.array() <= high_.array()).all())
    return shared;
  const Eigen::VectorXd start = shared.cwiseMax(low_).cwiseMin(high_);
  return stuck_.size() == 1 ? start
                            : bounded_least_squares(stuck_along_, force, low_, high_, start);
}

bool ContactSet::can_hold(const Eigen::VectorXd& force) const {
  for (Eigen::Index i = 0; i < idle_.size(); ++i) {
    const double shared = idle_[i] + shares_.row(i).dot(force);
    if (!(shared >= low_[i] && shared <= high_[i])) return false;
  }
  return true;
}

ContactSet::Decision ContactSet::decide(const Eigen::VectorXd& force, double size) const {
  Decision decision{holds(force), {}, std::vector<int>(stuck_.size())};
  const Eigen::VectorXd left = force - stuck_along_ * decision.holds;
  size += force.norm() + stuck_along_.norm() * (low_.norm() + high_.norm());
  if (!(left.norm() > 1e-12 * size)) return decision;
  // Contacts between their limits do not move; what the sum says of them is rounding.
  const double noise = dependent * left.norm() + 1e-13 * size;
  for (std::size_t i = 0; i < stuck_.size(); ++i) {
    const Eigen::Index at = column(i);
    const double along = stuck_along_.col(at).dot(left) / length(stuck_[i]);
    const double near = 1e-9 * (high_[at] - low_[at]);
    if (along > noise && decision.holds[at] >= high_[at] - near) decision.sides[i] = 1;
    if (along < -noise && decision.holds[at] <= low_[at] + near) decision.sides[i] = -1;
    if (decision.sides[i] != 0) decision.acceleration = left;
  }
  return decision;
}

void ContactSet::let_go(const Decision& decision) {
  for (std::size_t i = 0; i < decision.sides.size(); ++i)
    contacts_[stuck_[i]].side = decision.sides[i];
  stick();
}

bool ContactSet::sides_hold(Eigen::VectorXd& held, const Eigen::VectorXd& moved, double after) {
  const std::vector<int> before = sides();
  stick(after);
  std::vector<int> next = sides();
  if (!stuck_.empty()) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(ways());
    for (const std::size_t j : stuck_) force += held[column(j)] * along(j);
    const Decision decision = decide(force);
    for (std::size_t i = 0; i < stuck_.size(); ++i) {
      next[stuck_[i]] = decision.sides[i];
      if (decision.sides[i] == 0) held[column(stuck_[i])] = decision.holds[column(i)];
    }
  }
  for (const std::size_t j : slipping_)
    if (moved[column(j)] * next[j] < 0) next[j] = 0;
  for (std::size_t j = 0; j < contacts_.size(); ++j) contacts_[j].side = next[j];
  return next == before;
}

ContactSet::Plane ContactSet::plane(const Decision& decision) const {
  Plane plane{decision.acceleration.normalized(), 0, decision};
  const Eigen::VectorXd along = stuck_along_.transpose() * plane.normal;
  plane.most = (along.array() > 0).select(high_, low_).dot(along);
  return plane;
}

std::vector<ContactSet::Plane> ContactSet::planes_passed(const Eigen::VectorXd& force) const {
  if (stuck_.empty()) return {};
  if (free_.cols() + column(stuck_.size()) > ways()) {
    const Decision decision = decide(force);
    if (decision.acceleration.size() == 0) return {};
    return {plane(decision)};
  }
  std::vector<Plane> planes;
  const Eigen::VectorXd held = shares_ * force;
  for (std::size_t i = 0; i < stuck_.size(); ++i) {
    const Eigen::Index at = column(i);
    const double rounding = 1e-13 * (std::abs(low_[at]) + std::abs(high_[at]));
    const int side = held[at] > high_[at] + rounding ? 1 : held[at] < low_[at] - rounding ? -1 : 0;
    if (side == 0) continue;
    const double length = shares_.row(at).norm();
    Plane& passed = planes.emplace_back();
    passed.normal = side / length * shares_.row(at).transpose();
    passed.most = side / length * (side > 0 ? high_[at] : low_[at]);
    passed.slips.sides.assign(stuck_.size(), 0);
    passed.slips.sides[i] = side;
  }
  return planes;
}

/// Wᵀ M⁻¹ W = RᵀR with as many rows as there are ways to move; contact j moves by its column of R.
void StructureContacts::find_ways(const Structure& structure, const Eigen::MatrixXd& W,
                                  const Eigen::MatrixXd& moved) {
  if (joints.empty()) {
    to_ways.resize(0, structure.size());
    from_forces.resize(structure.size(), 0);
    return;
  }
  const Eigen::MatrixXd coupling = W.transpose() * moved;
  const Eigen::VectorXd units = coupling.diagonal().cwiseSqrt();
  const dense::SymmetricModes eigen(units.cwiseInverse().asDiagonal() * coupling *
                                    units.cwiseInverse().asDiagonal());
  const Eigen::VectorXd& squares = eigen.values;
  // Squares of lengths, which rounding blurs.
  const double least = 1e-14 * static_cast<double>(squares.size()) * squares.maxCoeff();
  const Eigen::Index rank = (squares.array() > least).count();
  const Eigen::VectorXd roots = squares.tail(rank).cwiseSqrt();
  const Eigen::MatrixXd across = eigen.vectors.rightCols(rank).transpose();
  const Eigen::MatrixXd inverse =
      roots.cwiseInverse().asDiagonal() * across * units.cwiseInverse().asDiagonal();
  to_ways = inverse * W.transpose();
  from_forces = moved * inverse.transpose();
  std::vector<AnyModel> laws;
  for (const std::size_t j : joints) laws.push_back(structure.joints[j].model);
  set = ContactSet(laws, roots.asDiagonal() * across * units.asDiagonal());
}

}  // namespace microslip::dynamics
