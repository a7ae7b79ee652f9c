// What lampaert and leuven have in common: friction on a Masing model.

#include "microslip/core/masing_friction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "microslip/models/lampaert.hpp"
#include "microslip/models/leuven.hpp"
#include "microslip/models/masing.hpp"

namespace microslip {
namespace {

template <class Law>
class MasingFriction : public ::testing::Test {
 protected:
  static typename Law::Params dry() {
    typename Law::Params p;
    p.sigma1 = p.sigma2 = 0;
    return p;
  }
};

struct Names {
  template <class Law>
  static std::string GetName(int) {
    return std::string(Law::info.name);
  }
};
using Laws = ::testing::Types<Lampaert<double>, Leuven<double>>;
TYPED_TEST_SUITE(MasingFriction, Laws, Names);

TYPED_TEST(MasingFriction, SteadySlidingMeetsTheStribeckCurve) {
  typename TypeParam::Params p;
  p.fs = 1.2;
  const TypeParam law(p);
  for (const double v : {0.01, 0.5, 5.0}) {
    auto state = law.rest();
    EXPECT_NEAR(law.step(state, 1e4 * v, 1e4, state).force,
                1 + 0.2 * std::exp(-v * v / 0.25) + 0.1 * v, 1e-9);
  }
  auto state = law.rest();
  EXPECT_NEAR(law.step(state, 100, std::numeric_limits<double>::infinity(), state).force, 1.2,
              1e-9);
}

// Elements that slip below the limit of friction carry what they can.
TYPED_TEST(MasingFriction, WeakElementsSlipFirst) {
  auto p = this->dry();
  p.k = {2, 1};
  p.phi = {0.3, 0.2};
  const TypeParam law(p);
  auto state = law.rest();
  EXPECT_NEAR(law.step(state, 10, 100, state).force, 0.5, 1e-14);
  EXPECT_NEAR(law.step(state, -10, 100, state).force, -0.5, 1e-14);
}

// For n → ∞ bristles follow the motion up to the limit: below it the law is its Masing model.
TYPED_TEST(MasingFriction, BelowTheLimitIsAlmostMasing) {
  auto p = this->dry();
  p.n = 200;
  const TypeParam law(p);
  const Masing<double> masing({p.k, p.phi});
  auto state = law.rest();
  auto expected = masing.rest();
  for (const double u : {0.3, 0.1, 0.25, -0.2, 0.05, 0.25})
    EXPECT_NEAR(law.step(state, u, 1, state).force, masing.step(expected, u, expected).force,
                1e-14);
}

}  // namespace
}  // namespace microslip
