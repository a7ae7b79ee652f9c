#include "microslip/dynamics/periodic/harmonic_balance.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "dynamics/periodic/unheld_motions.hpp"
#include "dynamics/rigid/sliding_inertia.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/numerics/parallel.hpp"

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
  // The static loads, and laws that push at rest, come first and leave their mark on the joints.
  const StaticState at_first = static_equilibrium(structure);
  const bool preloaded = !static_force_.isZero(0) || !at_first.x.isZero(0);
  for (const JointElement& joint : structure.joints) {
    std::vector<double> before;
    if (preloaded) before.push_back(joint.w.dot(at_first.x));
    joints_.emplace_back(joint.model, harmonics, options, before);
    Eigen::VectorXd w = Eigen::VectorXd::Zero(dofs_);
    w.head(structure.size()) = joint.w;
    inputs_.push_back(w.sparseView());
    outputs_.push_back(w.sparseView());
    starts_.push_back(-1);
  }
  if (slides_) slide(sliding, at_first.x);
  mean_noise_.setZero(dofs_);
  find_units(options.around);
  hold_rigid_motions();
  for (const PeriodicJoint& joint : joints_)
    if (joint.course())
      noise_ = std::max(noise_, RigidFriction(joint.model()).noise());
    else if (joint.asks_velocity())
      noise_ = std::max(noise_, 1e-9);
  quiet_ = Eigen::VectorXd::Zero(size() + 1);
  if (preloaded) {
    quiet_.head(structure.size()) = at_first.x;
    if (slides_) push_at_rest(sliding, at_first);
  }
}

double HarmonicBalance::largest_motion(const Eigen::VectorXd& y) const {
  double motion = 0;
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    motion = std::max(motion, y.segment(k * dofs_, structure_->size()).lpNorm<Eigen::Infinity>());
  return motion;
}

void HarmonicBalance::find_units(double around) {
  const Eigen::Index n = structure_->size();
  masses_ = Eigen::VectorXd(structure_->M.diagonal()).cwiseAbs();
  Eigen::VectorXd stiffness = Eigen::VectorXd(K_.diagonal()).cwiseAbs();
  const Eigen::VectorXd mass = Eigen::VectorXd(M_.diagonal()).cwiseAbs();
  for (const JointElement& joint : structure_->joints) {
    joint_stiffness_.push_back(slides_ ? 0 : std::abs(tangent_at_rest(joint.model)));
    stiffness.head(n) += joint_stiffness_.back() * joint.w.cwiseAbs2();
  }
  double square = around * around;
  for (Eigen::Index i = 0; i < n && !(around > 0); ++i)
    if (stiffness[i] > 0 && (square == 0 || stiffness[i] < square * mass[i]))
      square = stiffness[i] / mass[i];
  if (!(square > 0)) square = 1;  // masses alone: a factor common to all
  rigid_stiffness_ = square;
  stiffness += square * mass;
  units_.resize(dofs_);
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) sum += std::log(stiffness[i]);
  const double usual = std::exp(-0.5 * sum / static_cast<double>(n));
  // Pushes on sliding joints are displacements, too, and then all are measured alike.
  for (Eigen::Index i = 0; i < dofs_; ++i)
    units_[i] = !slides_ && stiffness[i] > 0 ? 1 / std::sqrt(stiffness[i]) : usual;
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator entry(structure_->K, j); entry; ++entry)
      rows[entry.row()] += std::abs(entry.value()) * units_[j] * units_[entry.row()];
  rounding_ = 1e-15 * std::max(1.0, rows.maxCoeff());
}

/// The mean of a rigid-body motion is anything, unless static loads push it: then there is none.
void HarmonicBalance::hold_rigid_motions() {
  const Eigen::MatrixXd free = unheld_motions(*structure_);
  rigid_ = Eigen::MatrixXd::Zero(dofs_, free.cols());
  if (free.cols() == 0) return;
  rigid_.topRows(free.rows()) = structure_->M * free;
  const Eigen::VectorXd pushed = free.transpose() * static_force_.head(free.rows());
  const double size = static_force_.head(free.rows()).cwiseProduct(units_.head(free.rows())).norm();
  const double moved =
      free.cwiseQuotient(units_.head(free.rows()).replicate(1, free.cols())).norm();
  if (pushed.norm() > 1e-9 * size * moved)
    throw Error(
        "static loads push a structure that nothing holds: it never stops; hold it by a spring or "
        "let the loads balance");
}

double HarmonicBalance::largest_in_units(const Eigen::VectorXd& y) const {
  double motion = 0;
  const Eigen::Index n = structure_->size();
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    motion = std::max(
        motion, y.segment(k * dofs_, n).cwiseQuotient(units_.head(n)).lpNorm<Eigen::Infinity>());
  return motion;
}

/// The largest force in play: external or of inertia, where stiffnesses do not cancel.
double HarmonicBalance::residual_scale(const Eigen::VectorXd& y) const {
  const Eigen::Index n = structure_->size();
  const double omega = y[size()];
  double external = 0, inertia = 0;
  for (Eigen::Index k = 0; k < fourier_size_; ++k) {
    const double rate = static_cast<double>((k + 1) / 2) * omega;
    for (Eigen::Index i = 0; i < dofs_; ++i)
      external = std::max(external, std::abs(force_[k * dofs_ + i]) * units_[i]);
    for (Eigen::Index i = 0; i < n; ++i)
      inertia =
          std::max(inertia, rate * rate * masses_[i] * units_[i] * std::abs(y[k * dofs_ + i]));
  }
  if (slides_) {
    const double stiffness = Eigen::VectorXd(structure_->K.diagonal()).lpNorm<Eigen::Infinity>();
    inertia = stiffness * units_[0] * largest_motion(y);
  }
  return std::max({external, 1e-3 * inertia, 1e-300});
}

double HarmonicBalance::relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const {
  double largest = 0;
  for (Eigen::Index k = 0; k < residual.size(); ++k) {
    const double noise = k < dofs_ ? mean_noise_[k] : 0;
    const double here = std::max(std::abs(residual[k]) - noise, 0.0) * units_[k % dofs_];
    // A NaN counts as infinitely large.
    largest = here <= largest ? largest : here < HUGE_VAL ? here : HUGE_VAL;
  }
  return largest / residual_scale(y);
}

double HarmonicBalance::rounding(const Eigen::VectorXd& y) const {
  return slides_ ? 0 : rounding_ * largest_in_units(y) / residual_scale(y);
}

bool HarmonicBalance::at_rest(const Eigen::VectorXd& y) const {
  double external = 0;
  for (Eigen::Index k = 0; k < force_.size(); ++k)
    external = std::max(external, std::abs(force_[k]) * units_[k % dofs_]);
  return largest_in_units(y) <= 1e-12 * external;
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
  for (Eigen::Index r = 0; r < rigid_.cols(); ++r) {
    const Eigen::VectorXd& momentum = rigid_.col(r);
    residual.head(dofs_) += rigid_stiffness_ * momentum.dot(y.head(dofs_)) * momentum;
    for (Eigen::Index i = 0; jacobian && i < dofs_; ++i)
      for (Eigen::Index j = 0; j < dofs_; ++j)
        if (momentum[i] != 0 && momentum[j] != 0)
          jacobian->add(i, j, rigid_stiffness_ * momentum[i] * momentum[j]);
  }
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
/// it.
void HarmonicBalance::evaluate_joints(const Eigen::VectorXd& y, bool with_jacobian) {
  const double omega = y[size()];
  by_omega_.resize(joints_.size());
  // A thread must have some milliseconds to do before it pays to start it.
  const auto work = static_cast<Eigen::Index>(joints_.size()) * fourier_size_ * (slides_ ? 20 : 1);
  const std::size_t tasks = joints_.size() + bodies_.size();
  in_parallel(tasks, work < 500 ? 1 : thread_count(0), [&](std::size_t j) {
    if (j >= joints_.size()) {
      Body& body = bodies_[j - joints_.size()];
      const Eigen::VectorXd push = push_on(body, y).reshaped();
      if (body.start < 0)
        body.body.evaluate(push, omega, with_jacobian);
      else
        body.body.evaluate_from(start_at(body.start, body.body.size(), y), push, omega,
                                with_jacobian);
      for (std::size_t i = 0; i < body.members.size(); ++i)
        joints_[body.members[i]].tell(body.body.answers()[i]);
      return;
    }
    if (joints_[j].slides_with_others()) return;
    const Eigen::VectorXd q = joint_input(y, j);
    const PeriodicForce& reply =
        starts_[j] < 0
            ? joints_[j].evaluate(q, omega, with_jacobian)
            : joints_[j].evaluate_from(start_at(starts_[j], 1, y), q, omega, with_jacobian);
    if (with_jacobian) by_omega_[j] = reply.by_omega;
  });
}

bool HarmonicBalance::add_joints(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  using Entry = Eigen::SparseVector<double>::InnerIterator;
  evaluate_joints(y, jacobian != nullptr);
  mean_noise_.setZero(dofs_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::SparseVector<double>& w = outputs_[j];
    const PeriodicForce& reply = joints_[j].reply();
    status_ = reply.status;
    if (status_ != Status::ok) return false;
    if (joints_[j].slides_with_others()) continue;
    for (Entry i(w); i; ++i) mean_noise_[i.index()] += std::abs(i.value()) * reply.mean_noise;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i) residual[k * dofs_ + i.index()] += i.value() * reply.coefficients[k];
    if (starts_[j] >= 0) {
      const Entry push(inputs_[j]);
      add_end(starts_[j], push.index(), Eigen::VectorXd::Constant(1, push.value()),
              joints_[j].mass()->end(), residual, jacobian);
    }
    if (!jacobian) continue;
    // A loop that slips or whose memory fades does not hold a mean. Where there is none, a trace
    // of the stiffness at rest keeps a structure regular that only such joints hold.
    const double trace = reply.coefficients[0] == 0 ? 1e-6 * joint_stiffness_[j] : 0;
    if (jacobian->condensed()) {
      Eigen::MatrixXd slopes = reply.jacobian;
      slopes(0, 0) += trace;
      condensed_->set_joint(j, slopes);
    }
    for (Eigen::Index k = 0; k < fourier_size_ && !jacobian->condensed(); ++k)
      for (Eigen::Index l = 0; l < fourier_size_; ++l) {
        const double slope = reply.jacobian(k, l) + (k + l == 0 ? trace : 0);
        if (slope == 0) continue;
        for (Entry i(w); i; ++i)
          for (Entry m(inputs_[j]); m; ++m)
            jacobian->add(k * dofs_ + i.index(), l * dofs_ + m.index(),
                          i.value() * slope * m.value());
      }
    if (starts_[j] >= 0)
      for (Eigen::Index k = 0; k < fourier_size_; ++k)
        for (Entry i(w); i; ++i)
          for (const Eigen::Index m : {0, 1})
            jacobian->add(k * dofs_ + i.index(), (1 + m) * dofs_ + starts_[j],
                          i.value() * joints_[j].mass()->end().force_by_start(k, m));
    if (!joints_[j].feels_frequency()) continue;
    for (Eigen::Index k = 0; k < fourier_size_; ++k)
      for (Entry i(w); i; ++i)
        jacobian->add(k * dofs_ + i.index(), size(), i.value() * by_omega_[j][k]);
  }
  for (const Body& body : bodies_) add_body_force(body, residual, jacobian);
  return true;
}

bool HarmonicBalance::filled() const { return is_filled(structure_->K); }

bool HarmonicBalance::worth_condensing() const {
  constexpr Eigen::Index most_dofs = 1000;  // all modes are needed
  constexpr std::size_t most_joints = 300;  // blocks of so many rows and columns are factorised
  if (size() <= 300) return false;
  if (filled()) return true;
  const Eigen::Index n = structure_->size();
  if (slides_ || n > most_dofs || joints_.size() > most_joints) return false;
  // Chains are solved at once as they are; a motion that is held by its momentum fills the matrix.
  return rigid_.cols() > 0 || structure_->K.nonZeros() > 5 * n;
}

std::size_t HarmonicBalance::hardest_joint(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  std::vector<Eigen::VectorXd> expected(joints_.size());
  const auto failed = [&] {
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].reply().status != Status::ok) return j + 1;
    return std::size_t{0};
  };
  evaluate_joints(from, true);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const PeriodicForce& reply = joints_[j].reply();
    const Eigen::VectorXd way = joint_input(to, j) - joint_input(from, j);
    expected[j] = reply.coefficients;
    if (!joints_[j].slides_with_others()) expected[j] += reply.jacobian * way;
  }
  evaluate_joints(to, false);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  std::size_t hardest = 0;
  double largest = -1;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::VectorXd& w = structure_->joints[j].w;
    const double error = (joints_[j].reply().coefficients - expected[j]).norm() *
                         w.cwiseProduct(units_.head(w.size())).norm();
    if (error <= largest) continue;
    largest = error;
    hardest = j + 1;
  }
  return hardest;
}

bool HarmonicBalance::condense(bool wanted) {
  // Condensed, a push belongs to one joint, and its motion to the push.
  wanted = wanted && bodies_.empty() &&
           std::all_of(starts_.begin(), starts_.end(), [](Eigen::Index row) { return row < 0; });
  if (wanted && !condensed_) {
    std::vector<Condensed::Slider> sliders;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].mass()) sliders.push_back({j, joints_[j].mass()->inertia()});
    condensed_ = std::make_shared<Condensed>(*structure_, harmonics_, M_, C_, K_, sliders,
                                             rigid_stiffness_ * rigid_ * rigid_.transpose());
  }
  const bool before = condense_;
  condense_ = wanted && condensed_->usable();
  return before;
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
  close_periods(y);
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
  const std::vector<std::size_t> sliding = sliding_joints(structure, options);
  Eigen::Index ways = 0;
  for (const TiedJoints& tied : tied_joints(structure, sliding))
    ways += static_cast<Eigen::Index>(tied.leaders.size());
  return structure.size() + (starts_are_unknown(structure, sliding) ? 2 : 1) * ways;
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
