#include "microslip/models/jenkins_planar.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/jenkins.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace jenkins_planar_test {

using Law = JenkinsPlanar<double>;
using Vec = Vec2<double>;

double angle_to(const Vec& f, double direction) { return std::atan2(f[1], f[0]) - direction; }

/// A state on the circle, at the angle psi from the x axis.
Law::State sliding(const Law& law, double psi) {
  auto state = law.rest();
  law.step(state, Vec(50 * std::cos(psi), 50 * std::sin(psi)), state);
  return state;
}

// ψ' = −(k/φ) sin ψ on the circle: tan(ψ/2) decays exponentially.
TEST(JenkinsPlanar, turns_the_force_along_a_tractrix) {
  const Law law({.k = 2, .phi = 3});
  for (const double psi : {0.2, 1.0, 1.5})
    for (const double x : {0.01, 1.0, 20.0}) {
      auto state = sliding(law, psi);
      const auto reply = law.step(state, state.u + Vec(x, 0), state);
      const double expected = 2 * std::atan(std::tan(psi / 2) * std::exp(-2 * x / 3));
      EXPECT_NEAR(angle_to(reply.force, 0), expected, 1e-14);
      EXPECT_NEAR(reply.force.norm(), 3, 1e-14);
      // φ times the distance slipped, ∫ cos ψ dx = (φ/k) ln(sin ψ₀/sin ψ₁).
      EXPECT_NEAR(reply.dissipated, 4.5 * std::log(std::sin(psi) / std::sin(expected)), 1e-12);
    }
}

// A force that points backwards is first unloaded across the circle, along a chord.
TEST(JenkinsPlanar, rides_elasticallv2across_the_circle) {
  const Law law({.k = 1, .phi = 1});
  const double psi = 2.5;
  auto state = sliding(law, psi);
  const double chord = -2 * std::cos(psi);
  auto reply = law.step(state, state.u + Vec(chord, 0), state);
  EXPECT_NEAR(angle_to(reply.force, 0), pi - psi, 1e-12);
  EXPECT_NEAR(reply.dissipated, 0, 1e-12);
  reply = law.step(state, state.u + Vec(0.7, 0), state);
  EXPECT_NEAR(angle_to(reply.force, 0), 2 * std::atan(std::tan((pi - psi) / 2) * std::exp(-0.7)),
              1e-12);
}

// The rate equations, integrated by a general method.
TEST(JenkinsPlanar, follows_its_rate_equations) {
  const Law law({.k = 3, .phi = 0.8});
  auto state = law.rest();
  std::array<double, 3> y{};  // f, work
  double account = 0;
  for (const Vec& u :
       {Vec(0.5, 0.1), Vec(0.4, 0.9), Vec(-0.6, 0.2), Vec(-0.65, 0.25), Vec(1, -1)}) {
    const double v1 = u[0] - state.u[0], v2 = u[1] - state.u[1];
    y = testing::adaptive_runge_kutta<3>(y, 1.0, 1e-6, 1e-11, [&](const std::array<double, 3>& at) {
      const double square = at[0] * at[0] + at[1] * at[1], power = at[0] * v1 + at[1] * v2;
      const double along = square >= 0.8 * 0.8 && power > 0 ? power / square : 0;
      return std::array<double, 3>{3 * (v1 - along * at[0]), 3 * (v2 - along * at[1]), power};
    });
    const auto reply = law.step(state, u, state);
    account += reply.dissipated;
    // The general method steps over the onset of slip: an error of the size of its shortest step.
    EXPECT_NEAR(reply.force[0], y[0], 4e-6);
    EXPECT_NEAR(reply.force[1], y[1], 4e-6);
    EXPECT_NEAR(account + law.stored(state), y[2], 4e-6);
  }
}

TEST(JenkinsPlanar, on_a_line_is_the_element_on_a_line) {
  const Law law({.k = 2, .phi = 0.7});
  const Jenkins<double> line({.k = 2, .phi = 0.7});
  const Vec e(std::cos(0.3), std::sin(0.3));
  auto state = law.rest();
  auto expected = line.rest();
  for (const double x : {0.2, 0.9, -0.1, 0.3, -2.0, 5.0}) {
    const auto reply = law.step(state, x * e, state);
    const auto scalar = line.step(expected, x, expected);
    EXPECT_NEAR((reply.force - scalar.force * e).norm(), 0, 1e-14);
    EXPECT_NEAR(reply.dissipated, scalar.dissipated, 1e-14);
  }
}

// ψ after one projection minus the exact one is X² sin ψ cos ψ/2, so at most X²/4.
TEST(JenkinsPlanar, return_mapping_errs_bv2the_square_of_the_step) {
  const Law law({.k = 1, .phi = 1});
  const Law mapped({.k = 1, .phi = 1}, {.method = Law::Method::return_mapping});
  for (const double psi : {0.3, 0.8, 1.3})
    for (const double x : {1e-2, 1e-3}) {
      const auto start = sliding(law, psi);
      auto to = start;
      const double exact = angle_to(law.step(start, start.u + Vec(x, 0), to).force, 0);
      const double once = angle_to(mapped.step(start, start.u + Vec(x, 0), to).force, 0);
      EXPECT_NEAR(once, std::atan2(std::sin(psi), std::cos(psi) + x), 1e-14);
      EXPECT_NEAR((once - exact) / (x * x), std::sin(psi) * std::cos(psi) / 2, x);
    }
}

// So a path of n projections converges like 1/n, and one exact step needs none.
TEST(JenkinsPlanar, manv2return_mappings_converge_to_the_exact_path) {
  const Law law({.k = 1, .phi = 1});
  const Law mapped({.k = 1, .phi = 1}, {.method = Law::Method::return_mapping});
  const auto start = sliding(law, 1.2);
  auto to = start;
  const Vec exact = law.step(start, start.u + Vec(2, 0), to).force;
  const auto error = [&](int n) {
    auto state = start;
    Vec f = start.f;
    for (int i = 1; i <= n; ++i) f = mapped.step(state, start.u + Vec(2.0 * i / n, 0), state).force;
    return (f - exact).norm();
  };
  EXPECT_GT(error(1), 0.1);
  EXPECT_NEAR(error(100) / error(200), 2, 0.05);
}

}  // namespace jenkins_planar_test
}  // namespace microslip
