#include "microslip/detail/numerics/bracket.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace bracket_test {

TEST(Bracket, finds_roots_of_rising_and_falling_functions) {
  const auto rising = [](double x) { return RootValue{x * x - 2, 2 * x}; };
  const auto falling = [](double x) { return RootValue{2 - x * x, -2 * x}; };
  EXPECT_NEAR(root_between(0, 2, true, rising), std::sqrt(2.0), 4e-16);
  EXPECT_NEAR(root_between(0, 2, false, falling), std::sqrt(2.0), 4e-16);
}

/// Newton's method alone runs away from the root of the arctangent, from 1.4 on.
TEST(Bracket, keeps_steps_that_would_leave_it) {
  int steps = 0;
  const double root = root_in({-1e3, 9e2}, 9e2, 0, 0, [&](double x) {
    ++steps;
    return RootValue{std::atan(x - 0.3), 1 / (1 + (x - 0.3) * (x - 0.3))};
  });
  EXPECT_NEAR(root, 0.3, 1e-16);
  EXPECT_LT(steps, 30);
}

/// The slope says nothing: bisection, one bit a step.
TEST(Bracket, halves_where_slopes_lead_nowhere) {
  int steps = 0;
  const double root = root_between(0, 1, true, [&](double x) {
    ++steps;
    return RootValue{x < 0.7 ? -1.0 : 1.0, 1e-9};
  });
  EXPECT_NEAR(root, 0.7, 4e-15);
  EXPECT_LT(steps, 60);
}

TEST(Bracket, ends_may_lie_either_way_round) {
  Bracket bracket{3, 1};
  EXPECT_TRUE(bracket.holds(2));
  EXPECT_FALSE(bracket.holds(3));
  EXPECT_EQ(bracket.next(2, -1, -0.5), 1.5 + 0 * bracket.middle());  // 2 + 0.5 lies outside
  EXPECT_EQ(bracket.below, 2);
}

}  // namespace bracket_test
}  // namespace microslip
