#include "microslip/dynamics/harmonic_balance.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/parallel.hpp"
#include "microslip/dynamics/fourier.hpp"
#include "microslip/dynamics/time_integration.hpp"

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
  const double in_phase = tone.amplitude * std::cos(tone.phase);
  if (tone.harmonic == 0) {
    force.head(n) += in_phase * direction;
    return;
  }
  force.segment(cosine(tone.harmonic) * n, n) += in_phase * direction;
  force.segment(sine(tone.harmonic) * n, n) -= tone.amplitude * std::sin(tone.phase) * direction;
}

Eigen::VectorXd sum_of_tones(const Structure& structure, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(structure.size() * fourier_size(harmonics));
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

Eigen::VectorXd sum_of_constants(const Structure& structure, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(structure.size() * fourier_size(harmonics));
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      force.head(structure.size()) += constant->value * load.direction;
  return force;
}

}  // namespace

HarmonicBalance::HarmonicBalance(const Structure& structure, int harmonics,
                                 const PeriodicOptions& options)
    : structure_(std::make_shared<Structure>(structure)),
      dofs_(structure.size()),
      harmonics_(harmonics),
      fourier_size_(fourier_size(harmonics)),
      static_force_(sum_of_constants(structure, harmonics)),
      periodic_force_(sum_of_tones(structure, harmonics)),
      force_(static_force_ + periodic_force_) {
  if (harmonics < 1) throw Error("harmonics = " + std::to_string(harmonics) + " must be 1 or more");
  check(structure);
  // The static loads come first and leave their mark on the joints.
  Eigen::VectorXd preloaded;
  if (!static_force_.isZero(0)) preloaded = static_equilibrium(structure).x;
  for (const JointElement& joint : structure.joints) {
    std::vector<double> before;
    if (preloaded.size() > 0) before.push_back(joint.w.dot(preloaded));
    joints_.emplace_back(joint.model, harmonics, options, before);
    directions_.push_back(joint.w.sparseView());
  }
}

double HarmonicBalance::residual_scale(const Eigen::VectorXd& y) const {
  // The largest force in play: what rounding is measured against.
  const double external = force_.lpNorm<Eigen::Infinity>();
  const double motion = y.head(size()).lpNorm<Eigen::Infinity>();
  double stiffness = 0;
  for (Eigen::Index i = 0; i < dofs_; ++i)
    stiffness = std::max(stiffness, std::abs(structure_->K.coeff(i, i)));
  return std::max({external, 1e-3 * stiffness * motion, 1e-300});
}

double HarmonicBalance::noise() const {
  const bool asked = std::any_of(joints_.begin(), joints_.end(),
                                 [](const PeriodicJoint& j) { return j.asks_velocity(); });
  return asked ? 1e-8 : 0;
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
  const Structure& s = *structure_;
  add(s.K, 0, 0, 1, 0);
  for (int h = 1; h <= harmonics_; ++h) {
    const double rate = h * omega;
    for (const Eigen::Index k : {cosine(h), sine(h)}) {
      add(s.K, k, k, 1, 0);
      add(s.M, k, k, -rate * rate, -2.0 * h * rate);
    }
    add(s.C, cosine(h), sine(h), rate, h);
    add(s.C, sine(h), cosine(h), -rate, -h);
  }
}

/// Forces of all joints, each left in its PeriodicJoint; those that feel ω leave the derivative by
/// it, a difference because the laws have none by time.
void HarmonicBalance::evaluate_joints(const Eigen::VectorXd& y, bool with_jacobian) {
  const double omega = y[size()];
  by_omega_.resize(joints_.size());
  // A thread must have some milliseconds to do before it pays to start it.
  const auto work = static_cast<Eigen::Index>(joints_.size()) * fourier_size_;
  in_parallel(joints_.size(), work < 500 ? 1 : thread_count(0), [&](std::size_t j) {
    const Eigen::VectorXd q = joint_motion(y, j);
    const double change = 1e-6 * omega;
    const bool feels = with_jacobian && joints_[j].asks_velocity();
    if (feels) by_omega_[j] = joints_[j].evaluate(q, omega + change, false).coefficients;
    const PeriodicForce& reply = joints_[j].evaluate(q, omega, with_jacobian);
    if (feels) by_omega_[j] = (by_omega_[j] - reply.coefficients) / change;
  });
}

bool HarmonicBalance::add_joints(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  using Entry = Eigen::SparseVector<double>::InnerIterator;
  evaluate_joints(y, jacobian != nullptr);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::SparseVector<double>& w = directions_[j];
    const PeriodicForce& reply = joints_[j].reply();
    status_ = reply.status;
    if (status_ != Status::ok) return false;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i) residual[k * dofs_ + i.index()] += i.value() * reply.coefficients[k];
    if (!jacobian) continue;
    if (jacobian->condensed()) condensed_->set_joint(j, reply.jacobian);
    for (Eigen::Index k = 0; k < fourier_size_ && !jacobian->condensed(); ++k)
      for (Eigen::Index l = 0; l < fourier_size_; ++l) {
        const double slope = reply.jacobian(k, l);
        if (slope == 0) continue;
        for (Entry i(w); i; ++i)
          for (Entry m(w); m; ++m)
            jacobian->add(k * dofs_ + i.index(), l * dofs_ + m.index(),
                          i.value() * slope * m.value());
      }
    if (!joints_[j].asks_velocity()) continue;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i)
        jacobian->add(k * dofs_ + i.index(), size(), i.value() * by_omega_[j][k]);
  }
  return true;
}

bool HarmonicBalance::filled() const {
  const auto entries = static_cast<double>(structure_->K.nonZeros());
  return entries > 0.25 * static_cast<double>(dofs_ * dofs_);
}

bool HarmonicBalance::condense(bool wanted) {
  if (wanted && !condensed_) condensed_ = std::make_shared<Condensed>(*structure_, harmonics_);
  const bool before = condense_;
  condense_ = wanted && condensed_->usable();
  return before;
}

void HarmonicBalance::set_creep(double velocity) {
  for (PeriodicJoint& joint : joints_) joint.options().creep = velocity;
}

double HarmonicBalance::creep() const {
  for (const PeriodicJoint& joint : joints_)
    if (joint.creeps()) return joint.options().creep;
  return 0;
}

bool HarmonicBalance::creep_to_solution(Equations& equations,
                                        const std::function<Eigen::VectorXd()>& guess,
                                        Eigen::VectorXd& y) {
  const double wanted = creep();
  set_creep(1e6 * wanted);
  y = guess();
  bool converged = solve_at(equations, y).converged;
  double factor = 0.25;
  while (converged && creep() > wanted && factor < 0.99) {
    const double before = creep();
    const Eigen::VectorXd start = y;
    set_creep(std::max(wanted, factor * before));
    if (solve_at(equations, y).converged) {
      factor = std::max(0.25, factor * factor);
      continue;
    }
    set_creep(before);
    y = start;
    factor = std::sqrt(factor);
  }
  converged = converged && creep() == wanted;
  set_creep(wanted);
  return converged;
}

/// A memory that fades is nearly gone after thousands of rounds; what still changes then goes on,
/// unless the motion is so small that it hardly moves the law: a larger one tells.
void HarmonicBalance::refuse_drifting_joints(const Eigen::VectorXd& y) {
  const auto drifts = [&](std::size_t joint, const Eigen::VectorXd& motion) {
    const PeriodicForce& reply = joints_[joint].evaluate(motion, y[size()], false);
    return !reply.closed && reply.drift > 1e-8;
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::VectorXd motion = joint_motion(y, j);
    if (drifts(j, motion) && drifts(j, 100 * motion))
      throw Error("joint " + std::to_string(j + 1) + " (" + joints_[j].model().description().name +
                  ") changes with every cycle and never repeats its loop, so there is no steady "
                  "response; use kind = \"time\"");
  }
}

Eigen::VectorXd HarmonicBalance::joint_motion(const Eigen::VectorXd& y, std::size_t joint) const {
  Eigen::VectorXd q(fourier_size_);
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    q[k] = directions_[joint].dot(y.segment(k * dofs_, dofs_));
  return q;
}

Eigen::VectorXd HarmonicBalance::linear_response(double omega) {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size() + 1);
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

double natural_creep(const Structure& structure, int harmonics, double omega) {
  Structure loose = structure;
  std::erase_if(loose.joints, [](const JointElement& joint) { return jumps(joint.model); });
  std::erase_if(loose.loads,
                [](const Load& load) { return std::holds_alternative<Constant>(load.signal); });
  HarmonicBalance balance(loose, harmonics);
  const Eigen::VectorXd y = balance.linear_response(omega);
  double slowest = 0;
  for (const JointElement& joint : structure.joints) {
    if (!jumps(joint.model)) continue;
    double fastest = 0;
    for (int h = 1; h <= harmonics; ++h)
      for (const Eigen::Index k : {cosine(h), sine(h)})
        fastest = std::max(
            fastest, h * omega * std::abs(joint.w.dot(y.segment(k * loose.size(), loose.size()))));
    if (fastest > 0) slowest = slowest > 0 ? std::min(slowest, fastest) : fastest;
  }
  return 1e-3 * slowest;
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
