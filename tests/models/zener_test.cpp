#include "microslip/models/zener.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip {
namespace zener_test {

// (9) of the review: the force after a sudden unit displacement is G(t) = e1 + e2 exp(−t/τ).
TEST(Zener, relaxation_function) {
  const Zener<double> law({.e1 = 2, .e2 = 5, .tau = 0.4});
  for (const double t : {0.0, 0.1, 1.0, 10.0}) {
    auto state = law.rest();
    law.step(state, 1, 1e-13, state);
    EXPECT_NEAR(law.step(state, 1, t, state).force, 2 + 5 * std::exp(-t / 0.4), 1e-11);
  }
}

TEST(Zener, slow_motion_meets_the_spring_that_stays) {
  const Zener<double> law({.e1 = 2, .e2 = 5, .tau = 0.4});
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 3, std::numeric_limits<double>::infinity(), state).force, 6);
}

// Loss modulus e2 ωτ/(1 + ω²τ²); straight pieces lose the share (2π/4000)²/6 = 4e-7 less.
TEST(Zener, energy_of_a_steady_harmonic_cycle) {
  const double e2 = 5, tau = 0.4, omega = 3;
  const Zener<double> law({.e1 = 2, .e2 = e2, .tau = tau});
  auto state = law.rest();
  const int rows = 4000;
  const double dt = 2 * pi / omega / rows;
  double lost = 0;
  for (int i = 1; i <= 20 * rows; ++i) {
    const double energy = law.step(state, std::sin(omega * dt * i), dt, state).dissipated;
    if (i > 19 * rows) lost += energy;
  }
  const double x = omega * tau;
  const double harmonic = pi * e2 * x / (1 + x * x);
  EXPECT_NEAR(lost, harmonic, 1e-6 * harmonic);
}

}  // namespace zener_test
}  // namespace microslip
