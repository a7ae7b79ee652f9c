#include "microslip/numerics/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

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

}  // namespace microslip::dense
