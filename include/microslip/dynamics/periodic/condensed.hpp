#pragma once

/// Linear systems of harmonic balance when the structure is large and dense and the joints are few:
///
///     [ Z + W A Wᵀ   B ] [ x ]   [ r ]
///     [ Cᵀ           D ] [ s ] = [ ρ ],        Z = diag over harmonics of K − h²ω²M + ihωC.
///
/// Only q = Wᵀx, the motion of the joints, meets what is not linear. With the receptance
/// G = Wᵀ Z⁻¹ W, harmonic by harmonic from the modes of (M, K),
///     q + G A q + Wᵀ Z⁻¹ B s = Wᵀ Z⁻¹ r
/// is left. It is solved by GMRES, preconditioned by the same system without what A exchanges
/// between harmonics, which falls apart into one small system for each of them. These blocks are
/// kept from one system to the next as long as GMRES does well with them.
///
/// A joint that slides on a mass is asked with the push p on it, which is an unknown of its own:
/// p = z Wᵀx + f[p] with the impedance z of the mass. With q for that as well,
///     q + (T G − S) A q + …,   T = z and S = 1 for such joints, 1 and 0 for others.
///
/// Where only joints hold the structure, half of their stiffness at rest, P = W k Wᵀ, counts as
/// linear, so that Z is far from singular both when joints stick and when they slip. Damping that
/// is diagonal in the modes of (M, K), as α M + β K is, is not in those of (M, K + P), but with δ P
/// added it is; that is taken out of the joints again, so that Z stays diagonal.
///
/// A motion kept up by negative damping, C − 2ζωM, may start at any time: Z + W A Wᵀ is then
/// singular, and only the borders make the system regular. The blocks, which do not know the
/// borders, are made with some more damping in the first harmonic.

#include <Eigen/Core>
#include <Eigen/LU>
#include <complex>
#include <vector>

#include "microslip/dynamics/rigid/sliding_mass.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

class Condensed {
 public:
  /// A joint that slides on a mass; the push on it, in units of its spring, comes behind the
  /// structure in the list of degrees of freedom, in the order of the joints.
  struct Slider {
    std::size_t joint;
    Inertia inertia;
  };

  /// The matrices are those of the structure with rows and columns for the pushes.
  /// `mean_stiffness` acts on the mean alone: it holds rigid-body motions.
  Condensed(const Structure& structure, int harmonics, const SparseMatrix& M, const SparseMatrix& C,
            const SparseMatrix& K, std::vector<Slider> sliders,
            const Eigen::MatrixXd& mean_stiffness);

  /// False for a structure that moves freely even if all joints stick.
  bool usable() const { return usable_; }

  /// Starts a new system; the blocks A of the joints and the borders follow.
  void reset(double omega, Eigen::Index borders);
  void set_joint(std::size_t joint, const Eigen::MatrixXd& jacobian);
  void set_negative_damping(double zeta);

  /// An entry of the borders: its row or its column lies beyond the structure.
  void add(Eigen::Index row, Eigen::Index column, double value);
  void replace_column(Eigen::Index column, const Eigen::VectorXd& values);
  /// Unknowns in other units; entries of rows that are added later know of them.
  void scale_columns(const Eigen::VectorXd& units);

  /// Adds the linear forces of the unknowns and, if wanted, their derivative by ω.
  void add_linear(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& forces,
                  Eigen::VectorXd* by_omega) const;

  /// Of the system without its border rows and negative damping.
  Eigen::VectorXd times(const Eigen::VectorXd& z) const;

  /// The last row comes with the question. False if GMRES does not converge.
  bool solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z);

 private:
  using Complex = std::complex<double>;
  using Factors = Eigen::PartialPivLU<Eigen::MatrixXd>;

  void prepare();
  void build_preconditioner();
  int solve_with_blocks(const Eigen::VectorXd& rhs, Eigen::VectorXd& z) const;
  /// Of the modes at a harmonic; what damping mixes them by is not in the diagonal.
  Eigen::VectorXcd diagonal_impedance(int harmonic, double more_damping) const;
  Eigen::MatrixXcd impedance(int harmonic, double more_damping) const;
  Eigen::MatrixXcd receptance_of(int harmonic) const;
  /// Z⁻¹ or Z⁻ᵀ of coefficients of all degrees of freedom.
  Eigen::VectorXd through_linear(const Eigen::VectorXd& force, bool transposed) const;
  void divide(Eigen::MatrixXd& modal, bool transposed) const;
  /// Wᵀx, a row for each joint, and what the joints are asked with under given unknowns.
  Eigen::MatrixXd to_joints(const Eigen::VectorXd& x) const;
  Eigen::VectorXd inputs(const Eigen::VectorXd& y) const;
  /// T Wᵀ Z⁻¹ of forces, to which those on the pushes are added; x = Z⁻¹ of the forces is given.
  Eigen::VectorXd asked(const Eigen::VectorXd& x, const Eigen::VectorXd& force) const;
  Eigen::VectorXd from_joints(const Eigen::VectorXd& p) const;
  void through_masses(Eigen::MatrixXd& q) const;  ///< T q
  Eigen::Index joint_of(std::size_t slider) const {
    return static_cast<Eigen::Index>(sliders_[slider].joint);
  }
  Eigen::Index push_row(std::size_t slider) const {
    return dofs_ + static_cast<Eigen::Index>(slider);
  }
  Complex impedance_of(const Inertia& inertia, int harmonic) const;
  void find_modes(const Structure& structure);
  Eigen::VectorXd moved_damping(const Eigen::VectorXd& q) const;
  Eigen::VectorXd joint_forces(const Eigen::VectorXd& q) const;      ///< A q
  Eigen::VectorXd joint_transposed(const Eigen::VectorXd& p) const;  ///< Aᵀ p
  Eigen::VectorXd receptance(const Eigen::VectorXd& p) const;        ///< (T G − S) p
  Eigen::VectorXd precondition(const Eigen::VectorXd& q) const;

  Eigen::Index dofs_, count_;  ///< count of joints
  Eigen::Index stride_;        ///< degrees of freedom with pushes
  int harmonics_;
  std::vector<Slider> sliders_;
  Eigen::MatrixXd M_, C_, K_, mean_stiffness_;
  Eigen::MatrixXd shapes_, damping_, at_joints_;  ///< at_joints_ = Wᵀ shapes
  Eigen::MatrixXd directions_;                    ///< W
  Eigen::VectorXd squares_;                       ///< ω² of the modes
  Eigen::VectorXd mean_squares_;                  ///< what holds their mean
  double moved_ = 0;                              ///< −δ
  Eigen::VectorXd held_;                          ///< of the joints' stiffness, the linear part
  bool usable_ = true, diagonal_ = true;

  double omega_ = 1;
  double zeta_ = 0;       ///< of negative damping
  bool kept_up_ = false;  ///< by negative damping, even if that is 0
  bool prepared_ = false;
  std::vector<Eigen::MatrixXd> joints_;                         ///< A without its linear part
  Eigen::MatrixXd columns_, rows_, corner_;                     ///< B, C, D; without units of x
  Eigen::VectorXd units_;                                       ///< of x
  Eigen::MatrixXcd inverse_;                                    ///< of the modal impedances
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXcd>> factors_;  ///< if damping mixes the modes
  std::vector<Factors> blocks_;  ///< empty where harmonics couple weakly
  int needed_ = 0;               ///< iterations with new blocks
  int wasted_ = 0;               ///< iterations beyond that since then
};

}  // namespace microslip::dynamics
