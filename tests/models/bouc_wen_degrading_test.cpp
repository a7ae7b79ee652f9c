#include "microslip/models/bouc_wen_degrading.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <ctime>

#include "microslip/models/bouc_wen_hardening.hpp"
#include "support/message_of.hpp"

namespace microslip {
namespace bouc_wen_degrading_test {

using Law = BoucWenDegrading<double>;

TEST(BoucWenDegrading, without_damage_is_the_hardening_law) {
  // d0 = 1e14: the force falls by the part D/d0, below 1e-12 here.
  const Law law({.fp = 2, .uy = 0.3, .kappa = 0.1, .beta = 0.8, .n = 1.5, .d0 = 1e14});
  const BoucWenHardening<double> plain({.fp = 2, .uy = 0.3, .kappa = 0.1, .beta = 0.8, .n = 1.5});
  auto a = law.rest();
  auto b = plain.rest();
  for (const double u : {0.1, 0.9, 0.7, 0.8, -2.0, 0.0, 5.0}) {
    const auto f = law.step(a, u, a);
    const auto g = plain.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, 2e-12);
    EXPECT_NEAR(f.tangent, g.tangent, 1e-11);
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-11);
  }
}

TEST(BoucWenDegrading, counts_the_plastic_ductility_of_both_directions) {
  // n = 2, straight unloading (β = ½): up to v, z = tanh v; down to z = 0 nothing is plastic; then
  // z = −tanh w over w further.
  const Law law({.fp = 3, .uy = 0.5, .kappa = 0.2, .beta = 0.5, .n = 2, .d0 = 4});
  auto state = law.rest();
  const double v = 1.3, w = 0.9, z = std::tanh(v);
  law.step(state, 0.5 * v, state);
  EXPECT_NEAR(state.damage, v - z, 1e-15);
  EXPECT_NEAR(state.f, 3 / (1 + (v - z) / 4) * (0.8 * z + 0.2 * v), 1e-15);
  law.step(state, 0.5 * (v - z - w), state);
  EXPECT_NEAR(state.z, -std::tanh(w), 1e-15);
  EXPECT_NEAR(state.damage, v - z + w - std::tanh(w), 1e-15);
}

TEST(BoucWenDegrading, work_agrees_with_quadrature_of_the_force) {
  // From rest, n = 2: f = fp φ((1−κ) tanh v + κ v), D = v − tanh v.
  const Law law({.fp = 3, .uy = 0.5, .kappa = 0.2, .beta = 0.9, .n = 2, .d0 = 0.7});
  boost::math::quadrature::tanh_sinh<double> rule;
  for (const double v : {0.01, 0.5, 3.0, 200.0}) {
    auto state = law.rest();
    const double lost = law.step(state, 0.5 * v, state).dissipated;
    const auto force = [](double s) {
      return 3 / (1 + (s - std::tanh(s)) / 0.7) * (0.8 * std::tanh(s) + 0.2 * s);
    };
    const double work = 0.5 * (rule.integrate(force, 0.0, std::min(v, 20.0), 1e-15) +
                               (v > 20 ? rule.integrate(force, 20.0, v, 1e-15) : 0));
    EXPECT_NEAR((lost + law.stored(state)) / work, 1, 1e-12) << v;
  }
}

TEST(BoucWenDegrading, force_falls_from_cycle_to_cycle) {
  const Law law({.fp = 1, .uy = 1, .kappa = 0, .beta = 0.6, .n = 2, .d0 = 10});
  auto state = law.rest();
  double before = 2;
  for (int cycle = 0; cycle < 5; ++cycle) {
    const double peak = law.step(state, 3, state).force;
    EXPECT_LT(peak, 0.95 * before);
    before = peak;
    law.step(state, -3, state);
  }
}

/// n = 1e-12 took minutes a step.
TEST(BoucWenDegrading, steps_quickly_with_the_least_exponent_and_refuses_smaller_ones) {
  const auto with = [](double n) {
    return Law({.fp = 1, .uy = 1, .kappa = 0.1, .beta = 0.6, .n = n, .d0 = 20});
  };
  EXPECT_EQ(testing::message_of([&] { with(1e-12); }),
            "bouc-wen-degrading.n = 1e-12 must lie in [0.1, inf)");
  const Law law = with(0.1);
  auto state = law.rest();
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 1900; ++i) law.step(state, 2 * std::sin(0.35 * i), state);
  EXPECT_LE(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5);
}

}  // namespace bouc_wen_degrading_test
}  // namespace microslip
