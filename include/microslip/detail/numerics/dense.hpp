#pragma once

#include <Eigen/Cholesky>
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

/// L U of a complex matrix.
class ComplexLu {
 public:
  explicit ComplexLu(const Eigen::Ref<const Eigen::MatrixXcd>& A);
  Eigen::MatrixXcd solve(const Eigen::Ref<const Eigen::MatrixXcd>& b) const;
  /// A⁻ᵀ b.
  Eigen::MatrixXcd solve_transposed(const Eigen::Ref<const Eigen::MatrixXcd>& b) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXcd> factors_;
};

/// L Lᵀ of a symmetric matrix.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const MatrixView& A);
  bool positive() const { return positive_; }  ///< false: A is not positive definite
  const Eigen::MatrixXd& L() const { return L_; }

  /// A⁻¹ b, of a column or of a matrix.
  template <class Derived>
  auto solve(const Eigen::MatrixBase<Derived>& b) const {
    if constexpr (Derived::ColsAtCompileTime == 1)
      return Eigen::VectorXd(solve_columns(b));
    else
      return solve_columns(b);
  }
  Eigen::MatrixXd solve_lower(const MatrixView& b) const;  ///< L⁻¹ b

 private:
  Eigen::MatrixXd solve_columns(const MatrixView& b) const;

  Eigen::MatrixXd L_;
  bool positive_ = false;
};

/// L D Lᵀ of a symmetric matrix with equal exchanges of rows and columns; A may be semidefinite.
class Ldlt {
 public:
  explicit Ldlt(const MatrixView& A);
  Eigen::MatrixXd solve(const MatrixView& b) const;
  Eigen::VectorXd pivots() const;  ///< D

 private:
  Eigen::LDLT<Eigen::MatrixXd> factors_;
};

/// A⁻¹ b with row and column exchanges, where A may be singular.
Eigen::MatrixXd solve_with_full_pivoting(const MatrixView& A, const MatrixView& b);

/// The least ‖A x − b‖ by Householder's Q R; A has full rank.
Eigen::MatrixXd least_squares(const MatrixView& A, const MatrixView& b);

/// The shortest x with the least ‖A x − b‖; what is below `threshold` of the largest pivot is zero.
Eigen::MatrixXd shortest_least_squares(const MatrixView& A, const MatrixView& b, double threshold);

/// The same with pivots below rounding as zero.
Eigen::MatrixXd shortest_least_squares(const MatrixView& A, const MatrixView& b);
Eigen::MatrixXd pseudo_inverse(const MatrixView& A);

/// A = Q R, where Q has as many columns as A has, or rows if those are fewer.
struct ThinQr {
  explicit ThinQr(const MatrixView& A);

  Eigen::MatrixXd Q, R;
};

/// A = U diag(values) Vᵀ of a square matrix, the largest value first.
struct Svd {
  explicit Svd(const MatrixView& A);

  Eigen::VectorXd values;
  Eigen::MatrixXd U, V;
};

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

/// Of a matrix without symmetry: the vector of a real eigenvalue is the column of its place; a complex
/// pair has real and imaginary part in its two columns.
struct Modes {
  explicit Modes(const MatrixView& A);

  Eigen::VectorXcd values;
  Eigen::MatrixXd vectors;
};

}  // namespace microslip::dense
