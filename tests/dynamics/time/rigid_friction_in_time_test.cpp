#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

#include "dynamics/in_time.hpp"
#include "dynamics/rigid/rigid_friction.hpp"
#include "dynamics/support.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace rigid_friction_in_time_test {

TEST(RigidFrictionInTime, two_masses_rub_until_they_move_together) {
  // Relative velocity 3 falls with fc (1/m1 + 1/m2) = 0.9 and is gone at t = 10/3; the momentum 3
  // stays, so that both then move with velocity 1, and friction has taken 4.5 − 1.5.
  Structure s{diagonal({1, 2}), diagonal({0, 0}), diagonal({0, 0}), {}, {}};
  s.joints.push_back({law("coulomb", {{"fc", 0.6}}), between(2, 1, 2)});
  TimeOptions options;
  options.until = 5;
  options.v0 = Eigen::Vector2d(3, 0);
  options.at = {2.5};
  const TimeResult r = integrate(s, options);
  ASSERT_EQ(r.message, "");
  EXPECT_NEAR(r.v.back()[0], 1, 1e-12);
  EXPECT_NEAR(r.v.back()[1], 1, 1e-12);
  EXPECT_NEAR(r.x.back()[0] - r.x.back()[1], 0.5 * 3 * 10 / 3, 1e-12);
  EXPECT_NEAR(r.audit.joints, 3, 1e-12);
  for (std::size_t i = 0; i < r.t.size(); ++i)
    if (r.t[i] == 2.5) {
      EXPECT_NEAR(r.v[i][0], 3 - 0.6 * 2.5, 1e-12);
    }
}

TEST(RigidFrictionInTime, a_stuck_joint_holds_what_it_must) {
  // The load grows slowly to 0.8 of what friction holds; the mass behind the joint swings freely.
  Structure s{diagonal({1, 1}), diagonal({0, 0}), diagonal({0, 0}), {}, {}};
  add_along(s.K, between(2, 1, 2), 1);
  s.joints.push_back({law("coulomb"), between(2, 0, 1)});
  TimeOptions options;
  options.until = 2 * std::numbers::pi;
  options.x0 = Eigen::Vector2d(0, 0.8);
  options.v0 = Eigen::Vector2d(0, 0);
  const TimeResult r = integrate(s, options);
  ASSERT_EQ(r.message, "");
  EXPECT_EQ(r.events, 0);
  for (std::size_t i = 0; i < r.t.size(); ++i) {
    EXPECT_EQ(r.x[i][0], 0);
    EXPECT_NEAR(r.f[i][0], 0.8 * std::cos(r.t[i]), 1e-8);
  }
}

TEST(RigidFrictionInTime, midpoint_follows_friction_between_masses) {
  Structure s{diagonal({1, 1}), diagonal({0, 0}), diagonal({1, 0}), {}, {}};
  add_along(s.K, between(2, 1, 2), 1);
  s.joints.push_back({law("coulomb", {{"fc", 0.6}}), between(2, 0, 1)});
  s.loads.push_back({Eigen::Vector2d(0, 1), Tones{{Tone{1, 0, 1, 0.4}}}});
  TimeOptions options;
  options.until = 30;
  const TimeResult exact = integrate(s, options);
  options.method = Method::midpoint;
  const auto error = [&](double step) {
    options.step = step;
    const TimeResult r = integrate(s, options);
    EXPECT_EQ(r.message, "");
    return (r.x.back() - exact.x.back()).norm();
  };
  const double coarse = error(0.01);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(error(0.0025), coarse / 8);  // order two
}

TEST(RigidFrictionInTime, static_loads_slip_where_friction_cannot_hold_them) {
  const auto at_rest = [](double force) {
    Structure s{diagonal({1, 1}), diagonal({0, 0}), diagonal({2, 0}), {}, {}};
    add_along(s.K, between(2, 1, 2), 1);
    s.joints.push_back({law("coulomb"), between(2, 0, 1)});
    s.loads.push_back({Eigen::Vector2d(0, 1), Constant{force}});
    const StaticState state = static_equilibrium(s);
    EXPECT_TRUE(state.converged);
    return state.x;
  };
  EXPECT_LT((at_rest(0.9) - Eigen::Vector2d(0, 0.9)).norm(), 1e-12);
  EXPECT_LT((at_rest(1.5) - Eigen::Vector2d(0.25, 1.75)).norm(), 1e-12);
  EXPECT_LT((at_rest(-1.5) + Eigen::Vector2d(0.25, 1.75)).norm(), 1e-12);
}

TEST(RigidFrictionInTime, rigid_friction_sticks_where_coulomb_says) {
  // Free decay with dry friction: every half period takes 2 fc/k from the amplitude, and the mass
  // stays where the spring cannot overcome friction: 2, −1.4, 0.8, −0.2.
  Structure s = oscillator(law("coulomb", {{"fc", 0.3}}), 0, 1, 0, 1);
  s.loads.clear();
  TimeOptions options;
  options.until = 12;
  options.step = 0.01;
  options.method = Method::midpoint;
  options.x0 = Eigen::VectorXd::Constant(1, 2.0);
  options.at = {std::numbers::pi, 2 * std::numbers::pi};
  const TimeResult r = integrate(s, options);
  ASSERT_TRUE(r.message.empty()) << r.message;
  EXPECT_NEAR(r.x.back()[0], -0.2, 1e-9);
  EXPECT_EQ(r.v.back()[0], 0);
  // Stuck, the joint holds the spring: f = −k x.
  EXPECT_NEAR(r.f.back()[0], 0.2, 1e-9);
  for (std::size_t i = 0; i < r.t.size(); ++i) {
    if (r.t[i] == options.at[0]) {
      EXPECT_NEAR(r.x[i][0], -1.4, 1e-7);
    }
    if (r.t[i] == options.at[1]) {
      EXPECT_NEAR(r.x[i][0], 0.8, 1e-7);
    }
  }
  // All that was lost went into friction: (k/2)(2² − 0.2²) = fc · path.
  EXPECT_NEAR(r.audit.joints - r.audit.input, 1.98, 1e-9);
  EXPECT_LT(std::abs(r.audit.error()), 1e-12);
}

TEST(RigidFrictionInTime, rigid_friction_stops_rounding_at_once) {
  // Joints that hold each other, with nothing in the initial values but their last digits.
  const Eigen::Matrix2d K{{2, -0.7}, {-0.7, 0.7}};
  const Eigen::Matrix2d C = 0.03 * K;
  Structure s{diagonal({1, 1}), C.sparseView(), K.sparseView(), {}, {}};
  for (const Eigen::Vector2d& w : {Eigen::Vector2d(1, 0), Eigen::Vector2d(1, -1)})
    for (int i = 0; i < 2; ++i) s.joints.push_back({law("coulomb"), w});
  s.loads.push_back({Eigen::Vector2d(0, 2.5), Tones{{{1, 0, 1, 0.5}}}});
  const double expected = integrate(s, until(10)).x.back()[1];
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1e-16, 1e-16);
  for (int i = 0; i < 200; ++i) {
    TimeOptions options = until(10);
    const auto any = [&] { return uniform(random); };
    options.x0 = Eigen::VectorXd::NullaryExpr(2, any);
    options.v0 = Eigen::VectorXd::NullaryExpr(2, any);
    const TimeResult r = integrate(s, options);
    EXPECT_EQ(r.message, "") << i;
    EXPECT_NEAR(r.x.back()[1], expected, 1e-7) << i;
  }
}

TEST(RigidFrictionInTime, friction_that_depends_on_velocity_alone_is_the_same_anywhere) {
  // Slow, and far from where displacements are counted from.
  RigidFriction friction(law("stribeck", {{"fc", 1.0}, {"fs", 1.5}, {"vs", 0.1}, {"c", 0.0}}));
  friction.measure(1e3);
  AnyState state = friction.model().rest();
  friction.model().step(state, 1e3, 1, state);
  for (const double v : {1e-10, 1e-6, 1e-3})
    EXPECT_NEAR(friction.force({state, 1e3, 1}, 1e3 + 1e-9, v, 1e-9),
                1 + 0.5 * std::exp(-std::pow(v / 0.1, 2)), 1e-12);
}

TEST(RigidFrictionInTime, friction_that_falls_at_once_lets_go_of_a_mass_at_rest) {
  // "The step size went to zero": the error counted relative to a velocity that had just begun.
  const double fc = 0.5, fs = 0.8, F = 1.5, w = 0.3;
  const double t0 = std::asin(fs / F) / w, end = t0 + 1.5;
  // Released at t0 with friction fc: x″ + x = F sin wt − fc.
  const double B = F / (1 - w * w);
  const auto forced = [&](double t) { return B * std::sin(w * t) - fc; };
  const double expected =
      forced(end) - forced(t0) * std::cos(end - t0) - B * w * std::cos(w * t0) * std::sin(end - t0);
  for (const double delta : {0.7, 1.0, 2.0})
    for (const double vs : {1e-9, 1e-12}) {
      Structure s = oscillator(
          law("stribeck", {{"fc", fc}, {"fs", fs}, {"vs", vs}, {"delta", delta}, {"c", 0.0}}), F, 1,
          0, 1);
      s.loads[0].signal = Tones{{{F, -pi / 2, 1, w}}};
      const TimeResult r = integrate(s, until(end));
      EXPECT_EQ(r.message, "") << vs << " " << delta;
      EXPECT_NEAR(last(r), expected, 1e-4 * std::abs(expected)) << vs << " " << delta;
    }
}

TEST(RigidFrictionInTime, every_method_holds_rigid_joints_side_by_side_and_in_a_triangle) {
  Structure s{diagonal({1, 1.5}), diagonal({0.05, 0.03}), diagonal({1, 0}), {}, {}};
  add_along(s.K, between(2, 1, 2), 1);
  for (const auto& [fc, a, b] : {std::tuple{0.3, 0, 1}, {0.2, 0, 1}, {0.25, 0, 2}, {0.15, 1, 2}})
    s.joints.push_back({law("coulomb", {{"fc", fc}}), between(2, a, b)});
  s.loads.push_back({Eigen::Vector2d(0, 1), Tones{{Tone{1.5, 0, 1, 0.5}}}});
  TimeOptions options;
  options.until = 40;
  options.every_step = false;
  const TimeResult events = integrate(s, options);
  ASSERT_TRUE(events.message.empty()) << events.message;
  EXPECT_GT(events.events, 15);
  TimeOptions brief = options;
  brief.until = 0.9;
  const TimeResult stuck = integrate(s, brief);
  EXPECT_NEAR(stuck.x.back()[0], 0, 1e-16);  // rounding
  EXPECT_NEAR(2 * stuck.f.back()[0], 3 * stuck.f.back()[1], 1e-12);
  EXPECT_LT(stuck.f.back()[0], 0.3);
  EXPECT_LT(std::abs(events.audit.error()), 1e-7 * events.audit.input);
  for (const Method method :
       {Method::midpoint, Method::newmark, Method::hht, Method::generalized_alpha}) {
    const auto error = [&](double step) {
      options.method = method;
      options.step = step;
      const TimeResult r = integrate(s, options);
      EXPECT_TRUE(r.message.empty()) << r.message;
      EXPECT_LT(std::abs(r.audit.error()), 1e-3 * r.audit.input);
      return (r.x.back() - events.x.back()).norm();
    };
    const double coarse = error(0.02);
    EXPECT_LT(coarse, 2e-3) << static_cast<int>(method);
    // The two side by side still stick and share what they hold.
    brief.method = method;
    brief.step = 0.002;  // the force of the midpoint rule is a mean over the step
    const TimeResult r = integrate(s, brief);
    EXPECT_LT((r.f.back() - stuck.f.back()).norm(), 2e-3) << static_cast<int>(method);
    EXPECT_LT(error(0.005), coarse / 8) << static_cast<int>(method);  // order two
  }
}

// Rounding that moved stuck joints made the mean force of their next, short slip wrong, and the midpoint rule
// ended with "Newton's method failed".
TEST(RigidFrictionInTime, midpoint_follows_many_rigid_joints) {
  for (const Eigen::Index n : {6, 10}) {
    const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
    Structure s{diagonal(ones), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
    const auto add_friction = [&](double fc, Eigen::Index from, Eigen::Index to) {
      s.joints.push_back({law("coulomb", {{"fc", fc}}), between(n, from, to)});
    };
    for (Eigen::Index i = 0; i < n; ++i) {
      add_along(s.K, between(n, i, i + 1), 1);
      add_friction(0.1 + 0.03 * static_cast<double>(i * 7 % 5), 0, i + 1);
      if (i > 0) add_friction(0.05 + 0.02 * static_cast<double>(i * 3 % 4), i, i + 1);
    }
    s.loads.push_back({Eigen::VectorXd::Unit(n, n - 1), Tones{{Tone{1.5, 0, 1, 0.4}}}});
    TimeOptions options = until(30);
    const TimeResult exact = integrate(s, options);
    ASSERT_EQ(exact.message, "");
    EXPECT_GT(exact.events, 50);
    options.method = Method::midpoint;
    const auto error = [&](double step) {
      options.step = step;
      const TimeResult r = integrate(s, options);
      EXPECT_EQ(r.message, "");
      EXPECT_LT(std::abs(r.audit.error()), 1e-12 * r.audit.input);
      return (r.x.back() - exact.x.back()).norm();
    };
    const double coarse = error(0.02);
    EXPECT_LT(coarse, 1e-3 * exact.x.back().norm());
    EXPECT_LT(error(0.005), coarse / 8);  // order two
  }
}

}  // namespace rigid_friction_in_time_test
}  // namespace microslip::dynamics
