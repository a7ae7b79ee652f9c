#include "microslip/models/reid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/muravskii.hpp"

namespace microslip {
namespace reid_test {

using Law = Reid<double>;

TEST(Reid, jumps_between_its_two_lines) {
  // Thesis fig. 6.6(a) with k (1 ± η) = 3.8 and 0.2: the force jumps by 2 k η U at a reversal.
  const Law law({.k = 2, .eta = 0.9});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.step(state, 1, state).force, 3.8);
  EXPECT_NEAR(law.step(state, 1 - 1e-12, state).force, 0.2, 1e-12);
  EXPECT_EQ(law.next_kink(state, -1), 0);
  EXPECT_DOUBLE_EQ(law.step(state, 0.5, state).force, 0.1);
  EXPECT_DOUBLE_EQ(law.step(state, 0.5, state).force, 0.1);  // standing still keeps it
  EXPECT_DOUBLE_EQ(law.step(state, -1, state).force, -3.8);
}

TEST(Reid, loses_energy_outwards_only) {
  // 2 k η U² per cycle, whatever the steps.
  const Law law({.k = 2, .eta = 0.9});
  auto state = law.rest();
  law.step(state, 1.5, state);
  EXPECT_EQ(law.step(state, 0.2, state).dissipated, 0);
  double lost = law.step(state, -1.5, state).dissipated;
  lost += law.step(state, -0.1, state).dissipated;
  lost += law.step(state, 0.4, state).dissipated;
  lost += law.step(state, 1.5, state).dissipated;
  EXPECT_NEAR(lost, 2 * 2 * 0.9 * 2.25, 1e-14);
}

TEST(Reid, is_the_limit_of_muravskii) {
  const Law law({.k = 2, .eta = 0.9});
  const Muravskii<double> steep({.k = 2, .eta = 0.9, .ku = 1e12});
  auto a = law.rest();
  auto b = steep.rest();
  for (const double u : {1.0, 0.5, 0.7, -0.3, -0.1, 2.0}) {
    EXPECT_NEAR(law.step(a, u, a).force, steep.step(b, u, b).force, 1e-11) << u;
    EXPECT_NEAR(law.stored(a), steep.stored(b), 1e-10) << u;
  }
}

TEST(Reid, refuses_eta_above_one) { EXPECT_THROW(Law({.k = 1, .eta = 1.1}), Error); }

}  // namespace reid_test
}  // namespace microslip
