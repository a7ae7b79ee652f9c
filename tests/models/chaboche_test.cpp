#include "microslip/models/chaboche.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/independent_laws.hpp"

namespace microslip {
namespace chaboche_test {

using Law = Chaboche<double>;

TEST(Chaboche, follows_the_printed_rates) {
  for (const double Q : {0.6, 0.0, -0.5}) {
    const Law law({.k = 3, .fy = 1, .C = {4, 0.5}, .gamma = {5, 0}, .Q = Q, .b = 0.8});
    testing::PrintedChaboche printed{3, 1, {4, 0.5}, {5, 0}, Q, 0.8};
    printed.steps = 1600;
    auto state = law.rest();
    double account = 0;
    for (const double u : {0.2, 0.6, 0.5, 1.5, -1.0, -0.7, -1.2, 2.0, 2.4, -3.0, 0.0}) {
      const double f = printed.move(u);
      const auto reply = law.step(state, u, state);
      account += reply.dissipated;
      // 1600 steps of order four over decays of length 1/5: 1e-11.
      EXPECT_NEAR(reply.force, f, 1e-9) << "Q = " << Q << ", u = " << u;
      EXPECT_NEAR(state.q, printed.q, 1e-9);
      EXPECT_NEAR(account + law.stored(state), printed.work, 1e-9) << "Q = " << Q << ", u = " << u;
    }
  }
}

// J. Lemaitre, J.-L. Chaboche: a stabilised cycle of plastic range Δp has the half force range
// fy + Q + Σ (C/γ) tanh(γ Δp/2).
TEST(Chaboche, the_stable_cycle_has_the_printed_range) {
  const Law law({.k = 5, .fy = 1, .C = {4, 1}, .gamma = {6, 0.7}, .Q = 0.4, .b = 3});
  auto state = law.rest();
  for (int cycle = 0; cycle < 200; ++cycle) {
    law.step(state, -1, state);
    law.step(state, 1, state);
  }
  const double range = 2 * (1 - state.f / 5);
  EXPECT_NEAR(state.f, 1.4 + 4.0 / 6 * std::tanh(3 * range) + 1 / 0.7 * std::tanh(0.35 * range),
              1e-12);
}

// Between unequal forces the plastic displacement ratchets; here forces repeat and displacements do
// not, which a law that closes its minor loops cannot show.
TEST(Chaboche, ratchets_under_a_mean_force) {
  const Law law({.k = 5, .fy = 1, .C = {4}, .gamma = {6}, .Q = 0, .b = 0});
  auto state = law.rest();
  const auto displacement_at = [&](double force) {
    double low = state.u - 5, high = state.u + 5;
    auto to = state;
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (low + high);
      (law.step(state, middle, to).force < force ? low : high) = middle;
    }
    law.step(state, high, state);
    return high;
  };
  double before = displacement_at(1.6), progress = 0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    displacement_at(-1.2);
    const double top = displacement_at(1.6);
    if (cycle > 2) {
      EXPECT_NEAR(top - before, progress, 1e-9);  // steady at once, with one back force
    }
    progress = top - before;
    before = top;
  }
  EXPECT_GT(progress, 0.01);
}

// An elastic motion that ends on the limit: the tangent after it is that of going on, as on a zero step there.
TEST(Chaboche, back_at_the_limit_the_tangent_is_that_of_yielding) {
  const Law law({.k = 1, .fy = 1, .C = {0.5}, .gamma = {0}, .Q = 0});
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 1, state).tangent, 1.0 / 3);
  law.step(state, 0.25, state);
  const auto back = law.step(state, 1, state);
  EXPECT_EQ(back.tangent, 1.0 / 3);
  EXPECT_EQ(back.dissipated, 0);
  EXPECT_EQ(law.step(state, 1, state).tangent, back.tangent);
  EXPECT_EQ(law.step(state, 0.25, state).tangent, 1);
}

TEST(Chaboche, refuses_softening_that_leaves_no_elastic_range) {
  EXPECT_THROW(Law({.fy = 1, .Q = -1}), Error);
  EXPECT_THROW(Law({.k = 1, .fy = 10, .Q = -3, .b = 0.5}), Error);  // Q b < −k
  EXPECT_NO_THROW(Law({.k = 1, .fy = 10, .Q = -3, .b = 0.3}));
}

}  // namespace chaboche_test
}  // namespace microslip
