#include "microslip/models/generalized_maxwell.hpp"

#include <gtest/gtest.h>

#include <string>

#include "microslip/models/maxwell.hpp"
#include "microslip/models/zener.hpp"

namespace microslip {
namespace generalized_maxwell_test {

const double moves[][2] = {{1, 0.3}, {-0.4, 2}, {-0.4, 0.5}, {3, 0.01}, {2, 40}};

TEST(GeneralizedMaxwell, one_branch_is_zener) {
  const GeneralizedMaxwell<double> one({.k0 = 2, .k = {5}, .tau = {0.4}});
  const Zener<double> zener({.e1 = 2, .e2 = 5, .tau = 0.4});
  auto a = one.rest();
  auto b = zener.rest();
  for (const auto& [u, dt] : moves) {
    const auto x = one.step(a, u, dt, a), y = zener.step(b, u, dt, b);
    EXPECT_EQ(x.force, y.force);
    EXPECT_EQ(x.dissipated, y.dissipated);
    EXPECT_EQ(one.stored(a), zener.stored(b));
  }
}

TEST(GeneralizedMaxwell, is_a_sum_of_maxwell_branches) {
  const GeneralizedMaxwell<double> law({.k0 = 0, .k = {5, 0.5}, .tau = {0.4, 7}});
  const Maxwell<double> one({.k = 5, .c = 2}), two({.k = 0.5, .c = 3.5});
  auto s = law.rest();
  auto a = one.rest();
  auto b = two.rest();
  for (const auto& [u, dt] : moves) {
    const auto sum = law.step(s, u, dt, s);
    const auto x = one.step(a, u, dt, a), y = two.step(b, u, dt, b);
    EXPECT_NEAR(sum.force, x.force + y.force, 1e-14);
    EXPECT_NEAR(sum.dissipated, x.dissipated + y.dissipated, 1e-13);
    EXPECT_NEAR(law.stored(s), one.stored(a) + two.stored(b), 1e-13);
  }
}

TEST(GeneralizedMaxwell, lists_must_have_the_same_length) {
  try {
    GeneralizedMaxwell<double>({.k0 = 0, .k = {1, 2}, .tau = {1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("generalized-maxwell.k has 2"), std::string::npos);
  }
}

}  // namespace generalized_maxwell_test
}  // namespace microslip
