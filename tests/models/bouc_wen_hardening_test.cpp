#include "microslip/models/bouc_wen_hardening.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc_wen.hpp"

namespace microslip {
namespace bouc_wen_hardening_test {

using Law = BoucWenHardening<double>;

TEST(BoucWenHardening, reads_its_slopes_and_force_from_the_parameters) {
  const Law law({.fp = 3, .uy = 0.2, .kappa = 0.05, .beta = 0.7, .n = 2});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.step(state, 0.0, state).tangent, 3 / 0.2);
  // n = 2, β + γ = 1: z = tanh v.
  const auto reply = law.step(state, 0.3, state);
  EXPECT_NEAR(state.z, std::tanh(1.5), 1e-15);
  EXPECT_NEAR(reply.force, 3 * (0.95 * std::tanh(1.5) + 0.05 * 1.5), 1e-15);
  const auto far = law.step(state, 20, state);
  EXPECT_NEAR(far.tangent, 0.05 * 3 / 0.2, 1e-14);
  EXPECT_NEAR(far.force, 3 * (0.95 + 0.05 * 100), 1e-13);
}

TEST(BoucWenHardening, unloads_straight_for_beta_one_half) {
  const Law law({.fp = 3, .uy = 0.2, .kappa = 0.05, .beta = 0.5, .n = 3});
  auto state = law.rest();
  const double top = law.step(state, 0.5, state).force;
  EXPECT_NEAR(law.step(state, 0.4, state).force, top - 0.1 * 15, 1e-14);
}

TEST(BoucWenHardening, is_bouc_wen_in_units_of_yield) {
  // A = 1, a = κ, k = fp/uy, and |z|ⁿ in lengths: β/uyⁿ, γ/uyⁿ.
  for (const double n : {0.8, 1.0, 2.0, 3.4}) {
    const double uy = 0.3, scale = std::pow(uy, -n);
    const Law law({.fp = 2, .uy = uy, .kappa = 0.1, .beta = 0.8, .n = n});
    const BoucWen<double> plain(
        {.A = 1, .beta = 0.8 * scale, .gamma = 0.2 * scale, .n = n, .k = 2 / uy, .a = 0.1});
    auto one = law.rest();
    auto other = plain.rest();
    for (const double u : {0.1, 0.5, 0.45, 0.48, -0.9, 0.0, 4.0, -4.0}) {
      const auto f = law.step(one, u, one);
      const auto g = plain.step(other, u, other);
      EXPECT_NEAR(f.force, g.force, 2e-14) << n;
      EXPECT_NEAR(f.tangent, g.tangent, 1e-12) << n;
      EXPECT_NEAR(f.dissipated, g.dissipated, 1e-13) << n;
      EXPECT_NEAR(law.stored(one), plain.stored(other), 1e-13) << n;
    }
  }
}

TEST(BoucWenHardening, refuses_beta_that_creates_energy) {
  EXPECT_THROW(Law({.fp = 1, .uy = 1, .kappa = 0, .beta = 0.49, .n = 1}), Error);
}

}  // namespace bouc_wen_hardening_test
}  // namespace microslip
