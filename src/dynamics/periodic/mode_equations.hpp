#pragma once

#include <algorithm>
#include <cmath>

#include "dynamics/balance/condensed.hpp"
#include "dynamics/balance/harmonic_balance.hpp"

namespace microslip::dynamics {

/// Unknowns: the motion divided by the amplitude a (its mean by the largest amplitude), ω, ζ, and
/// ln a last; shape and ω in units of the mode at rest and of the degrees of freedom, so that all
/// are about 1 in any coordinates.
class ModeEquations : public Equations {
 public:
  /// `whole` is shared by equations with other harmonics.
  ModeEquations(const std::shared_ptr<const BalancedStructure>& whole, int harmonics,
                const PeriodicOptions& options, const Eigen::VectorXd& shape, double omega_unit,
                double largest)
      : balance(whole, harmonics, options),
        n_(balance.dofs()),
        size_(balance.size()),
        omega_unit_(omega_unit),
        M_(whole->structure().M),
        masses_(Eigen::VectorXd(M_.diagonal()).cwiseAbs()) {
    M_.conservativeResize(n_, n_);
    const Eigen::VectorXd& units = balance.scales().dofs();
    const double length =
        shape.cwiseAbs().cwiseQuotient(units.head(shape.size())).maxCoeff(&master_);
    units_ = length * balance.units();
    units_.head(n_) *= largest;
    // Loose, sliding joints leave the linear structure in its own mode, where it is singular.
    if (balance.worth_condensing() && !balance.slides()) balance.condense(true);
  }

  Eigen::Index size() const override { return size_ + 2; }
  double residual_scale(const Eigen::VectorXd& y) const override { return scale_at(in_units(y)); }
  double relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const override {
    const Eigen::VectorXd& units = balance.scales().unknowns();
    double largest = residual.tail(2).lpNorm<Eigen::Infinity>();
    const double a = std::exp(y[size_ + 2]);
    for (Eigen::Index k = 0; k < size_; ++k) {
      const double noise = k < n_ ? balance.mean_noise()[k] / a : 0;
      const double here = std::max(std::abs(residual[k]) - noise, 0.0) * units[k];
      largest = here <= largest ? largest : here < HUGE_VAL ? here : HUGE_VAL;
    }
    return largest / residual_scale(y);
  }
  double rounding(const Eigen::VectorXd& y) const override {
    const Eigen::VectorXd full = in_units(y);
    return balance.scales().rounding_of_forces() * balance.scales().largest_in_units(full) /
           scale_at(full);
  }
  Eigen::Index master() const { return master_; }
  /// Begins with the displacement under the static loads.
  void set_rest(Eigen::VectorXd& y) const {
    y.head(n_) = balance.static_unknowns().head(n_).cwiseQuotient(units_.head(n_));
  }
  /// Of the shape, among the unknowns.
  Eigen::VectorXd in_unknowns(const Eigen::VectorXd& shape) const {
    return shape.cwiseQuotient(units_.segment(n_, shape.size()));
  }

  /// The motion itself, with ω last, as harmonic balance wants it.
  Eigen::VectorXd motion(const Eigen::VectorXd& y) const {
    const double a = std::exp(y[size_ + 2]);
    Eigen::VectorXd full = in_units(y).head(size_ + 1);
    full.segment(n_, size_ - n_) *= a;
    return full;
  }

  /// The same of amplitude 1.
  Eigen::VectorXd displacements(const Eigen::VectorXd& y) const { return in_units(y).head(size_); }

  /// What pushes sliding joints through the motion, as if they never stuck, or, if given, with the
  /// forces that hold them in a motion of amplitude 1.
  void set_sliding_forces(Eigen::VectorXd& y, const Eigen::VectorXd& holds) {
    Eigen::VectorXd full = motion(y);
    const double a = std::exp(y[size_ + 2]);
    if (holds.size() == 0)
      balance.starts().set_sliding_forces(full);
    else
      balance.starts().set_stuck_forces(a * holds, full);
    full.segment(n_, size_ - n_) /= a;
    y.head(size_) = full.head(size_).cwiseQuotient(units_);
  }

  double omega(const Eigen::VectorXd& y) const { return y[size_] * omega_unit_; }

  bool evaluate(const Eigen::VectorXd& scaled, Eigen::VectorXd& residual,
                WideJacobian* jacobian) override {
    const Eigen::VectorXd y = in_units(scaled);
    const double omega = y[size_];
    const double zeta = y[size_ + 1];
    const double a = std::exp(y[size_ + 2]);
    Eigen::VectorXd force;
    if (jacobian) jacobian->reset(size(), balance.filled() && !balance.condensed());
    if (!balance.accumulate(motion(scaled), force, jacobian)) return false;
    residual.resize(size_ + 2);
    residual.head(size_) = force / a;
    Eigen::VectorXd wrt_zeta = Eigen::VectorXd::Zero(size_);
    for (int h = 1; h <= balance.harmonics(); ++h) {
      const Eigen::Index c = (2 * h - 1) * n_;
      const Eigen::Index s = 2 * h * n_;
      wrt_zeta.segment(c, n_) = -2.0 * h * omega * omega * (M_ * y.segment(s, n_));
      wrt_zeta.segment(s, n_) = 2.0 * h * omega * omega * (M_ * y.segment(c, n_));
    }
    residual.head(size_) += zeta * wrt_zeta;
    const Eigen::VectorXd ma = M_ * y.segment(n_, n_);
    const Eigen::VectorXd mb = M_ * y.segment(2 * n_, n_);
    const double scale = scale_at(y);
    residual[size_] = scale * (y.segment(n_, n_).dot(ma) + y.segment(2 * n_, n_).dot(mb) - 1);
    residual[size_ + 1] = scale * scaled[2 * n_ + master_];
    if (!jacobian) return true;

    // The forces are divided by a, and all of the motion but its mean is multiplied by it.
    Eigen::VectorXd units(size_ + 3);
    units << units_, omega_unit_ / a, 1, 1;
    units.head(n_) /= a;
    jacobian->scale_columns(units);
    // By ln a: the motion grows in proportion, the equations are divided by a.
    Eigen::VectorXd grows = scaled;
    grows.head(n_).setZero();
    grows.tail(3).setZero();
    const Eigen::VectorXd by_log = jacobian->times(grows).head(size_) - force / a;
    const Eigen::VectorXd wrt_omega = 2 * zeta / omega * omega_unit_ * wrt_zeta;
    for (Eigen::Index i = 0; i < size_; ++i) {
      jacobian->add(i, size_, wrt_omega[i]);
      jacobian->add(i, size_ + 1, wrt_zeta[i]);
      jacobian->add(i, size_ + 2, by_log[i]);
    }
    for (Eigen::Index i = 0; i < n_; ++i) {
      jacobian->add(size_, n_ + i, 2 * scale * units_[n_ + i] * ma[i]);
      jacobian->add(size_, 2 * n_ + i, 2 * scale * units_[n_ + i] * mb[i]);
    }
    jacobian->add(size_ + 1, 2 * n_ + master_, scale);
    if (balance.condensed())
      balance.condensed()->set_negative_damping(zeta);
    else
      add_negative_damping(2 * zeta * omega * omega, *jacobian);
    return true;
  }

  HarmonicBalance balance;

 private:
  Eigen::VectorXd in_units(Eigen::VectorXd y) const {
    y.head(size_) = y.head(size_).cwiseProduct(units_).eval();
    y[size_] *= omega_unit_;
    return y;
  }

  void add_negative_damping(double factor, WideJacobian& jacobian) const {
    for (int h = 1; h <= balance.harmonics(); ++h)
      for (Eigen::Index j = 0; j < M_.outerSize(); ++j)
        for (SparseMatrix::InnerIterator entry(M_, j); entry; ++entry) {
          const Eigen::Index c = (2 * h - 1) * n_;
          const Eigen::Index s = 2 * h * n_;
          const double value = h * factor * entry.value() * units_[n_ + entry.col()];
          jacobian.add(c + entry.row(), s + entry.col(), -value);
          jacobian.add(s + entry.row(), c + entry.col(), value);
        }
  }

  double scale_at(const Eigen::VectorXd& y) const {
    const double square = std::max(y[size_] * y[size_], 1e-12 * omega_unit_ * omega_unit_);
    const Eigen::VectorXd& units = balance.scales().dofs();
    double largest = 0;
    for (Eigen::Index i = 0; i < masses_.size(); ++i)
      largest = std::max(
          largest, masses_[i] * units[i] * std::max(std::abs(y[n_ + i]), std::abs(y[2 * n_ + i])));
    return square * largest;
  }

  Eigen::Index n_, size_, master_ = 0;
  double omega_unit_;
  SparseMatrix M_;
  Eigen::VectorXd masses_;
  Eigen::VectorXd units_;  ///< of the coefficients
};

}  // namespace microslip::dynamics
