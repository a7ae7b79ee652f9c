#include "microslip/models/kelvin_voigt.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace microslip {
namespace kelvin_voigt_test {

TEST(KelvinVoigt, spring_and_dashpot_share_the_motion) {
  const KelvinVoigt<double> law({.k = 2, .c = 0.5});
  auto state = law.rest();
  const auto moved = law.step(state, 3, 0.25, state);
  EXPECT_DOUBLE_EQ(moved.force, 2 * 3 + 0.5 * 12);
  EXPECT_DOUBLE_EQ(moved.dissipated, 0.5 * 12 * 3);
  EXPECT_DOUBLE_EQ(moved.tangent, 2 + 0.5 / 0.25);
  EXPECT_DOUBLE_EQ(law.stored(state), 9);
  EXPECT_EQ(law.step(state, 3, 0.0, state).force, moved.force);
  EXPECT_EQ(law.step(state, 3, 1.0, state).force, 6) << "at rest the spring alone";
  EXPECT_EQ(law.step(state, 1, std::numeric_limits<double>::infinity(), state).force, 2);
}

}  // namespace kelvin_voigt_test
}  // namespace microslip
