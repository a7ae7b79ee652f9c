#include "microslip/identify/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"

/// Motions in time and their derivatives.
namespace microslip::identify {
namespace motion_test {

using Vector = Eigen::VectorXd;

std::vector<double> rows(std::size_t count, double step) {
  std::vector<double> t(count);
  for (std::size_t i = 0; i < count; ++i) t[i] = static_cast<double>(i) * step;
  return t;
}

/// One mass; unknown are mass, damper, spring, and stiffness and slip force of a joint.
std::vector<Unknown> unknowns() {
  std::vector<Unknown> all(5);
  const char* names[] = {"M[1]", "damper[1].c", "spring[1].k", "joint[1].k", "joint[1].phi"};
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = names[i];
  all[3].joint = all[4].joint = 0;
  all[3].parameter = "k";
  all[4].parameter = "phi";
  return all;
}
dynamics::Structure mass(const Vector& p, const std::string& law = "jenkins") {
  dynamics::Structure s;
  for (dynamics::SparseMatrix* matrix : {&s.M, &s.C, &s.K}) matrix->resize(1, 1);
  s.M.coeffRef(0, 0) = p[0];
  s.C.coeffRef(0, 0) = p[1];
  s.K.coeffRef(0, 0) = p[2];
  const Vector w = Vector::Ones(1);
  s.joints.push_back(
      {catalog::make({law, {{"k", p[3]}, {"phi", p[4]}}, {}}), dynamics::Direction(w)});
  s.loads.push_back({w, dynamics::Constant{0}});
  return s;
}

MotionTask free_motion(std::size_t count, double step) {
  MotionTask task;
  task.t = rows(count, step);
  task.basis = Eigen::MatrixXd::Ones(1, 1);
  task.places = {{Vector::Ones(1), 0}, {Vector::Ones(1), 2}};
  return task;
}

/// Below its slip force the joint is a spring: x = e^(−ζωt) (x₀ cos ω_d t + …).
TEST(Motion, a_stuck_joint_decays_as_the_closed_form_does) {
  const Vector p = (Vector(5) << 2, 0.4, 30, 20, 1e6).finished();
  const auto all = unknowns();
  const System system = system_at([](const Vector& q) { return mass(q); }, all, p, true);
  MotionTask task = free_motion(400, 0.02);
  const Vector start = (Vector(2) << 0.3, -1.2).finished();
  ASSERT_TRUE(choose_substeps(system, task, start, 1e-9));
  const Motion found = motion(system, task, start, true);
  ASSERT_EQ(found.failure, "");
  const double rate = 0.4 / 4, omega = std::sqrt(50.0 / 2 - rate * rate);
  for (Eigen::Index i = 0; i < found.y.rows(); ++i) {
    const double t = task.t[static_cast<std::size_t>(i)], e = std::exp(-rate * t);
    const double c = std::cos(omega * t), s = std::sin(omega * t);
    EXPECT_NEAR(found.y(i, 0), e * (0.3 * c + (-1.2 + rate * 0.3) / omega * s), 1e-7);
    // By x₀ and v₀, which follow the five unknowns.
    EXPECT_NEAR(found.derivatives(i, 5), e * (c + rate / omega * s), 1e-7);
    EXPECT_NEAR(found.derivatives(i, 6), e / omega * s, 1e-7);
  }
}

/// Sliding in each half period; the difference quotient is of second order in its step.
TEST(Motion, derivatives_are_those_of_a_sliding_motion) {
  const Vector p = (Vector(5) << 2, 0.4, 30, 20, 1.5).finished();
  const auto all = unknowns();
  const Build build = [](const Vector& q) { return mass(q); };
  MotionTask task = free_motion(300, 0.02);
  std::vector<double> force;
  for (const double t : task.t) force.push_back(8 * std::sin(4 * t));
  task.forces.emplace_back(task.t, force, true);
  task.substeps = 16;
  const Vector start = (Vector(2) << 0.1, 0.7).finished();
  const Motion exact = motion(system_at(build, all, p, true), task, start, true);
  ASSERT_EQ(exact.failure, "");
  for (Eigen::Index k = 0; k < 7; ++k) {
    Vector up = p, down = p, start_up = start, start_down = start;
    const double step = 1e-5;
    (k < 5 ? up[k] : start_up[k - 5]) += step;
    (k < 5 ? down[k] : start_down[k - 5]) -= step;
    const Vector difference =
        (motion(system_at(build, all, up, false), task, start_up, false).y.col(0) -
         motion(system_at(build, all, down, false), task, start_down, false).y.col(0)) /
        (2 * step);
    const Vector derivative = exact.derivatives.col(k).head(300);
    EXPECT_LT((difference - derivative).norm(), 2e-3 * difference.norm()) << k;
  }
}

/// A spline repeats a cubic; straight lines miss it by h²/8 of its second derivative.
TEST(Motion, a_force_between_rows) {
  const std::vector<double> t{0, 0.5, 1.2, 2, 2.4, 3};
  const auto cubic = [](double x) { return x * x * x - 2 * x + 1; };
  std::vector<double> f;
  for (const double x : t) f.push_back(cubic(x));
  const ForceHistory spline(t, f, true), line(t, f, false);
  EXPECT_NEAR(spline.at(1, 0.5), cubic(0.85), 1e-12);
  EXPECT_NEAR(spline.at(4, 0.25), cubic(2.55), 1e-12);
  EXPECT_NEAR(line.at(1, 0.5), 0.5 * (cubic(0.5) + cubic(1.2)), 1e-12);
}

}  // namespace motion_test
}  // namespace microslip::identify
