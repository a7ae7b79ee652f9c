#include "microslip/models/bouc_wen_asymmetric.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc_wen.hpp"

namespace microslip {
namespace bouc_wen_asymmetric_test {

using Law = BoucWenAsymmetric<double>;

TEST(BoucWenAsymmetric, without_asymmetry_is_bouc_wen) {
  const Law law({.A = 1.2, .beta = 0.7, .gamma = -0.2, .delta = 0, .n = 1.6, .k = 2, .a = 0.15});
  const BoucWen<double> plain({.A = 1.2, .beta = 0.7, .gamma = -0.2, .n = 1.6, .k = 2, .a = 0.15});
  auto one = law.rest();
  auto other = plain.rest();
  for (const double u : {0.4, 2.0, 1.8, 1.9, -3.0, 0.0, 30.0, -30.0}) {
    const auto f = law.step(one, u, one);
    const auto g = plain.step(other, u, other);
    EXPECT_EQ(f.force, g.force);
    EXPECT_EQ(f.tangent, g.tangent);
    EXPECT_EQ(f.dissipated, g.dissipated);
  }
}

TEST(BoucWenAsymmetric, tends_to_a_different_limit_on_each_side) {
  for (const double n : {0.7, 1.0, 2.0, 4.0}) {
    const Law law({.A = 2, .beta = 0.7, .gamma = 0.3, .delta = 0.2, .n = n, .k = 1, .a = 0});
    auto state = law.rest();
    law.step(state, 1e4, state);
    EXPECT_NEAR(state.z, std::pow(2 / 1.4, 1 / n), 1e-14);
    law.step(state, -1e4, state);
    EXPECT_NEAR(state.z, -std::pow(2 / 0.6, 1 / n), 1e-14);
  }
}

TEST(BoucWenAsymmetric, agrees_with_the_quadrature_of_the_printed_equation) {
  // du = dz/{A − |z|ⁿ[…]} with the bracket as printed, sign by sign.
  const double A = 1.3, beta = 0.8, gamma = 0.3, delta = -0.25, n = 1.7;
  const Law law({.A = A, .beta = beta, .gamma = gamma, .delta = delta, .n = n, .k = 1, .a = 0});
  boost::math::quadrature::tanh_sinh<double> rule;
  const auto length = [&](double from, double to) {
    const double d = to > from ? 1 : -1;
    const auto inverse_slope = [&](double z) {
      const double s = z > 0 ? 1 : -1;
      return 1 / (A - std::pow(std::abs(z), n) * (beta * d * s + gamma + delta * (d + s)));
    };
    return rule.integrate(inverse_slope, from, to, 1e-15);
  };
  auto state = law.rest();
  double u = 0;
  double at = 0;
  for (const double z : {0.9, 0.3, 0.0, -0.7, -0.2, 0.0, 1.1}) {
    u += length(at, z);
    law.step(state, u, state);
    EXPECT_NEAR(state.z, z, 1e-13);
    at = z;
  }
}

TEST(BoucWenAsymmetric, refuses_what_has_no_limit_or_creates_energy) {
  EXPECT_THROW(Law({.A = 1, .beta = 0.5, .gamma = 0.3, .delta = 0.4, .n = 1, .k = 1, .a = 0}),
               Error);
  EXPECT_THROW(Law({.A = 1, .beta = 0.5, .gamma = 0.6, .delta = 0, .n = 1, .k = 1, .a = 0}), Error);
}

}  // namespace bouc_wen_asymmetric_test
}  // namespace microslip
