#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

/// Decompositions of full matrices of double, compiled once. Each of Eigen's decompositions takes
/// seconds to compile in every file that names it; here a file names only a function.
namespace microslip::dense {

using MatrixView = Eigen::Ref<const Eigen::MatrixXd>;
using VectorView = Eigen::Ref<const Eigen::VectorXd>;

/// L U with row exchanges.
class Lu {
 public:
  Lu() = default;
  explicit Lu(const MatrixView& A);
  void compute(const MatrixView& A);
  Eigen::Index rows() const { return factors_.rows(); }  ///< 0 before `compute`

  /// A⁻¹ b, of a column or of a matrix.
  template <class Derived>
  auto solve(const Eigen::MatrixBase<Derived>& b) const {
    if constexpr (Derived::ColsAtCompileTime == 1)
      return solve_column(b);
    else
      return solve_columns(b);
  }
  Eigen::MatrixXd inverse() const;
  Eigen::VectorXd pivots() const;   ///< the diagonal of U
  int sign_of_determinant() const;  ///< 1 or −1

 private:
  Eigen::VectorXd solve_column(const VectorView& b) const;
  Eigen::MatrixXd solve_columns(const MatrixView& b) const;

  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
};

/// A⁻¹ b by L U with row exchanges.
template <class Derived>
auto solve(const MatrixView& A, const Eigen::MatrixBase<Derived>& b) {
  return Lu(A).solve(b);
}
Eigen::MatrixXd inverse(const MatrixView& A);

/// A⁻¹ b with row and column exchanges, where A may be singular.
Eigen::MatrixXd solve_with_full_pivoting(const MatrixView& A, const MatrixView& b);

/// The least ‖A x − b‖ by Householder's Q R; A has full rank.
Eigen::MatrixXd least_squares(const MatrixView& A, const MatrixView& b);

/// The shortest x with the least ‖A x − b‖; what is below `threshold` of the largest pivot is zero.
Eigen::MatrixXd shortest_least_squares(const MatrixView& A, const MatrixView& b, double threshold);

/// A P = Q R, with columns exchanged so that the first `rank` are a basis.
struct PivotedQr {
  PivotedQr(const MatrixView& A, double threshold);

  Eigen::MatrixXd Q;  ///< square
  Eigen::MatrixXd R;  ///< of A's size, triangular
  std::vector<Eigen::Index> columns;
  Eigen::Index rank;
};

/// Eigenvalues in ascending order and their vectors, of a symmetric A or of A x = λ B x.
struct SymmetricModes {
  explicit SymmetricModes(const MatrixView& A);
  SymmetricModes(const MatrixView& A, const MatrixView& B);

  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool found;  ///< false: B is not positive definite
};

/// Of a matrix without symmetry.
Eigen::VectorXcd eigenvalues(const MatrixView& A);

}  // namespace microslip::dense
