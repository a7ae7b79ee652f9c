#include "microslip/models/maxwell_slip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "microslip/models/masing.hpp"
#include "support/independent_laws.hpp"

namespace microslip {
namespace maxwell_slip_test {

using Law = MaxwellSlip<double>;

TEST(MaxwellSlip, follows_the_printed_equations) {
  const Law law({.k = {3, 1},
                 .phi = {0.6, 0.9},
                 .ratio = 0.5,
                 .vs = 0.4,
                 .delta = 1.5,
                 .C = 4,
                 .sigma2 = 0.2});
  testing::PrintedMaxwellSlip printed{{3, 1}, {0.4, 0.6}, 0.75, 1.5, 0.4, 1.5, 4, 0.2};
  auto state = law.rest();
  double account = 0;
  for (const auto& [u, dt] : {std::pair{0.3, 1.0},
                              {2.0, 1.0},
                              {2.2, 3.0},
                              {3.5, 0.5},
                              {3.6, 0.3},
                              {1.0, 2.0},
                              {-1.0, 0.4},
                              {-1.1, 2.0},
                              {0.5, 6.0}}) {
    const double f = printed.move(u, dt);
    const auto reply = law.step(state, u, dt, state);
    account += reply.dissipated;
    // 4000 steps: the onset of slip is met to one of them.
    EXPECT_NEAR(reply.force, f, 1e-6) << u;
    EXPECT_NEAR(account + law.stored(state), printed.work, 2e-3) << u;
  }
}

TEST(MaxwellSlip, slow_motion_is_masing) {
  const Law law({});
  const Masing<double> elements({});
  auto a = law.rest();
  auto b = elements.rest();
  const double slowly = std::numeric_limits<double>::infinity();
  for (const double u : {0.4, 0.8, 0.2, 0.5, -1.0, 0.0, 3.0, 2.5, -4.0}) {
    const auto f = law.step(a, u, slowly, a);
    const auto g = elements.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, 1e-14);
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-14);
    EXPECT_NEAR(law.stored(a), elements.stored(b), 1e-14);
  }
  // And as its limit: the slip forces differ by (v/vs)² (1 − ratio).
  for (const double speed : {1e-2, 1e-3}) {
    a = law.rest();
    b = elements.rest();
    for (const double u : {0.4, 0.8, 0.2, 0.5, -1.0, 0.0, 3.0, 2.5, -4.0})
      EXPECT_NEAR(law.step(a, u, std::abs(u - a.u) / speed, a).force, elements.step(b, u, b).force,
                  4 * speed * speed * 0.2 + 0.1 * speed + 1e-12);
  }
}

TEST(MaxwellSlip, constant_velocity_is_the_stribeck_curve) {
  const Law law({.ratio = 0.6, .vs = 0.5, .delta = 1.3, .sigma2 = 0.3});
  for (const double v : {0.01, 0.3, 0.5, 2.0}) {
    auto state = law.rest();
    law.step(state, 1000 * v, 1000, state);
    const double expected = 0.6 + 0.4 * std::exp(-std::pow(v / 0.5, 1.3)) + 0.3 * v;
    EXPECT_NEAR(law.step(state, 1001 * v, 1, state).force, expected, 1e-13);
  }
}

// After a change of speed friction follows like exp(−C t/s), whatever the distance.
TEST(MaxwellSlip, friction_lags_behind_the_speed) {
  const Law law({.ratio = 0.5, .vs = 0.5, .delta = 2, .C = 3, .sigma2 = 0});
  auto state = law.rest();
  law.step(state, 100, 10, state);  // fast: 0.5
  ASSERT_NEAR(state.f, 0.5, 1e-13);
  const double v = 0.1, s = 0.5 + 0.5 * std::exp(-0.04);
  for (const double t : {0.05, 0.2, 1.0}) {
    auto to = state;
    EXPECT_NEAR(law.step(state, 100 + v * t, t, to).force, s + (0.5 - s) * std::exp(-3 * t / s),
                1e-13);
  }
}

// The fault of the law: sliding fast, then slow, then back, it returns more than it took.
TEST(MaxwellSlip, can_create_energy) {
  const Law law({.k = {1}, .phi = {1}, .ratio = 0.2, .vs = 0.5, .delta = 2, .C = 10, .sigma2 = 0});
  auto state = law.rest();
  double work = 0;
  for (int cycle = 0; cycle < 6; ++cycle) {
    if (cycle == 1) work = 0;
    for (const auto& [u, dt] : {std::pair{1.3, 0.01}, {1.31, 5.0}, {-1.3, 0.01}, {-1.31, 5.0}}) {
      const double before = law.stored(state);
      work += law.step(state, u, dt, state).dissipated + law.stored(state) - before;
    }
  }
  EXPECT_LT(work, -0.1);
}

}  // namespace maxwell_slip_test
}  // namespace microslip
