#include "dynamics/balance/harmonic_balance.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/balance/condensed.hpp"
#include "dynamics/balance/element_slot.hpp"
#include "dynamics/balance/periodic_loads.hpp"
#include "dynamics/balance/unheld_motions.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "dynamics/joint/periodic_interface.hpp"
#include "dynamics/joint/periodic_steps.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace {

/// Places of the cosine and the sine of a harmonic.
Eigen::Index cosine(int h) { return 2 * h - 1; }
Eigen::Index sine(int h) { return 2 * h; }

/// Whether laws side by side are taken by themselves. Rigid friction slides on a body, whose equations
/// know no reversals that other laws remember; a law that depends on the rate is taken in time, which
/// hides the kinks of the others and what is linear among them.
bool apart(const AnyModel& whole, const std::vector<AnyModel>& parts) {
  if (parts.size() < 2) return false;
  const auto rigid =
      std::count_if(parts.begin(), parts.end(), [](const AnyModel& law) { return law.rigid(); });
  if (rigid == 0) return whole.rate_dependent() && !whole.dynamic_stiffness(1);
  return rigid == 1 && std::all_of(parts.begin(), parts.end(), [](const AnyModel& law) {
           return law.rigid() || !law.rate_dependent() || law.dynamic_stiffness(1);
         });
}

/// Joints of laws side by side that are taken apart become one joint for each; `owner` tells whose
/// those behind the given ones are.
Structure taken_apart(Structure s, std::vector<std::size_t>& owner) {
  const std::size_t given = s.joints.size();
  for (std::size_t j = 0; j < given; ++j) {
    std::vector<AnyModel> parts = s.joints[j].parts;
    if (parts.empty()) parts = s.joints[j].model.terms();
    if (!apart(s.joints[j].model, parts)) continue;
    // The rigid one is that of the given joint.
    std::stable_partition(parts.begin(), parts.end(),
                          [](const AnyModel& law) { return law.rigid(); });
    s.joints[j].parts.clear();
    s.joints[j].model = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) {
      s.joints.push_back({parts[part], s.joints[j].w, s.joints[j].name});
      owner.push_back(j);
    }
  }
  return s;
}

}  // namespace

HarmonicBalance::HarmonicBalance(const Structure& whole, int harmonics,
                                 const PeriodicOptions& options)
    : given_joints_(whole.joints.size()),
      structure_(std::make_shared<Structure>(
          options.rule == Rule::event_exact ? taken_apart(whole, owner_) : whole)),
      harmonics_(harmonics),
      fourier_size_(fourier_size(harmonics)),
      M_(whole.M),
      C_(whole.C),
      K_(whole.K),
      options_(options) {
  if (harmonics < 1) throw Error("harmonics = " + std::to_string(harmonics) + " must be 1 or more");
  check(whole);
  const Structure& structure = *structure_;
  const std::vector<std::size_t> sliding = sliding_joints(structure, options);
  slides_ = !sliding.empty();
  const UnknownCount count = count_unknowns(structure, options);
  dofs_ = count.dofs;
  own_ = count.own;
  static_force_ = static_loads(structure, dofs_, harmonics);
  periodic_force_ = periodic_loads(structure, dofs_, harmonics);
  for (Eigen::VectorXd* force : {&static_force_, &periodic_force_}) {
    force->conservativeResize(size());
    force->tail(own_).setZero();
  }
  force_ = static_force_ + periodic_force_;
  // The static loads, and laws that push at rest, come first and leave their mark on the joints.
  const StaticState at_first = static_equilibrium(structure);
  const bool preloaded = !static_force_.isZero(0) || !at_first.x.isZero(0);
  place_of_.resize(structure.joints.size());
  add_bodies(sliding, at_first.x);
  add_paths(preloaded ? &at_first : nullptr);
  add_interfaces(preloaded ? &at_first : nullptr);
  mean_noise_.setZero(dofs_);
  scales_ = BalanceScales(structure, M_, K_, slots_,
                          {structure.size(), dofs_, own_, fourier_size_, slides_},
                          options.reference_omega);
  hold_rigid_motions();
  static_unknowns_ = Eigen::VectorXd::Zero(size() + 1);
  if (preloaded) {
    static_unknowns_.head(structure.size()) = at_first.x;
    if (slides_) find_static_unknowns(sliding, at_first);
  }
}

HarmonicBalance::~HarmonicBalance() = default;

/// Joints that do not slide on bodies.
void HarmonicBalance::add_paths(const StaticState* preloaded) {
  for (std::size_t j = 0; j < structure_->joints.size(); ++j) {
    const JointElement& joint = structure_->joints[j];
    if (slides_ && joint.model.rigid()) continue;
    std::vector<double> before;
    if (preloaded) before.push_back(joint.w.dot(preloaded->x));
    Eigen::VectorXd w = Eigen::VectorXd::Zero(dofs_);
    w.head(structure_->size()) = joint.w;
    place_of_[j] = {slots_.size(), 0};
    ElementSlot& slot = slots_.emplace_back();
    slot.element = std::make_unique<PeriodicJoint>(joint.model, harmonics_, options_, before);
    slot.members = {j};
    slot.along = {joint.w};
    slot.in = slot.out = {w.sparseView()};
    slot.tangent = tangent_at_rest(joint.model);
    slot.stiffness = slides_ ? 0 : std::abs(slot.tangent);
  }
}

void HarmonicBalance::add_interfaces(const StaticState* preloaded) {
  for (const InterfaceElement& interface : structure_->interfaces) {
    std::vector<Eigen::VectorXd> before;
    if (preloaded) before.push_back(displacements(interface, preloaded->x));
    ElementSlot& slot = slots_.emplace_back();
    const AnyModel* law = interface.law->model();
    const bool exact = options_.rule == Rule::event_exact && interface.law->walk();
    if (exact || !law)
      slot.element = std::make_unique<PeriodicInterface>(*interface.law, harmonics_, before);
    else
      slot.element = std::make_unique<PeriodicSteps>(*law, interface.law->size(), harmonics_,
                                                     options_, before);
    slot.members = {place_of_.size()};
    slot.along = interface.w;
    for (const Direction& direction : interface.w) {
      Eigen::VectorXd w = Eigen::VectorXd::Zero(dofs_);
      w.head(structure_->size()) = direction;
      slot.in.emplace_back(w.sparseView());
    }
    slot.out = slot.in;
    const Eigen::VectorXd u = preloaded ? displacements(interface, preloaded->x)
                                        : Eigen::VectorXd::Zero(interface.law->size()).eval();
    slot.tangent = tangent_about(*interface.law, u).diagonal().mean();
    slot.stiffness = slides_ ? 0 : std::abs(slot.tangent);
    place_of_.push_back({slots_.size() - 1, 0});
  }
}

std::size_t HarmonicBalance::owner(std::size_t member) const {
  if (member < given_joints_) return member;
  const std::size_t added = member - given_joints_;
  return added < owner_.size() ? owner_[added] : member - owner_.size();
}

const std::vector<Direction>& HarmonicBalance::directions(std::size_t member) const {
  return slots_[place_of_[member].slot].along;
}

/// The mean of a rigid-body motion is anything, unless static loads push it: then there is none.
void HarmonicBalance::hold_rigid_motions() {
  const Eigen::MatrixXd free = unheld_motions(*structure_);
  rigid_ = Eigen::MatrixXd::Zero(dofs_, free.cols());
  if (free.cols() == 0) return;
  rigid_.topRows(free.rows()) = structure_->M * free;
  const Eigen::VectorXd pushed = free.transpose() * static_force_.head(free.rows());
  const double size =
      static_force_.head(free.rows()).cwiseProduct(scales_.dofs().head(free.rows())).norm();
  const double moved =
      free.cwiseQuotient(scales_.dofs().head(free.rows()).replicate(1, free.cols())).norm();
  if (pushed.norm() > 1e-9 * size * moved)
    throw Error(
        "static loads push a structure that nothing holds: it never stops; hold it by a spring or "
        "let the loads balance");
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
    jacobian->structure(condensed_.get());
  }
  add_linear(y, residual, jacobian);
  return add_elements(y, residual, jacobian);
}

void HarmonicBalance::add_linear(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                 WideJacobian* jacobian) {
  const double omega = y[size()];
  if (condense_) {
    Eigen::VectorXd wrt_omega = Eigen::VectorXd::Zero(size());
    condensed_->add_linear(y, omega, residual, jacobian ? &wrt_omega : nullptr);
    if (jacobian) jacobian->replace_column(size(), wrt_omega);
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
    residual.head(dofs_) += scales_.square() * momentum.dot(y.head(dofs_)) * momentum;
    for (Eigen::Index i = 0; jacobian && i < dofs_; ++i)
      for (Eigen::Index j = 0; j < dofs_; ++j)
        if (momentum[i] != 0 && momentum[j] != 0)
          jacobian->add(i, j, scales_.square() * momentum[i] * momentum[j]);
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

Eigen::VectorXd HarmonicBalance::input_of(const ElementSlot& slot, const Eigen::VectorXd& y) const {
  const Eigen::Index r = slot.inputs();
  Eigen::VectorXd input(r * fourier_size_);
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    for (Eigen::Index i = 0; i < r; ++i)
      input[k * r + i] = slot.in[static_cast<std::size_t>(i)].dot(y.segment(k * dofs_, dofs_));
  return input;
}

Eigen::VectorXd HarmonicBalance::own_of(const ElementSlot& slot, const Eigen::VectorXd& y) const {
  return slot.own_units.cwiseProduct(y.segment(slot.own, slot.own_units.size()));
}

void HarmonicBalance::evaluate_elements(const Eigen::VectorXd& y, bool with_jacobian) {
  // A thread must have some milliseconds to do before it pays to start it.
  const auto work = static_cast<Eigen::Index>(slots_.size()) * fourier_size_ * (slides_ ? 20 : 1);
  in_parallel(slots_.size(), work < 500 ? 1 : thread_count(0), [&](std::size_t i) {
    const ElementSlot& slot = slots_[i];
    slot.element->respond(input_of(slot, y), own_of(slot, y), y[size()], with_jacobian);
  });
}

bool HarmonicBalance::add_elements(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                   WideJacobian* jacobian) {
  evaluate_elements(y, jacobian != nullptr);
  mean_noise_.setZero(dofs_);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const ElementSlot& slot = slots_[i];
    status_ = slot.element->reply().status;
    if (status_ != Status::ok) return false;
    for (const Eigen::SparseVector<double>& out : slot.out)
      if (slot.element->reply().mean_noise > 0)
        mean_noise_ += slot.element->reply().mean_noise * Eigen::VectorXd(out).cwiseAbs();
    if (jacobian && jacobian->structured()) condensed_->set_element(i, slot.element->end());
    add_force(slot, residual, jacobian);
    add_end(slot, y, residual, jacobian);
  }
  return true;
}

/// Forces of an element on the structure and on the equations of its inputs.
void HarmonicBalance::add_force(const ElementSlot& slot, Eigen::VectorXd& residual,
                                WideJacobian* jacobian) const {
  using Entry = Eigen::SparseVector<double>::InnerIterator;
  const PeriodicForce& reply = slot.element->reply();
  const Eigen::Index r = slot.inputs();
  // Adds to all rows that a force acts on.
  const auto act = [&](Eigen::Index place, const auto& on) {
    for (Entry m(slot.out[static_cast<std::size_t>(place % r)]); m; ++m)
      on(place / r * dofs_ + m.index(), m.value());
  };
  for (Eigen::Index a = 0; a < reply.coefficients.size(); ++a)
    act(a, [&](Eigen::Index row, double part) { residual[row] += part * reply.coefficients[a]; });
  if (!jacobian) return;
  if (slot.element->depends_on_frequency())
    for (Eigen::Index a = 0; a < reply.coefficients.size(); ++a)
      act(a, [&](Eigen::Index row, double part) {
        jacobian->add(row, size(), part * reply.wrt_omega[a]);
      });
  // A loop that slips or whose memory fades does not hold a mean. Where there is none, a trace
  // of the stiffness at rest keeps a structure regular that only such joints hold.
  const double trace = reply.coefficients.head(r).isZero(0) ? 1e-6 * slot.stiffness : 0;
  if (jacobian->structured()) {
    Eigen::MatrixXd slopes = reply.jacobian;
    slopes.topLeftCorner(r, r).diagonal().array() += trace;
    condensed_->set_slopes(static_cast<std::size_t>(&slot - slots_.data()), slopes);
    return;
  }
  for (Eigen::Index a = 0; a < reply.coefficients.size(); ++a)
    act(a, [&](Eigen::Index row, double part) {
      for (Eigen::Index b = 0; b < reply.coefficients.size(); ++b) {
        const double slope = reply.jacobian(a, b) + (a == b && a < r ? trace : 0);
        if (slope == 0) continue;
        for (Entry m(slot.in[static_cast<std::size_t>(b % r)]); m; ++m)
          jacobian->add(row, b / r * dofs_ + m.index(), part * slope * m.value());
      }
      for (Eigen::Index b = 0; b < slot.own_units.size() && !slot.follows(); ++b)
        jacobian->add(row, slot.own + b,
                      part * slot.element->end().force_wrt_start(a, b) * slot.own_units[b]);
    });
}

/// The period of an element ends where it began.
void HarmonicBalance::add_end(const ElementSlot& slot, const Eigen::VectorXd& y,
                              Eigen::VectorXd& residual, WideJacobian* jacobian) const {
  using Entry = Eigen::SparseVector<double>::InnerIterator;
  const PeriodEnd& end = slot.element->end();
  const Eigen::Index r = slot.inputs();
  for (Eigen::Index i = 0; i < slot.own_units.size(); ++i) {
    const Eigen::Index row = slot.own + i;
    const double weight = slot.own_weight() * slot.own_rows[i];
    const double unit = weight / slot.own_units[i];
    residual[row] += weight * y[row] - unit * end.at[i];
    if (!jacobian) continue;
    jacobian->add(row, size(), -unit * end.wrt_omega[i]);
    if (jacobian->structured()) continue;
    jacobian->add(row, row, weight);
    for (Eigen::Index k = 0; k < end.wrt_start.cols(); ++k)
      jacobian->add(row, slot.own + k, -unit * end.wrt_start(i, k) * slot.own_units[k]);
    for (Eigen::Index b = 0; b < end.wrt_input.cols(); ++b)
      for (Entry m(slot.in[static_cast<std::size_t>(b % r)]); m; ++m)
        jacobian->add(row, b / r * dofs_ + m.index(), -unit * end.wrt_input(i, b) * m.value());
  }
}

void HarmonicBalance::close_periods(Eigen::VectorXd& y) {
  for (const ElementSlot& slot : slots_) {
    if (slot.own_units.size() == 0) continue;
    Eigen::VectorXd own;
    if (slot.element->close(input_of(slot, y), y[size()], own))
      y.segment(slot.own, own.size()) = own.cwiseQuotient(slot.own_units);
  }
}

const JointLoop& HarmonicBalance::loop(std::size_t joint) const {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->loop(member);
}

const PeriodicForce& HarmonicBalance::joint_force(std::size_t joint) const {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->force(member);
}

LinearisedLoop HarmonicBalance::linearise(const Eigen::VectorXd& y, std::size_t joint, int steps) {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->linearise(member, input_of(slots_[slot], y), steps);
}

bool HarmonicBalance::linearises() const {
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const ElementSlot& slot) { return slot.element->linearises(); });
}

/// What a law that depends on the rate loses between nodes is known only as well as its path, and one
/// that slides has more harmonics than the structure: the work of the force is better.
double HarmonicBalance::joint_energy(const Eigen::VectorXd& y, std::size_t joint) const {
  const PeriodicForce& force = joint_force(joint);
  if (!slots_[place_of_[joint].slot].element->depends_on_frequency()) return force.energy;
  const Eigen::VectorXd q = joint_motion(y, joint);
  double sum = 0;
  for (int h = 1; h <= harmonics_; ++h)
    sum += h * (force.coefficients[cosine(h)] * q[sine(h)] -
                force.coefficients[sine(h)] * q[cosine(h)]);
  return std::numbers::pi * sum;
}

/// Forces of harmonics left out act through the impedance of each degree of freedom alone.
double HarmonicBalance::truncation(const Eigen::VectorXd& y) {
  if (at_rest(y) || !(scales_.largest_vibration(y) > 0)) return 0;
  const Structure& s = *structure_;
  const double omega = y[size()];
  const double in_units = scales_.largest_vibration(y);
  double largest = 0;
  for (const ElementSlot& slot : slots_) {
    const auto moved = [&](Eigen::Index input, int h, double force) {
      double change = 0;
      for (Direction::InnerIterator w(slot.along[static_cast<std::size_t>(input)]); w; ++w) {
        const Eigen::Index i = w.index();
        const double impedance =
            std::abs(s.K.coeff(i, i) - h * h * omega * omega * s.M.coeff(i, i)) +
            h * omega * std::abs(s.C.coeff(i, i));
        change = std::max(change,
                          std::abs(w.value()) * force / (impedance * scales_.dofs()[i] * in_units));
      }
      return change;
    };
    largest = std::max(largest, slot.element->truncation(input_of(slot, y), omega,
                                                         {scales_.largest_motion(y), moved}));
  }
  return largest;
}

double HarmonicBalance::quadrature(const Eigen::VectorXd& y) {
  double largest = 0;
  for (const ElementSlot& slot : slots_)
    largest = std::max(largest, slot.element->quadrature(input_of(slot, y), y[size()]));
  return largest;
}

bool HarmonicBalance::filled() const { return is_filled(structure_->K); }

bool HarmonicBalance::worth_condensing() const {
  constexpr Eigen::Index most_dofs = 1000;  // all modes are needed
  constexpr std::size_t most_joints = 300;  // blocks of so many rows and columns are factorised
  if (size() <= 300) return false;
  if (filled()) return true;
  const Eigen::Index n = structure_->size();
  if (slides_ || n > most_dofs || structure_->joints.size() > most_joints) return false;
  // Chains are solved at once as they are; a motion that is held by its momentum fills the matrix.
  return rigid_.cols() > 0 || structure_->K.nonZeros() > 5 * n;
}

std::size_t HarmonicBalance::hardest_joint(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  std::vector<Eigen::VectorXd> expected;
  const auto failed = [&] {
    for (const ElementSlot& slot : slots_)
      if (slot.element->reply().status != Status::ok) return owner(slot.members.front()) + 1;
    return std::size_t{0};
  };
  evaluate_elements(from, true);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  for (const ElementSlot& slot : slots_) {
    const PeriodicForce& reply = slot.element->reply();
    expected.push_back(reply.coefficients +
                       reply.jacobian * (input_of(slot, to) - input_of(slot, from)));
    if (!slot.follows())
      expected.back() +=
          slot.element->end().force_wrt_start * (own_of(slot, to) - own_of(slot, from));
  }
  evaluate_elements(to, false);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  std::size_t hardest = 0;
  double largest = -1;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t joint = slots_[i].members.front();
    const Eigen::VectorXd& w = slots_[i].along.front();
    const double error = (slots_[i].element->reply().coefficients - expected[i]).norm() *
                         w.cwiseProduct(scales_.dofs().head(w.size())).norm();
    if (error <= largest) continue;
    largest = error;
    hardest = owner(joint) + 1;
  }
  return hardest;
}

bool HarmonicBalance::condense(bool wanted) {
  if (wanted && !condensed_)
    condensed_ = std::make_shared<Condensed>(*structure_, harmonics_, M_, C_, K_, slots_,
                                             scales_.square() * rigid_ * rigid_.transpose());
  const bool before = condense_;
  condense_ = wanted && condensed_->usable();
  return before;
}

void HarmonicBalance::refuse_drifting_joints(const Eigen::VectorXd& y) {
  const auto refuse = [&](std::size_t joint) {
    throw Error("joint " + std::to_string(owner(joint) + 1) + " (" +
                structure_->joints[joint].model.description().name +
                ") changes with every cycle and never repeats its loop, so there is no steady "
                "response; use kind = \"time\"");
  };
  for (std::size_t j = 0; j < structure_->joints.size(); ++j)
    if (!structure_->joints[j].model.repeats()) refuse(j);
  for (const InterfaceElement& interface : structure_->interfaces)
    if (const AnyModel* law = interface.law->model(); law && !law->repeats())
      throw Error("the joint " + law->description().name +
                  " changes with every cycle and never repeats its loop, so there is no steady "
                  "response; use kind = \"time\"");
  for (const ElementSlot& slot : slots_)
    if (slot.element->drifts(input_of(slot, y), y[size()])) refuse(slot.members.front());
}

Eigen::VectorXd HarmonicBalance::joint_motion(const Eigen::VectorXd& y, std::size_t joint) const {
  const Eigen::VectorXd& w = structure_->joints[joint].w;
  Eigen::VectorXd q(fourier_size_);
  for (Eigen::Index k = 0; k < fourier_size_; ++k) q[k] = w.dot(y.segment(k * dofs_, w.size()));
  return q;
}

Eigen::VectorXd HarmonicBalance::linear_response(double omega) {
  Eigen::VectorXd y = static_unknowns_;
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

Eigen::VectorXd HarmonicBalance::response_without_sliding(double omega) const {
  Structure rest = *structure_;
  std::erase_if(rest.joints, [](const JointElement& joint) { return joint.model.rigid(); });
  const Eigen::Index n = rest.size();
  const Eigen::VectorXd motion = HarmonicBalance(rest, harmonics_).linear_response(omega);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size() + 1);
  for (Eigen::Index k = 0; k < fourier_size_; ++k)
    y.segment(k * dofs_, n) = motion.segment(k * n, n);
  y[size()] = omega;
  return y;
}

UnknownCount count_unknowns(const Structure& structure, const PeriodicOptions& options) {
  Eigen::Index ways = 0;
  for (const TiedJoints& tied : tied_joints(structure, sliding_joints(structure, options)))
    ways += static_cast<Eigen::Index>(tied.leaders.size());
  return {structure.size() + ways, 2 * ways};
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
