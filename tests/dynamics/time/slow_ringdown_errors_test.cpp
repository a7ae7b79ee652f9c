#include <gtest/gtest.h>

#include <cstdio>

#include "dynamics/decays.hpp"

namespace microslip::dynamics {
namespace slow_ringdown_errors_test {

TEST(SlowRingdownErrors, cover_the_truth_of_four_hundred_decays) {
  const decays::Coverage c = decays::coverage_of(400, 1000);
  std::printf("%d of 400 decays: %.1f %% of the frequencies, %.1f %% of the damping ratios\n",
              c.records, 100 * c.omega, 100 * c.zeta);
  EXPECT_GE(c.records, 300);
  EXPECT_GT(c.omega, decays::least_share(decays::within_two, c.records));
  EXPECT_GT(c.zeta, decays::least_share(decays::within_two, c.records));
  EXPECT_LE(c.worst, c.records * (1 - decays::least_share(decays::within_two, c.records)));
}

TEST(SlowRingdownErrors, pairs_of_modes_are_covered_or_refused) {
  const double both = decays::within_two * decays::within_two;
  for (const std::size_t sensors : {std::size_t{1}, std::size_t{2}, std::size_t{3}})
    for (const double noise : {0.0, 0.01, 0.02, 0.03, 0.05}) {
      const decays::PairCoverage c = decays::pair_coverage(sensors, noise, 1000, 100);
      std::printf("%zu sensors, noise %.2f: %d of %d refused, %d wrong, %d modes, %.1f %% inside\n",
                  sensors, noise, c.refused, c.records, c.wrong, c.modes, 100 * c.share);
      EXPECT_LE(c.wrong, c.records * (1 - decays::least_share(0.95, c.records)));
      if (sensors > 1) {
        EXPECT_GT(c.share, decays::least_share(both, c.modes));
      }
    }
}

}  // namespace slow_ringdown_errors_test
}  // namespace microslip::dynamics
