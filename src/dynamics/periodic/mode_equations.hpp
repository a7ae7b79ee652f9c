#pragma once

#include <algorithm>
#include <cmath>

#include "microslip/dynamics/periodic/harmonic_balance.hpp"

namespace microslip::dynamics {

/// Unknowns: the motion divided by the amplitude a (its mean as it is), ω, ζ, and ln a last; shape
/// and ω in units of the mode at rest, so that all are about 1.
class ModeEquations : public Equations {
 public:
  ModeEquations(const Structure& structure, int harmonics, const PeriodicOptions& options,
                Eigen::Index master, double shape_unit, double omega_unit)
      : balance(structure, harmonics, options),
        n_(balance.dofs()),
        size_(balance.size()),
        master_(master),
        shape_unit_(shape_unit),
        omega_unit_(omega_unit),
        M_(structure.M),
        least_mass_(Eigen::VectorXd(M_.diagonal()).cwiseAbs().minCoeff()) {
    M_.conservativeResize(n_, n_);
    // Loose, sliding joints leave the linear structure in its own mode, where it is singular.
    if (balance.worth_condensing() && !balance.slides()) balance.condense(true);
  }

  Eigen::Index size() const override { return size_ + 2; }
  double noise() const override { return balance.noise(); }
  double residual_scale(const Eigen::VectorXd& y) const override { return scale_at(in_units(y)); }

  /// The motion itself, with ω last, as harmonic balance wants it.
  Eigen::VectorXd motion(const Eigen::VectorXd& y) const {
    const double a = std::exp(y[size_ + 2]);
    Eigen::VectorXd full = in_units(y).head(size_ + 1);
    full.segment(n_, size_ - n_) *= a;
    return full;
  }

  /// What pushes sliding joints through the motion, as if they never stuck, or, if given, with the
  /// forces that hold them in a motion of amplitude 1.
  void push_joints(Eigen::VectorXd& y, const Eigen::VectorXd& holds) const {
    Eigen::VectorXd full = motion(y);
    const double a = std::exp(y[size_ + 2]);
    if (holds.size() == 0)
      balance.push_joints(full);
    else
      balance.hold_joints(a * holds, full);
    full.segment(n_, size_ - n_) /= a * shape_unit_;
    y.head(size_) = full.head(size_);
  }

  double omega(const Eigen::VectorXd& y) const { return y[size_] * omega_unit_; }

  bool evaluate(const Eigen::VectorXd& scaled, Eigen::VectorXd& residual,
                WideJacobian* jacobian) override {
    const Eigen::VectorXd y = in_units(scaled);
    const double omega = y[size_];
    const double zeta = y[size_ + 1];
    const double a = std::exp(y[size_ + 2]);
    Eigen::VectorXd force;
    if (jacobian) jacobian->reset(size(), balance.filled());
    if (!balance.accumulate(motion(scaled), force, jacobian)) return false;
    residual.resize(size_ + 2);
    residual.head(size_) = force / a;
    Eigen::VectorXd by_zeta = Eigen::VectorXd::Zero(size_);
    for (int h = 1; h <= balance.harmonics(); ++h) {
      const Eigen::Index c = (2 * h - 1) * n_;
      const Eigen::Index s = 2 * h * n_;
      by_zeta.segment(c, n_) = -2.0 * h * omega * omega * (M_ * y.segment(s, n_));
      by_zeta.segment(s, n_) = 2.0 * h * omega * omega * (M_ * y.segment(c, n_));
    }
    residual.head(size_) += zeta * by_zeta;
    const Eigen::VectorXd ma = M_ * y.segment(n_, n_);
    const Eigen::VectorXd mb = M_ * y.segment(2 * n_, n_);
    const double scale = scale_at(y);
    residual[size_] = scale * (y.segment(n_, n_).dot(ma) + y.segment(2 * n_, n_).dot(mb) - 1);
    residual[size_ + 1] = scale * y[2 * n_ + master_];
    if (!jacobian) return true;

    // The forces are divided by a, and all of the motion but its mean is multiplied by it.
    Eigen::VectorXd units = Eigen::VectorXd::Constant(size_ + 3, shape_unit_);
    units.head(n_).setConstant(1 / a);
    units.tail(3) << omega_unit_ / a, 1, 1;
    jacobian->scale_columns(units);
    // By ln a: the motion grows in proportion, the equations are divided by a.
    Eigen::VectorXd grows = scaled;
    grows.head(n_).setZero();
    grows.tail(3).setZero();
    const Eigen::VectorXd by_log = jacobian->times(grows).head(size_) - force / a;
    const Eigen::VectorXd by_omega = 2 * zeta / omega * omega_unit_ * by_zeta;
    for (Eigen::Index i = 0; i < size_; ++i) {
      jacobian->add(i, size_, by_omega[i]);
      jacobian->add(i, size_ + 1, by_zeta[i]);
      jacobian->add(i, size_ + 2, by_log[i]);
    }
    for (Eigen::Index i = 0; i < n_; ++i) {
      jacobian->add(size_, n_ + i, 2 * scale * shape_unit_ * ma[i]);
      jacobian->add(size_, 2 * n_ + i, 2 * scale * shape_unit_ * mb[i]);
    }
    jacobian->add(size_ + 1, 2 * n_ + master_, scale * shape_unit_);
    if (balance.condensed())
      balance.condensed()->set_negative_damping(zeta);
    else
      add_negative_damping(2 * zeta * omega * omega * shape_unit_, *jacobian);
    return true;
  }

  HarmonicBalance balance;

 private:
  Eigen::VectorXd in_units(Eigen::VectorXd y) const {
    y.segment(n_, size_ - n_) *= shape_unit_;
    y[size_] *= omega_unit_;
    return y;
  }

  void add_negative_damping(double factor, WideJacobian& jacobian) const {
    for (int h = 1; h <= balance.harmonics(); ++h)
      for (Eigen::Index j = 0; j < M_.outerSize(); ++j)
        for (SparseMatrix::InnerIterator entry(M_, j); entry; ++entry) {
          const Eigen::Index c = (2 * h - 1) * n_;
          const Eigen::Index s = 2 * h * n_;
          jacobian.add(c + entry.row(), s + entry.col(), -h * factor * entry.value());
          jacobian.add(s + entry.row(), c + entry.col(), h * factor * entry.value());
        }
  }

  double scale_at(const Eigen::VectorXd& y) const {
    const double square = std::max(y[size_] * y[size_], 1e-12 * omega_unit_ * omega_unit_);
    return square * least_mass_ * y.segment(n_, 2 * n_).lpNorm<Eigen::Infinity>();
  }

  Eigen::Index n_, size_, master_;
  double shape_unit_, omega_unit_;
  SparseMatrix M_;
  double least_mass_;
};

}  // namespace microslip::dynamics
