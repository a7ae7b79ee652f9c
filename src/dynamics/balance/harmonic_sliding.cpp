#include <Eigen/QR>
#include <algorithm>

#include "dynamics/balance/element_slot.hpp"
#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/body/sliding_body.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

/// Harmonic balance of joints with rigid friction: the forces on the bodies that they slide on.
namespace microslip::dynamics {

void HarmonicBalance::add_bodies(const std::vector<std::size_t>& sliding,
                                 const Eigen::VectorXd& preloaded) {
  if (sliding.empty()) return;
  for (SparseMatrix* matrix : {&M_, &C_, &K_}) matrix->conservativeResize(dofs_, dofs_);
  const std::vector<TiedJoints> groups = joints_together(*structure_, sliding, options_);
  const std::vector<BodyInertia> inertias = body_inertias(*structure_, groups, options_);
  Eigen::Index row = structure_->size();
  Eigen::Index own = dofs_ * fourier_size_;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const BodyInertia& inertia = inertias[g];
    const Eigen::MatrixXd& B = inertia.directions;
    const Eigen::Index r = B.cols();
    const Eigen::VectorXd springs = inertia.stiffness.diagonal();
    for (std::size_t i = 0; i < groups[g].members.size(); ++i)
      place_of_[groups[g].members[i]] = {slots_.size(), i};
    ElementSlot& slot = slots_.emplace_back();
    slot.members = groups[g].members;
    std::vector<SlidingBody::Member> members;
    for (std::size_t i = 0; i < slot.members.size(); ++i)
      members.push_back({structure_->joints[slot.members[i]].model,
                         inertia.along.col(static_cast<Eigen::Index>(i))});
    for (const std::size_t j : slot.members) slot.along.push_back(structure_->joints[j].w);
    slot.element =
        std::make_unique<SlidingBody>(members, harmonics_, inertia.damping, inertia.stiffness,
                                      B.transpose() * preloaded, groups[g].apart);
    slot.body = ElementSlot::Body{row, inertia, springs.cwiseProduct(inertia.units), inertia.units};
    slot.own = own;
    slot.own_units = inertia.units.replicate(2, 1);
    const double square = options_.reference_omega * options_.reference_omega;
    slot.own_rows =
        (inertia.units.cwiseAbs2().array() * (springs.maxCoeff() + square)).replicate(2, 1);
    const Eigen::MatrixXd C = inertia.damping * B.transpose();
    const Eigen::MatrixXd K = inertia.stiffness * B.transpose();
    for (Eigen::Index i = 0; i < r; ++i) {
      const double unit = inertia.units[i];
      for (Eigen::Index k = 0; k < B.rows(); ++k) {
        if (B(k, i) != 0) M_.coeffRef(row + i, k) = -unit * B(k, i);
        if (C(i, k) != 0) C_.coeffRef(row + i, k) = -unit * C(i, k);
        if (K(i, k) != 0) K_.coeffRef(row + i, k) = -unit * K(i, k);
      }
      K_.coeffRef(row + i, row + i) = unit * slot.body->units[i];
      Eigen::VectorXd in = Eigen::VectorXd::Zero(dofs_), out = in;
      in[row + i] = slot.body->units[i];
      out.head(B.rows()) = B.col(i);
      out[row + i] = -unit;
      slot.in.emplace_back(in.sparseView());
      slot.out.emplace_back(out.sparseView());
    }
    row += r;
    own += 2 * r;
  }
}

/// What keeps sliding joints where the static loads have left them.
void HarmonicBalance::find_static_unknowns(const std::vector<std::size_t>& sliding,
                                           const StaticState& at_first) {
  const Structure& s = *structure_;
  Eigen::VectorXd left = static_force_.head(s.size()) - s.K * at_first.x;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    if (slots_[place_of_[j].slot].body) continue;
    AnyState to = at_first.joints[j];
    const double u = s.joints[j].w.dot(at_first.x);
    left -= s.joints[j].model.step(at_first.joints[j], u, 0, to).force * s.joints[j].w;
  }
  Eigen::MatrixXd W(s.size(), static_cast<Eigen::Index>(sliding.size()));
  for (std::size_t i = 0; i < sliding.size(); ++i)
    W.col(static_cast<Eigen::Index>(i)) = s.joints[sliding[i]].w;
  const Eigen::VectorXd shares = dense::shortest_least_squares(W, left);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(s.size(), fourier_size_);
  x.col(0) = at_first.x;
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(s.joints.size()), fourier_size_);
  for (std::size_t i = 0; i < sliding.size(); ++i)
    f(static_cast<Eigen::Index>(sliding[i]), 0) = shares[static_cast<Eigen::Index>(i)];
  static_unknowns_ = unknowns_of(x, f, 0);
}

/// Where the motion of the structure begins.
void HarmonicBalance::set_starts(Eigen::VectorXd& y) const {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(fourier_size_), slopes = values;
  values[0] = 1;
  for (int h = 1; h <= harmonics_; ++h) {
    values[2 * h - 1] = 1;
    slopes[2 * h] = h;
  }
  const Eigen::MatrixXd x =
      y.head(dofs_ * fourier_size_).reshaped(dofs_, fourier_size_).topRows(structure_->size());
  const Eigen::VectorXd u = x * values, v = x * slopes;
  for (const ElementSlot& slot : slots_) {
    if (!slot.body) continue;
    Eigen::VectorXd start(slot.own_units.size());
    const Eigen::MatrixXd across = slot.body->inertia.directions.transpose();
    start << across * u, across * v;
    y.segment(slot.own, start.size()) = start.cwiseQuotient(slot.own_units);
  }
}

void HarmonicBalance::shift_by_half(Eigen::VectorXd& y) const {
  for (int h = 1; h <= harmonics_; h += 2) y.segment((2 * h - 1) * dofs_, 2 * dofs_) *= -1;
  set_starts(y);
}

Eigen::VectorXd HarmonicBalance::unknowns_of(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f,
                                             double omega) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(dofs_, fourier_size_);
  all.topRows(x.rows()) = x;
  for (const ElementSlot& slot : slots_) {
    if (!slot.body) continue;
    const auto& [row, inertia, units, rows] = *slot.body;
    Eigen::MatrixXd force = inertia.through(inertia.directions.transpose() * x, omega);
    for (std::size_t i = 0; i < slot.members.size(); ++i)
      force += inertia.along.col(static_cast<Eigen::Index>(i)) *
               f.row(static_cast<Eigen::Index>(slot.members[i]));
    all.middleRows(row, force.rows()) = units.cwiseInverse().asDiagonal() * force;
  }
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size() + 1);
  y.head(all.size()) = all.reshaped();
  y[size()] = omega;
  set_starts(y);
  return y;
}

void HarmonicBalance::set_sliding_forces(Eigen::VectorXd& y) const {
  const Eigen::MatrixXd x =
      y.head(dofs_ * fourier_size_).reshaped(dofs_, fourier_size_).topRows(structure_->size());
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(structure_->joints.size()), fourier_size_);
  for (std::size_t j = 0; j < structure_->joints.size(); ++j) {
    if (!slots_[place_of_[j].slot].body) continue;
    PeriodicJoint joint(structure_->joints[j].model, harmonics_, options_);
    f.row(static_cast<Eigen::Index>(j)) =
        joint.evaluate(joint_motion(y, j), y[size()], false).coefficients.transpose();
  }
  const Eigen::VectorXd sliding = unknowns_of(x, f, y[size()]);
  // The first harmonics only: those of friction that never stuck are those of a jump.
  const Eigen::Index first = 3 * dofs_;
  y.head(first) = sliding.head(first);
  y.segment(dofs_ * fourier_size_, own_) = sliding.segment(dofs_ * fourier_size_, own_);
}

void HarmonicBalance::set_stuck_forces(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const {
  for (const ElementSlot& slot : slots_) {
    if (!slot.body) continue;
    const auto& [row, inertia, units, rows] = *slot.body;
    Eigen::VectorXd force = Eigen::VectorXd::Zero(units.size());
    for (std::size_t i = 0; i < slot.members.size(); ++i)
      force += holds[static_cast<Eigen::Index>(slot.members[i])] *
               inertia.along.col(static_cast<Eigen::Index>(i));
    y.segment(dofs_ + row, force.size()) = force.cwiseQuotient(units);
  }
}

}  // namespace microslip::dynamics
