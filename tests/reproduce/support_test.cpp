#include "reproduce/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"

namespace microslip::reproduce {
namespace {

const ModelSpec slider{"jenkins", {{"k", 1.0}, {"phi", 0.5}}, {}};

TEST(Support, finds_turning_rows_across_equal_rows) {
  const auto run = simulate(slider, {0, 1, 1, 2, 2, 0, -1, -1, 3});
  EXPECT_EQ(run.turns(), (std::vector<std::size_t>{4, 7}));
}

TEST(Support, finds_the_nearest_row) {
  const auto run = simulate_uniform(slider, "t", 1, 4);
  EXPECT_EQ(run.row_at(-1), 0u);
  EXPECT_EQ(run.row_at(0.3), 1u);
  EXPECT_EQ(run.row_at(0.45), 2u);
  EXPECT_EQ(run.row_at(9), 4u);
}

TEST(Support, work_is_the_area_under_the_curve) {
  // Spring to 0.5, then a constant force 0.5 to 2: 1/8 + 3/4.
  const auto run = simulate(slider, {0, 2});
  EXPECT_DOUBLE_EQ(run.work(0, 1), 0.875);
}

TEST(Support, says_when_a_law_fails) {
  // The slider carries at most 0.5.
  EXPECT_THROW(simulate(slider, {0.6}, Drive::force), Error);
}

TEST(Support, closed_form_of_bouc_wen_solves_its_equation) {
  for (const int n : {1, 2}) {
    // Down through zero from z = 0.5: du/dz = 1/(A − |z|ⁿ(β sgn(u̇z) + γ)), by Simpson's rule.
    const double A = 1.2, beta = 0.6, gamma = 0.45, from = 0.5, to = -0.4;
    const auto u = bouc_wen_displacement(A, beta, gamma, n, {from, to});
    const auto slope = [&](double z, double sign) {
      return 1 / (A - std::pow(std::abs(z), n) * (beta * sign + gamma));
    };
    const auto simpson = [&](double a, double b, double sign) {
      const int pieces = 1000;
      const double h = (b - a) / pieces;
      double sum = 0;
      for (int i = 0; i < pieces; ++i)
        sum += slope(a + i * h, sign) + 4 * slope(a + (i + 0.5) * h, sign) +
               slope(a + (i + 1) * h, sign);
      return sum * h / 6;
    };
    EXPECT_NEAR(u[1] - u[0], simpson(from, 0, -1) + simpson(0, to, 1), 1e-12) << "n = " << n;
  }
}

TEST(Support, pieces_lift_the_pen_between_them) {
  const auto run = simulate(slider, {0, 1, 0, 1});
  const io::Curve curve =
      pieces(run, "up", [&](std::size_t i) { return run.history.u[i] > run.history.u[i - 1]; });
  ASSERT_EQ(curve.x.size(), 5u);
  EXPECT_TRUE(std::isnan(curve.x[2]));
  EXPECT_EQ(curve.x[3], 0);
}

TEST(Support, lists_of_different_length_never_agree) {
  EXPECT_TRUE(std::isinf(largest_difference({1, 2}, {1})));
  EXPECT_EQ(largest_difference({1, 2}, {1, 4}), 2);
}

}  // namespace
}  // namespace microslip::reproduce
