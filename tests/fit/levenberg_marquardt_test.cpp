#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

#include "../../src/fit/least_squares.hpp"
#include "two_state_cases.hpp"

namespace microslip::fit {
namespace levenberg_marquardt_test {

/// What a browser has instead of Ceres: from the same start both must end in the same minimum.
struct Case {
  const char* law;
  ParameterValues truth, start;
  double noise;
};

void PrintTo(const Case& c, std::ostream* to) { *to << c.law; }

class MinimumOf : public ::testing::TestWithParam<Case> {};

TEST_P(MinimumOf, is_where_ceres_finds_it) {
  const Case& c = GetParam();
  const AnyModel law = catalog::make({c.law, c.truth, {}});
  Data data = record_of(law, two_frequencies(400));
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 1);
  for (double& f : data.f) f += c.noise * noise(random);
  const Problem problem(catalog::make({c.law, c.start, {}}), {data});
  std::vector<double> x;
  for (const Unknown& unknown : problem.unknowns()) x.push_back(unknown.start);
  const Solution ceres = solve(problem, x, {});
  const Solution own = levenberg_marquardt(problem, x, {});
  ASSERT_EQ(ceres.end, Solution::End::minimum);
  EXPECT_EQ(own.end, Solution::End::minimum);
  if (c.noise == 0) {
    EXPECT_LT(own.cost, 1e-20);
    return;
  }
  EXPECT_NEAR(own.cost, ceres.cost, 1e-9 * ceres.cost);
  const std::vector<double> a = problem.values(own.x), b = problem.values(ceres.x);
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-4 * std::abs(b[i])) << problem.unknowns()[i].name;
}

INSTANTIATE_TEST_SUITE_P(
    laws, MinimumOf,
    ::testing::Values(
        Case{"linear", {{"k", 2.0}}, {{"k", 0.7}}, 0.01},
        Case{"ramberg-osgood", {{"k", 2.0}, {"fy", 0.7}}, {{"k", 1.0}, {"fy", 1.5}}, 0.01},
        Case{"bouc-wen",
             {{"n", 1.5}, {"beta", 1.0}, {"gamma", 0.3}},
             {{"n", 1.0}, {"beta", 0.5}, {"gamma", 0.2}},
             0.01},
        Case{"iwan4",
             {{"Fs", 1.0}, {"KT", 1.5}, {"chi", -0.4}, {"beta", 0.3}},
             {{"Fs", 1.6}, {"KT", 1.0}, {"chi", -0.6}, {"beta", 0.8}},
             0.01},
        Case{"dahl", {}, {}, 0}));

TEST(LevenbergMarquardt, stays_inside_limits) {
  Data data{"spring", {}, two_frequencies(100), {}};
  data.f = data.u;
  fit::Setup setup;
  setup.bounds["k"] = closed_interval(0.1, 0.5);
  const Problem problem(catalog::make({"linear", {{"k", 0.2}}, {}}), {data}, setup);
  const Solution own = levenberg_marquardt(problem, {problem.unknowns()[0].start}, {});
  EXPECT_EQ(own.end, Solution::End::minimum);
  EXPECT_NEAR(problem.values(own.x)[0], 0.5, 1e-9);
}

TEST(LevenbergMarquardt, stops_when_asked) {
  Data data{"spring", {}, two_frequencies(100), {}};
  data.f = data.u;
  const Problem problem(catalog::make({"linear", {{"k", 0.2}}, {}}), {data});
  SolveOptions options;
  options.stop = [] { return true; };
  EXPECT_EQ(levenberg_marquardt(problem, {problem.unknowns()[0].start}, options).end,
            Solution::End::stopped);
}

}  // namespace levenberg_marquardt_test
}  // namespace microslip::fit
