#include "microslip/models/masing_backbone.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "microslip/models/iwan4.hpp"
#include "support/random.hpp"

namespace microslip {
namespace masing_backbone_test {

using Law = MasingBackbone<double>;
Law law_of(const std::string& formula) { return Law({.g = Expression::parse(formula, {"u"})}); }

/// Loss of a steady cycle, walked in n steps a leg.
double energy_of_cycle(const Law& law, double amplitude, int n) {
  auto state = law.rest();
  law.step(state, amplitude, state);
  double lost = 0;
  for (const double d : {-1.0, 1.0})
    for (int i = 1; i <= n; ++i)
      lost += law.step(state, d * amplitude * (2.0 * i / n - 1), state).dissipated;
  return lost;
}

TEST(MasingBackbone, loses_the_closed_form_of_tanh) {
  const Law law = law_of("tanh(u)");
  for (const double x : {0.01, 1.0, 7.0, 1e5}) {
    // D = 2∫tanh − x tanh x; ln cosh x = x − ln 2 + ln(1 + e^−2x)
    const double area = x > 20 ? x - std::log(2.0) : std::log(std::cosh(x));
    const double expected = 4 * (2 * area - x * std::tanh(x));
    EXPECT_NEAR(law.energy_per_cycle(x), expected, 1e-12 * x);
    for (const int n : {1, 7, 100}) EXPECT_NEAR(energy_of_cycle(law, x, n), expected, 1e-12 * x);
  }
}

TEST(MasingBackbone, keeps_the_loss_of_small_loops_of_a_formula_that_loses_digits) {
  const Law law = law_of("1-exp(-u)");
  const double x = 1e-3;
  // D = 2(x + e^−x − 1) − x(1 − e^−x) = x³/6 − x⁴/12 + x⁵/40 − …; the force itself carries an error
  // of 1e-16, which is 6e-10 of D/x.
  EXPECT_NEAR(law.energy_per_cycle(x), 4 * x * x * x * (1 / 6.0 - x / 12 + x * x / 40),
              1e-9 * x * x * x);
}

TEST(MasingBackbone, accepts_an_infinite_slope_at_the_origin) {
  const Law law = law_of("sqrt(u)");  // friction spreading along a bar
  const double x = 0.3;
  EXPECT_NEAR(law.energy_per_cycle(x), 4.0 / 3 * std::pow(x, 1.5),
              1e-10);  // what the quadrature promises
}

TEST(MasingBackbone, from_the_backbone_of_iwan4_is_iwan4) {
  const Iwan4<double>::Params joint{.Fs = 2, .KT = 5, .chi = -0.5, .beta = 0.7};
  const Iwan4<double> other(joint);
  const auto& g = other.backbone();
  // The printed g of iwan4 up to φmax, χ + 2 = 1.5.
  const Law law = law_of(number_text(g.KT) + "*u-" + number_text(g.R / (0.5 * 1.5)) + "*u^1.5");
  testing::Rng rng(3);
  auto state = law.rest();
  auto expected = other.rest();
  for (int i = 0; i < 2000; ++i) {
    const double u = rng.uniform(-1, 1) * rng.log_uniform(0.01, 1) * g.phi_max;
    const auto reply = law.step(state, u, state);
    const auto wanted = other.step(expected, u, expected);
    ASSERT_NEAR(reply.force, wanted.force, 1e-13 * joint.Fs);
    ASSERT_NEAR(reply.dissipated, wanted.dissipated, 1e-10 * joint.Fs * g.phi_max);
    ASSERT_NEAR(reply.tangent, wanted.tangent, 1e-11 * joint.KT);
  }
}

TEST(MasingBackbone, says_where_the_formula_has_no_value) {
  const Law law = law_of("1-sqrt(1-u)");
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 0.9, state).status, Status::ok);
  EXPECT_EQ(law.step(state, 1.1, state).status, Status::undefined);
}

TEST(MasingBackbone, refuses_a_curve_that_does_not_start_at_the_origin) {
  try {
    law_of("1+u");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "masing-backbone.g = 1+u must be 0 at u = 0; it is 1");
  }
}

}  // namespace masing_backbone_test
}  // namespace microslip
