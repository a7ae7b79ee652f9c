#include <Eigen/QR>
#include <algorithm>

#include "dynamics/rigid/sliding_inertia.hpp"
#include "microslip/dynamics/periodic/harmonic_balance.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

/// Harmonic balance of joints with rigid friction: what pushes their masses and bodies.
namespace microslip::dynamics {
namespace {

/// Coefficients (k − h²ω²m + ihωc) u.
Eigen::VectorXd through_mass(const Inertia& inertia, const Eigen::VectorXd& u, double omega) {
  const auto [m, c, k] = inertia;
  Eigen::VectorXd force = k * u;
  for (Eigen::Index h = 1; 2 * h < u.size(); ++h) {
    const double rate = static_cast<double>(h) * omega;
    force[2 * h - 1] += rate * (c * u[2 * h] - rate * m * u[2 * h - 1]);
    force[2 * h] -= rate * (c * u[2 * h - 1] + rate * m * u[2 * h]);
  }
  return force;
}

}  // namespace

void HarmonicBalance::slide(const std::vector<std::size_t>& sliding,
                            const Eigen::VectorXd& preloaded) {
  for (SparseMatrix* matrix : {&M_, &C_, &K_}) matrix->conservativeResize(dofs_, dofs_);
  std::vector<std::size_t> alone;
  // Bodies are not condensed.
  const std::vector<TiedJoints> groups =
      is_large(*structure_) ? tied_joints(*structure_, sliding)
                            : joints_together(*structure_, sliding, joints_.front().options());
  for (const TiedJoints& tied : groups)
    if (tied.members.size() == 1) alone.push_back(tied.members.front());
  std::sort(alone.begin(), alone.end());
  const std::vector<Inertia> inertias =
      sliding_inertias(*structure_, alone, joints_.front().options());
  Eigen::Index row = structure_->size();
  for (std::size_t i = 0; i < alone.size(); ++i) row = add_mass(alone[i], inertias[i], row);
  for (const TiedJoints& tied : groups)
    if (tied.members.size() > 1) row = add_body(tied, preloaded, row);
  if (!starts_are_unknown(*structure_, sliding)) return;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const auto [m, c, k] = inertias[i];
    starts_[alone[i]] = row;
    row = add_start(row, 1, m, k);
  }
  for (Body& body : bodies_) {
    body.start = row;
    row = add_start(row, body.body.size(), 1, body.body.stiffness().diagonal().maxCoeff());
  }
}

/// Where the period begins and ends is counted as a force of this size.
Eigen::Index HarmonicBalance::add_start(Eigen::Index row, Eigen::Index count, double mass,
                                        double stiffness) {
  const double around = joints_.front().options().around;
  for (Eigen::Index i = 0; i < count; ++i)
    K_.coeffRef(row + i, row + i) = stiffness + mass * around * around;
  return row + count;
}

/// The push p on a mass is one more unknown, counted in units of its spring. Its equation is
///     p − (k − h²ω²m + ihωc) wᵀx − f[p] = 0,
/// and its joint acts on the structure as any other.
Eigen::Index HarmonicBalance::add_mass(std::size_t j, const Inertia& inertia, Eigen::Index row) {
  const Eigen::VectorXd& w = structure_->joints[j].w;
  for (Eigen::Index k = 0; k < w.size(); ++k) {
    if (w[k] == 0) continue;
    M_.coeffRef(row, k) = -inertia.mass * w[k];
    C_.coeffRef(row, k) = -inertia.damping * w[k];
    K_.coeffRef(row, k) = -inertia.stiffness * w[k];
  }
  K_.coeffRef(row, row) = inertia.stiffness;
  joints_[j].slide_on(inertia);
  inputs_[j].setZero();
  inputs_[j].coeffRef(row) = inertia.stiffness;
  outputs_[j].coeffRef(row) = -1;
  return row + 1;
}

/// The same with the matrices of a body and its directions B.
Eigen::Index HarmonicBalance::add_body(const TiedJoints& tied, const Eigen::VectorXd& preloaded,
                                       Eigen::Index row) {
  const BodyInertia inertia = body_inertia(*structure_, tied, joints_.front().options());
  const Eigen::MatrixXd& B = inertia.directions;
  const Eigen::MatrixXd C = inertia.damping * B.transpose();
  const Eigen::MatrixXd K = inertia.stiffness * B.transpose();
  for (Eigen::Index i = 0; i < B.cols(); ++i) {
    for (Eigen::Index k = 0; k < B.rows(); ++k) {
      if (B(k, i) != 0) M_.coeffRef(row + i, k) = -B(k, i);
      if (C(i, k) != 0) C_.coeffRef(row + i, k) = -C(i, k);
      if (K(i, k) != 0) K_.coeffRef(row + i, k) = -K(i, k);
    }
    K_.coeffRef(row + i, row + i) = inertia.stiffness(i, i);
  }
  std::vector<SlidingBody::Member> members;
  for (std::size_t i = 0; i < tied.members.size(); ++i) {
    const std::size_t j = tied.members[i];
    members.push_back(
        {structure_->joints[j].model, inertia.along.col(static_cast<Eigen::Index>(i))});
    joints_[j].tell({});
  }
  bodies_.push_back({tied.members, B, row, -1,
                     SlidingBody(members, harmonics_, inertia.damping, inertia.stiffness,
                                 B.transpose() * preloaded)});
  return row + B.cols();
}

/// What keeps sliding joints where the static loads have left them.
void HarmonicBalance::push_at_rest(const std::vector<std::size_t>& sliding,
                                   const StaticState& at_first) {
  const Structure& s = *structure_;
  Eigen::VectorXd left = static_force_.head(s.size()) - s.K * at_first.x;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    if (joints_[j].course()) continue;
    AnyState to = at_first.joints[j];
    const double u = s.joints[j].w.dot(at_first.x);
    left -= s.joints[j].model.step(at_first.joints[j], u, 0, to).force * s.joints[j].w;
  }
  Eigen::MatrixXd W(s.size(), static_cast<Eigen::Index>(sliding.size()));
  for (std::size_t i = 0; i < sliding.size(); ++i)
    W.col(static_cast<Eigen::Index>(i)) = s.joints[sliding[i]].w;
  const Eigen::VectorXd shares = W.completeOrthogonalDecomposition().solve(left);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(s.size(), fourier_size_);
  x.col(0) = at_first.x;
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(s.joints.size()), fourier_size_);
  for (std::size_t i = 0; i < sliding.size(); ++i)
    f(static_cast<Eigen::Index>(sliding[i]), 0) = shares[static_cast<Eigen::Index>(i)];
  quiet_ = unknowns_of(x, f, 0);
}

Eigen::MatrixXd HarmonicBalance::push_on(const Body& body, const Eigen::VectorXd& y) const {
  const Eigen::Index r = body.body.size();
  const Eigen::MatrixXd all = y.head(size()).reshaped(dofs_, fourier_size_);
  return body.body.stiffness().diagonal().asDiagonal() * all.middleRows(body.row, r);
}

/// What joints that slide together do to the structure and to their body.
void HarmonicBalance::add_body_force(const Body& body, Eigen::VectorXd& residual,
                                     WideJacobian* jacobian) const {
  const PeriodicForce& reply = body.body.reply();
  const Eigen::Index r = body.body.size(), n = structure_->size();
  const auto act = [&](Eigen::Index place, const auto& on) {
    const Eigen::Index k = place / r, i = place % r;
    for (Eigen::Index m = 0; m < n; ++m)
      if (body.directions(m, i) != 0) on(k * dofs_ + m, body.directions(m, i));
    on(k * dofs_ + body.row + i, -1.0);
  };
  for (Eigen::Index a = 0; a < reply.coefficients.size(); ++a)
    act(a, [&](Eigen::Index row, double part) {
      residual[row] += part * reply.coefficients[a];
      if (!jacobian) return;
      jacobian->add(row, size(), part * reply.by_omega[a]);
      for (Eigen::Index b = 0; b < reply.coefficients.size(); ++b) {
        const Eigen::Index i = b % r;
        const double slope = reply.jacobian(a, b);
        if (slope != 0)
          jacobian->add(row, b / r * dofs_ + body.row + i,
                        part * slope * body.body.stiffness()(i, i));
      }
      if (body.start < 0) return;
      const Eigen::MatrixXd& by_start = body.body.end().force_by_start;
      for (Eigen::Index b = 0; b < 2 * r; ++b)
        jacobian->add(row, (1 + b / r) * dofs_ + body.start + b % r, part * by_start(a, b));
    });
  if (body.start >= 0)
    add_end(body.start, body.row, body.body.stiffness().diagonal(), body.body.end(), residual,
            jacobian);
}

Eigen::VectorXd HarmonicBalance::start_at(Eigen::Index row, Eigen::Index count,
                                          const Eigen::VectorXd& y) const {
  Eigen::VectorXd start(2 * count);
  start << y.segment(dofs_ + row, count), y.segment(2 * dofs_ + row, count);
  return start;
}

void HarmonicBalance::set_start(Eigen::Index row, const Eigen::VectorXd& start,
                                Eigen::VectorXd& y) const {
  const Eigen::Index count = start.size() / 2;
  y.segment(dofs_ + row, count) = start.head(count);
  y.segment(2 * dofs_ + row, count) = start.tail(count);
}

/// The period ends where it began.
void HarmonicBalance::add_end(Eigen::Index start, Eigen::Index push,
                              const Eigen::VectorXd& push_units, const PeriodEnd& end,
                              Eigen::VectorXd& residual, WideJacobian* jacobian) const {
  const Eigen::Index ways = end.at.size() / 2;
  const auto place = [&](Eigen::Index i) { return (1 + i / ways) * dofs_ + start + i % ways; };
  for (Eigen::Index i = 0; i < end.at.size(); ++i) {
    const double unit = K_.coeff(start + i % ways, start + i % ways);
    residual[place(i)] -= unit * end.at[i];
    if (!jacobian) continue;
    jacobian->add(place(i), size(), -unit * end.by_omega[i]);
    for (Eigen::Index k = 0; k < end.at.size(); ++k)
      jacobian->add(place(i), place(k), -unit * end.by_start(i, k));
    for (Eigen::Index k = 0; k < end.by_push.cols(); ++k)
      jacobian->add(place(i), k / ways * dofs_ + push + k % ways,
                    -unit * end.by_push(i, k) * push_units[k % ways]);
  }
}

void HarmonicBalance::close_periods(Eigen::VectorXd& y) {
  const double omega = y[size()];
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (starts_[j] < 0) continue;
    if (joints_[j].evaluate(joint_input(y, j), omega, false).status == Status::ok)
      set_start(starts_[j], joints_[j].mass()->start(), y);
  }
  for (Body& body : bodies_) {
    if (body.start < 0) continue;
    body.body.evaluate(push_on(body, y).reshaped(), omega, false);
    if (body.body.reply().status == Status::ok) set_start(body.start, body.body.start(), y);
  }
}

/// Where the motion x begins.
void HarmonicBalance::set_starts(const Eigen::MatrixXd& x, Eigen::VectorXd& y) const {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(fourier_size_), slopes = values;
  values[0] = 1;
  for (int h = 1; h <= harmonics_; ++h) {
    values[2 * h - 1] = 1;
    slopes[2 * h] = h;
  }
  const Eigen::VectorXd u = x * values, v = x * slopes;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::VectorXd& w = structure_->joints[j].w;
    if (starts_[j] >= 0) set_start(starts_[j], Eigen::Vector2d(w.dot(u), w.dot(v)), y);
  }
  for (const Body& body : bodies_) {
    if (body.start < 0) continue;
    Eigen::VectorXd start(2 * body.body.size());
    start << body.directions.transpose() * u, body.directions.transpose() * v;
    set_start(body.start, start, y);
  }
}

void HarmonicBalance::shift_by_half(Eigen::VectorXd& y) const {
  for (int h = 1; h <= harmonics_; h += 2) y.segment((2 * h - 1) * dofs_, 2 * dofs_) *= -1;
  set_starts(y.head(size()).reshaped(dofs_, fourier_size_).topRows(structure_->size()), y);
}

Eigen::VectorXd HarmonicBalance::unknowns_of(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f,
                                             double omega) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(dofs_, fourier_size_);
  all.topRows(x.rows()) = x;
  Eigen::Index row = x.rows();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!joints_[j].mass()) continue;
    const Inertia& inertia = joints_[j].mass()->inertia();
    const Eigen::VectorXd u = x.transpose() * structure_->joints[j].w;
    all.row(row++) =
        (through_mass(inertia, u, omega).transpose() + f.row(static_cast<Eigen::Index>(j))) /
        inertia.stiffness;
  }
  for (const Body& body : bodies_) {
    Eigen::MatrixXd push = body.body.through(body.directions.transpose() * x, omega);
    for (std::size_t i = 0; i < body.members.size(); ++i)
      push += body.body.directions().col(static_cast<Eigen::Index>(i)) *
              f.row(static_cast<Eigen::Index>(body.members[i]));
    all.middleRows(body.row, push.rows()) =
        body.body.stiffness().diagonal().cwiseInverse().asDiagonal() * push;
  }
  Eigen::VectorXd y(size() + 1);
  y << all.reshaped(), omega;
  set_starts(x, y);
  return y;
}

void HarmonicBalance::push_joints(Eigen::VectorXd& y) const {
  const Eigen::MatrixXd x =
      y.head(size()).reshaped(dofs_, fourier_size_).topRows(structure_->size());
  Eigen::MatrixXd f =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(joints_.size()), fourier_size_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!joints_[j].course()) continue;
    PeriodicJoint joint(structure_->joints[j].model, harmonics_, joints_[j].options());
    f.row(static_cast<Eigen::Index>(j)) =
        joint.evaluate(joint_motion(y, j), y[size()], false).coefficients.transpose();
  }
  const Eigen::VectorXd pushed = unknowns_of(x, f, y[size()]);
  // The first harmonics only: those of friction that never stuck are those of a jump.
  const Eigen::Index first = 3 * dofs_;
  y.head(first) = pushed.head(first);
}

void HarmonicBalance::hold_joints(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const {
  Eigen::Index row = structure_->size();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_[j].mass())
      y[dofs_ + row++] =
          holds[static_cast<Eigen::Index>(j)] / joints_[j].mass()->inertia().stiffness;
  for (const Body& body : bodies_) {
    Eigen::VectorXd push = Eigen::VectorXd::Zero(body.body.size());
    for (std::size_t i = 0; i < body.members.size(); ++i)
      push += holds[static_cast<Eigen::Index>(body.members[i])] *
              body.body.directions().col(static_cast<Eigen::Index>(i));
    y.segment(dofs_ + body.row, push.size()) = push.cwiseQuotient(body.body.stiffness().diagonal());
  }
}

}  // namespace microslip::dynamics
