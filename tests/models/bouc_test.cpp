#include "microslip/models/bouc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/models/bouc_wen.hpp"

namespace microslip {
namespace bouc_test {

using Law = Bouc<double>;

TEST(Bouc, follows_the_printed_branches) {
  // Mathis et al., fig. 8: A = 1, α = 0.75, u = sin t over one and a quarter periods; eqs (27),
  // (29).
  const double A = 1, alpha = 0.75;
  const Law law({.A = A, .alpha = alpha, .k = 0});
  const double limit = A / alpha;
  auto state = law.rest();
  double z = limit * (1 - std::exp(-alpha));
  EXPECT_NEAR(law.step(state, 1, state).force, z, 1e-15);
  EXPECT_NEAR(z, 0.703511263012, 1e-12);
  for (const double d : {-1.0, 1.0}) {
    z = d * limit + (z - d * limit) * std::exp(-2 * alpha);
    EXPECT_NEAR(law.step(state, d, state).force, z, 1e-15);
  }
  EXPECT_NEAR(z, 0.839728094110, 1e-12);  // not where the first branch began: the loop is open
}

TEST(Bouc, has_its_closed_steady_loop) {
  // Steady: z = ±(A/α) tanh αU at u = ±U; energy per cycle 4 (A/α)(U − tanh(αU)/α).
  const double A = 2, alpha = 1.3, U = 0.7;
  const Law law({.A = A, .alpha = alpha, .k = 0.4});
  auto state = law.rest();
  double lost = 0;
  for (int cycle = 0; cycle < 60; ++cycle) {
    lost = law.step(state, -U, state).dissipated;
    lost += law.step(state, U, state).dissipated;
  }
  EXPECT_NEAR(state.z, A / alpha * std::tanh(alpha * U), 1e-14);
  EXPECT_NEAR(lost, 4 * A / alpha * (U - std::tanh(alpha * U) / alpha), 1e-14);
}

TEST(Bouc, is_bouc_wen_with_exponent_one) {
  // β = α, γ = 0, n = 1; a = 0 and the spring is added.
  const Law law({.A = 1.7, .alpha = 0.6, .k = 0.3});
  const BoucWen<double> general({.A = 1.7, .beta = 0.6, .gamma = 0, .n = 1, .k = 1, .a = 0});
  auto one = law.rest();
  auto other = general.rest();
  for (const double u : {0.4, 2.0, 1.8, 1.9, -3.0, 0.0, 30.0, -30.0}) {
    const auto f = law.step(one, u, one);
    const auto g = general.step(other, u, other);
    EXPECT_EQ(f.force, 0.3 * u + g.force);
    EXPECT_EQ(f.dissipated, g.dissipated);
    EXPECT_DOUBLE_EQ(law.stored(one), 0.15 * u * u + general.stored(other));
  }
}

}  // namespace bouc_test
}  // namespace microslip
