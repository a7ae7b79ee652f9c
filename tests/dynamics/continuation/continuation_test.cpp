#include "dynamics/continuation/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// Branches of equations whose solutions are known.
namespace microslip::dynamics {
namespace continuation_test {

/// x³ − x = λ: an S with two turning points at λ = ±2/√27.
struct Fold : Equations {
  Eigen::Index size() const override { return 1; }
  bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& r, WideJacobian* jacobian) override {
    r = Eigen::VectorXd::Constant(1, y[0] * y[0] * y[0] - y[0] - y[1]);
    if (jacobian) {
      jacobian->reset(1);
      jacobian->add(0, 0, 3 * y[0] * y[0] - 1);
      jacobian->add(0, 1, -1);
    }
    return true;
  }
  double residual_scale(const Eigen::VectorXd&) const override { return 1; }
};

/// λ = g(y), a zigzag: corners sharper than a right angle.
struct Zigzag : Equations {
  Eigen::Index size() const override { return 1; }
  bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& r, WideJacobian* jacobian) override {
    const double slope = y[0] < 0 || y[0] > 0.1 ? 10 : -10;
    const double g = y[0] > 0.1 ? 10 * (y[0] - 0.2) : slope * y[0];
    r = Eigen::VectorXd::Constant(1, g - y[1]);
    if (jacobian) {
      jacobian->reset(1);
      jacobian->add(0, 0, slope);
      jacobian->add(0, 1, -1);
    }
    return true;
  }
  double residual_scale(const Eigen::VectorXd&) const override { return 1; }
};

TEST(Continuation, goes_round_sharp_corners) {
  Zigzag zigzag;
  ContinuationOptions options;
  options.from = -2;
  options.to = 2;
  const Curve curve = follow(zigzag, Eigen::Vector2d(-0.2, -2), options);
  EXPECT_EQ(curve.end, CurveEnd::reached);
  EXPECT_EQ(points_at(zigzag, curve, -0.5).size(), 3u);
}

TEST(Continuation, goes_round_turning_points) {
  Fold fold;
  ContinuationOptions options;
  options.from = -1;
  options.to = 1;
  const Curve curve = follow(fold, Eigen::VectorXd::Constant(2, -1.3), options);
  EXPECT_EQ(curve.end, CurveEnd::reached);
  EXPECT_EQ(points_at(fold, curve, 0.1).size(), 3u);
  const auto turning =
      maxima(fold, curve, [](const Eigen::VectorXd&, const Eigen::VectorXd& t) { return t[1]; });
  ASSERT_EQ(turning.size(), 1u);
  EXPECT_NEAR(turning[0].y[1], 2 / std::sqrt(27.0), 1e-12);
}

/// x² + λ² = 1: Newton's method and the tangent at λ = 0.6.
struct Circle : Equations {
  Eigen::Index size() const override { return 1; }
  bool evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& r, WideJacobian* jacobian) override {
    r = Eigen::VectorXd::Constant(1, y.squaredNorm() - 1);
    if (jacobian) {
      jacobian->reset(1);
      jacobian->add(0, 0, 2 * y[0]);
      jacobian->add(0, 1, 2 * y[1]);
    }
    return true;
  }
  double residual_scale(const Eigen::VectorXd&) const override { return 1; }
};

TEST(Continuation, newton_s_method_holds_the_parameter) {
  Circle circle;
  Eigen::VectorXd y = Eigen::Vector2d(2, 0.6);
  const NewtonResult found = solve_at(circle, y);
  EXPECT_TRUE(found.converged);
  const double tolerance = NewtonOptions{}.tolerance;  // of the residual, whose slope is 1.6
  EXPECT_NEAR(y[0], 0.8, tolerance);
  EXPECT_EQ(y[1], 0.6);
  Eigen::VectorXd tangent;
  ASSERT_TRUE(curve_tangent(circle, y, Eigen::Vector2d::Ones(), tangent));
  EXPECT_NEAR(std::abs(tangent[0]), 0.6, tolerance);
  EXPECT_NEAR(tangent[1] / tangent[0], -0.8 / 0.6, 4 * tolerance);
  Eigen::VectorXd outside = Eigen::Vector2d(0.1, 1.5);
  EXPECT_FALSE(solve_at(circle, outside).converged);
}

TEST(Continuation, points_lie_on_the_curve_in_equal_steps_of_arc_length) {
  Fold fold;
  ContinuationOptions options;
  options.from = -1;
  options.to = 1;
  options.first_step = options.largest_step = 0.02;
  const Curve curve = follow(fold, Eigen::VectorXd::Constant(2, -1.3), options);
  ASSERT_GT(curve.points.size(), 20u);
  for (const CurvePoint& point : curve.points) {
    const double x = point.y[0];
    EXPECT_NEAR(x * x * x - x, point.y[1], 1e-10);
    EXPECT_NEAR(point.tangent[1], (3 * x * x - 1) * point.tangent[0], 1e-9);
  }
}

}  // namespace continuation_test
}  // namespace microslip::dynamics
