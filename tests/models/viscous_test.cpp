#include "microslip/models/viscous.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip {
namespace viscous_test {

TEST(Viscous, force_is_that_of_the_last_step) {
  const Viscous<double> law({.c = 3});
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 2, 0.5, state).force, 12);
  EXPECT_EQ(law.step(state, 2, 0.0, state).force, 12) << "no time, no change";
  EXPECT_EQ(law.step(state, 2, 0.5, state).force, 0) << "at rest";
  const auto slow = law.step(state, 7, std::numeric_limits<double>::infinity(), state);
  EXPECT_EQ(slow.force, 0);
  EXPECT_EQ(slow.dissipated, 0);
}

// π c ω U² for a harmonic motion; N straight pieces a period lose (2π/N)²/12 of it less, because
// each piece loses c Δu²/Δt.
TEST(Viscous, energy_of_a_cycle) {
  const double c = 1.2725, amplitude = 2, omega = 3;
  const Viscous<double> law({.c = c});
  for (const int rows : {100, 2000}) {
    auto state = law.rest();
    const double dt = 2 * pi / omega / rows;
    double lost = 0;
    for (int i = 1; i <= rows; ++i)
      lost += law.step(state, amplitude * std::sin(omega * dt * i), dt, state).dissipated;
    const double harmonic = pi * c * omega * amplitude * amplitude;
    const double h = 2 * pi / rows;
    EXPECT_NEAR(lost, harmonic * (1 - h * h / 12), harmonic * h * h * h * h / 300);
  }
}

}  // namespace viscous_test
}  // namespace microslip
