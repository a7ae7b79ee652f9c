#include "microslip/models/bouc_wen_park.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/bouc_wen_wang_wen.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace bouc_wen_park_test {

using Park = BoucWenPark<double>;
using WangWen = BoucWenWangWen<double>;
using Vec = Vec2<double>;

const std::array<Vec, 7> corners{Vec(0.9, 0.3),  Vec(0.7, 1.4), Vec(-0.8, 0.9), Vec(-1, -1.2),
                                 Vec(1.5, -1.0), Vec(3, -1.0),  Vec(3, 2)};

/// Σ_j |z_j|^(n−1) (β |u_j'| + γ u_j' sgn z_j); for n = 2 Park's bracket.
template <class Law>
void expect_equation(const Law& law, double n) {
  auto state = law.rest();
  std::array<double, 3> y{};  // z, work of z
  double lost = 0;
  for (const Vec& u : corners) {
    // Plain numbers: the inner loop of a test that is not optimised.
    const std::array<double, 2> v{u[0] - state.u[0], u[1] - state.u[1]};
    y = testing::adaptive_runge_kutta<3>(y, 1.0, 1e-6, 1e-11, [&](const std::array<double, 3>& z) {
      double R = 0;
      for (std::size_t j = 0; j < 2; ++j)
        R += std::pow(std::abs(z[j]), n - 1) *
             (0.9 * std::abs(v[j]) - 0.3 * v[j] * (z[j] < 0 ? -1 : 1));
      return std::array<double, 3>{1.3 * v[0] - R * z[0], 1.3 * v[1] - R * z[1],
                                   2 * 0.8 * (z[0] * v[0] + z[1] * v[1])};
    });
    lost += law.step(state, u, state).dissipated;
    // The general method makes many steps with an error of 1e-11, and for n = 1, where the rate jumps
    // at the kinks, steps over them: an error of its shortest step.
    const double near = n == 1 ? 4e-6 : 1e-7;
    EXPECT_NEAR(state.z[0], y[0], near) << "n = " << n;
    EXPECT_NEAR(state.z[1], y[1], near) << "n = " << n;
    EXPECT_NEAR(lost + 2 * 0.8 * state.z.squaredNorm() / (2 * 1.3), y[2], near) << "n = " << n;
  }
}

TEST(BoucWenPark, follows_the_equation) {
  expect_equation(Park({.A = 1.3, .beta = 0.9, .gamma = -0.3, .k = 2, .a = 0.2}), 2);
}

TEST(BoucWenWangWen, follows_the_equation) {
  for (const double n : {1.0, 1.5, 3.0})
    expect_equation(WangWen({.A = 1.3, .beta = 0.9, .gamma = -0.3, .n = n, .k = 2, .a = 0.2}), n);
}

TEST(BoucWenWangWen, with_n_two_is_park) {
  const Park park({.A = 1.3, .beta = 0.9, .gamma = -0.3, .k = 2, .a = 0.2});
  const WangWen law({.A = 1.3, .beta = 0.9, .gamma = -0.3, .n = 2, .k = 2, .a = 0.2});
  auto one = park.rest();
  auto other = law.rest();
  for (const Vec& u : corners) {
    const auto expected = park.step(one, u, one);
    const auto reply = law.step(other, u, other);
    EXPECT_NEAR((reply.force - expected.force).norm(), 0, 1e-14);
    EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-14);
  }
}

// Energy where b·u' = 0 and beside it, where the closed form hands over to a Gauss rule.
TEST(BoucWenPark, energy_is_smooth_where_the_closed_form_ends) {
  const Park law({.A = 1, .beta = 1, .gamma = 0, .k = 1, .a = 0});
  auto start = law.rest();
  law.step(start, Vec(0.8, -0.9), start);
  const auto second_difference = [&](double angle) {
    const auto lost = [&](double by) {
      auto to = start;
      const Vec e(std::cos(angle + by), std::sin(angle + by));
      return law.step(start, start.u + 0.3 * e, to).dissipated;
    };
    return lost(1e-3) - 2 * lost(0) + lost(-1e-3);
  };
  // b = (β, −β) u' componentwise here: b·u' = cos 2θ, zero at 45°, below 0.05 within 1.4°.
  const double quarter = 3.14159265358979323846 / 4;
  for (double by = -0.05; by <= 0.05; by += 1e-3)
    EXPECT_NEAR(second_difference(quarter + by), second_difference(quarter), 1e-7) << by;
}

// On a line through rest both components cross zero at once, or one rounding after the other: the
// energy of the way between them used to be 0/0.
TEST(BoucWenPark, both_components_may_cross_zero_together) {
  const Park law({.A = 0.6, .beta = 1.65, .gamma = 0.5, .k = 0.7, .a = 0.85});
  for (const double y : {0.3, 0.7, 1.0, 1.1, 1.28}) {
    auto state = law.rest();
    law.step(state, Vec(1.2, y), state);
    auto cut = state;
    const double whole = law.step(state, Vec(-1.2, -y), state).dissipated;
    double sum = 0;
    for (int i = 1; i <= 200; ++i) {
      const double part = i == 200 ? -1 : 1 - 0.01 * i;
      sum += law.step(cut, Vec(part * 1.2, part * y), cut).dissipated;
    }
    EXPECT_NEAR(sum, whole, 1e-12) << "y = " << y;
  }
}

TEST(BoucWenPark, along_an_axis_is_the_law_on_a_line) {
  const Park law({.A = 1.3, .beta = 0.9, .gamma = 0.1, .k = 2, .a = 0.2});
  const BoucWen<double> line({.A = 1.3, .beta = 0.9, .gamma = 0.1, .n = 2, .k = 2, .a = 0.2});
  auto state = law.rest();
  auto expected = line.rest();
  for (const double x : {0.3, 1.9, 1.2, 1.3, -2.5, 0.1, 40.0}) {
    const auto reply = law.step(state, Vec(0, x), state);
    const auto scalar = line.step(expected, x, expected);
    EXPECT_NEAR(reply.force[1], scalar.force, 1e-13);
    EXPECT_NEAR(reply.dissipated, scalar.dissipated, 1e-13);
  }
}

// (A/((β+γ) Σ|e_j|^n))^(1/n) along the direction e.
TEST(BoucWenWangWen, has_another_limit_along_each_line) {
  for (const double n : {1.0, 2.0, 4.0}) {
    const WangWen law({.A = 1.3, .beta = 0.9, .gamma = 0.1, .n = n, .k = 1, .a = 0});
    for (const double angle : {0.0, 0.5, 0.785398163397448}) {
      const Vec e(std::cos(angle), std::sin(angle));
      auto state = law.rest();
      const double share = std::pow(e[0], n) + std::pow(e[1], n);
      EXPECT_NEAR(law.step(state, 100 * e, state).force.norm(), std::pow(1.3 / share, 1 / n),
                  1e-12);
    }
  }
}

// Followed from kink to kink a leg has two at most, one of each component. A residue of rounding beside zero,
// of z itself or of a large displacement, used to be found again and again.
template <class Law>
int kinks_on(const Law& law, typename Law::State& state, const Vec& u) {
  int kinks = 0;
  while (kinks < 100) {
    const Vec way = u - state.u;
    const double part = law.next_kink(state, way);
    if (!(part < 1)) break;
    ++kinks;
    law.step(state, Vec(state.u + part * way), state);
  }
  law.step(state, u, state);
  return kinks;
}

TEST(BoucWenPark, meets_each_kink_once) {
  const auto expect_two = [](const auto& law, const std::array<Vec, 2>& path) {
    auto state = law.rest();
    EXPECT_EQ(kinks_on(law, state, path[0]), 0);
    const auto start = state;
    EXPECT_EQ(kinks_on(law, state, path[1]), 2);
    auto whole = start;
    law.step(start, path[1], whole);
    EXPECT_NEAR((state.f - whole.f).norm(), 0, 1e-12 * whole.f.norm());
  };
  // Hardly any motion along y, so that z_y = 0 is passed slowly.
  expect_two(
      WangWen({.A = 1.045318691450954,
               .beta = 0.5211433130412986,
               .gamma = -0.16928017543413892,
               .n = 2,
               .k = 0.4719725673212447,
               .a = 0.4828984665360354}),
      {Vec(11.506082166420564, -9.198203710664508), Vec(-10.701461035901644, -9.190261880017522)});
  // Displacements so large that their rounding moves z beside zero.
  const Park park({.A = 1.326144440809701,
                   .beta = 0.5,
                   .gamma = 0.367493012901524,
                   .k = 2.9910041895800408,
                   .a = 0.755356404237689});
  expect_two(park, {Vec(-588.5411050805287, -5390.665418524422),
                    Vec(600.987891780165, 1955.5087314027999)});
  expect_two(park, {Vec(-3e6, -5e7), Vec(7e6, 2e7)});
}

}  // namespace bouc_wen_park_test
}  // namespace microslip
