#include "microslip/detail/numerics/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "microslip/detail/numerics/expression.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {
namespace affine_test {

constexpr double u0 = 0.4, z0 = -0.7, v0 = 0.3;

struct Result {
  affine::Term<double> g;
  bool curved;
};
Result evaluate(const std::string& formula) {
  bool curved = false;
  const auto g = Expression::parse(formula, {"u", "z", "v"})(
      affine::Term<double>(u0, 1, 0, &curved), affine::Term<double>(z0, 0, 1, &curved),
      affine::Term<double>(v0));
  return {g, curved};
}

TEST(Affine, has_the_slopes_of_a_plane) {
  const double s = std::sqrt(v0), d = 1 / (0.5 + std::exp(-v0 * v0));
  const struct {
    const char* formula;
    double value, by_u, by_z;
  } planes[] = {
      {"3", 3, 0, 0},
      {"v", v0, 0, 0},
      {"-z", -z0, 0, -1},
      {"u-2*(z-u)", u0 - 2 * (z0 - u0), 3, -2},
      {"z^1", z0, 0, 1},
      {"1-(1+v)*z", 1 - (1 + v0) * z0, 0, -(1 + v0)},
      {"(1+sqrt(v))*(z+u)*v", (1 + s) * (z0 + u0) * v0, (1 + s) * v0, (1 + s) * v0},
      {"2*(1-z/(0.5+exp(-v^2)))", 2 * (1 - z0 * d), 0, -2 * d},
      {"max(v,1)*u-min(v,1)*z+abs(v)*sign(-v)", u0 - v0 * z0 - v0, 1, -v0},
      {"atan2(v,2)*z+pow(v,1.5)*u+v^v", std::atan2(v0, 2) * z0 + v0 * s * u0 + std::pow(v0, v0),
       v0 * s, std::atan2(v0, 2)},
  };
  for (const auto& plane : planes) {
    const auto [g, curved] = evaluate(plane.formula);
    EXPECT_FALSE(curved) << plane.formula;
    EXPECT_NEAR(g.value, plane.value, 1e-15) << plane.formula;
    EXPECT_NEAR(g.by_u, plane.by_u, 1e-15) << plane.formula;
    EXPECT_NEAR(g.by_z, plane.by_z, 1e-15) << plane.formula;
  }
}

TEST(Affine, all_else_is_curved) {
  for (const char* formula :
       {"z*z",      "u*z",      "z*0*u",    "1/z",        "v/(1+u)",     "z^2",
        "z^0.5",    "2^u",      "v^z",      "sqrt(u)",    "exp(z)",      "log(u)",
        "log10(u)", "sin(u)",   "cos(u)",   "tan(z)",     "asin(z)",     "acos(z)",
        "atan(z)",  "sinh(z)",  "cosh(z)",  "tanh(z)",    "abs(z)",      "sign(z)",
        "step(u)",  "floor(u)", "ceil(u)",  "square(u)",  "triangle(u)", "sawtooth(u)",
        "min(z,1)", "max(v,u)", "mod(u,2)", "atan2(u,1)", "atan2(1,z)",  "1-(1+v)*z*step(1-z)"})
    EXPECT_TRUE(evaluate(formula).curved) << formula;
}

// Σ zⁿ/(n + k)!, k = 1, 2, 3, in higher precision.
TEST(ExponentialIntegrals, are_their_series_on_both_sides_of_zero_and_of_one) {
  for (const double z : {-6.0, -1.01, -1.0, -0.99, -0.101, -0.099, -1e-9, 0.0, 1e-3, 0.099, 0.101,
                         0.99, 1.0, 1.01, 6.0}) {
    long double phi[3] = {0, 0, 0}, factorial = 1, power = 1;
    for (int n = 0; n < 60; ++n) {
      factorial *= n + 1;  // (n+1)!
      phi[0] += power / factorial;
      phi[1] += power / (factorial * (n + 2));
      phi[2] += power / (factorial * (n + 2) * (n + 3));
      power *= static_cast<long double>(z);
    }
    const auto [phi1, phi2, phi3] = exponential_integrals(z);
    EXPECT_NEAR(phi1, static_cast<double>(phi[0]), 2e-15 * phi1) << z;
    EXPECT_NEAR(phi2, static_cast<double>(phi[1]), 2e-15 * phi2) << z;
    EXPECT_NEAR(phi3, static_cast<double>(phi[2]), 4e-15 * phi3) << z;
    // φ3' = (φ2' − φ3)/z, φ2' = (φ1' − φ2)/z, φ1' = (eᶻ − φ1)/z, here from differences.
    const double step = 1e-5;
    const auto slope = exponential_integrals(Dual<1>(z, 0)).phi3.v[0];
    const double difference =
        (exponential_integrals(z + step).phi3 - exponential_integrals(z - step).phi3) / (2 * step);
    EXPECT_NEAR(slope, difference, 1e-9 * std::abs(slope) + 1e-9) << z;
  }
}

}  // namespace affine_test
}  // namespace microslip
