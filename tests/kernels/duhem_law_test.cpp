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
  const auto repeats = [](const std::string& g1, const std::string& g2, double z0 = 0) {
    return loops_repeat(formula(g1), formula(g2), z0);
  };
  // One is larger than the other.
  EXPECT_FALSE(repeats("2-z", "1-z"));
  EXPECT_FALSE(repeats("1", "1+exp(-z)+u^2"));
  EXPECT_FALSE(repeats("1+v", "1-abs(z)-0.5"));
  EXPECT_FALSE(repeats("1+v-abs(z)", "0.5+v-abs(z)-1"));  // on: v ≥ 0, back: v ≤ 0
  EXPECT_TRUE(repeats("1-v+z", "0.5-v-z"));
  EXPECT_TRUE(repeats("1-z", "1+z"));
  EXPECT_TRUE(repeats("1+z", "1+z"));
  // Nothing is forgotten.
  EXPECT_FALSE(repeats("1+sin(3*u)", "1-sin(u)"));
  EXPECT_FALSE(repeats("1+sin(3*u)+z-z", "1-sin(u)"));
  EXPECT_FALSE(repeats("1+u", "1"));
  EXPECT_FALSE(repeats("1+v", "1+v"));  // on and back differ
  EXPECT_TRUE(repeats("1+sin(3*u)-1e-9*z", "1-sin(u)"));
  EXPECT_TRUE(repeats("1+u*u", "1+u^2"));
  EXPECT_TRUE(repeats("1+sin(3*u)", "1-sin(3*u)"));  // of motions about 0
  EXPECT_FALSE(repeats("1+sin(3*u)", "1-sin(3*u)", 0.1));
}

TEST(DuhemLaw, gives_up_formulas_that_are_too_long) {
  std::string sum = "1";
  for (int i = 0; i < 12; ++i)
    sum = "(" + sum + ")*(u+z*" + std::to_string(i + 2) + "+v^" + std::to_string(i + 1) + ")";
  EXPECT_FALSE(mirrored(sum, sum));
  EXPECT_TRUE(loops_repeat(formula(sum), formula("0"), 0));
}

}  // namespace duhem_law_test
}  // namespace microslip
