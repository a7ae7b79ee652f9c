#include "microslip/models/flag.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/models/table.hpp"
#include "support/independent_laws.hpp"
#include "support/random.hpp"

namespace microslip {
namespace flag_test {

using Law = Flag<double>;

TEST(Flag, follows_the_band_between_two_lines) {
  testing::Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const double k1 = rng.log_uniform(0.5, 3), k2 = k1 * rng.uniform(0, 1);
    const double fa = rng.log_uniform(0.5, 2), beta = rng.uniform(0, 1);
    const Law law({.k1 = k1, .k2 = k2, .fa = fa, .beta = beta});
    testing::PrintedFlag printed{k1, k2, fa, beta};
    auto state = law.rest();
    for (int leg = 0; leg < 100; ++leg) {
      const double u = fa / k1 * rng.uniform(-4, 4);
      EXPECT_NEAR(law.step(state, u, state).force, printed.move(u), 1e-13 * (fa + k2 * 4));
    }
  }
}

// fa = 2 and k1 = 4: opens at u = 0.5. β = 0.6: closes 1.2 lower, along lines of slope k2 = 1.
TEST(Flag, corners_of_one_flag) {
  const Law law({.k1 = 4, .k2 = 1, .fa = 2, .beta = 0.6});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.next_kink(state, 1), 0.5);
  EXPECT_DOUBLE_EQ(law.step(state, 0.5, state).force, 2);
  EXPECT_DOUBLE_EQ(law.step(state, 1.5, state).force, 3);
  EXPECT_DOUBLE_EQ(law.next_kink(state, -1), 1.2);  // 1.2/4 back
  const auto back = law.step(state, 1.2, state);
  EXPECT_NEAR(back.force, 1.8, 1e-15);
  EXPECT_DOUBLE_EQ(law.next_kink(state, -1), 0.2);  // where the lower line meets the first one
  EXPECT_NEAR(law.step(state, 0.2, state).force, 0.8, 1e-15);
  EXPECT_DOUBLE_EQ(law.next_kink(state, -1), -0.5);
  EXPECT_DOUBLE_EQ(law.step(state, 0, state).force, 0);
  EXPECT_DOUBLE_EQ(state.s, 0);
}

TEST(Flag, a_cycle_loses_the_area_of_two_flags) {
  const double k1 = 4, k2 = 1, fa = 2, beta = 0.6, A = 1.5;
  const Law law({.k1 = k1, .k2 = k2, .fa = fa, .beta = beta});
  auto state = law.rest();
  law.step(state, A, state);
  double lost = law.step(state, -A, state).dissipated;
  lost += law.step(state, A, state).dissipated;
  // A parallelogram of height β fa along a line of stiffness k1, over the slip A − fa/k1.
  EXPECT_NEAR(lost, 2 * beta * fa * (1 - k2 / k1) * (A - fa / k1), 1e-14);
}

TEST(Flag, without_a_flag_is_an_elastic_curve) {
  const Law law({.k1 = 2, .k2 = 0.3, .fa = 1, .beta = 0});
  const Table<double> curve({.u = {-1.5, -0.5, 0.5, 1.5}, .f = {-1.3, -1, 1, 1.3}});
  auto a = law.rest();
  auto b = curve.rest();
  for (const double u : {0.3, 1.2, 0.4, -0.2, -3.0, -1.0, 2.0}) {
    const auto f = law.step(a, u, a);
    EXPECT_NEAR(f.force, curve.step(b, u, b).force, 1e-15);
    EXPECT_EQ(f.dissipated, 0);
    EXPECT_NEAR(law.stored(a), curve.stored(b), 2e-15);
  }
}

TEST(Flag, always_centres_itself) {
  testing::Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const Law law({.k1 = 1, .k2 = rng.uniform(0, 1), .fa = 1, .beta = rng.uniform(0, 1)});
    auto state = law.rest();
    for (int leg = 0; leg < 5; ++leg) law.step(state, rng.uniform(-20, 20), state);
    EXPECT_EQ(law.step(state, 0, state).force, 0);
  }
}

TEST(Flag, first_harmonic_agrees_with_a_sampled_cycle) {
  const double A = 1.7;
  for (const double beta : {0.0, 0.4, 1.0}) {
    const Law law({.k1 = 3, .k2 = 0.4, .fa = 2, .beta = beta});
    auto state = law.rest();
    law.step(state, A, state);
    constexpr int rows = 200000;  // midpoint rule: kinks cost 1/rows²
    double b1 = 0, a1 = 0;
    for (int i = 0; i < rows; ++i) {
      const double angle = 0.5 * pi + 2 * pi * (i + 0.5) / rows;
      const double f = law.step(state, A * std::sin(angle), state).force;
      b1 += 2 * f * std::sin(angle) / rows;
      a1 += 2 * f * std::cos(angle) / rows;
    }
    const HarmonicForce h = *law.first_harmonic(A, 1);
    EXPECT_NEAR(h.b1, b1, 1e-8);
    EXPECT_NEAR(h.a1, a1, 1e-8);
    EXPECT_NEAR(h.tip, 2 + 0.4 * (A - 2.0 / 3), 1e-14);
  }
  EXPECT_EQ(Law({.k1 = 3}).first_harmonic(0.1, 1)->b1, 3 * 0.1);
}

TEST(Flag, refuses_a_steeper_line_after_activation) {
  EXPECT_THROW(Law({.k1 = 1, .k2 = 1.1}), Error);
}

}  // namespace flag_test
}  // namespace microslip
