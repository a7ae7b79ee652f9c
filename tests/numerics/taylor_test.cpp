#include "microslip/detail/numerics/taylor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace microslip {
namespace taylor_test {

constexpr double u0 = 0.4, z0 = 0.7, h = 0.05;

double after(const std::string& slope, double length = h) {
  const auto g = Expression::parse(slope, {"u", "z"});
  taylor::Solution<double> series(g, u0, z0);
  EXPECT_TRUE(series.fits());
  EXPECT_EQ(series.reach(length, 1e-17), length) << slope;
  return series.at(length).value - z0;
}

/// ∫ g du by Simpson's rule on 400 pieces of h: an error of h^5/400^4.
double integral(const std::string& slope) {
  const auto g = Expression::parse(slope, {"u", "z"});
  const double part = h / 400;
  double sum = 0;
  for (int i = 0; i < 400; ++i) {
    const double u = u0 + i * part;
    sum += part / 6 * (g(u, z0) + 4 * g(u + part / 2, z0) + g(u + part, z0));
  }
  return sum;
}

// Each operation and function, alone and of something that is not a straight line.
TEST(Taylor, integrates_what_depends_on_the_displacement) {
  for (const char* g : {"3",
                        "u",
                        "2-u",
                        "u*u",
                        "1/u",
                        "u/3",
                        "u/(1+u)",
                        "(u+1)/(u*u-3)",
                        "u^7",
                        "u^-2",
                        "u^1.5",
                        "u^u",
                        "2^u",
                        "exp(u)",
                        "exp(-u*u)",
                        "log(u)",
                        "log10(1+u^2)",
                        "sqrt(u)",
                        "sin(3*u)",
                        "cos(u*u)",
                        "tan(u)",
                        "asin(u)",
                        "acos(u/2)",
                        "atan(2*u)",
                        "sinh(u)",
                        "cosh(u^2)",
                        "tanh(3*u)",
                        "atan2(u,2)",
                        "atan2(2,u)",
                        "atan2(u*u,1-u)",
                        "abs(u-1)",
                        "min(u,2*u^2)",
                        "max(u,2*u^2)",
                        "sign(u)*u",
                        "mod(u,0.3)",
                        "sawtooth(u)",
                        "triangle(u)"})
    EXPECT_NEAR(after(g), integral(g), 1e-14) << g;
}

TEST(Taylor, follows_the_force) {
  EXPECT_NEAR(after("z"), z0 * std::expm1(h), 1e-15);
  EXPECT_NEAR(after("1-z"), -(1 - z0) * std::expm1(-h), 1e-15);
  EXPECT_NEAR(after("1-z^2"), std::tanh(std::atanh(z0) + h) - z0, 1e-15);
  EXPECT_NEAR(after("z/u"), z0 * h / u0, 1e-15);
  EXPECT_NEAR(after("sqrt(z)"), std::pow(std::sqrt(z0) + h / 2, 2) - z0, 1e-15);
  EXPECT_NEAR(after("exp(-z)"), std::log(std::exp(z0) + h) - z0, 1e-15);
}

TEST(Taylor, gives_slope_and_integral) {
  const auto g = Expression::parse("-z", {"u", "z"});
  taylor::Solution<double> series(g, u0, z0);
  series.reach(1, 1e-17);
  const auto end = series.at(1);
  EXPECT_NEAR(end.slope, -z0 * std::exp(-1.0), 1e-15);
  EXPECT_NEAR(end.integral, -z0 * std::expm1(-1.0), 1e-15);
}

// z' = −z from a start that varies, over a length that varies.
TEST(Taylor, carries_derivatives) {
  const auto g = Expression::parse("-z", {"u", "z"});
  taylor::Solution<Dual<2>> series(g, Dual<2>(u0), Dual<2>(z0, 0));
  series.reach(1, 1e-17);
  const auto end = series.at(Dual<2>(1, 1)).value;
  EXPECT_NEAR(end.v[0], std::exp(-1.0), 1e-15);
  EXPECT_NEAR(end.v[1], -z0 * std::exp(-1.0), 1e-15);
}

// 1/(1 − u) from 0: all coefficients are 1, so twenty terms are right to 1e-13 up to 0.2.
TEST(Taylor, says_how_far_it_reaches) {
  const auto g = Expression::parse("1/(1-u)^2", {"u", "z"});
  taylor::Solution<double> series(g, 0.0, 1.0);
  const double reach = series.reach(3, 1e-13);
  EXPECT_GT(reach, 0.15);
  EXPECT_LT(reach, 0.25);
  EXPECT_NEAR(series.at(reach).value, 1 / (1 - reach), 1e-12);
}

TEST(Taylor, says_where_there_is_no_series) {
  const auto root = Expression::parse("1+u^1.5", {"u", "z"});
  taylor::Solution<double> at_end(root, 0.0, 0.0);
  EXPECT_TRUE(at_end.defined());
  EXPECT_EQ(at_end.reach(1, 1e-13), 0);
  std::string long_formula = "z";
  for (std::size_t i = 0; i < taylor::most_nodes; ++i) long_formula += "*z";
  EXPECT_FALSE(taylor::Solution<double>(Expression::parse(long_formula, {"u", "z"}), 0, 1).fits());
  const auto power = Expression::parse("1+abs(z)^u", {"u", "z"});
  taylor::Solution<double> of_zero(power, 0.0, 0.0);
  EXPECT_EQ(of_zero.first_slope(), 2);  // 0^0 = 1
  EXPECT_EQ(of_zero.reach(1, 1e-13), 0);
  const auto pole = Expression::parse("1/u", {"u", "z"});
  EXPECT_FALSE(taylor::Solution<double>(pole, 0, 1).defined());
}

}  // namespace taylor_test
}  // namespace microslip
