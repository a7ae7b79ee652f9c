#include "microslip/models/coulomb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace microslip {
namespace coulomb_test {

TEST(Coulomb, holds_its_force_at_rest) {
  const Coulomb<double> law({.fc = 2});
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 0, 1, state).force, 0) << "before the first motion";
  EXPECT_EQ(law.step(state, -1, 1, state).force, -2);
  EXPECT_EQ(law.step(state, -1, 5, state).force, -2);
  EXPECT_EQ(law.step(state, 3, std::numeric_limits<double>::infinity(), state).force, 2)
      << "however slow";
}

// Review, section 5.1: a cycle of amplitude U loses 4 fc U.
TEST(Coulomb, energy_of_a_cycle) {
  for (const double amplitude : {0.5, 1.0, 2.0}) {
    const Coulomb<double> law({.fc = 1});
    auto state = law.rest();
    double lost = 0;
    for (const double u : {amplitude, -amplitude, 0.0})
      lost += law.step(state, u, 0.7, state).dissipated;
    EXPECT_DOUBLE_EQ(lost, 4 * amplitude);
  }
}

TEST(Coulomb, smoothed_sign_names_its_velocity) {
  const Coulomb<double> law({.fc = 2}, {.epsilon = 0.1});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.step(state, 0.05, 1, state).force, 2 * std::tanh(0.5));
  EXPECT_EQ(law.step(state, 0.05, 1, state).force, 0) << "it does not hold";
}

}  // namespace coulomb_test
}  // namespace microslip
