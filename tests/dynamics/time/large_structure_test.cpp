#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/support.hpp"
#include "dynamics/time/direction_factor.hpp"
#include "dynamics/time/linear_forces.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace large_structure_test {

/// A chain of 20 masses with friction, and as many more beside it that have nothing to do with it.
/// Up to 60 degrees of freedom the tangent is factorised as a whole, beyond only its linear part.
Structure chain(Eigen::Index more, double gyroscopic = 0, double weakness = 0) {
  const Eigen::Index m = 20, n = m + more;
  Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  s.M.setIdentity();
  for (Eigen::Index i = 1; i <= n; ++i) {
    add_along(s.K, between(n, 0, i), 0.1);
    if (i > 1 && i != m + 1) add_along(s.K, between(n, i - 1, i), 1);
    add_along(s.C, between(n, 0, i), 0.01);
  }
  if (gyroscopic != 0) {
    s.C.coeffRef(0, 1) += gyroscopic;
    s.C.coeffRef(1, 0) -= gyroscopic;
  }
  if (weakness != 0) add_along(s.K, between(n, 0, 5), -weakness);
  for (const int i : {3, 8, 13}) {
    s.joints.push_back({jenkins(0.5, 0.05), between(n, 0, i)});
    s.joints.push_back({law("iwan4", {{"Fs", 0.2}, {"KT", 0.4}, {"chi", -0.5}, {"beta", 0.5}}),
                        between(n, i, i + 1)});
  }
  s.joints.push_back({law("gap", {{"k", 3.0}, {"gap", 0.1}}), between(n, 0, 20)});
  Eigen::VectorXd load = Eigen::VectorXd::Zero(n);
  load.head(m).setConstant(0.1);
  s.loads.push_back({load, Tones{{{1, 0, 1, 0.5}}}});
  return s;
}

TimeResult moved(const Structure& s, Method method) {
  TimeOptions options;
  options.method = method;
  options.until = 20;
  options.step = 0.1;
  options.at = {0.123, 7.77};  // steps of other sizes
  return integrate(s, options);
}

void expect_same(const Structure& small, const Structure& large) {
  for (const Method method : {Method::midpoint, Method::newmark, Method::generalized_alpha}) {
    const TimeResult a = moved(small, method), b = moved(large, method);
    ASSERT_EQ(a.message, "");
    ASSERT_EQ(b.message, "");
    ASSERT_EQ(a.t, b.t);
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < a.t.size(); ++i) {
      worst = std::max(worst, (a.x[i] - b.x[i].head(20)).lpNorm<Eigen::Infinity>());
      size = std::max(size, a.x[i].lpNorm<Eigen::Infinity>());
    }
    EXPECT_GT(size, 0.3);            // the joints slip and the gap closes
    EXPECT_LT(worst, 1e-10 * size);  // Newton's method stops at 1e-12 of the forces
  }
}

TEST(LargeStructure, the_kept_factor_gives_the_same_motion) { expect_same(chain(0), chain(60)); }

TEST(LargeStructure, damping_that_is_not_symmetric_is_solved_too) {
  expect_same(chain(0, 0.3), chain(60, 0.3));
}

TEST(LargeStructure, a_linear_part_that_is_not_positive_definite_is_solved_too) {
  // A step of 0.1 adds 4/h² = 400 to the stiffness of a mass; −1000 is more than that.
  Structure small = chain(0, 0, 1000), large = chain(60, 0, 1000);
  for (Structure* s : {&small, &large}) {
    // Held by a joint as stiff, so that it does not fly away.
    s->joints.push_back({law("linear", {{"k", 1000.0}}), between(s->size(), 0, 5)});
  }
  expect_same(small, large);
}

TEST(LargeStructure, linear_forces_are_the_products_of_the_matrices) {
  for (const bool full_mass : {false, true})
    for (const bool damped : {false, true}) {
      Structure s = chain(10, damped ? 0.3 : 0);
      if (!damped) s.C.setZero();
      if (full_mass) s.M.coeffRef(2, 5) = s.M.coeffRef(5, 2) = 0.2;
      const Eigen::VectorXd a = Eigen::VectorXd::LinSpaced(30, -1, 2), v = a.cwiseAbs2(),
                            x = a.array().sin(), load = a.reverse();
      Eigen::VectorXd residual;
      const LinearForces linear(s);
      LinearForces::Sums sums;
      linear.residual(a, v, x, load, residual, &sums);
      const Eigen::VectorXd momentum = s.M * v, damping = s.C * v, spring = s.K * x;
      EXPECT_LT((residual - (s.M * a + damping + spring - load)).norm(), 1e-13 * residual.norm());
      EXPECT_NEAR(sums.kinetic, v.dot(momentum), 1e-13 * std::abs(sums.kinetic));
      EXPECT_NEAR(sums.viscous, v.dot(damping), 1e-13 * std::abs(sums.kinetic));
      EXPECT_NEAR(sums.elastic, x.dot(spring), 1e-13 * std::abs(sums.elastic));
      EXPECT_DOUBLE_EQ(sums.momentum, momentum.lpNorm<Eigen::Infinity>());
      EXPECT_NEAR(sums.spring, spring.lpNorm<Eigen::Infinity>(), 1e-13);
      EXPECT_EQ(linear.sums(v, x).elastic, sums.elastic);
    }
}

TEST(LargeStructure, a_chain_is_solved_in_its_own_order) {
  // Joints last, the others as they are: two entries a column of the factor, and short paths.
  const Structure s = chain(2000);
  const SparseMatrix A = 400 * s.M + s.K;
  SparseMatrix W(s.size(), 2);
  W.insert(300, 0) = 1;
  W.insert(1500, 1) = 2;
  const DirectionFactor factor(A, W);
  ASSERT_TRUE(factor.definite());
  EXPECT_LT(factor.entries(), 2 * s.size());
  EXPECT_EQ(factor.path(), 2);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(s.size(), -1, 3).array().sin();
  Eigen::VectorXd y, x = Eigen::VectorXd::Zero(s.size());
  factor.forward(b, y);
  const Eigen::VectorXd along = factor.along(y);
  factor.subtract_back(y, x);
  EXPECT_LT((A * x + b).norm(), 1e-13 * b.norm());
  EXPECT_LT((along + W.transpose() * x).norm(), 1e-13 * along.norm());
}

TEST(LargeStructure, rows_can_be_taken_one_by_one) {
  const Structure s = chain(60);
  TimeOptions options;
  options.method = Method::midpoint;
  options.until = 2;
  options.step = 0.1;
  const TimeResult kept = integrate(s, options);
  std::vector<double> t, energy;
  options.row = [&](const TimeRow& row) {
    t.push_back(row.t);
    energy.push_back(row.energy);
    EXPECT_EQ(row.f.size(), s.joints.size());
  };
  const TimeResult streamed = integrate(s, options);
  EXPECT_EQ(t, kept.t);
  EXPECT_EQ(energy, kept.energy);
  EXPECT_TRUE(streamed.t.empty());
  EXPECT_EQ(streamed.rows, kept.rows);
}

TEST(LargeStructure, a_rate_dependent_law_hands_over_its_rows_at_the_end) {
  Structure s = oscillator(law("maxwell"));
  s.loads[0].signal = Tones{{{0.2, 0, 1, 0.5}}};
  TimeOptions options;
  options.until = 3;
  options.step = 0.5;
  options.every_step = false;
  const TimeResult kept = integrate(s, options);
  std::vector<double> t;
  options.row = [&](const TimeRow& row) { t.push_back(row.t); };
  integrate(s, options);
  EXPECT_EQ(t, kept.t);
  EXPECT_EQ(t.size(), 7u);
}

TEST(Load, formula_is_the_closed_form) {
  // m x″ + k x = F₀ sin(ωt) from rest: x = F₀/(k − mω²) (sin ωt − (ω/ω₀) sin ω₀t).
  Structure s{diagonal({2}), diagonal({0}), diagonal({8}), {}, {}};
  s.loads.push_back({Eigen::VectorXd::Ones(1), Formula{Expression::parse("3*sin(1.5*t)", {"t"})}});
  TimeOptions options;
  options.until = 5;
  options.at = {1, 2.5, 5};
  options.every_step = false;
  const TimeResult r = integrate(s, options);
  for (std::size_t i = 1; i < r.t.size(); ++i) {
    const double t = r.t[i];
    EXPECT_NEAR(r.x[i][0], 3 / (8 - 2 * 2.25) * (std::sin(1.5 * t) - 0.75 * std::sin(2 * t)), 1e-8);
  }
}

TEST(Load, a_formula_that_is_no_number_is_refused) {
  Structure s{diagonal({2}), diagonal({0}), diagonal({8}), {}, {}};
  s.loads.push_back({Eigen::VectorXd::Ones(1), Formula{Expression::parse("1/(t-1)", {"t"})}});
  TimeOptions options;
  options.until = 2;
  EXPECT_THROW(integrate(s, options), Error);
}

TEST(Elastic, a_cubic_spring_swings_with_the_period_of_its_elliptic_integral) {
  // x″ + x³ = 0 from x = 1: T = Γ(1/4)²/√π = 7.416298709205487.
  Structure s{diagonal({1}), diagonal({0}), diagonal({0}), {}, {}};
  s.joints.push_back({law("power", {{"k", 1.0}, {"n", 3.0}}), Eigen::VectorXd::Ones(1)});
  TimeOptions options;
  options.until = 7.416298709205487;
  options.tolerance = 1e-11;
  options.x0 = Eigen::VectorXd::Ones(1);
  const TimeResult r = integrate(s, options);
  EXPECT_NEAR(r.x.back()[0], 1, 1e-9);
  EXPECT_NEAR(r.v.back()[0], 0, 1e-8);
}

TEST(Elastic, a_mass_between_stops_keeps_its_period) {
  // Free way 2g at speed v, and half a swing √(m/k) π at each stop: T = 4g/v + 2π√(m/k).
  Structure s{diagonal({1}), diagonal({0}), diagonal({0}), {}, {}};
  s.joints.push_back({law("gap", {{"k", 4.0}, {"gap", 0.5}}), Eigen::VectorXd::Ones(1)});
  TimeOptions options;
  options.until = 4 * 0.5 / 2 + std::acos(-1.0);
  options.tolerance = 1e-11;
  options.v0 = Eigen::VectorXd::Constant(1, 2);
  const TimeResult r = integrate(s, options);
  EXPECT_NEAR(r.x.back()[0], 0, 1e-9);
  EXPECT_NEAR(r.v.back()[0], 2, 1e-9);
}

TEST(Elastic, a_preloaded_stop_is_in_equilibrium_with_its_spring) {
  // k x + k' (x − gap) = 0: x = k' gap/(k + k').
  Structure s{diagonal({1}), diagonal({0}), diagonal({3}), {}, {}};
  s.joints.push_back({law("unilateral", {{"k", 2.0}, {"gap", -0.5}}), Eigen::VectorXd::Ones(1)});
  EXPECT_FALSE(rigid(s));
  const StaticState rest = static_equilibrium(s);
  ASSERT_TRUE(rest.converged);
  EXPECT_NEAR(rest.x[0], -0.2, 1e-14);
}

}  // namespace large_structure_test
}  // namespace microslip::dynamics
