// What lampaert and leuven have in common: friction on a Masing model.

#include "microslip/detail/kernels/masing_friction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "microslip/models/lampaert.hpp"
#include "microslip/models/leuven.hpp"
#include "microslip/models/masing.hpp"

namespace microslip {
namespace masing_friction_test {

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

TYPED_TEST(MasingFriction, steady_sliding_meets_the_stribeck_curve) {
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
TYPED_TEST(MasingFriction, weak_elements_slip_first) {
  auto p = this->dry();
  p.k = {2, 1};
  p.phi = {0.3, 0.2};
  const TypeParam law(p);
  auto state = law.rest();
  EXPECT_NEAR(law.step(state, 10, 100, state).force, 0.5, 1e-14);
  EXPECT_NEAR(law.step(state, -10, 100, state).force, -0.5, 1e-14);
}

// The corner is 6e4 away, where z is known to 7e-12; its force, to 2e-11, used to set the rate of
// all the sliding after it in one step.
TYPED_TEST(MasingFriction, rounding_of_a_far_corner_does_not_stay_in_the_rate) {
  constexpr double phi = 0.06, S = 0.5, sigma1 = 0.04, n = 0.4;
  auto p = this->dry();
  p.sigma1 = sigma1;
  p.fc = p.fs = S;
  p.n = n;
  p.phi = {phi};
  for (const double k : {1.7, 1.9, 2.1, 2.3, 2.5}) {  // whether it rounds up or down is chance
    p.k = {k};
    const TypeParam law(p);
    auto state = law.rest();
    law.step(state, 56815.1286615953, 1e6, state);
    const double v = (state.u + 56000) / 1e6;
    constexpr bool branch = std::is_same_v<TypeParam, Leuven<double>>;
    const double part = branch ? 2 * phi / (S + phi) : phi / S;
    EXPECT_NEAR(law.step(state, -56000, 1e6, state).force,
                -phi - sigma1 * v * (1 - std::pow(part, n)), 1e-15);
  }
}

// For n → ∞ bristles follow the motion up to the limit: below it the law is its Masing model.
TYPED_TEST(MasingFriction, below_the_limit_is_almost_masing) {
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

}  // namespace masing_friction_test
}  // namespace microslip
