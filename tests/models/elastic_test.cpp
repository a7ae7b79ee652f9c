#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/gap.hpp"
#include "microslip/models/power.hpp"
#include "microslip/models/table.hpp"
#include "microslip/models/unilateral.hpp"

namespace microslip {
namespace elastic_test {

template <class Law>
Response<double> at(const Law& law, double u, double from = 0) {
  auto state = law.rest();
  law.step(state, from, state);
  return law.step(state, u, state);
}
template <class Law>
double stored(const Law& law, double u) {
  auto state = law.rest();
  law.step(state, u, state);
  return law.stored(state);
}
template <class Law>
double kink(const Law& law, double u, int direction) {
  auto state = law.rest();
  law.step(state, u, state);
  return law.next_kink(state, direction);
}

TEST(Power, is_the_power_with_its_slope_and_energy) {
  const Power<double> cubic({.k = 2, .n = 3});
  EXPECT_DOUBLE_EQ(at(cubic, -1.5).force, -2 * 3.375);      // k u³
  EXPECT_DOUBLE_EQ(at(cubic, -1.5).tangent, 3 * 2 * 2.25);  // 3 k u²
  EXPECT_DOUBLE_EQ(stored(cubic, -1.5), 2 * 5.0625 / 4);    // k u⁴/4
  const Power<double> hertz({.k = 2, .n = 1.5});
  EXPECT_DOUBLE_EQ(at(hertz, 4).force, 16);   // 2 · 4^1.5
  EXPECT_DOUBLE_EQ(at(hertz, 4).tangent, 6);  // 1.5 · 2 · √4
  EXPECT_DOUBLE_EQ(stored(hertz, 4), 2 * 32 / 2.5);
}

TEST(Power, only_odd_whole_exponents_are_smooth_at_the_origin) {
  EXPECT_EQ(kink(Power<double>({.k = 1, .n = 3}), -1, 1), infinity);
  EXPECT_EQ(kink(Power<double>({.k = 1, .n = 2}), -1, 1), 0);
  EXPECT_EQ(kink(Power<double>({.k = 1, .n = 1.5}), 1, -1), 0);
  EXPECT_EQ(kink(Power<double>({.k = 1, .n = 1.5}), 1, 1), infinity);
}

TEST(Power, derivatives_at_the_origin_are_finite) {
  using Real = Dual<2>;
  for (const double n : {1.0, 1.5, 3.0}) {
    const Power<Real> law({.k = Real(2, 0), .n = Real(n, 1)});
    auto state = law.rest();
    const auto reply = law.step(state, Real(0), state);
    EXPECT_EQ(reply.force.a, 0);
    EXPECT_TRUE(reply.force.v.allFinite());
    EXPECT_EQ(reply.tangent.a, n == 1 ? 2 : 0);
  }
}

TEST(Power, refuses_an_infinite_slope_at_the_origin) {
  EXPECT_THROW(Power<double>({.k = 1, .n = 0.5}), Error);
}

TEST(Gap, is_open_in_the_middle) {
  const Gap<double> law({.k = 3, .gap = 0.25});
  EXPECT_EQ(at(law, 0.2).force, 0);
  EXPECT_EQ(at(law, 0.2).tangent, 0);
  EXPECT_DOUBLE_EQ(at(law, 1.25).force, 3);
  EXPECT_DOUBLE_EQ(at(law, -0.75).force, -1.5);
  EXPECT_DOUBLE_EQ(stored(law, -0.75), 0.5 * 3 * 0.25);  // ½ k (|u| − gap)²
  EXPECT_EQ(kink(law, -1, 1), -0.25);
  EXPECT_EQ(kink(law, -0.25, 1), 0.25);
  EXPECT_EQ(kink(law, 0.25, 1), infinity);
  EXPECT_EQ(kink(law, 0.25, -1), -0.25);
}

TEST(Gap, tangent_at_a_corner_is_that_of_the_side_ahead) {
  const Gap<double> law({.k = 3, .gap = 0.25});
  EXPECT_EQ(at(law, 0.25).tangent, 3);       // going up, contact begins
  EXPECT_EQ(at(law, 0.25, 1.0).tangent, 0);  // coming back, contact ends
  EXPECT_EQ(at(law, -0.25).tangent, 3);
  EXPECT_EQ(at(law, -0.25, -1.0).tangent, 0);
  auto state = law.rest();
  law.step(state, 1, state);
  law.step(state, 0.25, state);
  EXPECT_EQ(law.step(state, 0.25, state).tangent, 0);  // standing still keeps the side
}

TEST(Unilateral, only_pushes) {
  const Unilateral<double> law({.k = 2, .gap = 0.5});
  EXPECT_EQ(at(law, -5).force, 0);
  EXPECT_EQ(at(law, 0.4).force, 0);
  EXPECT_DOUBLE_EQ(at(law, 2).force, 3);
  EXPECT_DOUBLE_EQ(stored(law, 2), 0.5 * 2 * 2.25);
  EXPECT_EQ(kink(law, 0, 1), 0.5);
  EXPECT_EQ(kink(law, 0, -1), -infinity);
}

TEST(Unilateral, a_negative_gap_is_a_preload) {
  const Unilateral<double> law({.k = 2, .gap = -0.5});
  EXPECT_EQ(law.rest().f, 1);  // −k gap
  EXPECT_EQ(at(law, 0).tangent, 2);
  EXPECT_EQ(at(law, -0.6).force, 0);  // contact is lost at u = gap
  EXPECT_EQ(kink(law, 0, -1), -0.5);
  EXPECT_DOUBLE_EQ(stored(law, 0), 0.25);  // ½ k gap²
}

TEST(Table, is_straight_between_and_beyond_its_points) {
  const Table<double> law({.u = {-1, 0, 2}, .f = {-4, 0, 1}});
  EXPECT_DOUBLE_EQ(at(law, -0.5).force, -2);
  EXPECT_DOUBLE_EQ(at(law, 1).force, 0.5);
  EXPECT_DOUBLE_EQ(at(law, 4).force, 2);
  EXPECT_DOUBLE_EQ(at(law, -2).force, -8);
  EXPECT_EQ(at(law, 0, -1).tangent, 0.5);
  EXPECT_EQ(at(law, 0, 1).tangent, 4);
  EXPECT_DOUBLE_EQ(stored(law, 4), 4);   // ½ · ½ · 4²
  EXPECT_DOUBLE_EQ(stored(law, -2), 8);  // ½ · 4 · 2²
  EXPECT_EQ(kink(law, -2, 1), 0);        // the first point is no corner
  EXPECT_EQ(kink(law, 0, 1), infinity);  // nor is the last
  EXPECT_EQ(kink(law, 3, -1), 0);
}

TEST(Table, energy_is_least_at_its_deepest_place) {
  // Two wells with a hill between them.
  const Table<double> law({.u = {-2, -0.5, 0.5, 2}, .f = {-1.5, 1.5, -1.5, 1.5}});
  // Zeros with rising force at u = −1.25 and 1.25; from there to 0: ½·0.75·1.5 + ½·0.5·1.5.
  EXPECT_DOUBLE_EQ(stored(law, -1.25), 0);
  EXPECT_DOUBLE_EQ(stored(law, 1.25), 0);
  EXPECT_DOUBLE_EQ(stored(law, 0), 0.5 * 0.75 * 1.5 + 0.5 * 0.5 * 1.5);
}

TEST(Table, says_what_is_wrong_with_its_points) {
  const auto refusal = [](std::vector<double> u, std::vector<double> f) -> std::string {
    try {
      Table<double> law({.u = std::move(u), .f = std::move(f)});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({0, 2, 1}, {0, 1, 2}), "table.u must ascend, but u[3] = 1 follows 2");
  EXPECT_NE(refusal({0, 1, 2}, {0, 1}), "");
  EXPECT_EQ(refusal({1}, {1}), "table.u must have at least two points");
}

}  // namespace elastic_test
}  // namespace microslip
