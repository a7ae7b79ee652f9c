#include "microslip/detail/numerics/bounded_least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace microslip {
namespace bounded_least_squares_test {

Eigen::MatrixXd draw(testing::Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return rng.uniform(-1, 1); });
}

/// How much the conditions of Karush, Kuhn and Tucker are violated, relative.
double violation(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& low,
                 const Eigen::VectorXd& high, const Eigen::VectorXd& x) {
  const Eigen::VectorXd gradient = A.transpose() * (b - A * x);
  double worst = 0;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if (!(x[j] >= low[j] && x[j] <= high[j])) return std::numeric_limits<double>::infinity();
    const double up = x[j] < high[j] ? gradient[j] : 0, down = x[j] > low[j] ? -gradient[j] : 0;
    worst = std::max({worst, up, down});
  }
  return worst / (A.norm() * (b.norm() + A.norm() * x.norm()));
}

TEST(BoundedLeastSquares, meets_the_optimality_conditions_for_any_shape_and_any_rank) {
  testing::Rng rng(testing::seed_for(testing::base_seed(), "bounded least squares", 0));
  for (int i = 0; i < 300; ++i) {
    const auto rows = static_cast<Eigen::Index>(1 + rng.below(6));
    const auto columns = static_cast<Eigen::Index>(1 + rng.below(9));
    Eigen::MatrixXd A = draw(rng, rows, columns);
    if (columns > 2 && rng.chance(0.5)) A.col(0) = 2 * A.col(1);  // they depend on each other
    Eigen::VectorXd low = draw(rng, columns, 1), high = low + 2 * draw(rng, columns, 1).cwiseAbs();
    if (rng.chance(0.3)) high[0] = low[0];
    const Eigen::VectorXd b = 5 * draw(rng, rows, 1);
    // The same problem in other units.
    const double unit = rng.log_uniform(1e-9, 1e9), by = rng.log_uniform(1e-9, 1e9);
    const Eigen::VectorXd start = 0.5 * (low + high);
    const Eigen::VectorXd x = bounded_least_squares(A, b, low, high, start);
    const Eigen::VectorXd other =
        bounded_least_squares(unit * A, unit * by * b, by * low, by * high, by * start);
    EXPECT_LE(violation(A, b, low, high, x), 1e-13) << i;
    EXPECT_NEAR((A * (other / by - x)).norm(), 0, 1e-10 * (1 + b.norm())) << i;
    if (rng.chance(0.5)) high.setConstant(std::numeric_limits<double>::infinity());
    EXPECT_LE(violation(A, b, low, high, bounded_least_squares(A, b, low, high, low)), 1e-13) << i;
  }
}

TEST(BoundedLeastSquares, takes_the_shortest_way_from_the_start_where_many_solve_it) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Ones(1, 2);
  const Eigen::VectorXd b = Eigen::VectorXd::Constant(1, 3);
  const Eigen::Vector2d low(0, 0), high(1, 5);
  // x₁ + x₂ = 3 from (0, 0): (1.5, 1.5) is nearest, and x₁ stops at 1.
  const Eigen::VectorXd x = bounded_least_squares(A, b, low, high, Eigen::Vector2d(0.5, 0.5));
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
}

TEST(BoundedLeastSquares, without_negative_numbers) {
  // min (x₁ − 1)² + (x₁ + x₂)²: free (1, −1); with x₂ ≥ 0, x₁ = 1/2.
  const Eigen::Matrix2d A{{1, 0}, {1, 1}};
  const Eigen::VectorXd x = nonnegative_least_squares(A, Eigen::Vector2d(1, 0));
  EXPECT_NEAR(x[0], 0.5, 1e-15);
  EXPECT_EQ(x[1], 0);
}

}  // namespace bounded_least_squares_test
}  // namespace microslip
