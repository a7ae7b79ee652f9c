#include "microslip/dynamics/harmonic_balance.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/parallel.hpp"
#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/time_integration.hpp"
#include "sliding_inertia.hpp"

namespace microslip::dynamics {
namespace {

/// Places of the cosine and the sine of a harmonic.
Eigen::Index cosine(int h) { return 2 * h - 1; }
Eigen::Index sine(int h) { return 2 * h; }

void add_tone(const Tone& tone, const Eigen::VectorXd& direction, int harmonics,
              Eigen::VectorXd& force) {
  if (tone.harmonic < 0 || tone.harmonic > harmonics)
    throw Error("a load has harmonic " + std::to_string(tone.harmonic) + "; the analysis has " +
                std::to_string(harmonics));
  const Eigen::Index n = direction.size();
  const Eigen::Index dofs = force.size() / fourier_size(harmonics);
  const double in_phase = tone.amplitude * std::cos(tone.phase);
  if (tone.harmonic == 0) {
    force.head(n) += in_phase * direction;
    return;
  }
  force.segment(cosine(tone.harmonic) * dofs, n) += in_phase * direction;
  force.segment(sine(tone.harmonic) * dofs, n) -= tone.amplitude * std::sin(tone.phase) * direction;
}

Eigen::VectorXd sum_of_tones(const Structure& structure, Eigen::Index dofs, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs * fourier_size(harmonics));
  for (const Load& load : structure.loads) {
    if (const auto* tones = std::get_if<Tones>(&load.signal)) {
      for (const Tone& tone : tones->list) add_tone(tone, load.direction, harmonics, force);
    } else if (!std::holds_alternative<Constant>(load.signal)) {
      throw Error(
          "a periodic analysis takes loads of kind harmonic, multisine, base and static; sweeps, "
          "stepped sines, impulses and records belong to kind = \"time\"");
    }
  }
  return force;
}

Eigen::VectorXd sum_of_constants(const Structure& structure, Eigen::Index dofs, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs * fourier_size(harmonics));
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      force.head(structure.size()) += constant->value * load.direction;
  return force;
}

}  // namespace

HarmonicBalance::HarmonicBalance(const Structure& structure, int harmonics,
                                 const PeriodicOptions& options)
    : structure_(std::make_shared<Structure>(structure)),
      harmonics_(harmonics),
      fourier_size_(fourier_size(harmonics)),
      M_(structure.M),
      C_(structure.C),
      K_(structure.K) {
  if (harmonics < 1) throw Error("harmonics = " + std::to_string(harmonics) + " must be 1 or more");
  check(structure);
  const std::vector<std::size_t> sliding = sliding_joints(structure, options);
  slides_ = !sliding.empty();
  dofs_ = unknown_dofs(structure, options);
  static_force_ = sum_of_constants(structure, dofs_, harmonics);
  periodic_force_ = sum_of_tones(structure, dofs_, harmonics);
  force_ = static_force_ + periodic_force_;
  // The static loads come first and leave their mark on the joints.
  const bool preloaded = !static_force_.isZero(0);
  const StaticState at_first = static_equilibrium(structure);
  for (const JointElement& joint : structure.joints) {
    std::vector<double> before;
    if (preloaded) before.push_back(joint.w.dot(at_first.x));
    joints_.emplace_back(joint.model, harmonics, options, before);
    Eigen::VectorXd w = Eigen::VectorXd::Zero(dofs_);
    w.head(structure.size()) = joint.w;
    inputs_.push_back(w.sparseView());
    outputs_.push_back(w.sparseView());
  }
  if (slides_) slide(sliding, at_first.x);
  quiet_ = Eigen::VectorXd::Zero(size() + 1);
  if (preloaded) {
    quiet_.head(structure.size()) = at_first.x;
    if (slides_) push_at_rest(sliding, at_first);
  }
}

void HarmonicBalance::slide(const std::vector<std::size_t>& sliding,
                            const Eigen::VectorXd& preloaded) {
  for (SparseMatrix* matrix : {&M_, &C_, &K_}) matrix->conservativeResize(dofs_, dofs_);
  std::vector<std::size_t> alone;
  // Large full matrices are condensed, which bodies are not.
  const bool large = structure_->size() > 20 && filled();
  const std::vector<TiedJoints> groups =
      large ? tied_joints(*structure_, sliding)
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
  bodies_.push_back({tied.members, B, row,
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
  Eigen::VectorXd held = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s.joints.size()));
  const Eigen::VectorXd shares = W.completeOrthogonalDecomposition().solve(left);
  for (std::size_t i = 0; i < sliding.size(); ++i)
    held[static_cast<Eigen::Index>(sliding[i])] = shares[static_cast<Eigen::Index>(i)];
  Eigen::Index row = s.size();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_[j].mass())
      quiet_[row++] = s.joints[j].w.dot(at_first.x) +
                      held[static_cast<Eigen::Index>(j)] / joints_[j].mass()->inertia().stiffness;
  for (const Body& body : bodies_) {
    Eigen::VectorXd push = body.body.stiffness() * (body.directions.transpose() * at_first.x);
    for (std::size_t i = 0; i < body.members.size(); ++i)
      push += held[static_cast<Eigen::Index>(body.members[i])] *
              body.body.directions().col(static_cast<Eigen::Index>(i));
    quiet_.segment(body.row, push.size()) = push.cwiseQuotient(body.body.stiffness().diagonal());
  }
}

Eigen::MatrixXd HarmonicBalance::push_on(const Body& body, const Eigen::VectorXd& y) const {
  const Eigen::Index r = body.body.size();
  const Eigen::MatrixXd all = y.head(size()).reshaped(dofs_, fourier_size_);
  return body.body.stiffness().diagonal().asDiagonal() * all.middleRows(body.row, r);
}

double HarmonicBalance::largest_motion(const Eigen::VectorXd& y) const {
  double motion = 0;
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    motion = std::max(motion, y.segment(k * dofs_, structure_->size()).lpNorm<Eigen::Infinity>());
  return motion;
}

double HarmonicBalance::residual_scale(const Eigen::VectorXd& y) const {
  // The largest force in play: what rounding is measured against.
  const double external = force_.lpNorm<Eigen::Infinity>();
  const double stiffness = Eigen::VectorXd(structure_->K.diagonal()).lpNorm<Eigen::Infinity>();
  return std::max({external, 1e-3 * stiffness * largest_motion(y), 1e-300});
}

bool HarmonicBalance::at_rest(const Eigen::VectorXd& y) const {
  const double omega = y[size()];
  const Eigen::VectorXd impedance = Eigen::VectorXd(structure_->K.diagonal()).cwiseAbs() +
                                    omega * omega * Eigen::VectorXd(structure_->M.diagonal());
  return largest_motion(y) * impedance.maxCoeff() <= 1e-12 * force_.lpNorm<Eigen::Infinity>();
}

double HarmonicBalance::noise() const {
  double largest = 0;
  for (const PeriodicJoint& joint : joints_) {
    if (!joint.asks_velocity()) continue;
    const bool timed = !joint.course() || RigidFriction(joint.model()).sees_velocity();
    if (timed) largest = std::max(largest, joint.course() ? 1e-10 : 1e-9);
  }
  return largest;
}

bool HarmonicBalance::evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                               WideJacobian* jacobian) {
  if (jacobian) jacobian->reset(size(), filled() && !condense_);
  return accumulate(y, residual, jacobian);
}

bool HarmonicBalance::accumulate(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  residual = -force_;
  if (jacobian && condense_) {
    condensed_->reset(y[size()], jacobian->rows() + 1 - size());
    jacobian->condense(condensed_.get());
  }
  add_linear(y, residual, jacobian);
  return add_joints(y, residual, jacobian);
}

void HarmonicBalance::add_linear(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  const double omega = y[size()];
  if (condense_) {
    Eigen::VectorXd by_omega = Eigen::VectorXd::Zero(size());
    condensed_->add_linear(y, omega, residual, jacobian ? &by_omega : nullptr);
    if (jacobian) jacobian->replace_column(size(), by_omega);
    return;
  }
  const auto add = [&](const SparseMatrix& matrix, Eigen::Index row, Eigen::Index column,
                       double factor, double factor_by_omega) {
    const Eigen::VectorXd image = matrix * y.segment(column * dofs_, dofs_);
    residual.segment(row * dofs_, dofs_) += factor * image;
    if (!jacobian) return;
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
        jacobian->add(row * dofs_ + entry.row(), column * dofs_ + entry.col(),
                      factor * entry.value());
    if (factor_by_omega != 0)
      for (Eigen::Index i = 0; i < dofs_; ++i)
        jacobian->add(row * dofs_ + i, size(), factor_by_omega * image[i]);
  };
  add(K_, 0, 0, 1, 0);
  for (int h = 1; h <= harmonics_; ++h) {
    const double rate = h * omega;
    for (const Eigen::Index k : {cosine(h), sine(h)}) {
      add(K_, k, k, 1, 0);
      add(M_, k, k, -rate * rate, -2.0 * h * rate);
    }
    add(C_, cosine(h), sine(h), rate, h);
    add(C_, sine(h), cosine(h), -rate, -h);
  }
}

/// Forces of all joints, each left in its PeriodicJoint; those that feel ω leave the derivative by
/// it, of laws that see time a difference because they have none by time.
void HarmonicBalance::evaluate_joints(const Eigen::VectorXd& y, bool with_jacobian) {
  const double omega = y[size()];
  by_omega_.resize(joints_.size());
  // A thread must have some milliseconds to do before it pays to start it.
  const auto work = static_cast<Eigen::Index>(joints_.size()) * fourier_size_ * (slides_ ? 20 : 1);
  const std::size_t tasks = joints_.size() + bodies_.size();
  in_parallel(tasks, work < 500 ? 1 : thread_count(0), [&](std::size_t j) {
    if (j >= joints_.size()) {
      Body& body = bodies_[j - joints_.size()];
      body.body.evaluate(push_on(body, y).reshaped(), omega, with_jacobian);
      for (std::size_t i = 0; i < body.members.size(); ++i)
        joints_[body.members[i]].tell(body.body.answers()[i]);
      return;
    }
    if (joints_[j].course() && !joints_[j].mass()) return;
    const Eigen::VectorXd q = joint_input(y, j);
    const double change = 1e-6 * omega;
    const bool differs = with_jacobian && joints_[j].asks_velocity() && !joints_[j].mass();
    if (differs) by_omega_[j] = joints_[j].evaluate(q, omega + change, false).coefficients;
    const PeriodicForce& reply = joints_[j].evaluate(q, omega, with_jacobian);
    if (differs)
      by_omega_[j] = (by_omega_[j] - reply.coefficients) / change;
    else if (with_jacobian && joints_[j].mass())
      by_omega_[j] = reply.by_omega;
  });
}

bool HarmonicBalance::add_joints(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  using Entry = Eigen::SparseVector<double>::InnerIterator;
  evaluate_joints(y, jacobian != nullptr);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::SparseVector<double>& w = outputs_[j];
    const PeriodicForce& reply = joints_[j].reply();
    status_ = reply.status;
    if (status_ != Status::ok) return false;
    if (joints_[j].course() && !joints_[j].mass()) continue;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i) residual[k * dofs_ + i.index()] += i.value() * reply.coefficients[k];
    if (!jacobian) continue;
    if (jacobian->condensed()) condensed_->set_joint(j, reply.jacobian);
    for (Eigen::Index k = 0; k < fourier_size_ && !jacobian->condensed(); ++k)
      for (Eigen::Index l = 0; l < fourier_size_; ++l) {
        const double slope = reply.jacobian(k, l);
        if (slope == 0) continue;
        for (Entry i(w); i; ++i)
          for (Entry m(inputs_[j]); m; ++m)
            jacobian->add(k * dofs_ + i.index(), l * dofs_ + m.index(),
                          i.value() * slope * m.value());
      }
    if (!joints_[j].feels_frequency()) continue;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i)
        jacobian->add(k * dofs_ + i.index(), size(), i.value() * by_omega_[j][k]);
  }
  for (const Body& body : bodies_) add_body_force(body, residual, jacobian);
  return true;
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
    });
}

bool HarmonicBalance::filled() const {
  const auto entries = static_cast<double>(structure_->K.nonZeros());
  const auto n = static_cast<double>(structure_->size());
  return entries > 0.25 * n * n;
}

bool HarmonicBalance::condense(bool wanted) {
  // Condensed, a push belongs to one joint.
  wanted = wanted && bodies_.empty();
  if (wanted && !condensed_) {
    std::vector<Condensed::Slider> sliders;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].mass()) sliders.push_back({j, joints_[j].mass()->inertia()});
    condensed_ = std::make_shared<Condensed>(*structure_, harmonics_, M_, C_, K_, sliders);
  }
  const bool before = condense_;
  condense_ = wanted && condensed_->usable();
  return before;
}

void HarmonicBalance::push_joints(Eigen::VectorXd& y) const {
  const double omega = y[size()];
  Eigen::Index row = structure_->size();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!joints_[j].mass()) continue;
    const Eigen::VectorXd u = joint_motion(y, j);
    const auto [m, c, k] = joints_[j].mass()->inertia();
    PeriodicJoint joint(structure_->joints[j].model, harmonics_, joints_[j].options());
    const Eigen::VectorXd force = joint.evaluate(u, omega, false).coefficients;
    const double spring = k - m * omega * omega;
    y[row] = (force[0] + k * u[0]) / k;
    y[dofs_ + row] = (force[1] + spring * u[1] + c * omega * u[2]) / k;
    y[2 * dofs_ + row] = (force[2] + spring * u[2] - c * omega * u[1]) / k;
    ++row;
  }
  for (const Body& body : bodies_) {
    Eigen::MatrixXd all = y.head(size()).reshaped(dofs_, fourier_size_);
    Eigen::MatrixXd push =
        body.body.through(body.directions.transpose() * all.topRows(structure_->size()), omega);
    for (std::size_t i = 0; i < body.members.size(); ++i) {
      const std::size_t j = body.members[i];
      PeriodicJoint joint(structure_->joints[j].model, harmonics_, joints_[j].options());
      push += body.body.directions().col(static_cast<Eigen::Index>(i)) *
              joint.evaluate(joint_motion(y, j), omega, false).coefficients.transpose();
    }
    set_push(body, push, y);
  }
}

/// The first harmonics only: those of friction that never stuck are those of a jump.
void HarmonicBalance::set_push(const Body& body, const Eigen::MatrixXd& push,
                               Eigen::VectorXd& y) const {
  for (Eigen::Index k = 0; k < 3; ++k)
    y.segment(k * dofs_ + body.row, body.body.size()) =
        push.col(k).cwiseQuotient(body.body.stiffness().diagonal());
}

void HarmonicBalance::hold_joints(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const {
  Eigen::Index row = structure_->size();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_[j].mass())
      y[dofs_ + row++] =
          holds[static_cast<Eigen::Index>(j)] / joints_[j].mass()->inertia().stiffness;
  for (const Body& body : bodies_) {
    Eigen::MatrixXd push = Eigen::MatrixXd::Zero(body.body.size(), 3);
    for (std::size_t i = 0; i < body.members.size(); ++i)
      push.col(1) += holds[static_cast<Eigen::Index>(body.members[i])] *
                     body.body.directions().col(static_cast<Eigen::Index>(i));
    set_push(body, push, y);
  }
}

/// A memory that fades is nearly gone after thousands of rounds; what still changes then goes on,
/// unless the motion is so small that it hardly moves the law: a larger one tells.
void HarmonicBalance::refuse_drifting_joints(const Eigen::VectorXd& y) {
  const auto drifts = [&](std::size_t joint, const Eigen::VectorXd& motion) {
    const PeriodicForce& reply = joints_[joint].evaluate(motion, y[size()], false);
    return !reply.closed && reply.drift > 1e-8;
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].course()) continue;
    const Eigen::VectorXd motion = joint_input(y, j);
    if (drifts(j, motion) && drifts(j, 100 * motion))
      throw Error("joint " + std::to_string(j + 1) + " (" + joints_[j].model().description().name +
                  ") changes with every cycle and never repeats its loop, so there is no steady "
                  "response; use kind = \"time\"");
  }
}

Eigen::VectorXd HarmonicBalance::joint_motion(const Eigen::VectorXd& y, std::size_t joint) const {
  const Eigen::VectorXd& w = structure_->joints[joint].w;
  Eigen::VectorXd q(fourier_size_);
  for (Eigen::Index k = 0; k < fourier_size_; ++k) q[k] = w.dot(y.segment(k * dofs_, w.size()));
  return q;
}

Eigen::VectorXd HarmonicBalance::joint_input(const Eigen::VectorXd& y, std::size_t joint) const {
  Eigen::VectorXd q(fourier_size_);
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    q[k] = inputs_[joint].dot(y.segment(k * dofs_, dofs_));
  return q;
}

Eigen::VectorXd HarmonicBalance::linear_response(double omega) {
  Eigen::VectorXd y = quiet_;
  y[size()] = omega;
  WideJacobian jacobian;
  Eigen::VectorXd residual;
  Eigen::VectorXd step;
  if (!evaluate(y, residual, &jacobian)) return y;
  Eigen::VectorXd rhs(size() + 1);
  rhs << -residual, 0;
  if (jacobian.solve(Eigen::VectorXd::Unit(size() + 1, size()), rhs, step)) y += step;
  return y;
}

Eigen::VectorXd HarmonicBalance::loose_response(double omega) const {
  Structure loose = *structure_;
  std::erase_if(loose.joints, [](const JointElement& joint) { return jumps(joint.model); });
  const Eigen::Index n = loose.size();
  const Eigen::VectorXd motion = HarmonicBalance(loose, harmonics_).linear_response(omega);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size() + 1);
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    y.segment(k * dofs_, n) = motion.segment(k * n, n);
  y[size()] = omega;
  return y;
}

Eigen::Index unknown_dofs(const Structure& structure, const PeriodicOptions& options) {
  Eigen::Index dofs = structure.size();
  for (const TiedJoints& tied : tied_joints(structure, sliding_joints(structure, options)))
    dofs += static_cast<Eigen::Index>(tied.leaders.size());
  return dofs;
}

Eigen::VectorXd dof_motion(const Eigen::VectorXd& y, Eigen::Index dofs, int harmonics,
                           Eigen::Index dof) {
  Eigen::VectorXd q(fourier_size(harmonics));
  for (Eigen::Index k = 0; k < q.size(); ++k) q[k] = y[k * dofs + dof];
  return q;
}

Eigen::VectorXd with_harmonics(const Eigen::VectorXd& y, Eigen::Index dofs, int from, int to) {
  const Eigen::Index before = dofs * fourier_size(from);
  const Eigen::Index after = dofs * fourier_size(to);
  const Eigen::Index tail = y.size() - before;
  Eigen::VectorXd result = Eigen::VectorXd::Zero(after + tail);
  result.head(std::min(before, after)) = y.head(std::min(before, after));
  result.tail(tail) = y.tail(tail);
  return result;
}

Phasor first_harmonic(const Eigen::VectorXd& y, Eigen::Index dofs, Eigen::Index dof) {
  const double a = y[dofs + dof];
  const double b = y[2 * dofs + dof];
  return {std::hypot(a, b), std::atan2(-b, a)};
}

}  // namespace microslip::dynamics
