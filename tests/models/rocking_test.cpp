#include "microslip/models/rocking.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/models/bouc_wen_hardening.hpp"
#include "support/independent_laws.hpp"

namespace microslip {
namespace rocking_test {

using Law = Rocking<double>;

TEST(Rocking, follows_the_printed_equations) {
  for (const double k2 : {0.1, -0.08}) {
    const Law law({.k1 = 2, .fl = 1, .k2 = k2, .m = 2.5, .kd = 1.5, .fd = 0.4, .n = 1.7});
    testing::PrintedRocking printed{2, 1, k2, 2.5, 1.5, 0.4, 1.7};
    printed.steps = 8000;  // z^1.7 has no third derivative at z = 0
    auto state = law.rest();
    double account = 0;
    for (const double u : {0.2, 1.5, 1.3, 0.4, -0.3, -2.0, -1.9, 3.0, 0.0, -0.5}) {
      const double f = printed.move(u);
      const auto reply = law.step(state, u, state);
      account += reply.dissipated;
      EXPECT_NEAR(reply.force, f, 1e-8) << "k2 = " << k2 << ", u = " << u;
      EXPECT_NEAR(account + law.stored(state), printed.work, 1e-8)
          << "k2 = " << k2 << ", u = " << u;
    }
  }
}

TEST(Rocking, without_lift_off_is_bouc_wen) {
  // k1 = k2 = κ fp/uy, kd = (1 − κ) fp/uy, fd = (1 − κ) fp; β = ½ unloads straight.
  const BoucWenHardening<double> plain({.fp = 2, .uy = 0.5, .kappa = 0.2, .beta = 0.5, .n = 1.5});
  const Law law({.k1 = 0.8, .fl = 1, .k2 = 0.8, .m = 3, .kd = 3.2, .fd = 1.6, .n = 1.5});
  auto a = law.rest();
  auto b = plain.rest();
  for (const double u : {0.1, 0.9, 0.7, 0.8, -2.0, 0.0, 5.0}) {
    const auto f = law.step(a, u, a);
    const auto g = plain.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, 1e-14 * std::abs(g.force) + 1e-15);
    EXPECT_NEAR(f.tangent, g.tangent, 1e-14);
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-14);
    EXPECT_NEAR(law.stored(a), plain.stored(b), 1e-13);
  }
}

// m → ∞: straight lines that meet at fl, within ln 2/m of fl.
TEST(Rocking, lifts_off_at_a_sharp_corner_in_the_limit) {
  const double m = 1000;
  const Law law({.k1 = 2, .fl = 1, .k2 = 0.1, .m = m, .kd = 0.5, .fd = 1e-9, .n = 2});
  auto state = law.rest();
  for (const double u : {0.1, 0.4, 0.5, 0.6, 3.0, -0.7}) {
    const double bend = std::copysign(std::min(std::abs(u), 0.5), u);
    EXPECT_NEAR(law.step(state, u, state).force, 0.1 * u + 1.9 * bend,
                1.9 * 0.5 * std::log(2.0) / m + 1e-8);
  }
}

}  // namespace rocking_test
}  // namespace microslip
