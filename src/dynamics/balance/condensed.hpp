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
/// Inputs of elements may be unknown forces p on bodies, p = Z_b Bᵀx + f[p] with the impedance Z_b of
/// the body (ElementSlot::Body). With q for the inputs of all elements and W for what their forces act
/// on,
///     q + (T G − S) A q + …,   T = Z_b and S = 1 for forces on bodies, 1 and 0 for motions.
///
/// Unknowns of an element itself, o = end(q, o), are eliminated with it:
///     δo = (1 − end_o)⁻¹ (end_q δq + …),   A = f_q + f_o (1 − end_o)⁻¹ end_q.
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
#include <memory>
#include <vector>

#include "dynamics/balance/balanced_structure.hpp"
#include "dynamics/balance/element_slot.hpp"
#include "dynamics/balance/modal_impedance.hpp"
#include "dynamics/continuation/continuation.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {

using CoefficientRows = Eigen::Map<const Eigen::MatrixXd>;

/// A matrix, sparse as those of finite elements are, or full.
struct LinearPart {
  explicit LinearPart(const SparseMatrix& matrix);
  Eigen::MatrixXd times(const CoefficientRows& x) const;
  SparseMatrix sparse;
  Eigen::MatrixXd full;  ///< instead, if there is hardly a zero
};

/// What condensed systems of one structure share, whatever the number of harmonics.
struct CondensedShare {
  /// The elements' slopes at rest count, not their number of harmonics.
  CondensedShare(const BalancedStructure& whole, const SparseMatrix& directions,
                 const Eigen::VectorXd& tangents, const Eigen::MatrixXd& mean_stiffness);

  LinearPart M, C, K;
  SparseMatrix directions;                ///< W
  Eigen::VectorXd linear_stiffness;       ///< of the joints' stiffness, the linear part
  Eigen::MatrixXd shapes{}, at_joints{};  ///< at_joints = Wᵀ shapes
  Eigen::VectorXd squares{};              ///< ω² of the modes
  Eigen::VectorXd mean_squares{};         ///< what holds their mean
  ModalDamping damping{};
  double moved = 0;  ///< −δ
  bool usable = true;

 private:
  void find_modes(const Structure& structure, const Eigen::VectorXd& tangents,
                  const Eigen::MatrixXd& mean_stiffness);
  void find_damping(const Structure& structure);
};

class Condensed final : public StructuredSystem {
 public:
  /// Structure and elements outlive it. `mean_stiffness` acts on the mean alone: it holds rigid-body motions.
  Condensed(const BalancedStructure& whole, int harmonics, const std::vector<ElementSlot>& slots,
            const Eigen::MatrixXd& mean_stiffness);

  /// False for a structure that moves freely even if all joints stick.
  bool usable() const { return share_->usable; }

  /// Starts a new system; forces of the elements by their inputs, where their own unknowns lead to
  /// (first), and the borders follow.
  void reset(double omega, Eigen::Index borders);
  void set_element(std::size_t element, const PeriodEnd& end);
  void set_slopes(std::size_t element, const Eigen::MatrixXd& jacobian);
  void set_negative_damping(double zeta);

  void add(Eigen::Index row, Eigen::Index column, double value) override;
  void replace_column(Eigen::Index column, const Eigen::VectorXd& values) override;
  void scale_columns(const Eigen::VectorXd& units) override;

  /// Adds the linear forces of the unknowns and, if wanted, their derivative by ω.
  void add_linear(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& forces,
                  Eigen::VectorXd* wrt_omega) const;

  /// Without negative damping.
  Eigen::VectorXd times(const Eigen::VectorXd& z) const override;
  /// False if GMRES does not converge.
  bool solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z) override;

 private:
  using Complex = std::complex<double>;
  using Factors = dense::Lu;

  /// An element of the system: what does not change, and the slopes of the system at hand.
  struct Element {
    const ElementSlot* slot;
    Eigen::Index first, inputs;  ///< rows among all inputs
    Eigen::MatrixXd A;           ///< without its linear part; own unknowns are eliminated
    // Of its own unknowns, in their units: N = (1 − end_o)⁻¹, N end_q, f_o N, and f_q, f_o.
    Eigen::MatrixXd inverse, follow, act, wrt_input, wrt_own;
    Eigen::Index own() const { return slot->own_units.size(); }
  };
  using Rows = CoefficientRows;

  void prepare();
  /// Harmonics in which there is something to solve for: of odd motions the odd ones.
  std::vector<bool> moving_harmonics(const Eigen::VectorXd& rhs) const;
  void build_preconditioner(const std::vector<bool>& harmonics);
  void build_block(int harmonic);
  int solve_with_blocks(const Eigen::VectorXd& rhs, Eigen::VectorXd& z) const;
  ModalImpedance impedance(int harmonic, double more_damping) const;
  /// Of the system at hand; made when it is first asked for, since motions may have no even harmonics.
  const ModalImpedance& impedance_of(int harmonic) const;
  Eigen::MatrixXcd receptance_of(int harmonic) const;
  /// Coefficients of forces on the modes, a column for each function, and Z⁻¹ or Z⁻ᵀ of these.
  Eigen::MatrixXd on_modes(const Eigen::VectorXd& force) const;
  void divide(Eigen::MatrixXd& modal, bool transposed) const;
  Rows rows_of(const Eigen::VectorXd& coefficients, Eigen::Index rows) const {
    return {coefficients.data(), rows, width_};
  }
  /// Wᵀx, a row for each input, under given unknowns.
  Eigen::VectorXd inputs(const Eigen::VectorXd& y) const;
  /// T Wᵀ x of a motion of the modes, to which forces on the equations of bodies are added.
  Eigen::VectorXd asked(const Eigen::MatrixXd& modal, const Eigen::VectorXd& force) const;
  Eigen::VectorXd from_elements(const Eigen::VectorXd& p) const;
  void through_bodies(Eigen::MatrixXd& q) const;  ///< T q
  /// Values at own unknowns → forces of the elements that follow; and back.
  Eigen::VectorXd forces_of_own(const Eigen::VectorXd& own) const;
  Eigen::VectorXd inputs_of_own(const Eigen::VectorXd& own) const;
  Eigen::Index own_begin() const { return stride_ * width_; }
  /// Of an element, out of coefficients of all inputs.
  Eigen::VectorXd part(const Eigen::VectorXd& all, const Element& element) const {
    return rows_of(all, count_).middleRows(element.first, element.inputs).reshaped();
  }
  Eigen::VectorXd moved_damping(const Eigen::VectorXd& q) const;
  Eigen::VectorXd element_forces(const Eigen::VectorXd& q) const;      ///< A q
  Eigen::VectorXd element_transposed(const Eigen::VectorXd& p) const;  ///< Aᵀ p
  Eigen::VectorXd receptance(const Eigen::VectorXd& p) const;          ///< (T G − S) p
  Eigen::VectorXd precondition(const Eigen::VectorXd& q) const;

  Eigen::Index dofs_, count_ = 0;  ///< count of inputs
  Eigen::Index stride_;            ///< degrees of freedom with forces on bodies
  int harmonics_;
  Eigen::Index width_;    ///< functions of the Fourier series
  Eigen::Index own_ = 0;  ///< unknowns of elements
  std::vector<Element> elements_;
  std::shared_ptr<const CondensedShare> share_;
  Eigen::MatrixXd mean_stiffness_;

  double omega_ = 1;
  double zeta_ = 0;       ///< of negative damping
  bool kept_up_ = false;  ///< by negative damping, even if that is 0
  bool prepared_ = false;
  Eigen::MatrixXd columns_, rows_, corner_;  ///< B, C, D; without units of x
  Eigen::VectorXd units_;                    ///< of x
  mutable std::vector<std::optional<ModalImpedance>> impedances_;
  struct Block {
    bool built = false;
    Factors factors{};  ///< empty where joints couple weakly
  };
  std::vector<Block> blocks_;  ///< of the harmonics that were moving
  int needed_ = 0;             ///< iterations with new blocks
  int wasted_ = 0;             ///< iterations beyond that since then
};

}  // namespace microslip::dynamics
