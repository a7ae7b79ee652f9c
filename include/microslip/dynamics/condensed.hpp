#pragma once

/// Linear systems of harmonic balance when the structure is large and dense and the joints are few:
///
///     [ Z + W A Wᵀ   b ] [ x ]   [ r ]
///     [ cᵀ           d ] [ s ] = [ ρ ],        Z = diag over harmonics of K − h²ω²M + ihωC.
///
/// Only q = Wᵀx, the motion of the joints, meets what is not linear. With the receptance
/// G = Wᵀ Z⁻¹ W, harmonic by harmonic from the modes of (M, K),
///     q + G A q + s Wᵀ Z⁻¹ b = Wᵀ Z⁻¹ r
/// is left. It is solved by GMRES, preconditioned by the same system without what A exchanges
/// between harmonics, which falls apart into one small system for each of them. These blocks are
/// kept from one system to the next as long as GMRES does well with them.

#include <Eigen/Core>
#include <Eigen/LU>
#include <complex>
#include <vector>

#include "microslip/dynamics/structure.hpp"

namespace microslip::dynamics {

class Condensed {
 public:
  Condensed(const Structure& structure, int harmonics);

  /// False for a structure that moves freely: its static receptance does not exist.
  bool usable() const { return usable_; }

  /// Starts a new system; the blocks A of the joints follow.
  void reset(double omega);
  void set_joint(std::size_t joint, const Eigen::MatrixXd& jacobian) { joints_[joint] = jacobian; }
  Eigen::VectorXd& column() { return column_; }

  /// Adds the linear forces of the unknowns and, if wanted, their derivative by ω.
  void add_linear(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& forces,
                  Eigen::VectorXd* by_omega) const;

  /// The last row is (c, d). False if GMRES does not converge.
  bool solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z);

 private:
  using Complex = std::complex<double>;
  using Factors = Eigen::PartialPivLU<Eigen::MatrixXd>;

  void prepare();
  void build_preconditioner();
  int solve_with_blocks(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs,
                        Eigen::VectorXd& z) const;
  Eigen::MatrixXcd receptance_of(int harmonic) const;
  /// Z⁻¹ or Z⁻ᵀ of coefficients of all degrees of freedom.
  Eigen::VectorXd through_linear(const Eigen::VectorXd& force, bool transposed) const;
  void divide(Eigen::MatrixXd& modal, bool transposed) const;
  Eigen::VectorXd to_joints(const Eigen::VectorXd& x) const;
  Eigen::VectorXd from_joints(const Eigen::VectorXd& p) const;
  Eigen::VectorXd joint_forces(const Eigen::VectorXd& q) const;      ///< A q
  Eigen::VectorXd joint_transposed(const Eigen::VectorXd& p) const;  ///< Aᵀ p
  Eigen::VectorXd receptance(const Eigen::VectorXd& p) const;        ///< G p
  Eigen::VectorXd precondition(const Eigen::VectorXd& q) const;

  Eigen::Index dofs_, count_;  ///< count of joints
  int harmonics_;
  Eigen::MatrixXd M_, C_, K_;
  Eigen::MatrixXd shapes_, damping_, at_joints_;  ///< at_joints_ = Wᵀ shapes
  Eigen::MatrixXd directions_;                    ///< W
  Eigen::VectorXd squares_;                       ///< ω² of the modes
  bool usable_ = true, diagonal_ = true;

  double omega_ = 1;
  bool prepared_ = false;
  std::vector<Eigen::MatrixXd> joints_;
  Eigen::VectorXd column_;
  Eigen::MatrixXcd inverse_;                                      ///< of the modal impedances
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXcd>> impedance_;  ///< if damping mixes the modes
  std::vector<Factors> blocks_;  ///< empty where harmonics couple weakly
  int needed_ = 0;               ///< iterations with new blocks
  int wasted_ = 0;               ///< iterations beyond that since then
};

}  // namespace microslip::dynamics
