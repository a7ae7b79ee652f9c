#include <gtest/gtest.h>

#include "decays.hpp"

namespace microslip::dynamics {
namespace slow_ringdown_errors_test {

TEST(SlowRingdownErrors, cover_the_truth_of_four_hundred_decays) {
  const decays::Coverage c = decays::coverage_of(400, 1000);
  EXPECT_GE(c.records, 340);
  EXPECT_GT(c.omega, 0.94);
  EXPECT_GT(c.zeta, 0.94);
  EXPECT_LE(c.worst, 12);
}

}  // namespace slow_ringdown_errors_test
}  // namespace microslip::dynamics
