#include "microslip/detail/kernels/duhem_law.hpp"

#include <gtest/gtest.h>

#include <string>

namespace microslip {
namespace duhem_law_test {

Expression formula(const std::string& text) { return Expression::parse(text, {"u", "z", "v"}); }

/// Whether g2(x) = g1(−x).
bool mirrored(const std::string& g1, const std::string& g2) {
  return slopes_are_mirrored(formula(g1), formula(g2));
}

TEST(DuhemLaw, tells_mirrored_slopes) {
  EXPECT_TRUE(mirrored("1-z", "1+z"));
  EXPECT_TRUE(mirrored("1-(1+v)*z", "1+(1-v)*z"));
  EXPECT_TRUE(mirrored("(1-z)^3*2", "2+6*z+6*z^2+2*z^3"));
  EXPECT_TRUE(mirrored("1-0.3*abs(2*z)^1.5", "1-0.3*abs(-2*z)^1.5"));
  EXPECT_TRUE(mirrored("exp(-u)*sin(3*z)", "-sin(3*z)*exp(u)"));
  EXPECT_TRUE(mirrored("max(u,z)", "-min(z,u)"));
  EXPECT_TRUE(mirrored("1/(2-z)", "1/(z+2)"));
  EXPECT_TRUE(mirrored("sign(z-u)*cos(u-z)", "sign(u-z)*cos(z-u)"));
  EXPECT_TRUE(mirrored("sqrt(1+z^2)", "sqrt(z*z+1)"));
  EXPECT_FALSE(mirrored("1-z", "1-z"));
  EXPECT_FALSE(mirrored("1-z", "1+1.000001*z"));
  EXPECT_FALSE(mirrored("max(u,z)", "max(z,u)"));
  EXPECT_FALSE(mirrored("step(z)", "1-step(z)"));  // they differ at 0
  // A piece that no list of places would have found.
  EXPECT_FALSE(mirrored("1+max(0,1e-9-abs(z-0.123456))", "1"));
}

TEST(DuhemLaw, tells_slopes_with_which_it_never_repeats) {
  const auto larger = [](const std::string& g1, const std::string& g2) {
    return one_slope_is_larger(formula(g1), formula(g2));
  };
  EXPECT_TRUE(larger("2-z", "1-z"));
  EXPECT_TRUE(larger("1", "1+exp(-z)+u^2"));
  EXPECT_TRUE(larger("1+v", "1-abs(z)-0.5"));
  EXPECT_TRUE(larger("1+v", "0.5+v"));  // on: v ≥ 0, back: v ≤ 0
  EXPECT_FALSE(larger("1-v", "0.5-v"));
  EXPECT_FALSE(larger("1-z", "1+z"));
  EXPECT_FALSE(larger("1+z", "1+z"));
}

TEST(DuhemLaw, gives_up_formulas_that_are_too_long) {
  std::string sum = "1";
  for (int i = 0; i < 12; ++i)
    sum = "(" + sum + ")*(u+z*" + std::to_string(i + 2) + "+v^" + std::to_string(i + 1) + ")";
  EXPECT_FALSE(mirrored(sum, sum));
  EXPECT_FALSE(one_slope_is_larger(formula(sum), formula("0")));
}

}  // namespace duhem_law_test
}  // namespace microslip
