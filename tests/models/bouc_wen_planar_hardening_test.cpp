#include "microslip/models/bouc_wen_planar_hardening.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/models/bouc_wen_hardening.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace bouc_wen_planar_hardening_test {

using Law = BoucWenPlanarHardening<double>;
using Vec = Vec2<double>;

TEST(BoucWenPlanarHardening, along_any_line_is_bouc_wen_hardening) {
  for (const double n : {1.0, 2.0, 3.5}) {
    const Law law({.fp = 3, .uy = 0.4, .kappa = 0.15, .beta = 0.7, .n = n});
    const BoucWenHardening<double> line({.fp = 3, .uy = 0.4, .kappa = 0.15, .beta = 0.7, .n = n});
    const double c = std::cos(1.1), s = std::sin(1.1);
    auto state = law.rest();
    auto on_line = line.rest();
    for (const double u : {0.3, 1.2, -0.5, -2.0, 0.1, 0.6}) {
      const auto reply = law.step(state, Vec(c * u, s * u), state);
      const auto expected = line.step(on_line, u, on_line);
      EXPECT_NEAR(reply.force[0], c * expected.force, 1e-10);
      EXPECT_NEAR(reply.force[1], s * expected.force, 1e-10);
      EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-10);
    }
  }
}

// The equations as they are printed, integrated by a general method.
TEST(BoucWenPlanarHardening, follows_its_rate_equations) {
  const double fp = 2, uy = 0.5, kappa = 0.1, beta = 0.8;
  for (const double n : {2.0, 3.0}) {
    const Law law({.fp = fp, .uy = uy, .kappa = kappa, .beta = beta, .n = n});
    auto state = law.rest();
    std::array<double, 2> z{};
    for (const Vec& u : {Vec(0.4, 0.2), Vec(0.1, 0.9), Vec(-0.7, 0.3), Vec(0.2, -0.6)}) {
      const Vec v = (u - state.u) / uy;
      z = testing::adaptive_runge_kutta<2>(
          z, 1.0, 1e-6, 1e-11, [&](const std::array<double, 2>& at) {
            const double size = std::hypot(at[0], at[1]), along = at[0] * v[0] + at[1] * v[1];
            const double pull =
                size == 0 ? 0
                          : std::pow(size, n - 2) * (beta * std::abs(along) + (1 - beta) * along);
            return std::array<double, 2>{v[0] - at[0] * pull, v[1] - at[1] * pull};
          });
      law.step(state, u, state);
      for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(state.f[i],
                    fp * ((1 - kappa) * z[static_cast<std::size_t>(i)] + kappa * u[i] / uy), 1e-6);
    }
  }
}

TEST(BoucWenPlanarHardening, cycles_that_would_create_energy_are_refused) {
  EXPECT_THROW(Law({.beta = 0.49}), Error);
}

}  // namespace bouc_wen_planar_hardening_test
}  // namespace microslip
