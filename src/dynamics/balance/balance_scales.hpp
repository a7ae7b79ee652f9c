#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/balance/balanced_structure.hpp"

namespace microslip::dynamics {

struct ElementSlot;

/// Scaling of unknowns and residuals of harmonic balance, and how large a motion,
/// a force or a residual is in these units.
///
/// The unit of a degree of freedom is 1/√(stiffness), with the stiffness of inertia and of joints at
/// rest. In these units displacements have the dimension of √energy and so have forces, so that
/// nothing depends on the coordinates (mixed translations and rotations, mm or m).
class BalanceScales {
 public:
  BalanceScales() = default;
  /// K and M with the rows of bodies; `reference_omega` is a frequency of the motion, 0 if unknown.
  BalanceScales(const Structure& structure, const SparseMatrix& M, const SparseMatrix& K,
                const std::vector<ElementSlot>& slots, const BalanceSize& size,
                double reference_omega);

  const Eigen::VectorXd& dofs() const { return dofs_; }
  /// The same for all unknowns but ω; forces are multiplied with it.
  const Eigen::VectorXd& unknowns() const { return unknowns_; }
  /// What rounding leaves of forces K x, in units, for motions of size 1 in units.
  double rounding_of_forces() const { return rounding_; }
  /// ω² of the frequency by which inertia is compared with stiffness.
  double square() const { return square_; }

  double largest_motion(const Eigen::VectorXd& y) const;
  /// In units, from a Fourier coefficient on: 0 with the mean, 1 without.
  double largest_in_units(const Eigen::VectorXd& y, Eigen::Index first = 0) const;
  /// From the first coefficient of the vibration on. With bodies the mean counts as well.
  double largest_vibration(const Eigen::VectorXd& y) const {
    return largest_in_units(y, first_of_vibration());
  }

  /// Units of the unknowns in arc length. A mean is measured by the static loads if these are larger
  /// than the others, so that arc length is that of a vibration which may be small beside it.
  Eigen::VectorXd of_arc_length(const Eigen::VectorXd& static_force,
                                const Eigen::VectorXd& periodic_force) const;
  /// The largest force in play, external or of inertia, where stiffnesses do not cancel.
  double force_scale(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
    return scale_from(0, y, force);
  }
  /// Of the harmonics alone: a vibration may be small beside the static loads.
  double vibration_scale(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const {
    return scale_from(first_of_vibration(), y, force);
  }
  /// A residual relative to the forces. Of mean forces, `mean_noise` is left open by rounding.
  double relative(const Eigen::VectorXd& y, const Eigen::VectorXd& residual,
                  const Eigen::VectorXd& force, const Eigen::VectorXd& mean_noise) const;
  /// What rounding leaves of a relative residual.
  double rounding(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const;
  /// Friction holds all that is shaken: what moves is rounding.
  bool at_rest(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const;
  /// What equations are solved for at worst, relative: motions and energies that are smaller are nothing.
  static constexpr double solved_for = 1e-9;
  /// Whether the first harmonic of a degree of freedom is more than that of the largest vibration, and of
  /// the one that the loads would make.
  bool moves(const Eigen::VectorXd& y, const Eigen::VectorXd& force, Eigen::Index dof) const;
  /// The energy that forces of the size of the periodic loads exchange with the motion.
  double exchange(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const;
  /// Whether the vibration is so large beside the loads that it knows no damping: 1e10 times what they
  /// move when they are static.
  bool without_bound(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const;

 private:
  double largest_force(Eigen::Index first, const Eigen::VectorXd& force) const;
  Eigen::Index first_of_vibration() const { return size_.slides ? 0 : 1; }
  double scale_from(Eigen::Index first, const Eigen::VectorXd& y,
                    const Eigen::VectorXd& force) const;

  BalanceSize size_{};
  Eigen::VectorXd dofs_, unknowns_;
  Eigen::VectorXd masses_;        ///< diagonal of M
  double largest_stiffness_ = 0;  ///< on the diagonal of K
  double rounding_ = 0;
  double square_ = 1;
};

}  // namespace microslip::dynamics
