#include "dynamics/balance/balance_starts.hpp"

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/joint/periodic_joint.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

/// Coefficients of the structure, a row for each degree of freedom.
Eigen::MatrixXd motion_of(const HarmonicBalance& balance, const Eigen::VectorXd& y) {
  const BalanceSize& size = balance.sizes();
  return y.head(size.dofs * size.fourier_size)
      .reshaped(size.dofs, size.fourier_size)
      .topRows(size.structure);
}

}  // namespace

Eigen::VectorXd BalanceStarts::linear_response(double omega) {
  Eigen::VectorXd y = balance_.static_unknowns();
  const Eigen::Index size = balance_.size();
  y[size] = omega;
  WideJacobian jacobian;
  Eigen::VectorXd residual, step;
  if (!balance_.evaluate(y, residual, &jacobian)) return y;
  Eigen::VectorXd rhs(size + 1);
  rhs << -residual, 0;
  if (jacobian.solve(Eigen::VectorXd::Unit(size + 1, size), rhs, step)) y += step;
  balance_.elements().close_periods(y);
  return y;
}

Eigen::VectorXd BalanceStarts::response_without_sliding(double omega) const {
  Structure rest = balance_.structure();
  std::erase_if(rest.joints, [](const JointElement& joint) { return joint.model.rigid(); });
  const Eigen::Index n = rest.size(), dofs = balance_.dofs();
  HarmonicBalance others(rest, balance_.harmonics());
  const Eigen::VectorXd motion = others.starts().linear_response(omega);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(balance_.size() + 1);
  for (Eigen::Index k = 0; k < balance_.sizes().fourier_size; ++k)
    y.segment(k * dofs, n) = motion.segment(k * n, n);
  y[balance_.size()] = omega;
  return y;
}

Eigen::VectorXd BalanceStarts::cosine_motion(const Eigen::VectorXd& shape, double omega) const {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(balance_.size() + 1);
  y.segment(balance_.dofs(), shape.size()) = shape;
  y[balance_.size()] = omega;
  return y;
}

Eigen::VectorXd BalanceStarts::unknowns_of(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f,
                                           double omega) const {
  const BalanceSize& size = balance_.sizes();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size.dofs, size.fourier_size);
  all.topRows(x.rows()) = x;
  for (const ElementSlot& slot : balance_.elements().slots()) slot.put_forces(x, f, omega, all);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size.unknowns() + 1);
  y.head(all.size()) = all.reshaped();
  y[size.unknowns()] = omega;
  set_beginnings(y);
  return y;
}

/// The static displacement, and what keeps sliding joints where the static loads have left them.
Eigen::VectorXd BalanceStarts::at_rest() const {
  const Structure& s = balance_.structure();
  const StaticState& at_first = balance_.whole().at_first();
  const BalanceElements& elements = balance_.elements();
  const BalanceSize& size = balance_.sizes();
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(s.size(), size.fourier_size);
  x.col(0) = at_first.x;
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(s.joints.size()), size.fourier_size);
  const std::vector<std::size_t>& sliding = balance_.whole().sliding();
  if (!sliding.empty()) {
    Eigen::VectorXd left = balance_.static_force().head(s.size()) - s.K * at_first.x;
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      if (elements.slides_on_body(j)) continue;
      AnyState to = at_first.joints[j];
      const double u = s.joints[j].w.dot(at_first.x);
      left -= s.joints[j].model.step(at_first.joints[j], u, 0, to).force * s.joints[j].w;
    }
    Eigen::MatrixXd W(s.size(), static_cast<Eigen::Index>(sliding.size()));
    for (std::size_t i = 0; i < sliding.size(); ++i)
      W.col(static_cast<Eigen::Index>(i)) = s.joints[sliding[i]].w;
    const Eigen::VectorXd shares = dense::shortest_least_squares(W, left);
    for (std::size_t i = 0; i < sliding.size(); ++i)
      f(static_cast<Eigen::Index>(sliding[i]), 0) = shares[static_cast<Eigen::Index>(i)];
  }
  return unknowns_of(x, f, 0);
}

/// Where the motion of the structure begins.
void BalanceStarts::set_beginnings(Eigen::VectorXd& y) const {
  const Eigen::Index width = balance_.sizes().fourier_size;
  Eigen::VectorXd values = Eigen::VectorXd::Zero(width), slopes = values;
  values[0] = 1;
  for (int h = 1; h <= balance_.harmonics(); ++h) {
    values[2 * h - 1] = 1;
    slopes[2 * h] = h;
  }
  const Eigen::MatrixXd x = motion_of(balance_, y);
  const Eigen::VectorXd u = x * values, v = x * slopes;
  for (const ElementSlot& slot : balance_.elements().slots()) slot.put_beginning(u, v, y);
}

void BalanceStarts::shift_by_half(Eigen::VectorXd& y) const {
  const Eigen::Index dofs = balance_.dofs();
  for (int h = 1; h <= balance_.harmonics(); h += 2) y.segment((2 * h - 1) * dofs, 2 * dofs) *= -1;
  set_beginnings(y);
}

void BalanceStarts::set_sliding_forces(Eigen::VectorXd& y) const {
  const BalanceSize& size = balance_.sizes();
  const Structure& s = balance_.structure();
  const double omega = y[size.unknowns()];
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(s.joints.size()), size.fourier_size);
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    if (!balance_.elements().slides_on_body(j)) continue;
    PeriodicJoint joint(s.joints[j].model, balance_.harmonics(), balance_.options());
    f.row(static_cast<Eigen::Index>(j)) =
        joint.evaluate(balance_.elements().motion(y, j), omega, false).coefficients.transpose();
  }
  const Eigen::VectorXd sliding = unknowns_of(motion_of(balance_, y), f, omega);
  // The first harmonics only: those of friction that never stuck are those of a jump.
  const Eigen::Index first = 3 * size.dofs, coefficients = size.dofs * size.fourier_size;
  y.head(first) = sliding.head(first);
  y.segment(coefficients, size.own) = sliding.segment(coefficients, size.own);
}

void BalanceStarts::set_stuck_forces(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const {
  for (const ElementSlot& slot : balance_.elements().slots())
    slot.put_held(holds, y.segment(balance_.dofs(), balance_.dofs()));
}

}  // namespace microslip::dynamics
