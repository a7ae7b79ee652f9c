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
/// (src/dynamics/rigid/sliding_body.hpp). The forces on these bodies count as further degrees of
/// freedom, after those of the structure; u and v/ω at the start of the period are their own unknowns.

#include <memory>
#include <vector>

#include "dynamics/balance/balance_scales.hpp"
#include "dynamics/continuation/continuation.hpp"
#include "dynamics/joint/periodic_joint.hpp"
#include "microslip/dynamics/fourier/phasor.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

class Condensed;
struct ElementSlot;
struct StaticState;
struct TiedJoints;

class HarmonicBalance : public Equations {
 public:
  /// Throws Error for loads that are not periodic and tones above H.
  HarmonicBalance(const Structure& structure, int harmonics, const PeriodicOptions& options = {});
  ~HarmonicBalance() override;

  Eigen::Index size() const override { return dofs_ * fourier_size_ + own_; }
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
  /// Friction holds all that is shaken: what moves is rounding.
  bool at_rest(const Eigen::VectorXd& y) const { return scales_.at_rest(y, force_); }
  /// Whether a degree of freedom vibrates more than rounding makes it.
  bool moves(const Eigen::VectorXd& y, Eigen::Index dof) const {
    return scales_.moves(y, force_, dof);
  }
  const BalanceScales& scales() const { return scales_; }
  const PeriodicOptions& options() const { return options_; }
  /// What rounding leaves open of the mean forces of the last evaluation: nothing of a residual
  /// that is smaller.
  const Eigen::VectorXd& mean_noise() const { return mean_noise_; }

  /// Whether the matrices are full, as those of reduced structures are.
  bool filled() const;
  /// Whether Jacobians are condensed to the motion of the joints. Returns the previous setting; a
  /// structure that moves freely without rigid friction stays as it is.
  bool condense(bool wanted);
  /// It pays from some hundred unknowns on: for full matrices, for structures that nothing holds
  /// and for finite elements whose joints are not too many.
  bool worth_condensing() const;

  /// Whether there are joints with rigid friction that slide on bodies.
  bool slides() const { return slides_; }

  /// Joints, then interfaces. Joints of rigid friction and other laws side by side are taken apart: the others
  /// follow behind the joints of the given structure.
  std::size_t members() const { return place_of_.size(); }
  /// Of the given structure, the joint that a member is a part of; interfaces follow these joints there.
  std::size_t owner(std::size_t member) const;
  std::size_t owners() const { return given_joints_ + structure_->interfaces.size(); }
  /// Along which a member acts: the directions of its element.
  const std::vector<Direction>& directions(std::size_t member) const;

  /// Joints and interfaces after an evaluation, one by one.
  const JointLoop& loop(std::size_t joint) const;
  const PeriodicForce& joint_force(std::size_t joint) const;
  /// Energy that a joint loses in a period.
  double joint_energy(const Eigen::VectorXd& y, std::size_t joint) const;
  LinearisedLoop linearise(const Eigen::VectorXd& y, std::size_t joint, int steps);
  /// Whether `linearise` describes all joints.
  bool linearises() const;

  /// Estimates, relative: what the forces of the harmonics left out move by themselves (a lower bound
  /// of what these harmonics change: change_by_harmonics), and errors of the forces by quadrature.
  double truncation(const Eigen::VectorXd& y);
  double quadrature(const Eigen::VectorXd& y);

  Condensed* condensed() const { return condense_ ? condensed_.get() : nullptr; }

  /// Degrees of freedom, with the forces on bodies that joints slide on.
  Eigen::Index dofs() const { return dofs_; }
  int harmonics() const { return harmonics_; }
  const Structure& structure() const { return *structure_; }
  /// External force, in the order of the unknowns: static and, times the level, periodic.
  const Eigen::VectorXd& force() const { return force_; }
  const Eigen::VectorXd& periodic_force() const { return periodic_force_; }
  void set_level(double level) { force_ = static_force_ + level * periodic_force_; }
  Status status() const { return status_; }

  /// The unknowns under the static loads alone.
  const Eigen::VectorXd& static_unknowns() const { return static_unknowns_; }
  /// The response without joints' forces beyond their tangent at rest: where Newton starts.
  Eigen::VectorXd linear_response(double omega);
  /// The same without joints that slide.
  Eigen::VectorXd response_without_sliding(double omega) const;

  /// Fills in own unknowns of the elements that close their periods under the inputs in y, or those
  /// that the motion in y begins with.
  void close_periods(Eigen::VectorXd& y);
  void set_starts(Eigen::VectorXd& y) const;
  /// Fills in the first harmonics of the forces that move sliding joints as in y, as if they never
  /// stuck.
  void set_sliding_forces(Eigen::VectorXd& y) const;
  /// Unknowns of a motion with these forces of the joints: coefficients, a row for each.
  Eigen::VectorXd unknowns_of(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f,
                              double omega) const;
  /// The same for joints that stick, from the first harmonics of what they hold, in phase.
  void set_stuck_forces(const Eigen::VectorXd& holds, Eigen::VectorXd& y) const;

  /// Unknowns of the motion shape · cos ωt, without forces on bodies.
  Eigen::VectorXd cosine_motion(const Eigen::VectorXd& shape, double omega) const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(size() + 1);
    y.segment(dofs_, shape.size()) = shape;
    y[size()] = omega;
    return y;
  }

  /// The same motion, half a period later.
  void shift_by_half(Eigen::VectorXd& y) const;

  /// Throws Error if a law never repeats its loop under this motion.
  void refuse_drifting_joints(const Eigen::VectorXd& y);

  /// The joint, counted from 1, whose force does least what its Jacobian says on the way from one
  /// motion to another, or that has no force there: where Newton's method has trouble. 0 if there
  /// are no joints.
  std::size_t hardest_joint(const Eigen::VectorXd& from, const Eigen::VectorXd& to);

  /// All elements under a motion, on all cores if there are many; each keeps its reply.
  void evaluate_elements(const Eigen::VectorXd& y, bool with_jacobian);

  /// Coefficients of wᵀx for a joint.
  Eigen::VectorXd joint_motion(const Eigen::VectorXd& y, std::size_t joint) const;

 private:
  void add_linear(const Eigen::VectorXd& y, Eigen::VectorXd& residual, WideJacobian* jacobian);
  void hold_rigid_motions();
  bool add_elements(const Eigen::VectorXd& y, Eigen::VectorXd& residual, WideJacobian* jacobian);
  void add_force(const ElementSlot& slot, Eigen::VectorXd& residual, WideJacobian* jacobian) const;
  void add_end(const ElementSlot& slot, const Eigen::VectorXd& y, Eigen::VectorXd& residual,
               WideJacobian* jacobian) const;
  Eigen::VectorXd input_of(const ElementSlot& slot, const Eigen::VectorXd& y) const;
  Eigen::VectorXd own_of(const ElementSlot& slot, const Eigen::VectorXd& y) const;
  void add_paths(const StaticState* preloaded);
  void add_interfaces(const StaticState* preloaded);
  void add_bodies(const std::vector<std::size_t>& sliding, const Eigen::VectorXd& preloaded);
  void find_static_unknowns(const std::vector<std::size_t>& sliding, const StaticState& at_first);

  std::size_t given_joints_;                    ///< of the structure as it was given
  std::vector<std::size_t> owner_;              ///< of the joints that were added behind them
  std::shared_ptr<const Structure> structure_;  ///< with joints taken apart
  Eigen::Index dofs_ = 0;
  int harmonics_;
  Eigen::Index fourier_size_;
  SparseMatrix M_, C_, K_;
  PeriodicOptions options_;
  Eigen::Index own_ = 0;  ///< unknowns of elements
  bool slides_ = false;
  Eigen::VectorXd mean_noise_;
  Eigen::VectorXd static_force_, periodic_force_, force_;
  Eigen::VectorXd static_unknowns_;
  BalanceScales scales_;
  Eigen::MatrixXd
      rigid_;  ///< momenta M N of rigid-body motions that nothing holds, whose mean is held at zero
  std::vector<ElementSlot> slots_;
  /// Of each joint and each interface: its slot and its number there.
  struct Place {
    std::size_t slot, member;
  };
  std::vector<Place> place_of_;
  std::shared_ptr<Condensed> condensed_;
  bool condense_ = false;
  Status status_ = Status::ok;
};

/// What harmonic balance of a structure has: degrees of freedom, and unknowns of elements.
struct UnknownCount {
  Eigen::Index dofs, own;
};
UnknownCount count_unknowns(const Structure& structure, const PeriodicOptions& options);

/// Coefficients of a degree of freedom (from 0) out of a vector of unknowns.
Eigen::VectorXd dof_motion(const Eigen::VectorXd& y, Eigen::Index dofs, int harmonics,
                           Eigen::Index dof);

/// y with more or fewer harmonics.
Eigen::VectorXd with_harmonics(const Eigen::VectorXd& y, Eigen::Index dofs, int from, int to);

/// Of a degree of freedom (from 0).
Phasor first_harmonic(const Eigen::VectorXd& y, Eigen::Index dofs, Eigen::Index dof);

}  // namespace microslip::dynamics
