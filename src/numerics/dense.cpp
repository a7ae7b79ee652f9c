#include "microslip/detail/numerics/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace microslip::dense {

Lu::Lu(const MatrixView& A) : factors_(A) {}

void Lu::compute(const MatrixView& A) { factors_.compute(A); }

Eigen::VectorXd Lu::solve_column(const VectorView& b) const { return factors_.solve(b); }

Eigen::MatrixXd Lu::solve_columns(const MatrixView& b) const { return factors_.solve(b); }

Eigen::MatrixXd Lu::inverse() const { return factors_.inverse(); }

Eigen::VectorXd Lu::pivots() const { return factors_.matrixLU().diagonal(); }

int Lu::sign_of_determinant() const {
  const auto negative = (factors_.matrixLU().diagonal().array() < 0).count();
  return static_cast<int>(factors_.permutationP().determinant()) * (negative % 2 == 0 ? 1 : -1);
}

Eigen::MatrixXd inverse(const MatrixView& A) { return Lu(A).inverse(); }

ComplexLu::ComplexLu(const Eigen::Ref<const Eigen::MatrixXcd>& A) : factors_(A) {}

Eigen::MatrixXcd ComplexLu::solve(const Eigen::Ref<const Eigen::MatrixXcd>& b) const {
  return factors_.solve(b);
}

Eigen::MatrixXcd ComplexLu::solve_transposed(const Eigen::Ref<const Eigen::MatrixXcd>& b) const {
  return factors_.transpose().solve(b);
}

Cholesky::Cholesky(const MatrixView& A) {
  const Eigen::LLT<Eigen::MatrixXd> factors(A);
  positive_ = factors.info() == Eigen::Success;
  L_ = factors.matrixL();
}

Eigen::MatrixXd Cholesky::solve_lower(const MatrixView& b) const {
  // Eigen's solver takes the address of the first right-hand side, so there must be one.
  if (b.size() == 0) return b;
  return L_.triangularView<Eigen::Lower>().solve(b);
}

Eigen::MatrixXd Cholesky::solve_columns(const MatrixView& b) const {
  if (b.size() == 0) return b;
  Eigen::MatrixXd x = L_.triangularView<Eigen::Lower>().solve(b);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

Ldlt::Ldlt(const MatrixView& A) : factors_(A) {}

Eigen::MatrixXd Ldlt::solve(const MatrixView& b) const { return factors_.solve(b); }

Eigen::VectorXd Ldlt::pivots() const { return factors_.vectorD(); }

Eigen::MatrixXd solve_with_full_pivoting(const MatrixView& A, const MatrixView& b) {
  return A.fullPivLu().solve(b);
}

Eigen::MatrixXd least_squares(const MatrixView& A, const MatrixView& b) {
  return A.householderQr().solve(b);
}

Eigen::MatrixXd shortest_least_squares(const MatrixView& A, const MatrixView& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  return factors.solve(b);
}

Eigen::MatrixXd shortest_least_squares(const MatrixView& A, const MatrixView& b) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A).solve(b);
}

Eigen::MatrixXd pseudo_inverse(const MatrixView& A) {
  return shortest_least_squares(A, Eigen::MatrixXd::Identity(A.rows(), A.rows()));
}

ThinQr::ThinQr(const MatrixView& A) {
  const Eigen::Index size = std::min(A.rows(), A.cols());
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(A);
  Q = factors.householderQ() * Eigen::MatrixXd::Identity(A.rows(), size);
  R = factors.matrixQR().topRows(size).triangularView<Eigen::Upper>();
}

Svd::Svd(const MatrixView& A) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  values = svd.singularValues();
  U = svd.matrixU();
  V = svd.matrixV();
}

PivotedQr::PivotedQr(const MatrixView& A, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  Q = factors.householderQ();
  R = factors.matrixR();
  rank = factors.rank();
  const auto& order = factors.colsPermutation().indices();
  columns.assign(order.begin(), order.end());
}

SymmetricModes::SymmetricModes(const MatrixView& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
  found = solver.info() == Eigen::Success;
}

SymmetricModes::SymmetricModes(const MatrixView& A, const MatrixView& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, B);
  found = solver.info() == Eigen::Success;
  if (!found) return;
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

Eigen::VectorXcd eigenvalues(const MatrixView& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

Modes::Modes(const MatrixView& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  values = solver.eigenvalues();
  vectors = solver.pseudoEigenvectors();
}

}  // namespace microslip::dense
