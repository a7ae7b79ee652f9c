#include "microslip/catalog/files/units.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"

namespace microslip::catalog {
namespace units_test {

TEST(Units, dimensions_are_converted) {
  const Units from = parse_units("kN, mm, s"), to = parse_units("s, N, m");
  EXPECT_DOUBLE_EQ(*unit_factor("F", from, to), 1e3);
  EXPECT_DOUBLE_EQ(*unit_factor("F/L", from, to), 1e6);
  EXPECT_DOUBLE_EQ(*unit_factor("F L", from, to), 1);
  EXPECT_DOUBLE_EQ(*unit_factor("F T/L", from, to), 1e6);
  EXPECT_DOUBLE_EQ(*unit_factor("L^-2", from, to), 1e6);
  EXPECT_DOUBLE_EQ(*unit_factor("1", from, to), 1);
  EXPECT_FALSE(unit_factor("L^-n", from, to));
  EXPECT_DOUBLE_EQ(force_in("lbf", to), 4.4482216152605);
  EXPECT_DOUBLE_EQ(acceleration_in("g", parse_units("N, mm, s")), 9806.65);
  EXPECT_DOUBLE_EQ(acceleration_in("mm/s^2", to), 1e-3);
  EXPECT_DOUBLE_EQ(time_in("ms", to), 1e-3);
  for (const char* text : {"N, m", "N, N, s", "N, m, s, s", "kg, m, s", ""})
    EXPECT_THROW(parse_units(text), Error) << text;
}

TEST(Units, a_law_in_other_units_is_the_same_law) {
  const Units from = parse_units("kN, mm, s"), to = parse_units("N, m, s");
  const std::vector<ModelSpec> laws{
      {"iwan4", {{"Fs", 2.0}, {"KT", 30.0}, {"chi", -0.4}, {"beta", 0.3}}, {}},
      // β and γ are powers of a length that the parameter n says.
      {"bouc-wen",
       {{"A", 1.0}, {"beta", 3.0}, {"gamma", 2.0}, {"n", 1.7}, {"k", 30.0}, {"a", 0.1}},
       {}},
      {"jenkins+bouc-wen",
       {{"jenkins.k", 5.0},
        {"jenkins.phi", 0.4},
        {"bouc-wen.beta", 3.0},
        {"bouc-wen.gamma", 2.0},
        {"bouc-wen.n", 1.5},
        {"bouc-wen.A", 1.0},
        {"bouc-wen.k", 3.0},
        {"bouc-wen.a", 0.2}},
       {}}};
  for (const ModelSpec& spec : laws) {
    const AnyModel first = make(spec), second = make(in_units(spec, from, to));
    AnyState a = first.rest(), b = second.rest();
    for (int i = 1; i <= 40; ++i) {
      const double u = 0.3 * std::sin(0.5 * i);
      const double f = first.step(a, u, 1, a).force, g = second.step(b, 1e-3 * u, 1, b).force;
      EXPECT_NEAR(1e3 * f, g, 1e-9 * (1 + std::abs(g))) << spec.model << ' ' << i;
    }
  }
}

}  // namespace units_test
}  // namespace microslip::catalog
