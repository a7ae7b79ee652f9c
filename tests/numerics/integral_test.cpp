#include "microslip/detail/numerics/integral.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace {

TEST(UnitIntegral, meets_closed_forms) {
  EXPECT_NEAR(unit_integral<double>([](double s) { return std::exp(s); }), std::expm1(1.0), 1e-14);
  EXPECT_NEAR(unit_integral<double>([](double s) { return std::exp(-200 * s); }),
              (1 - std::exp(-200)) / 200, 1e-13 / 200);
  EXPECT_NEAR(unit_integral<double>([](double s) { return std::sqrt(s); }), 2.0 / 3, 1e-10);
  EXPECT_EQ(unit_integral<double>([](double) { return 0.0; }), 0);
}

TEST(UnitIntegral, carries_derivatives) {
  const Dual<1> a(1.5, 0);
  const Dual<1> sum = unit_integral<Dual<1>>([&](double s) { return exp(a * s); });
  EXPECT_NEAR(sum.a, std::expm1(1.5) / 1.5, 1e-14);
  EXPECT_NEAR(sum.v[0], (std::exp(1.5) * 0.5 + 1) / 2.25, 1e-13);
}

/// The first integrand alone would be content with the shortest rule; the others are not, and one of
/// them is so small that its error is nothing beside the first.
TEST(UnitIntegral, the_error_of_each_integrand_is_controlled) {
  const auto together = unit_integral<Integrands<3>>([](double s) {
    return Integrands<3>{{1 + 1e-3 * s, std::sqrt(s), 1e-20 * std::exp(-200 * s)}};
  });
  EXPECT_NEAR(together.values[0], 1.0005, 1e-14);
  EXPECT_NEAR(together.values[1], 2.0 / 3, 1e-10);
  EXPECT_NEAR(together.values[2], 1e-20 * (1 - std::exp(-200)) / 200, 1e-33 / 200);
}

}  // namespace
}  // namespace microslip
