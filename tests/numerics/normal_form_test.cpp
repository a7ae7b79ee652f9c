#include "microslip/detail/numerics/normal_form.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace microslip {
namespace normal_form_test {

constexpr double inf = std::numeric_limits<double>::infinity();

Expression formula(const std::string& text) { return Expression::parse(text, {"u", "z", "v"}); }

TEST(NormalForm, has_the_values_of_its_formula) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-3, 3);
  for (const char* text :
       {"1-(1+v)*z", "(u+2*z)^3/(1+z^2)", "abs(-2*z)^1.5-abs(u)*abs(u)", "max(u,z,v)-min(u,2*v)",
        "sin(-u)*cos(-z)+tanh(-2*v)", "sign(3*u-z)*exp(-u^2)", "1/(u-z)-2/(z-u)", "(u*z)^2/u",
        "atan2(u,z)+mod(u,2)+floor(z)", "sqrt(abs(u*z))", "u^0+z^1-v^-2",
        "triangle(-u)+sawtooth(z)"})
    for (int i = 0; i < 20; ++i) {
      const double u = number(random), z = number(random), v = number(random);
      const double expected = formula(text)(u, z, v);
      const Range found =
          NormalForm(formula(text), {NormalForm(u), NormalForm(z), NormalForm(v)}).range();
      EXPECT_EQ(found.lo, found.hi) << text;
      EXPECT_NEAR(found.lo, expected, 1e-12 * (1 + std::abs(expected))) << text;
    }
}

TEST(NormalForm, knows_where_values_lie) {
  const NormalForm u("u", {-inf, inf}), v("v", {0, inf}), z("z", {-2, 1});
  const auto range = [&](const std::string& text) {
    return NormalForm(formula(text), {u, z, v}).range();
  };
  EXPECT_EQ(range("1+u^2").lo, 1);
  EXPECT_EQ(range("1+u^2").hi, inf);
  EXPECT_EQ(range("u").lo, -inf);
  EXPECT_GT(range("exp(-u)").lo, 0);
  EXPECT_EQ(range("2-v").hi, 2);
  EXPECT_EQ(range("3*z^2+1").hi, 13);
  EXPECT_EQ(range("abs(z)").hi, 2);
  EXPECT_EQ(range("max(z,0.5)").lo, 0.5);
  EXPECT_EQ(range("z-z").lo, 0);
  EXPECT_EQ(range("z-z").hi, 0);
  EXPECT_EQ(range("1/z").hi, inf);
  EXPECT_EQ(range("1/z").lo, -inf);
  EXPECT_FALSE(NormalForm(formula("u*z"), {u, z, v}).keeps_its_sign());
}

}  // namespace normal_form_test
}  // namespace microslip
