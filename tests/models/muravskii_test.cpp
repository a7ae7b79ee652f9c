#include "microslip/models/muravskii.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"

namespace microslip {
namespace muravskii_test {

using Law = Muravskii<double>;

// k = 2, η = 0.9: lines of slope 3.8 and 0.2; ku = 11, so q = (11 − 3.8)/(11 − 0.2) = 2/3.
const Law law({.k = 2, .eta = 0.9, .ku = 11});

TEST(Muravskii, runs_along_its_lines) {
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.step(state, 0.0, state).tangent, 3.8);
  EXPECT_DOUBLE_EQ(law.step(state, 1, state).force, 3.8);
  EXPECT_NEAR(law.next_kink(state, -1), 2.0 / 3, 1e-15);
  EXPECT_DOUBLE_EQ(law.step(state, 0.9, state).force, 3.8 - 1.1);
  EXPECT_DOUBLE_EQ(law.step(state, 0.5, state).force, 0.1);
  EXPECT_EQ(law.next_kink(state, -1), 0);
  EXPECT_DOUBLE_EQ(law.step(state, 0.55, state).force, 0.1 + 0.55);
  EXPECT_DOUBLE_EQ(law.step(state, -1, state).force, -3.8);  // through the origin in one step
}

TEST(Muravskii, loses_what_its_loop_encloses) {
  // 2 k η q U² per cycle.
  for (const double U : {0.3, 1.0, 4.0}) {
    auto state = law.rest();
    law.step(state, U, state);
    const double lost =
        law.step(state, -U, state).dissipated + law.step(state, U, state).dissipated;
    EXPECT_NEAR(lost, 2 * 2 * 0.9 * 2 / 3 * U * U, 1e-14 * U * U);
  }
}

TEST(Muravskii, gives_back_its_stored_energy) {
  auto state = law.rest();
  law.step(state, 1, state);
  law.step(state, 0.8, state);
  // Back to the origin nothing more is lost: slope 11 from (0.8, 1.6) to (2/3, 2/15), then 0.2.
  const double area = 0.5 * (1.6 + 2.0 / 15) * (0.8 - 2.0 / 3) + 0.5 * 0.2 * 4 / 9;
  EXPECT_NEAR(law.stored(state), area, 1e-14);
  EXPECT_EQ(law.step(state, 0, state).dissipated, 0);
  EXPECT_NEAR(law.stored(state), 0, 1e-16);
}

TEST(Muravskii, refuses_unloading_softer_than_the_upper_line) {
  EXPECT_THROW(Law({.k = 2, .eta = 0.9, .ku = 3.8}), Error);
}

}  // namespace muravskii_test
}  // namespace microslip
