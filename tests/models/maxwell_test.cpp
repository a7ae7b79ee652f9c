#include "microslip/models/maxwell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/runge_kutta.hpp"

namespace microslip {
namespace maxwell_test {

TEST(Maxwell, constant_velocity_then_rest) {
  const Maxwell<double> law({.k = 2, .c = 3});  // τ = 1.5
  auto state = law.rest();
  EXPECT_NEAR(law.step(state, 4, 5, state).force, 3 * 0.8 * (1 - std::exp(-5 / 1.5)), 1e-14);
  const double before = state.f;
  const auto held = law.step(state, 4, 0.7, state);
  EXPECT_NEAR(held.force, before * std::exp(-0.7 / 1.5), 1e-14);
  EXPECT_NEAR(held.dissipated, (before * before - held.force * held.force) / 4, 1e-14)
      << "what the spring gives back, the dashpot loses";
}

TEST(Maxwell, infinitely_slow_motion_meets_no_force) {
  const Maxwell<double> law({.k = 2, .c = 3});
  auto state = law.rest();
  law.step(state, 1, 0.1, state);
  const double stored = law.stored(state);
  const auto slow = law.step(state, 5, std::numeric_limits<double>::infinity(), state);
  EXPECT_EQ(slow.force, 0);
  EXPECT_NEAR(slow.dissipated, stored, 1e-15);
}

// Force and loss against the differential equation, from nearly elastic to nearly viscous steps;
// 0.7 is where the series of the loss hands over.
TEST(Maxwell, force_and_loss_follow_the_equation) {
  for (const double x : {1e-3, 0.1, 0.699, 0.701, 3.0, 20.0}) {
    const double k = 2, tau = 0.5, dt = x * tau, du = -0.8;
    const Maxwell<double> law({.k = k, .c = k * tau});
    Maxwell<double>::State state{0.3, 0.9};
    const auto reply = law.step(state, 0.3 + du, dt, state);
    const auto expected =
        testing::runge_kutta<2>({0.9, 0}, dt, 4000, [&](const std::array<double, 2>& y) {
          return std::array<double, 2>{k * du / dt - y[0] / tau, y[0] * y[0] / (k * tau)};
        });
    EXPECT_NEAR(reply.force, expected[0], 1e-10) << x;
    EXPECT_NEAR(reply.dissipated, expected[1], 1e-10) << x;
  }
}

// x → 0 by the series, against 1/3 − x/4 + 7x²/60 − … of the loss of a ramp per x.
TEST(Maxwell, loss_of_a_short_ramp) {
  for (const double x : {1e-12, 1e-6, 1e-3}) {
    const auto decay = relaxation::decay(x);
    const double rest = x * x * x + 1.2e-16;  // the next term, and rounding
    EXPECT_NEAR(decay.gained / x, 1.0 / 3 - x / 4 + 7 * x * x / 60, rest);
    EXPECT_NEAR(decay.ramp, 1 - x / 2 + x * x / 6, rest);
  }
}

// Where the number of terms changes, and where the closed form takes over, both sides agree.
TEST(Maxwell, series_and_closed_form_meet) {
  for (const double x : {0.03, 0.2, 0.7})
    for (const double at : {x, std::nextafter(x, 1.0)}) {
      const auto decay = relaxation::decay(at);
      const long double e = std::exp(-static_cast<long double>(at)), gone = 1 - e;
      const long double ramp = gone / at, cross = gone * ramp / 2;
      EXPECT_NEAR(decay.keep, static_cast<double>(e), 2e-16);
      EXPECT_NEAR(decay.ramp, static_cast<double>(ramp), 2e-16);
      EXPECT_NEAR(decay.held, static_cast<double>((1 - e * e) / 2), 1e-16);
      EXPECT_NEAR(decay.cross, static_cast<double>(cross), 1e-16);
      // Above 0.7 a difference of 0.1 from terms of order one.
      EXPECT_NEAR(decay.gained, static_cast<double>((1 - ramp - cross) / at), 4e-16);
    }
}

}  // namespace maxwell_test
}  // namespace microslip
