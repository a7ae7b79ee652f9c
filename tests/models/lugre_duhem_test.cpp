#include "microslip/models/lugre_duhem.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "microslip/detail/numerics/constants.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace lugre_duhem_test {

using Law = LuGreDuhem<double>;

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// The printed equations (12)–(14) in time. The fast third step starts beyond its own limit.
TEST(LuGreDuhem, follows_the_printed_equation) {
  for (const double n : {0.7, 1.0, 2.0, 3.5}) {
    const Law::Params p{
        .beta = 0.7, .gamma = 0.3, .n = n, .g0 = 1.3, .vs = 2, .Ts = 0.05, .fc = 3, .uy = 0.5};
    const Law law(p);
    const double scale = p.fc * std::pow(p.g0, 1 / n);
    auto state = law.rest();
    std::array<double, 2> y{};  // z, work
    double account = 0;
    for (const auto& [u, dt] : {std::pair{0.2, 0.5}, {2.5, 9.0}, {2.9, 0.1}, {1.5, 0.8}}) {
      const double v = (u - state.u) / dt / p.uy;
      const double q = p.g0 / (1 + std::exp(-(v / p.vs) * (v / p.vs)));
      const auto rate = [&](double z) {
        return (1 - std::pow(std::abs(z), n) * (p.beta * sign(v * z) + p.gamma) * q) * v;
      };
      const auto force = [&](double z) { return scale * (z + p.Ts * rate(z)); };
      y = testing::runge_kutta<2>(y, dt, 20000, [&](const std::array<double, 2>& at) {
        return std::array<double, 2>{rate(at[0]), force(at[0]) * v * p.uy};
      });
      const auto reply = law.step(state, u, dt, state);
      ASSERT_EQ(reply.status, Status::ok);
      account += reply.dissipated;
      // Classical Runge–Kutta loses its order at z = 0, where |z|^n is not smooth.
      EXPECT_NEAR(state.z, y[0], 1e-7) << n;
      EXPECT_NEAR(reply.force, force(y[0]), 1e-6) << n;
      EXPECT_NEAR(account + law.stored(state), y[1], 1e-6) << n;
    }
  }
}

// As printed, static over kinetic friction is 2^(1/n) whatever g0.
TEST(LuGreDuhem, ratio_of_static_to_kinetic_friction) {
  for (const double g0 : {0.5, 1.0, 2.0}) {
    const Law law(
        {.beta = 0.5, .gamma = 0.5, .n = 2, .g0 = g0, .vs = 0.001, .Ts = 0, .fc = 3, .uy = 1});
    auto slow = law.rest();
    auto fast = law.rest();
    EXPECT_NEAR(law.step(slow, 1e3, infinity, slow).force, 3 * std::sqrt(2), 1e-12);
    EXPECT_NEAR(law.step(fast, 1e3, 1e3, fast).force, 3, 1e-12);
  }
}

// With q = 1/(1 + g0 e) static over kinetic friction is (1 + g0)^(1/n): g0 scales it.
TEST(LuGreDuhem, ratio_of_static_to_kinetic_friction_as_probably_meant) {
  for (const double g0 : {0.5, 1.0, 2.0}) {
    const Law law(
        {.beta = 0.5, .gamma = 0.5, .n = 2, .g0 = g0, .vs = 0.001, .Ts = 0, .fc = 3, .uy = 1},
        {Law::Transition::meant});
    auto slow = law.rest();
    auto fast = law.rest();
    EXPECT_NEAR(law.step(slow, 1e3, infinity, slow).force, 3 * std::sqrt(1 + g0), 1e-12);
    EXPECT_NEAR(law.step(fast, 1e3, 1e3, fast).force, 3, 1e-12);
  }
}

}  // namespace lugre_duhem_test
}  // namespace microslip
