#include "microslip/models/two_state_normalized.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "microslip/models/two_state.hpp"

namespace microslip {
namespace two_state_normalized_test {

using Law = TwoStateNormalized<double>;

// The case of the loops of thesis fig. 4.7, the bolted joints of eq. 4.20, and two corners.
const std::array<Law::Params, 4> sets{
    {{0.5, 0.49}, {2. / 3, 1. / 16}, {0.99, 1e-3}, {0.011, 0.01}}};

TEST(TwoStateNormalized, has_the_shape_it_is_named_for) {
  for (const auto& p : sets) {
    const Law law(p);
    auto s = law.rest();
    EXPECT_EQ(law.step(s, 1e-3, s).tangent, 1);
    const auto far = law.step(s, 1e4, s);
    EXPECT_NEAR(far.force, 1, 1e-14);    // half the gap of 2
    EXPECT_NEAR(far.tangent, 0, 1e-14);  // final slope
    EXPECT_NEAR(law.step(s, -1e4, s).force, -1, 1e-14);
  }
}

TEST(TwoStateNormalized, is_the_two_state_law_with_this_coupling) {
  for (const auto& p : sets) {
    const Law law(p);
    const TwoState<double> general(
        {.mu = 1, .sigma = p.sigma, .alpha = p.alpha, .b1 = law.b1(p), .b2 = law.b2(p)});
    auto s = law.rest();
    auto g = general.rest();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> anywhere(-4, 4);
    for (int i = 0; i < 300; ++i) {
      const double u = anywhere(random);
      const auto reply = law.step(s, u, s);
      const auto expected = general.step(g, u, g);
      ASSERT_NEAR(reply.force, expected.force, 1e-13);
      ASSERT_NEAR(reply.dissipated, expected.dissipated, 1e-12);
      ASSERT_NEAR(law.stored(s), general.stored(g), 1e-12);
      ASSERT_DOUBLE_EQ(law.next_kink(s, -1), general.next_kink(g, -1));
    }
  }
}

TEST(TwoStateNormalized, needs_sigma_below_alpha) {
  try {
    Law({.alpha = 0.3, .sigma = 0.4});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "two-state-normalized.sigma = 0.4 must be smaller than alpha = 0.3");
  }
}

}  // namespace two_state_normalized_test
}  // namespace microslip
