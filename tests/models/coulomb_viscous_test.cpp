#include "microslip/models/coulomb_viscous.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace coulomb_viscous_test {

TEST(CoulombViscous, only_the_dry_part_holds_at_rest) {
  const CoulombViscous<double> law({.fc = 2, .c = 3});
  auto state = law.rest();
  const auto moved = law.step(state, -1, 0.5, state);
  EXPECT_EQ(moved.force, -2 - 6);
  EXPECT_EQ(moved.dissipated, 8);
  EXPECT_EQ(moved.tangent, 6);
  EXPECT_EQ(law.step(state, -1, 0.0, state).force, -8) << "no time, no change";
  EXPECT_EQ(law.step(state, -1, 0.5, state).force, -2);
}

}  // namespace coulomb_viscous_test
}  // namespace microslip
