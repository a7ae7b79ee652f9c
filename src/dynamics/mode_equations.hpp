#pragma once

#include <algorithm>
#include <cmath>

#include "microslip/dynamics/harmonic_balance.hpp"

namespace microslip::dynamics {

/// Unknowns: the motion divided by the amplitude a (its mean as it is), ω, ζ, and ln a last; shape
/// and ω in units of the mode at rest, so that all are about 1.
class ModeEquations : public Equations {
 public:
  ModeEquations(const Structure& structure, int harmonics, const PeriodicOptions& options,
                Eigen::Index master, double shape_unit, double omega_unit)
      : balance(structure, harmonics, options),
        n_(structure.size()),
        size_(balance.size()),
        master_(master),
        shape_unit_(shape_unit),
        omega_unit_(omega_unit),
        M_(structure.M) {}

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

  double omega(const Eigen::VectorXd& y) const { return y[size_] * omega_unit_; }

  bool evaluate(const Eigen::VectorXd& scaled, Eigen::VectorXd& residual,
                WideJacobian* jacobian) override {
    const Eigen::VectorXd y = in_units(scaled);
    const double omega = y[size_];
    const double zeta = y[size_ + 1];
    const double a = std::exp(y[size_ + 2]);
    WideJacobian inner;
    Eigen::VectorXd force;
    const Eigen::VectorXd full = motion(scaled);
    if (!balance.evaluate(full, force, jacobian ? &inner : nullptr)) return false;
    residual.resize(size_ + 2);
    residual.head(size_) = force / a;
    Eigen::VectorXd by_omega = Eigen::VectorXd::Zero(size_);
    Eigen::VectorXd by_zeta = Eigen::VectorXd::Zero(size_);
    for (int h = 1; h <= balance.harmonics(); ++h) {
      const Eigen::Index c = (2 * h - 1) * n_;
      const Eigen::Index s = 2 * h * n_;
      by_zeta.segment(c, n_) = -2.0 * h * omega * omega * (M_ * y.segment(s, n_));
      by_zeta.segment(s, n_) = 2.0 * h * omega * omega * (M_ * y.segment(c, n_));
    }
    residual.head(size_) += zeta * by_zeta;
    by_omega = 2 * zeta / omega * by_zeta;
    const Eigen::VectorXd ma = M_ * y.segment(n_, n_);
    const Eigen::VectorXd mb = M_ * y.segment(2 * n_, n_);
    const double scale = scale_at(y);
    residual[size_] = scale * (y.segment(n_, n_).dot(ma) + y.segment(2 * n_, n_).dot(mb) - 1);
    residual[size_ + 1] = scale * y[2 * n_ + master_];
    if (!jacobian) return true;

    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size_ + 2, size_ + 3);
    const Eigen::MatrixXd raw = inner.dense();
    J.topLeftCorner(size_, size_ + 1) = raw / a;
    const Eigen::Index rest = size_ - n_;
    J.block(0, n_, size_, rest) *= a;
    // By ln a: the motion grows in proportion, the equations are divided by a.
    J.col(size_ + 2).head(size_) = J.block(0, n_, size_, rest) * y.segment(n_, rest);
    J.col(size_ + 2).head(size_) -= force / a;
    for (int h = 1; h <= balance.harmonics(); ++h) {
      const Eigen::Index c = (2 * h - 1) * n_;
      const Eigen::Index s = 2 * h * n_;
      J.block(c, s, n_, n_) -= 2.0 * zeta * h * omega * omega * M_;
      J.block(s, c, n_, n_) += 2.0 * zeta * h * omega * omega * M_;
    }
    J.col(size_).head(size_) += by_omega;
    J.col(size_ + 1).head(size_) = by_zeta;
    J.row(size_).segment(n_, n_) = 2 * scale * ma.transpose();
    J.row(size_).segment(2 * n_, n_) = 2 * scale * mb.transpose();
    J(size_ + 1, 2 * n_ + master_) = scale;
    J.middleCols(n_, rest) *= shape_unit_;
    J.col(size_) *= omega_unit_;
    // Normalisation, ω and ζ touch everything; the rest is as full as the matrices.
    const auto entries = static_cast<double>((J.array() != 0).count());
    jacobian->reset(size_ + 2, entries > 0.05 * static_cast<double>(J.size()));
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      for (Eigen::Index k = 0; k < J.cols(); ++k)
        if (J(i, k) != 0) jacobian->add(i, k, J(i, k));
    return true;
  }

  HarmonicBalance balance;

 private:
  Eigen::VectorXd in_units(Eigen::VectorXd y) const {
    y.segment(n_, size_ - n_) *= shape_unit_;
    y[size_] *= omega_unit_;
    return y;
  }

  double scale_at(const Eigen::VectorXd& y) const {
    const double square = std::max(y[size_] * y[size_], 1e-12 * omega_unit_ * omega_unit_);
    return square * M_.diagonal().cwiseAbs().minCoeff() *
           y.segment(n_, 2 * n_).lpNorm<Eigen::Infinity>();
  }

  Eigen::Index n_, size_, master_;
  double shape_unit_, omega_unit_;
  Eigen::MatrixXd M_;
};

}  // namespace microslip::dynamics
