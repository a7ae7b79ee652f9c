#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

namespace microslip::dynamics {

/// Harmonic balance at one frequency. Unknowns: coefficients, level and, if it is the amplitude
/// that runs, the amplitude, which is then defined by one more equation. Arc length then adds the
/// level to coefficients, so it is measured like them: by the amplitude that it has without slip.
class AtOneFrequency : public Equations {
 public:
  AtOneFrequency(HarmonicBalance& balance, const FrequencyResponseOptions& options)
      : balance_(balance),
        omega_(options.omega),
        dof_(options.dof),
        extra_(options.along == Along::amplitude ? 1 : 0),
        weight_(std::max(balance.periodic_force()
                             .cwiseProduct(balance.scales().unknowns())
                             .lpNorm<Eigen::Infinity>(),
                         1e-300)) {
    if (balance.periodic_force().isZero(0))
      throw Error("a response against the level of the load needs a harmonic or multisine load");
    if (extra_ == 0) return;
    unit_ =
        first_harmonic(balance.starts().linear_response(omega_), balance.dofs(), dof_).amplitude;
    if (!(unit_ > 0)) unit_ = std::max(options.from, options.to);
  }

  Eigen::Index size() const override { return balance_.size() + extra_; }

  double level(const Eigen::VectorXd& y) const { return y[balance_.size()] / unit_; }

  /// A load against its own direction is one that comes half a period later, unless it has even
  /// harmonics.
  void turn_forward(Eigen::VectorXd& y) const {
    const Eigen::Index n = balance_.dofs();
    bool odd = true;
    for (int h = 2; h <= balance_.harmonics(); h += 2)
      odd = odd && balance_.periodic_force().segment((2 * h - 1) * n, 2 * n).isZero(0);
    if (level(y) >= 0 || !odd) return;
    y[balance_.size()] *= -1;
    balance_.starts().shift_by_half(y);
  }

  /// Sets the level of the balance and gives its unknowns.
  Eigen::VectorXd plain(const Eigen::VectorXd& y) const {
    balance_.set_level(level(y));
    Eigen::VectorXd z = y.head(balance_.size() + 1);
    z[balance_.size()] = omega_;
    return z;
  }

  bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                WideJacobian* jacobian) override {
    const Eigen::Index level = balance_.size();
    if (jacobian) jacobian->reset(size(), balance_.filled());
    if (!balance_.accumulate(plain(y), residual, jacobian)) return false;
    if (jacobian) jacobian->replace_column(level, -balance_.periodic_force() / unit_);
    if (extra_ == 0) return true;
    const Eigen::Index a = balance_.dofs() + dof_;
    const Eigen::Index b = 2 * balance_.dofs() + dof_;
    const double size_now = std::hypot(y[a], y[b]);
    const double wanted = y[level + 1];
    residual.conservativeResize(level + 1);
    residual[level] = weight_ * (size_now / wanted - 1);
    if (!jacobian) return true;
    const double unit = weight_ / wanted;
    jacobian->add(level, a, size_now > 0 ? unit * y[a] / size_now : unit);
    jacobian->add(level, b, size_now > 0 ? unit * y[b] / size_now : 0);
    jacobian->add(level, level + 1, -unit * size_now / wanted);
    return true;
  }
  double residual_scale(const Eigen::VectorXd& y) const override {
    return balance_.residual_scale(plain(y));
  }
  double relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const override {
    const Eigen::Index n = balance_.size();
    const double forces = balance_.relative(plain(y), residual.head(n));
    return extra_ == 0 ? forces : std::max(forces, std::abs(residual[n]) / residual_scale(y));
  }
  double rounding(const Eigen::VectorXd& y) const override { return balance_.rounding(plain(y)); }
  Eigen::VectorXd units() const override {
    Eigen::VectorXd units(size());
    units.head(balance_.size()) = balance_.units();
    if (extra_ == 1) units[balance_.size()] = balance_.scales().dofs()[dof_];
    return units;
  }

  /// The linear response, at the level or amplitude where the branch begins. Rigid friction that
  /// has an amplitude slips.
  Eigen::VectorXd guess(double from) {
    balance_.set_level(1);
    const bool slips = extra_ == 1 && balance_.slides();
    const Eigen::VectorXd linear = slips ? balance_.starts().response_without_sliding(omega_)
                                         : balance_.starts().linear_response(omega_);
    const double reached = first_harmonic(linear, balance_.dofs(), dof_).amplitude;
    const double start = extra_ == 0 ? from : from / std::max(reached, 1e-300);
    Eigen::VectorXd y(size() + 1);
    const Eigen::VectorXd static_unknowns = balance_.static_unknowns().head(balance_.size());
    y.head(balance_.size()) =
        static_unknowns + start * (linear.head(balance_.size()) - static_unknowns);
    y[balance_.size()] = start * unit_;
    if (slips) slip(y);
    if (extra_ == 1) y[size()] = from;
    return y;
  }

 private:
  /// Joints slip all the time; the level and the time of the load are those that this takes.
  void slip(Eigen::VectorXd& y) {
    using Complex = std::complex<double>;
    y[balance_.size()] = 0;
    Eigen::VectorXd z = plain(y);
    balance_.starts().set_sliding_forces(z);
    Eigen::VectorXd needed;
    if (!balance_.evaluate(z, needed, nullptr)) return;
    const Eigen::Index n = balance_.dofs();
    const auto first = [n](const Eigen::VectorXd& v, Eigen::Index i) {
      return Complex(v[n + i], -v[2 * n + i]);
    };
    const Eigen::VectorXd& load = balance_.periodic_force();
    Complex work = 0;
    double square = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      work += std::conj(first(load, i)) * first(needed, i);
      square += std::norm(first(load, i));
    }
    if (!(std::abs(work) > 0 && square > 0)) return;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Complex turned = first(z, i) * std::abs(work) / work;
      z[n + i] = turned.real();
      z[2 * n + i] = -turned.imag();
    }
    balance_.starts().set_beginnings(z);
    y.head(balance_.size()) = z.head(balance_.size());
    y[balance_.size()] = std::abs(work) / square * unit_;
  }

  HarmonicBalance& balance_;
  double omega_;
  Eigen::Index dof_;
  Eigen::Index extra_;
  double weight_;
  double unit_ = 1;  ///< of the level among the unknowns
};

}  // namespace microslip::dynamics
