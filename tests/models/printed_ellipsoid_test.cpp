#include "microslip/detail/kernels/comparison/printed_ellipsoid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "microslip/detail/kernels/comparison/printed_two_state.hpp"
#include "microslip/models/ellipsoid.hpp"

namespace microslip {
namespace printed_ellipsoid_test {

Matrix<double> random_definite(Eigen::Index m, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix<double> half(m, m);
  for (Eigen::Index i = 0; i < half.size(); ++i) half.data()[i] = normal(random);
  return half * half.transpose() + 0.2 * Matrix<double>::Identity(m, m);
}
Eigen::VectorXd random_vector(Eigen::Index m, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd result(m);
  for (double& x : result) x = normal(random);
  return result;
}

TEST(PrintedEllipsoid, the_polynomial_and_its_lowest_root_give_the_same_direction) {
  std::mt19937 random(3);
  for (const Eigen::Index m : {2, 3, 6})
    for (int i = 0; i < 100; ++i) {
      const Matrix<double> A = random_definite(m, random);
      const PrintedEllipsoid law(A, A, random_vector(m, random), {});
      const Eigen::VectorXd c = std::exp(0.02 * i - 1) * random_vector(m, random);
      const auto one = law.by_one_root(c), all = law.by_polynomial(c);
      // Near a pair of roots a polynomial of degree 12 keeps a few digits only.
      EXPECT_NEAR(one.y, all.y, (m == 6 ? 1e-3 : 1e-6) * (1 + std::abs(one.y))) << m << " " << i;
      EXPECT_GE(all.y, one.y - 1e-9 * (1 + std::abs(one.y)));
      EXPECT_NEAR(one.direction.norm(), 1, 1e-12);
      EXPECT_NEAR(one.y, std::sqrt(one.direction.dot(A * one.direction)) + one.direction.dot(c),
                  1e-10 * (1 + std::abs(one.y)));
      // No other direction has less.
      for (int j = 0; j < 50; ++j) {
        const Eigen::VectorXd eta = random_vector(m, random).normalized();
        EXPECT_GE(std::sqrt(eta.dot(A * eta)) + eta.dot(c), one.y - 1e-9);
      }
    }
}

TEST(PrintedEllipsoid, in_two_dimensions_agrees_with_the_eigenproblem) {
  const PrintedTwoState two({0.25, 1}, 0.7, {0.4, 0.6});
  Matrix<double> A = Matrix<double>::Zero(2, 2);
  A(0, 0) = 0.25;
  A(1, 1) = 1;
  const PrintedEllipsoid law(A, A, Eigen::Vector2d(0.4, 0.6), {});
  for (double angle = 0.1; angle < 6.2; angle += 0.3) {
    const Eigen::Vector2d c(1.3 * std::cos(angle), 1.3 * std::sin(angle));
    const auto one = law.by_one_root(c);
    const auto other = two.by_eigenproblem(c);
    EXPECT_NEAR(one.y, other.y, 1e-9);
    EXPECT_NEAR((one.direction - other.direction).norm(), 0, 1e-6) << angle;
  }
}

Ellipsoid<double>::Params three_state() {
  Ellipsoid<double>::Params p;
  p.A.resize(3, 3);
  p.A << 1.0, 0.2, 0.0, 0.2, 0.5, 0.1, 0.0, 0.1, 0.3;
  p.K.resize(3, 3);
  p.K << 1.0, 0.3, 0.1, 0.3, 2.0, 0.2, 0.1, 0.2, 0.8;
  p.b = {1, 0.5, 0.3};
  return p;
}

/// Largest difference of ξ from the exact flow on a path with minor loops, over the largest ξ.
double difference(double gain, double power) {
  using Law = Ellipsoid<double>;
  const Law exact(three_state()),
      law(three_state(), {.method = Law::Method::penalty, .gain = gain, .power = power});
  auto a = exact.rest(), b = law.rest();
  double worst = 0, most = 0;
  for (const double end : {1.5, -0.5, 0.8, -2.0, 0.3}) {
    const double start = a.u;
    for (int i = 1; i <= 20; ++i) {
      const double u = start + (end - start) * i / 20;
      const double f = exact.step(a, u, a).force;
      const auto reply = law.step(b, u, b);
      EXPECT_EQ(reply.status, Status::ok);
      EXPECT_GE(reply.dissipated, 0);
      worst = std::max(worst, std::abs(reply.force - f));
      most = std::max(most, std::abs(f));
    }
  }
  return worst / most;
}

TEST(EllipsoidPenalty, tends_to_the_exact_flow_as_the_gain_grows) {
  const double ten = difference(300, 1), twenty = difference(600, 1);
  EXPECT_LT(ten, 0.02);
  EXPECT_NEAR(twenty / ten, 0.5, 0.05);  // y ≈ −rate/gain in slip
  // |y|^p with p = 1.2: y goes with gain^(−1/1.2).
  EXPECT_NEAR(difference(600, 1.2) / difference(300, 1.2), std::pow(0.5, 1 / 1.2), 0.06);
}

TEST(EllipsoidPenalty, balances_its_energy) {
  using Law = Ellipsoid<double>;
  const Law law(three_state(), {.method = Law::Method::penalty, .gain = 200, .tolerance = 1e-9});
  auto state = law.rest();
  double work = 0, lost = 0;
  for (const double end : {1.5, -0.5, 0.8}) {
    const double start = state.u;
    for (int i = 1; i <= 2000; ++i) {
      const double u = start + (end - start) * i / 2000, before = state.f, at = state.u;
      const auto reply = law.step(state, u, state);
      work += 0.5 * (at + u) * (reply.force - before);  // ∫ u dξ
      lost += reply.dissipated;
    }
    EXPECT_NEAR(work, lost + law.stored(state), 1e-5) << end;  // trapezoidal rule
  }
}

}  // namespace printed_ellipsoid_test
}  // namespace microslip
