#pragma once

/// Periodic motions of a structure with joints, as Fourier series of H harmonics:
///
///   (K − h²ω²M) a_h + hω C b_h + Σ w f_a,h = F_a,h
///   (K − h²ω²M) b_h − hω C a_h + Σ w f_b,h = F_b,h,      h = 0 … H.
///
/// The forces f are those of elements (PeriodicElement): each has inputs, which are motions of joints
/// or further unknowns, and may have unknowns of its own.
///
/// Unknowns: the coefficients of all degrees of freedom, harmonic after harmonic (a₀; a₁; b₁; …), then
/// the own unknowns of the elements, and ω last. Joints with rigid friction slide on bodies
/// (src/dynamics/body/sliding_body.hpp). The forces on these bodies count as further degrees of
/// freedom, after those of the structure; u and v/ω at the start of the period are their own unknowns.

#include <memory>
#include <vector>

#include "dynamics/balance/balance_elements.hpp"
#include "dynamics/balance/balance_scales.hpp"
#include "dynamics/balance/balance_starts.hpp"
#include "dynamics/continuation/continuation.hpp"
#include "microslip/dynamics/fourier/phasor.hpp"

namespace microslip::dynamics {

class Condensed;

class HarmonicBalance : public Equations {
 public:
  /// Throws Error for loads that are not periodic and tones above H.
  HarmonicBalance(const Structure& structure, int harmonics, const PeriodicOptions& options = {});
  /// With what balances with other harmonics have worked out; the options are those of that, but for the
  /// level of integrals.
  HarmonicBalance(std::shared_ptr<const BalancedStructure> whole, int harmonics,
                  const PeriodicOptions& options);
  ~HarmonicBalance() override;

  Eigen::Index size() const override { return size_.unknowns(); }
  bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& residual,
                WideJacobian* jacobian) override;
  /// The same, with the Jacobian added to one that may be larger.
  bool accumulate(const Eigen::VectorXd& y, Eigen::VectorXd& residual, WideJacobian* jacobian);
  double residual_scale(const Eigen::VectorXd& y) const override {
    return scales_.force_scale(y, force_);
  }
  double relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual) const override {
    return scales_.relative(y, residual, force_, mean_noise_);
  }
  double rounding(const Eigen::VectorXd& y) const override { return scales_.rounding(y, force_); }
  Eigen::VectorXd units() const override {
    return scales_.of_arc_length(static_force_, periodic_force_);
  }

  // What it is made of.
  const std::shared_ptr<const BalancedStructure>& shared() const { return whole_; }
  const BalancedStructure& whole() const { return *whole_; }
  /// With joints taken apart.
  const Structure& structure() const { return whole_->structure(); }
  BalanceElements& elements() { return elements_; }
  const BalanceElements& elements() const { return elements_; }
  const BalanceScales& scales() const { return scales_; }
  const PeriodicOptions& options() const { return options_; }
  BalanceStarts starts() { return BalanceStarts(*this); }
  const BalanceSize& sizes() const { return size_; }
  /// Degrees of freedom, with the forces on bodies that joints slide on.
  Eigen::Index dofs() const { return size_.dofs; }
  int harmonics() const { return harmonics_; }
  /// Whether there are joints with rigid friction that slide on bodies.
  bool slides() const { return size_.slides; }

  // Loads, in the order of the unknowns: static and, times the level, periodic.
  const Eigen::VectorXd& force() const { return force_; }
  const Eigen::VectorXd& static_force() const { return static_force_; }
  const Eigen::VectorXd& periodic_force() const { return periodic_force_; }
  void set_level(double level) { force_ = static_force_ + level * periodic_force_; }
  /// The unknowns under the static loads alone.
  const Eigen::VectorXd& static_unknowns() const { return static_unknowns_; }

  // Of a motion.
  /// Friction holds all that is shaken: what moves is rounding.
  bool at_rest(const Eigen::VectorXd& y) const { return scales_.at_rest(y, force_); }
  /// Whether a degree of freedom vibrates more than rounding makes it.
  bool moves(const Eigen::VectorXd& y, Eigen::Index dof) const {
    return scales_.moves(y, force_, dof);
  }
  /// What the forces of the harmonics left out move by themselves, relative.
  double truncation(const Eigen::VectorXd& y);
  /// What rounding leaves open of the mean forces of the last evaluation.
  const Eigen::VectorXd& mean_noise() const { return mean_noise_; }

  /// Whether the matrices are full, as those of reduced structures are.
  bool filled() const;
  /// Whether Jacobians are condensed to the motion of the joints. Returns the previous setting; a
  /// structure that moves freely without rigid friction stays as it is.
  bool condense(bool wanted);
  /// It pays from some hundred unknowns on: for full matrices, for structures that nothing holds
  /// and for finite elements whose joints are not too many.
  bool worth_condensing() const;
  Condensed* condensed() const { return condense_ ? condensed_.get() : nullptr; }

 private:
  bool preloaded() const;
  void add_linear(const Eigen::VectorXd& y, Eigen::VectorXd& residual, WideJacobian* jacobian);
  void hold_rigid_motions();
  bool add_elements(const Eigen::VectorXd& y, Eigen::VectorXd& residual, WideJacobian* jacobian);
  void add_force(const ElementSlot& slot, Eigen::VectorXd& residual, WideJacobian* jacobian) const;
  void add_end(const ElementSlot& slot, const Eigen::VectorXd& y, Eigen::VectorXd& residual,
               WideJacobian* jacobian) const;

  std::shared_ptr<const BalancedStructure> whole_;
  int harmonics_;
  PeriodicOptions options_;
  BalanceSize size_;
  Eigen::VectorXd static_force_, periodic_force_, force_;
  BalanceElements elements_;
  Eigen::VectorXd mean_noise_;
  Eigen::VectorXd static_unknowns_;
  BalanceScales scales_;
  Eigen::MatrixXd
      rigid_;  ///< momenta M N of rigid-body motions that nothing holds, whose mean is held at zero
  std::shared_ptr<Condensed> condensed_;
  bool condense_ = false;
};

/// y with more or fewer harmonics.
Eigen::VectorXd with_harmonics(const Eigen::VectorXd& y, Eigen::Index dofs, int from, int to);

/// Of a degree of freedom (from 0).
Phasor first_harmonic(const Eigen::VectorXd& y, Eigen::Index dofs, Eigen::Index dof);

}  // namespace microslip::dynamics
