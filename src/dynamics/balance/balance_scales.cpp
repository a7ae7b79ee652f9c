#include "dynamics/balance/balance_scales.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/balance/element_slot.hpp"

namespace microslip::dynamics {

BalanceScales::BalanceScales(const Structure& structure, const SparseMatrix& M,
                             const SparseMatrix& K, const std::vector<ElementSlot>& slots,
                             const BalanceSize& size, double reference_omega)
    : size_(size) {
  const Eigen::Index n = size.structure;
  masses_ = Eigen::VectorXd(structure.M.diagonal()).cwiseAbs();
  largest_stiffness_ = Eigen::VectorXd(structure.K.diagonal()).lpNorm<Eigen::Infinity>();
  Eigen::VectorXd stiffness = Eigen::VectorXd(K.diagonal()).cwiseAbs();
  const Eigen::VectorXd mass = Eigen::VectorXd(M.diagonal()).cwiseAbs();
  for (const ElementSlot& slot : slots)
    for (const Direction& w : slot.along) stiffness.head(n) += slot.stiffness * w.cwiseAbs2();
  square_ = reference_omega * reference_omega;
  for (Eigen::Index i = 0; i < n && !(reference_omega > 0); ++i)
    if (stiffness[i] > 0 && (square_ == 0 || stiffness[i] < square_ * mass[i]))
      square_ = stiffness[i] / mass[i];
  if (!(square_ > 0)) square_ = 1;  // masses alone: a factor common to all
  stiffness += square_ * mass;
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) sum += std::log(stiffness[i]);
  const double usual = std::exp(-0.5 * sum / static_cast<double>(n));
  dofs_.resize(size.dofs);
  // Pushes on sliding joints are displacements, too, and then all are measured alike.
  for (Eigen::Index i = 0; i < size.dofs; ++i)
    dofs_[i] = !size.slides && stiffness[i] > 0 ? 1 / std::sqrt(stiffness[i]) : usual;
  unknowns_.resize(size.unknowns());
  unknowns_ << dofs_.replicate(size.fourier_size, 1), Eigen::VectorXd::Constant(size.own, usual);
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator entry(structure.K, j); entry; ++entry)
      rows[entry.row()] += std::abs(entry.value()) * dofs_[j] * dofs_[entry.row()];
  rounding_ = 1e-15 * std::max(1.0, rows.maxCoeff());
}

double BalanceScales::largest_motion(const Eigen::VectorXd& y) const {
  double motion = 0;
  for (Eigen::Index k = 0; k < size_.fourier_size; ++k)
    motion = std::max(motion, y.segment(k * size_.dofs, size_.structure).lpNorm<Eigen::Infinity>());
  return motion;
}

double BalanceScales::largest_in_units(const Eigen::VectorXd& y, Eigen::Index first) const {
  double motion = 0;
  const Eigen::Index n = size_.structure;
  for (Eigen::Index k = first; k < size_.fourier_size; ++k)
    motion = std::max(
        motion,
        y.segment(k * size_.dofs, n).cwiseQuotient(dofs_.head(n)).lpNorm<Eigen::Infinity>());
  return motion;
}

Eigen::VectorXd BalanceScales::of_arc_length(const Eigen::VectorXd& static_force,
                                             const Eigen::VectorXd& periodic_force) const {
  Eigen::VectorXd units = unknowns_;
  const auto size = [&](const Eigen::VectorXd& force) {
    return force.cwiseProduct(unknowns_).lpNorm<Eigen::Infinity>();
  };
  const double constant = size(static_force), periodic = size(periodic_force);
  if (!size_.slides && periodic > 0 && constant > periodic)
    units.head(size_.dofs) *= constant / periodic;
  return units;
}

double BalanceScales::scale_from(Eigen::Index first, const Eigen::VectorXd& y,
                                 const Eigen::VectorXd& force) const {
  const double omega = y[size_.unknowns()];
  double external = 0, inertia = 0;
  for (Eigen::Index k = first; k < size_.fourier_size; ++k) {
    const double rate = static_cast<double>((k + 1) / 2) * omega;
    for (Eigen::Index i = 0; i < size_.dofs; ++i)
      external = std::max(external, std::abs(force[k * size_.dofs + i]) * dofs_[i]);
    for (Eigen::Index i = 0; i < size_.structure; ++i)
      inertia =
          std::max(inertia, rate * rate * masses_[i] * dofs_[i] * std::abs(y[k * size_.dofs + i]));
  }
  if (size_.slides) inertia = largest_stiffness_ * dofs_[0] * largest_motion(y);
  return std::max({external, 1e-3 * inertia, 1e-300});
}

double BalanceScales::relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual,
                               const Eigen::VectorXd& force,
                               const Eigen::VectorXd& mean_noise) const {
  double mean = 0, vibration = 0;
  for (Eigen::Index k = 0; k < residual.size(); ++k) {
    double& largest = k < size_.dofs ? mean : vibration;
    const double noise = k < size_.dofs ? mean_noise[k] : 0;
    const double here = std::max(std::abs(residual[k]) - noise, 0.0) * unknowns_[k];
    // A NaN counts as infinitely large.
    largest = here <= largest ? largest : here < HUGE_VAL ? here : HUGE_VAL;
  }
  return std::max(mean / force_scale(y, force), vibration / vibration_scale(y, force));
}

double BalanceScales::rounding(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
  if (size_.slides) return 0;
  return rounding_ * largest_in_units(y) / vibration_scale(y, force);
}

double BalanceScales::largest_force(Eigen::Index first, const Eigen::VectorXd& force) const {
  double external = 0;
  for (Eigen::Index k = first; k < force.size(); ++k)
    external = std::max(external, std::abs(force[k]) * unknowns_[k]);
  return external;
}

bool BalanceScales::at_rest(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
  return largest_in_units(y) <= 1e-12 * largest_force(0, force);
}

bool BalanceScales::moves(const Eigen::VectorXd& y, const Eigen::VectorXd& force,
                          Eigen::Index dof) const {
  const double first = std::hypot(y[size_.dofs + dof], y[2 * size_.dofs + dof]) / dofs_[dof];
  return first > solved_for * std::max(largest_force(size_.dofs, force), largest_in_units(y, 1));
}

bool BalanceScales::without_bound(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
  constexpr double most = 1e10;
  const double periodic = largest_force(size_.dofs, force);
  return periodic > 0 && largest_in_units(y, 1) > most * periodic;
}

double BalanceScales::exchange(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
  const double periodic = largest_force(size_.dofs, force);
  return periodic * std::max(periodic, largest_in_units(y, 1));
}

}  // namespace microslip::dynamics
