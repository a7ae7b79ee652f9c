#include "microslip/detail/numerics/sparse.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip {
namespace {

/// A chain of springs between walls, with some far ones: symmetric and positive definite.
Eigen::MatrixXd chain(Eigen::Index n) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) K(i, i) = 2.5 + 0.1 * static_cast<double>(i);
  for (Eigen::Index i = 0; i + 1 < n; ++i) K(i, i + 1) = K(i + 1, i) = -1;
  for (Eigen::Index i = 0; i + 7 < n; i += 3) K(i, i + 7) = K(i + 7, i) = -0.2;
  return K;
}

TEST(Sparse, ldlt_solves_columns_and_matrices) {
  const Eigen::MatrixXd K = chain(30), b = Eigen::MatrixXd::Random(30, 4);
  const sparse::Ldlt factors(K.sparseView());
  ASSERT_TRUE(factors.found());
  EXPECT_GT(factors.pivots().minCoeff(), 0);
  EXPECT_LT((K * factors.solve(b) - b).norm(), 1e-13 * b.norm());
  EXPECT_LT((K * factors.solve(b.col(2)) - b.col(2)).norm(), 1e-13 * b.norm());
  const sparse::Ldlt copy = factors;
  EXPECT_EQ(copy.solve(b), factors.solve(b));
}

TEST(Sparse, the_pivots_of_ldlt_count_negative_eigenvalues) {
  Eigen::MatrixXd K = chain(20);
  K.diagonal().head(6).array() -= 6;
  const Eigen::VectorXd values = dense::SymmetricModes(K).values;
  const sparse::Ldlt factors(K.sparseView());
  ASSERT_TRUE(factors.found());
  EXPECT_EQ((factors.pivots().array() < 0).count(), (values.array() < 0).count());
  EXPECT_GT((values.array() < 0).count(), 0);
  // A shift beyond the lowest eigenvalue makes it positive definite.
  EXPECT_GT(sparse::Ldlt(K.sparseView(), 1e-3 - values[0]).pivots().minCoeff(), 0);
}

TEST(Sparse, singular_matrices_are_reported) {
  Eigen::MatrixXd free = chain(5);
  free.row(2).setZero();
  free.col(2).setZero();
  EXPECT_FALSE(sparse::Ldlt(free.sparseView(0, -1)).found());
  EXPECT_FALSE(sparse::Lu(free.sparseView(0, -1)).found());
}

TEST(Sparse, lu_solves_and_gives_the_sign_of_the_determinant) {
  Eigen::MatrixXd A = chain(25);
  A(3, 11) = 4;
  A(20, 2) = -3;
  const Eigen::VectorXd b = Eigen::VectorXd::Random(25);
  for (int flip = 0; flip < 2; ++flip) {
    const sparse::Lu factors(A.sparseView());
    ASSERT_TRUE(factors.found());
    EXPECT_LT((A * factors.solve(b) - b).norm(), 1e-12 * b.norm());
    EXPECT_EQ(factors.sign_of_determinant(), dense::Lu(A).sign_of_determinant());
    A.row(0).swap(A.row(1));
  }
}

TEST(Sparse, complex_systems) {
  const std::complex<double> i(0, 1);
  const Eigen::MatrixXcd A = chain(12) + 0.3 * i * Eigen::MatrixXd::Identity(12, 12);
  const Eigen::MatrixXcd b = Eigen::MatrixXcd::Random(12, 3);
  EXPECT_LT((A * sparse::solve(A.sparseView(), b) - b).norm(), 1e-13 * b.norm());
}

}  // namespace
}  // namespace microslip
