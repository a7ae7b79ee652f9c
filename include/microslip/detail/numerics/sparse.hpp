#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <complex>
#include <memory>

/// Decompositions of sparse matrices, compiled once, as those of full ones in dense.hpp. Copies share
/// the factors.
namespace microslip::sparse {

using Matrix = Eigen::SparseMatrix<double>;

/// L D Lᵀ of a symmetric matrix, without exchanges for size.
class Ldlt {
 public:
  /// Of A + shift · identity.
  explicit Ldlt(const Matrix& A, double shift = 0);
  bool found() const;                     ///< false: a pivot is 0
  const Eigen::VectorXd& pivots() const;  ///< D; all positive: so is A

  /// A⁻¹ b, of a column or of a matrix.
  template <class Derived>
  auto solve(const Eigen::MatrixBase<Derived>& b) const {
    if constexpr (Derived::ColsAtCompileTime == 1)
      return solve_column(b);
    else
      return solve_columns(b);
  }

 private:
  Eigen::VectorXd solve_column(const Eigen::Ref<const Eigen::VectorXd>& b) const;
  Eigen::MatrixXd solve_columns(const Eigen::Ref<const Eigen::MatrixXd>& b) const;

  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// L U with row exchanges.
class Lu {
 public:
  explicit Lu(const Matrix& A);
  bool found() const;  ///< false: A is singular
  Eigen::VectorXd solve(const Eigen::Ref<const Eigen::VectorXd>& b) const;
  int sign_of_determinant() const;  ///< 1 or −1

 private:
  struct Factors;
  std::shared_ptr<Factors> factors_;
};

/// A⁻¹ b of complex numbers, by L U with row exchanges.
Eigen::MatrixXcd solve(const Eigen::SparseMatrix<std::complex<double>>& A,
                       const Eigen::Ref<const Eigen::MatrixXcd>& b);

}  // namespace microslip::sparse
