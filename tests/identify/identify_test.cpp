#include "microslip/identify/identify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "microslip/catalog/catalog.hpp"

/// Numbers of a structure from records of an integrator that shares nothing with the engine.
namespace microslip::identify {
namespace identify_test {

using Vector = Eigen::VectorXd;

/// m = 2, c = 0.4, k = 30, a joint of 20 that slides at 1.5; steps of a hundredth of a row by Verlet's rule.
struct Truth {
  std::vector<double> t, f, x;
};
Truth truth(double amplitude, double noise, unsigned seed) {
  Truth result;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto force = [&](double t) {
    return amplitude * (std::sin(3.1 * t) + std::sin(5.3 * t + 1) + std::sin(1.7 * t + 2));
  };
  double x = 0, v = 0, joint = 0;
  const double row = 0.05;
  const int parts = 100;
  for (int i = 0; i < 600; ++i) {
    result.t.push_back(row * i);
    result.f.push_back(force(row * i));
    result.x.push_back(x + noise * normal(random));
    for (int k = 0; k < parts; ++k) {
      const double h = row / parts, t = row * i + h * k;
      const auto acceleration = [&](double at) {
        return (force(at) - 0.4 * v - 30 * x - joint) / 2;
      };
      v += 0.5 * h * acceleration(t);
      const double way = h * v;
      x += way;
      joint = std::clamp(joint + 20 * way, -1.5, 1.5);
      v += 0.5 * h * acceleration(t + h);
    }
  }
  return result;
}

Datum datum(const Truth& of, bool holdout) {
  Datum d;
  d.name = holdout ? "test.csv" : "record.csv";
  d.holdout = holdout;
  d.channels = {"x1"};
  MotionTask task;
  task.t = of.t;
  task.forces.emplace_back(of.t, of.f, true);
  task.places = {{Vector::Ones(1), 0}};
  d.motion = task;
  d.measured = Eigen::Map<const Vector>(of.x.data(), static_cast<Eigen::Index>(of.x.size()));
  return d;
}

Unknown unknown(const std::string& name, double start, const std::string& parameter = "") {
  Unknown u;
  u.name = name;
  u.start = start;
  u.logarithmic = true;
  u.upper = 1e300;
  u.given = true;
  if (!parameter.empty()) u.joint = 0;
  u.parameter = parameter;
  return u;
}
dynamics::Structure mass(const Vector& p, double share = 0) {
  dynamics::Structure s;
  for (dynamics::SparseMatrix* matrix : {&s.M, &s.C, &s.K}) matrix->resize(1, 1);
  s.M.coeffRef(0, 0) = p[0];
  s.C.coeffRef(0, 0) = p[1];
  s.K.coeffRef(0, 0) = p[2] + share;
  const Vector w = Vector::Ones(1);
  s.joints.push_back(
      {catalog::make({"jenkins", {{"k", p[3]}, {"phi", p[4]}}, {}}), dynamics::Direction(w)});
  s.loads.push_back({w, dynamics::Constant{0}});
  return s;
}

TEST(Identify, five_numbers_from_a_record_and_a_test_that_was_not_seen) {
  const std::vector<Unknown> all{unknown("M[1]", 1.5), unknown("damper[1].c", 1),
                                 unknown("spring[1].k", 45), unknown("joint[1].k", 10, "k"),
                                 unknown("joint[1].phi", 3, "phi")};
  const Result result = identify([](const Vector& p) { return mass(p); }, all,
                                 {datum(truth(4, 2e-3, 1), false), datum(truth(3, 0, 2), true)});
  ASSERT_EQ(result.outcome, fit::Outcome::converged) << result.message;
  const double known[] = {2, 0.4, 30, 20, 1.5};
  for (Eigen::Index i = 0; i < 5; ++i) {
    const auto& error = result.errors[static_cast<std::size_t>(i)];
    ASSERT_TRUE(error.has_value());
    // Five normal numbers stay within 4 in 9997 of 10 000 draws.
    EXPECT_LT(std::abs(result.p[i] - known[i]), 4 * *error) << i;
    EXPECT_LT(*error, 0.2 * known[i]) << i;
  }
  EXPECT_NEAR(result.channels[0].rms, 2e-3, 3e-4);
  EXPECT_LT(result.holdout_relative, 0.01);
}

/// Two springs side by side are known by their sum only.
TEST(Identify, a_combination_that_changes_nothing_is_named) {
  const std::vector<Unknown> all{unknown("spring[1].k", 20), unknown("spring[2].k", 9)};
  const Result result = identify(
      [](const Vector& p) { return mass((Vector(5) << 2, 0.4, p[0], 20, 1.5).finished(), p[1]); },
      all, {datum(truth(4, 2e-3, 1), false)});
  EXPECT_EQ(result.outcome, fit::Outcome::undetermined);
  EXPECT_FALSE(result.errors[0].has_value());
  EXPECT_FALSE(result.errors[1].has_value());
  EXPECT_NEAR(result.p[0] + result.p[1], 30, 0.5);
  EXPECT_NE(result.message.find("spring[2].k"), std::string::npos) << result.message;
}

/// It had an error of 0, since it had no noise either.
TEST(Identify, what_nothing_depends_on_is_not_determined) {
  const std::vector<Unknown> all{unknown("spring[1].k", 20), unknown("idle", 5)};
  const Result result = identify(
      [](const Vector& p) { return mass((Vector(5) << 2, 0.4, p[0], 20, 1.5).finished()); }, all,
      {datum(truth(4, 2e-3, 1), false)});
  EXPECT_EQ(result.outcome, fit::Outcome::undetermined);
  ASSERT_TRUE(result.errors[0].has_value());
  EXPECT_GT(*result.errors[0], 0);
  EXPECT_LT(std::abs(result.p[0] - 30), 4 * *result.errors[0]);
  EXPECT_FALSE(result.errors[1].has_value());
}

}  // namespace identify_test
}  // namespace microslip::identify
