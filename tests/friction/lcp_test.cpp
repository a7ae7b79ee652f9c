#include "microslip/friction/lcp.hpp"

#include <gtest/gtest.h>

#include "microslip/core/error.hpp"
#include "support/random.hpp"

namespace microslip::friction {
namespace lcp_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Independent of the residual that lemke() reports.
void expect_solution(const MatrixXd& M, const VectorXd& q, const LcpSolution& s) {
  ASSERT_EQ(s.status, Status::ok);
  const double scale = std::max(1.0, q.lpNorm<Eigen::Infinity>());
  EXPECT_LT((s.w - M * s.z - q).lpNorm<Eigen::Infinity>(), 1e-11 * scale);
  EXPECT_GE(s.w.minCoeff(), 0);
  EXPECT_GE(s.z.minCoeff(), 0);
  EXPECT_LT(s.w.cwiseProduct(s.z).lpNorm<Eigen::Infinity>(), 1e-11 * scale);
}

TEST(Lemke, solves_by_hand) {
  // w = z − 1 and w z = 0: z = 1.
  const LcpSolution one = lemke(MatrixXd::Ones(1, 1), -VectorXd::Ones(1));
  EXPECT_EQ(one.status, Status::ok);
  EXPECT_EQ(one.z[0], 1);
  EXPECT_EQ(one.w[0], 0);
  // z1 = 8 makes the first row zero; then 2·8 − 12 ≥ 0 and 2·8 − 14 ≥ 0, so z2 = z3 = 0.
  const MatrixXd M = (MatrixXd(3, 3) << 1, 0, 0, 2, 1, 0, 2, 2, 1).finished();
  const VectorXd q = (VectorXd(3) << -8, -12, -14).finished();
  const LcpSolution three = lemke(M, q);
  expect_solution(M, q, three);
  EXPECT_EQ(three.z, (VectorXd(3) << 8, 0, 0).finished());
}

TEST(Lemke, a_solved_problem_costs_no_pivot) {
  const LcpSolution s = lemke(MatrixXd::Identity(3, 3), VectorXd::Ones(3));
  EXPECT_EQ(s.pivots, 0);
  EXPECT_EQ(s.w, VectorXd::Ones(3));
}

TEST(Lemke, random_positive_definite_problems) {
  testing::Rng rng(testing::base_seed());
  for (int n = 1; n <= 40; n += 3) {
    const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return rng.uniform(-1, 1); });
    const MatrixXd M = A * A.transpose() + 0.01 * MatrixXd::Identity(n, n);
    const VectorXd q = VectorXd::NullaryExpr(n, [&](auto) { return rng.uniform(-2, 1); });
    expect_solution(M, q, lemke(M, q));
  }
}

TEST(Lemke, units_do_not_matter) {
  // Motions in other units of length and forces in other units of force; compared with 1 + |ratio|,
  // all rows once were ties.
  testing::Rng rng(testing::base_seed());
  const int n = 20;
  const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return rng.uniform(-1, 1); });
  const MatrixXd M = A * A.transpose() + 0.01 * MatrixXd::Identity(n, n);
  const VectorXd q = VectorXd::NullaryExpr(n, [&](auto) { return rng.uniform(-2, 1); });
  const LcpSolution here = lemke(M, q);
  for (const double length : {1e-15, 1.0, 1e15})
    for (const double force : {1e-15, 1.0, 1e15}) {
      const LcpSolution there = lemke(length / force * M, length * q);
      ASSERT_EQ(there.status, Status::ok) << length << ' ' << force;
      EXPECT_EQ(there.pivots, here.pivots) << length << ' ' << force;
      EXPECT_LT((there.z / force - here.z).norm(), 1e-12 * here.z.norm());
      EXPECT_LT((there.w / length - here.w).norm(), 1e-12 * here.w.norm());
    }
}

TEST(Lemke, ties_do_not_make_it_cycle) {
  // All rows equal at every pivot: only the lexicographic rule tells them apart.
  const int n = 12;
  const MatrixXd M = MatrixXd::Ones(n, n) + MatrixXd::Identity(n, n);
  const VectorXd q = -VectorXd::Ones(n);
  const LcpSolution s = lemke(M, q);
  expect_solution(M, q, s);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(s.z[i], 1.0 / (n + 1), 1e-15);  // (n + 1) z = 1
  EXPECT_LE(s.pivots, 4 * n);
}

TEST(Lemke, a_problem_without_solution_ends_on_a_ray) {
  // w1 = z1 − z2 − 1, w2 = z2 − z1 − 1: their sum is −2.
  const MatrixXd M = (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
  EXPECT_EQ(lemke(M, -VectorXd::Ones(2)).status, Status::undefined);
}

TEST(Lemke, running_out_of_pivots_is_said) {
  const MatrixXd M = MatrixXd::Identity(5, 5);
  EXPECT_EQ(lemke(M, -VectorXd::LinSpaced(5, 1, 5), {.most_pivots = 2}).status,
            Status::not_converged);
}

TEST(Lemke, sizes_must_agree) {
  EXPECT_THROW(lemke(MatrixXd::Identity(2, 2), VectorXd::Ones(3)), Error);
}

}  // namespace lcp_test
}  // namespace microslip::friction
