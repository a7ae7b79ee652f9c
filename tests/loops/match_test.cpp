#include "microslip/loops/match.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::loops {
namespace match_test {

/// a exp(−b x) at x = 0, 0.1, …, 2.
std::vector<double> decay(std::span<const double> p) {
  std::vector<double> curve;
  for (int i = 0; i <= 20; ++i) curve.push_back(p[0] * std::exp(-p[1] * 0.1 * i));
  return curve;
}

Matching problem(std::vector<double> start) {
  const double truth[] = {2, 3};
  const std::size_t n = start.size();
  return {start,        std::vector<double>(n, -infinity), std::vector<double>(n, infinity),
          decay(truth), std::vector<double>(21, 1),        decay};
}

TEST(Match, finds_the_parameters_of_an_exact_curve) {
  const Matched found = match(problem({0.5, 0.5}));
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.parameters[0], 2, 1e-8);
  EXPECT_NEAR(found.parameters[1], 3, 1e-8);
  EXPECT_LT(found.rms, 1e-10);
}

TEST(Match, units_of_parameters_do_not_matter) {
  // a in units of 2³⁰, b in units of 2⁻³⁰, exactly: differences were taken over 1e-9 at least.
  const double unit[] = {0x1p30, 0x1p-30};
  Matching other = problem({0.5 * unit[0], 0.5 * unit[1]});
  other.curve = [&](std::span<const double> p) {
    const double here[] = {p[0] / unit[0], p[1] / unit[1]};
    return decay(here);
  };
  const Matched found = match(other);
  const Matched same = match(problem({0.5, 0.5}));
  EXPECT_EQ(found.curves, same.curves);
  EXPECT_DOUBLE_EQ(found.parameters[0] / unit[0], same.parameters[0]);
  EXPECT_DOUBLE_EQ(found.parameters[1] / unit[1], same.parameters[1]);
}

TEST(Match, stays_within_bounds) {
  Matching bounded = problem({0.5, 0.5});
  bounded.upper[1] = 2.5;
  const Matched found = match(bounded);
  EXPECT_DOUBLE_EQ(found.parameters[1], 2.5);
  // With b held, a is linear least squares: Σ y e / Σ e².
  double top = 0, bottom = 0;
  for (int i = 0; i <= 20; ++i) {
    const double e = std::exp(-0.25 * i);
    top += 2 * std::exp(-0.3 * i) * e;
    bottom += e * e;
  }
  EXPECT_NEAR(found.parameters[0], top / bottom, 1e-7);
}

TEST(Match, leaves_a_local_minimum) {
  // (p² − 4)² + small tilt: from the left the descent ends at −2, where the tilt is 0.4 higher.
  Matching wells = problem({-3});
  wells.target = {0, 0};
  wells.weight = {1, 1};
  wells.lower = {-5};
  wells.upper = {5};
  wells.curve = [](std::span<const double> p) {
    return std::vector<double>{p[0] * p[0] - 4, 0.1 * (p[0] - 2)};
  };
  EXPECT_NEAR(match(wells).parameters[0], 2, 1e-6);
  wells.starts = 1;
  EXPECT_NEAR(match(wells).parameters[0], -2, 0.05);
}

TEST(Match, weights_choose_what_counts) {
  Matching weighted = problem({1});
  weighted.curve = [](std::span<const double> p) { return std::vector<double>(21, p[0]); };
  std::fill(weighted.weight.begin(), weighted.weight.end(), 0.0);
  weighted.weight[3] = 1;  // a constant tuned at x = 0.3
  EXPECT_NEAR(match(weighted).parameters[0], 2 * std::exp(-0.9), 1e-10);
}

TEST(Match, goes_around_parameters_that_are_not_allowed) {
  Matching fenced = problem({0.5, 0.5});
  fenced.curve = [](std::span<const double> p) {
    return p[1] > 3.5 || p[0] > 2.5 ? std::vector<double>{} : decay(p);
  };
  const Matched found = match(fenced);
  EXPECT_NEAR(found.parameters[0], 2, 1e-7);
  EXPECT_NEAR(found.parameters[1], 3, 1e-7);
}

TEST(Match, refuses_problems_without_meaning) {
  EXPECT_THROW(match(problem({})), Error);
  Matching uneven = problem({1, 1});
  uneven.lower.pop_back();
  EXPECT_THROW(match(uneven), Error);
  Matching weightless = problem({1, 1});
  weightless.weight.assign(21, 0);
  EXPECT_THROW(match(weightless), Error);
  Matching forbidden = problem({1, 1});
  forbidden.curve = [](std::span<const double>) { return std::vector<double>{}; };
  EXPECT_THROW(match(forbidden), Error);
}

TEST(Match, errors_are_those_of_linear_least_squares) {
  // a + b x over x = 0 … 9 against values that a line misses by ±0.1.
  Matching line;
  for (int i = 0; i < 10; ++i) line.target.push_back(1 + 0.5 * i + (i % 2 ? 0.1 : -0.1));
  line.weight.assign(10, 3);
  line.start = {2, 1};
  line.lower.assign(2, -infinity);
  line.upper.assign(2, infinity);
  line.curve = [](std::span<const double> p) {
    std::vector<double> curve;
    for (int i = 0; i < 10; ++i) curve.push_back(p[0] + p[1] * i);
    return curve;
  };
  const Matched found = match(line);
  double left = 0;
  for (int i = 0; i < 10; ++i)
    left += std::pow(
        found.parameters[0] + found.parameters[1] * i - line.target[static_cast<std::size_t>(i)],
        2);
  // Σ (x − 4.5)² = 82.5; variances s²/82.5 and s² (1/10 + 4.5²/82.5) with s² over 10 − 2.
  const double s = std::sqrt(left / 8);
  ASSERT_EQ(found.errors.size(), 2u);
  EXPECT_NEAR(found.errors[0], s * std::sqrt(0.1 + 4.5 * 4.5 / 82.5), 1e-6 * s);
  EXPECT_NEAR(found.errors[1], s / std::sqrt(82.5), 1e-6 * s);
}

TEST(Match, what_the_target_does_not_determine_has_no_error) {
  // The product of the first two alone counts, and the fourth does not at all.
  Matching product = problem({0.5, 1, 1, 7});
  product.curve = [](std::span<const double> p) {
    const double both[] = {p[0] * p[1], p[2]};
    return decay(both);
  };
  const Matched found = match(product);
  EXPECT_LT(found.rms, 1e-9);
  ASSERT_EQ(found.errors.size(), 4u);
  EXPECT_TRUE(std::isnan(found.errors[0]));
  EXPECT_TRUE(std::isnan(found.errors[1]));
  EXPECT_LT(found.errors[2], 1e-7);
  EXPECT_TRUE(std::isnan(found.errors[3]));
}

}  // namespace match_test
}  // namespace microslip::loops
