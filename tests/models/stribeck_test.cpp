#include "microslip/models/stribeck.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "microslip/models/coulomb_viscous.hpp"

namespace microslip {
namespace stribeck_test {

const Stribeck<double>::Params params{.fc = 1, .fs = 1.5, .vs = 0.2, .delta = 0.7, .c = 0.3};

TEST(Stribeck, follows_its_curve) {
  const Stribeck<double> law(params);
  for (const double v : {1e-9, 0.05, 0.2, 3.0, 1e6}) {
    const double curve = 1 + 0.5 * std::exp(-std::pow(v / 0.2, 0.7)) + 0.3 * v;
    auto state = law.rest();
    EXPECT_NEAR(law.step(state, -2 * v, 2, state).force, -curve, 1e-14 * curve) << v;
  }
}

TEST(Stribeck, onset_meets_static_friction) {
  const Stribeck<double> law(params);
  auto state = law.rest();
  EXPECT_EQ(law.step(state, 1, std::numeric_limits<double>::infinity(), state).force, 1.5);
  law.step(state, 2, 1, state);
  const double sliding = state.friction;
  EXPECT_EQ(law.step(state, 2, 1, state).force, sliding) << "at rest it holds what it last had";
}

TEST(Stribeck, without_the_drop_is_coulomb_viscous) {
  auto flat = params;
  flat.fs = flat.fc;
  const Stribeck<double> law(flat);
  const CoulombViscous<double> plain({.fc = 1, .c = 0.3});
  auto a = law.rest();
  auto b = plain.rest();
  for (const double u : {1.0, -0.5, -0.5, 0.1})
    EXPECT_EQ(law.step(a, u, 0.4, a).force, plain.step(b, u, 0.4, b).force);
}

// Friction times distance, whatever smooths the sign.
TEST(Stribeck, smoothed_sign_keeps_tangent_and_energy) {
  const Stribeck<double> law(params, {.epsilon = 0.05});
  const Stribeck<Dual<1>> dual({.fc = Dual<1>(1),
                                .fs = Dual<1>(1.5),
                                .vs = Dual<1>(0.2),
                                .delta = Dual<1>(0.7),
                                .c = Dual<1>(0.3)},
                               {.epsilon = 0.05});
  for (const double u : {0.02, -0.3, 2.0}) {
    auto state = law.rest();
    auto dual_state = dual.rest();
    const auto reply = law.step(state, u, 0.9, state);
    EXPECT_NEAR(reply.tangent, dual.step(dual_state, Dual<1>(u, 0), 0.9, dual_state).force.v[0],
                1e-12);
    EXPECT_DOUBLE_EQ(reply.dissipated, reply.force * u);
  }
}

}  // namespace stribeck_test
}  // namespace microslip
