#include "dynamics/balance/harmonic_balance.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "dynamics/balance/condensed.hpp"
#include "dynamics/balance/periodic_loads.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "microslip/core/error.hpp"

namespace microslip::dynamics {
namespace {

int checked_harmonics(int harmonics) {
  if (harmonics < 1) throw Error("harmonics = " + std::to_string(harmonics) + " must be 1 or more");
  return harmonics;
}

/// Degrees of freedom that the stiffness or a joint with several directions couples, pair by pair.
Eigen::Index coupled_pairs(const Structure& structure) {
  if (structure.interfaces.empty()) return structure.K.nonZeros();
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index column = 0; column < structure.K.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(structure.K, column); entry; ++entry)
      entries.emplace_back(entry.row(), entry.col(), 1);
  for (const InterfaceElement& interface : structure.interfaces) {
    std::set<Eigen::Index> touched;
    for (const Direction& w : interface.w)
      for (Direction::InnerIterator entry(w); entry; ++entry) touched.insert(entry.index());
    for (const Eigen::Index i : touched)
      for (const Eigen::Index j : touched) entries.emplace_back(i, j, 1);
  }
  SparseMatrix pattern(structure.size(), structure.size());
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern.nonZeros();
}

}  // namespace

HarmonicBalance::HarmonicBalance(const Structure& structure, int harmonics,
                                 const PeriodicOptions& options)
    : HarmonicBalance(std::make_shared<const BalancedStructure>(structure, options),
                      checked_harmonics(harmonics), options) {}

HarmonicBalance::HarmonicBalance(std::shared_ptr<const BalancedStructure> whole, int harmonics,
                                 const PeriodicOptions& options)
    : whole_(std::move(whole)),
      harmonics_(checked_harmonics(harmonics)),
      options_(options),
      size_(whole_->size(harmonics)),
      static_force_(static_loads(structure(), size_.dofs, harmonics)),
      elements_(*whole_, harmonics, options, preloaded()) {
  periodic_force_ = periodic_loads(structure(), size_.dofs, harmonics);
  for (Eigen::VectorXd* force : {&static_force_, &periodic_force_}) {
    force->conservativeResize(size());
    force->tail(size_.own).setZero();
  }
  force_ = static_force_ + periodic_force_;
  mean_noise_.setZero(size_.dofs);
  scales_ = BalanceScales(structure(), whole_->M(), whole_->K(), elements_.slots(), size_,
                          options.reference_omega);
  hold_rigid_motions();
  static_unknowns_ = preloaded() ? starts().at_rest() : Eigen::VectorXd::Zero(size() + 1).eval();
}

HarmonicBalance::~HarmonicBalance() = default;

/// Static loads, and laws that push at rest, come first.
bool HarmonicBalance::preloaded() const {
  return !static_force_.isZero(0) || !whole_->at_first().x.isZero(0);
}

/// The mean of a rigid-body motion is anything, unless static loads push it: then there is none.
void HarmonicBalance::hold_rigid_motions() {
  const Eigen::MatrixXd& free = whole_->unheld();
  rigid_ = Eigen::MatrixXd::Zero(size_.dofs, free.cols());
  if (free.cols() == 0) return;
  rigid_.topRows(free.rows()) = structure().M * free;
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
    const Eigen::VectorXd image = matrix * y.segment(column * size_.dofs, size_.dofs);
    residual.segment(row * size_.dofs, size_.dofs) += factor * image;
    if (!jacobian) return;
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
        jacobian->add(row * size_.dofs + entry.row(), column * size_.dofs + entry.col(),
                      factor * entry.value());
    if (factor_by_omega != 0)
      for (Eigen::Index i = 0; i < size_.dofs; ++i)
        jacobian->add(row * size_.dofs + i, size(), factor_by_omega * image[i]);
  };
  add(whole_->K(), 0, 0, 1, 0);
  for (Eigen::Index r = 0; r < rigid_.cols(); ++r) {
    const Eigen::VectorXd& momentum = rigid_.col(r);
    residual.head(size_.dofs) += scales_.square() * momentum.dot(y.head(size_.dofs)) * momentum;
    for (Eigen::Index i = 0; jacobian && i < size_.dofs; ++i)
      for (Eigen::Index j = 0; j < size_.dofs; ++j)
        if (momentum[i] != 0 && momentum[j] != 0)
          jacobian->add(i, j, scales_.square() * momentum[i] * momentum[j]);
  }
  for (int h = 1; h <= harmonics_; ++h) {
    const double rate = h * omega;
    for (const Eigen::Index k : {place_of_cosine(h), place_of_sine(h)}) {
      add(whole_->K(), k, k, 1, 0);
      add(whole_->M(), k, k, -rate * rate, -2.0 * h * rate);
    }
    add(whole_->C(), place_of_cosine(h), place_of_sine(h), rate, h);
    add(whole_->C(), place_of_sine(h), place_of_cosine(h), -rate, -h);
  }
}

bool HarmonicBalance::add_elements(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                                   WideJacobian* jacobian) {
  if (elements_.evaluate(y, jacobian != nullptr) != Status::ok) return false;
  mean_noise_ = elements_.mean_noise();
  const std::vector<ElementSlot>& slots = elements_.slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const ElementSlot& slot = slots[i];
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
      on(place / r * size_.dofs + m.index(), m.value());
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
    condensed_->set_slopes(static_cast<std::size_t>(&slot - elements_.slots().data()), slopes);
    return;
  }
  for (Eigen::Index a = 0; a < reply.coefficients.size(); ++a)
    act(a, [&](Eigen::Index row, double part) {
      for (Eigen::Index b = 0; b < reply.coefficients.size(); ++b) {
        const double slope = reply.jacobian(a, b) + (a == b && a < r ? trace : 0);
        if (slope == 0) continue;
        for (Entry m(slot.in[static_cast<std::size_t>(b % r)]); m; ++m)
          jacobian->add(row, b / r * size_.dofs + m.index(), part * slope * m.value());
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
        jacobian->add(row, b / r * size_.dofs + m.index(), -unit * end.wrt_input(i, b) * m.value());
  }
}

double HarmonicBalance::truncation(const Eigen::VectorXd& y) {
  if (at_rest(y) || !(scales_.largest_vibration(y) > 0)) return 0;
  return elements_.truncation(y, scales_);
}

bool HarmonicBalance::filled() const { return is_filled(structure().K); }

bool HarmonicBalance::worth_condensing() const {
  constexpr Eigen::Index most_dofs = 1000;  // all modes are needed
  constexpr std::size_t most_joints = 300;  // blocks of so many rows and columns are factorised
  if (size() <= 300) return false;
  if (filled()) return true;
  const Eigen::Index n = structure().size();
  if (slides() || n > most_dofs || structure().joints.size() > most_joints) return false;
  // Chains are solved at once as they are; a motion that is held by its momentum fills the matrix.
  return rigid_.cols() > 0 || coupled_pairs(structure()) > 5 * n;
}

bool HarmonicBalance::condense(bool wanted) {
  if (wanted && !condensed_)
    condensed_ = std::make_shared<Condensed>(*whole_, harmonics_, elements_.slots(),
                                             scales_.square() * rigid_ * rigid_.transpose());
  const bool before = condense_;
  condense_ = wanted && condensed_->usable();
  return before;
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
