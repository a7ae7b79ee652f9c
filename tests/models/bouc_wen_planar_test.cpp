#include "microslip/models/bouc_wen_planar.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "microslip/models/bouc_wen.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace bouc_wen_planar_test {

using Law = BoucWenPlanar<double>;
using Vec = Vec2<double>;

constexpr Law::Options printed{.coupling = Law::Coupled::printed};

const std::array<Vec, 6> corners{Vec(0.9, 0.3), Vec(0.7, 1.4),  Vec(-0.8, 0.9),
                                 Vec(-1, -1.2), Vec(1.5, -1.0), Vec(1.4, -0.8)};

/// The printed equations with their work, by a general method.
void expect_equation(double n, const Law::Options& options) {
  const Law::Params p{.A = 1.3, .beta = 0.9, .gamma = 0.1, .n = n, .k = 2, .a = 0.2};
  const Law law(p, options);
  const bool isotropic = options.coupling == Law::Coupled::isotropic;
  auto state = law.rest();
  std::array<double, 3> y{};  // z, work of z
  double lost = 0;
  for (const Vec& u : corners) {
    // Plain numbers: the inner loop of a test that is not optimised.
    const double v1 = u[0] - state.u[0], v2 = u[1] - state.u[1];
    y = testing::adaptive_runge_kutta<3>(y, 1.0, 1e-6, 1e-11, [&](const std::array<double, 3>& at) {
      const double w1 = at[0] * v1, w2 = at[1] * v2, power = w1 + w2;
      const double size = isotropic ? std::abs(power) : std::abs(w1) + std::abs(w2);
      const double square = at[0] * at[0] + at[1] * at[1];
      const double R =
          square > 0 ? std::pow(square, 0.5 * p.n - 1) * (p.beta * size + p.gamma * power) : 0;
      return std::array<double, 3>{p.A * v1 - R * at[0], p.A * v2 - R * at[1], 2 * 0.8 * power};
    });
    const auto reply = law.step(state, u, state);
    lost += reply.dissipated;
    // The general method makes many steps with an error of 1e-11.
    EXPECT_NEAR(state.z[0], y[0], 3e-8) << "n = " << n;
    EXPECT_NEAR(state.z[1], y[1], 3e-8) << "n = " << n;
    EXPECT_NEAR(lost + 2 * 0.8 * state.z.squaredNorm() / (2 * p.A), y[2], 1e-7) << "n = " << n;
    EXPECT_NEAR((reply.force - 2 * (0.2 * u + 0.8 * state.z)).norm(), 0, 1e-14);
  }
}

TEST(BoucWenPlanar, follows_its_equation) {
  for (const double n : {1.0, 1.5, 2.0, 3.0}) expect_equation(n, {});
}

TEST(BoucWenPlanar, follows_the_printed_equation) {
  for (const double n : {1.5, 2.0, 3.0}) expect_equation(n, printed);
}

TEST(BoucWenPlanar, along_any_line_is_the_law_on_a_line) {
  for (const double n : {0.7, 1.0, 2.0, 4.0}) {
    const Law law({.A = 1.3, .beta = 0.9, .gamma = 0.1, .n = n, .k = 2, .a = 0.2});
    const BoucWen<double> line({.A = 1.3, .beta = 0.9, .gamma = 0.1, .n = n, .k = 2, .a = 0.2});
    for (const double angle : {0.0, 0.4, 2.0}) {
      const Vec e(std::cos(angle), std::sin(angle));
      auto state = law.rest();
      auto expected = line.rest();
      for (const double x : {0.3, 1.9, 1.2, 1.3, -2.5, 0.1, 40.0}) {
        const auto reply = law.step(state, x * e, state);
        const auto scalar = line.step(expected, x, expected);
        EXPECT_NEAR((reply.force - scalar.force * e).norm(), 0, 1e-11) << n << ' ' << x;
        EXPECT_NEAR(reply.dissipated, scalar.dissipated, 1e-11);
      }
    }
  }
}

/// Largest difference between the turned force and the force of the turned path, relative to the
/// largest force.
double anisotropy(const Law::Options& options, double n) {
  const Law law({.A = 1, .beta = 0.9, .gamma = 0.1, .n = n, .k = 1, .a = 0}, options);
  Mat2<double> turn;
  turn << std::cos(0.6), -std::sin(0.6), std::sin(0.6), std::cos(0.6);
  auto one = law.rest(), other = law.rest();
  double worst = 0, largest = 0;
  for (const Vec& u : corners) {
    const Vec f = law.step(one, u, one).force;
    const Vec g = law.step(other, turn * u, other).force;
    worst = std::max(worst, (turn * f - g).norm());
    largest = std::max(largest, f.norm());
  }
  return worst / largest;
}

// |z·u'| is a scalar product; the printed Σ|z_i u_i'| is not.
TEST(BoucWenPlanar, turns_with_the_path_unless_printed) {
  for (const double n : {1.5, 2.0, 3.0}) {
    EXPECT_LT(anisotropy({}, n), 1e-11);
    EXPECT_GT(anisotropy(printed, n), 0.05);
  }
}

// Across a motion that has gone far, the second variation of the law: z_⊥ decays like
// exp(−A x/ρ) along the saturated motion, ρ = (A/(β+γ))^(1/n).
TEST(BoucWenPlanar, forgets_what_is_across_the_motion) {
  for (const double n : {1.0, 2.0, 5.0}) {
    const Law law({.A = 2, .beta = 0.9, .gamma = 0.1, .n = n, .k = 1, .a = 0});
    const double rho = std::pow(2.0, 1 / n);
    auto state = law.rest();
    law.step(state, Vec(50, 0), state);
    state.z[1] = 1e-6;
    law.step(state, Vec(50.5, 0), state);
    EXPECT_NEAR(state.z[1], 1e-6 * std::exp(-2 * 0.5 / rho), 1e-15);
    EXPECT_NEAR(state.z[0], rho, 1e-11);
  }
}

}  // namespace bouc_wen_planar_test
}  // namespace microslip
