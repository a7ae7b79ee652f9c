#include "dynamics/periodic/dual_joint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/periodic/element_slot.hpp"
#include "dynamics/periodic/fourier.hpp"
#include "dynamics/periodic/harmonic_balance.hpp"

namespace microslip::dynamics {

DualJoint::DualJoint(const AnyModel& soft, double compliance, int harmonics,
                     const PeriodicOptions& options, std::vector<double> before)
    : c_(compliance), soft_(soft, harmonics, options, std::move(before)) {}

void DualJoint::respond(const Eigen::VectorXd& push, const Eigen::VectorXd& /*own*/, double omega,
                        bool with_jacobian) {
  reply_ = soft_.evaluate(c_ * push, omega, with_jacobian);
  if (with_jacobian) reply_.jacobian *= c_;
  loop_ = soft_.loop();
  for (std::size_t i = 0; i < loop_.u.size(); ++i) {
    loop_.u[i] -= c_ * loop_.f[i];
    const double part = 1 - c_ * loop_.tangent[i];
    loop_.tangent[i] = part > 0 ? loop_.tangent[i] / part : std::numeric_limits<double>::infinity();
  }
}

bool DualJoint::drifts(const Eigen::VectorXd& push, double omega) {
  return soft_.drifts(c_ * push, omega);
}

/// Harmonics of the force that are left out are missing in Y, too: what they add to the others counts as
/// well.
double DualJoint::truncation(const Eigen::VectorXd& push, double omega, const Surroundings& s) {
  const int kept = soft_.harmonics(), more = 2 * kept + 1;
  if (!finer_) finer_ = std::make_unique<PeriodicJoint>(soft_.model(), more, soft_.options());
  Eigen::VectorXd Y = Eigen::VectorXd::Zero(fourier_size(more));
  Y.head(push.size()) = c_ * push;
  const Eigen::VectorXd f = finer_->evaluate(Y, omega, false).coefficients;
  Y.tail(Y.size() - push.size()) = c_ * f.tail(Y.size() - push.size());
  Eigen::VectorXd change = finer_->evaluate(Y, omega, false).coefficients;
  change.head(push.size()) -= f.head(push.size());
  double largest = 0;
  for (int h = 1; h <= more; ++h)
    largest = std::max(largest, s.moves(h, std::hypot(change[2 * h - 1], change[2 * h])));
  return largest;
}

std::vector<std::size_t> dual_joints(const Structure& structure) {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < structure.joints.size(); ++j)
    if (structure.joints[j].softened) result.push_back(j);
  return result;
}

namespace {

/// At about its thirtieth harmonic the inertia of the structure is what the spring of a joint is. Softer, and
/// the harmonics of Y that are left out count more than those of the motion: twice as many of them are then
/// needed. Stiffer, and Newton's method takes longer.
constexpr double fast = 1000;

/// Of the degrees of freedom that a joint acts on, each alone, with that inertia.
double compliance_at(const Structure& s, const Direction& w, double around) {
  double square = around * around;
  for (Eigen::Index i = 0; i < s.size() && !(around > 0); ++i) {
    const double own = std::abs(s.K.coeff(i, i)) / s.M.coeff(i, i);
    if (own > 0 && (square == 0 || own < square)) square = own;
  }
  if (!(square > 0)) square = 1;  // masses alone, and no frequency is known
  double sum = 0;
  for (Direction::InnerIterator entry(w); entry; ++entry) {
    const Eigen::Index i = entry.index();
    sum += entry.value() * entry.value() /
           (std::abs(s.K.coeff(i, i)) + fast * square * s.M.coeff(i, i));
  }
  return sum;
}

}  // namespace

void HarmonicBalance::add_duals(const std::vector<std::size_t>& duals,
                                const Eigen::VectorXd& at_rest, const Eigen::VectorXd& forces) {
  Eigen::Index row = dofs_ - static_cast<Eigen::Index>(duals.size());
  for (const std::size_t j : duals) {
    const JointElement& joint = structure_->joints[j];
    const double c = compliance_at(*structure_, joint.w, options_.around);
    const double Y = joint.w.dot(at_rest) + c * forces[static_cast<Eigen::Index>(j)];
    place_of_[j] = {slots_.size(), 0};
    ElementSlot& slot = slots_.emplace_back();
    slot.joints = {j};
    slot.element =
        std::make_unique<DualJoint>(joint.softened(c), c, harmonics_, options_,
                                    Y == 0 ? std::vector<double>{} : std::vector<double>{Y});
    const Eigen::MatrixXd one = Eigen::MatrixXd::Ones(1, 1);
    const BodyInertia spring{joint.w.dense(), one, 0 * one, one / c, Eigen::VectorXd::Ones(1), 0};
    slot.push = ElementSlot::Push{row, spring, Eigen::VectorXd::Constant(1, 1 / c),
                                  Eigen::VectorXd::Ones(1)};
    Eigen::VectorXd in = Eigen::VectorXd::Zero(dofs_), out = in;
    for (Direction::InnerIterator entry(joint.w); entry; ++entry) {
      K_.coeffRef(row, entry.index()) = -entry.value() / c;
      out[entry.index()] = entry.value();
    }
    K_.coeffRef(row, row) = 1 / c;
    in[row] = 1 / c;
    out[row] = -1;
    slot.in = {in.sparseView()};
    slot.out = {out.sparseView()};
    ++row;
  }
}

}  // namespace microslip::dynamics
