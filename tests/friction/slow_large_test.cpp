#include <gtest/gtest.h>

#include "cases.hpp"

namespace microslip::friction::testing {
namespace slow_large_test {

TEST(LargeSystem, lemke_and_active_set_agree_on_five_hundred_sliders) {
  const System system = random_system(500, 1);
  const std::vector<double> f{0.4, 0.8, 0.3};
  const Result a = run(system, f, {.method = Method::active_set});
  const Result b = run(system, f, {.method = Method::lemke});
  ASSERT_EQ(a.status, Status::ok);
  ASSERT_EQ(b.status, Status::ok);
  EXPECT_LT(largest_difference(a.xi, b.xi), 1e-9 * range(a.xi));
  EXPECT_LT((a.end.x - b.end.x).lpNorm<Eigen::Infinity>(),
            1e-9 * a.end.x.lpNorm<Eigen::Infinity>());
}

TEST(LargeSystem, event_follows_five_hundred_sliders_without_drift) {
  const System system = random_system(500, 1);
  const Result result = run(system, two_frequencies(200));
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_GT(result.events, 1000u);
  EXPECT_LT(beyond_limits(system, result.end), 1e-11);
}

}  // namespace slow_large_test
}  // namespace microslip::friction::testing
