#include "microslip/detail/numerics/sparse.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace microslip::sparse {

struct Ldlt::Factors {
  Eigen::SimplicialLDLT<Matrix> of;
  Eigen::VectorXd pivots;
};

Ldlt::Ldlt(const Matrix& A, double shift) {
  auto factors = std::make_shared<Factors>();
  factors->of.setShift(shift);
  factors->of.compute(A);
  factors->pivots = factors->of.vectorD();
  factors_ = std::move(factors);
}

bool Ldlt::found() const { return factors_->of.info() == Eigen::Success; }

const Eigen::VectorXd& Ldlt::pivots() const { return factors_->pivots; }

Eigen::VectorXd Ldlt::solve_column(const Eigen::Ref<const Eigen::VectorXd>& b) const {
  return factors_->of.solve(b);
}

Eigen::MatrixXd Ldlt::solve_columns(const Eigen::Ref<const Eigen::MatrixXd>& b) const {
  return factors_->of.solve(b);
}

struct Lu::Factors {
  Eigen::SparseLU<Matrix> of;
};

Lu::Lu(const Matrix& A) : factors_(std::make_shared<Factors>()) { factors_->of.compute(A); }

bool Lu::found() const { return factors_->of.info() == Eigen::Success; }

Eigen::VectorXd Lu::solve(const Eigen::Ref<const Eigen::VectorXd>& b) const {
  return factors_->of.solve(b);
}

int Lu::sign_of_determinant() const { return factors_->of.signDeterminant() > 0 ? 1 : -1; }

Eigen::MatrixXcd solve(const Eigen::SparseMatrix<std::complex<double>>& A,
                       const Eigen::Ref<const Eigen::MatrixXcd>& b) {
  return Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>>(A).solve(b);
}

}  // namespace microslip::sparse
