#include "microslip/models/dahl.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/bouc.hpp"
#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace dahl_test {

using Law = Dahl<double>;

/// Two laws along one path: force, tangent, energies.
template <class One, class Other>
void expect_same(const One& one, const Other& other, double tolerance) {
  auto a = one.rest();
  auto b = other.rest();
  for (const double u : {0.3, 1.9, 1.2, 1.5, -2.4, -2.39, 7.0, 6.0, 6.5, -50.0, 0.0}) {
    const auto x = one.step(a, u, a);
    const auto y = other.step(b, u, b);
    EXPECT_NEAR(x.force, y.force, tolerance) << u;
    EXPECT_NEAR(x.tangent, y.tangent, tolerance) << u;
    EXPECT_NEAR(x.dissipated, y.dissipated, tolerance * (1 + y.dissipated)) << u;
    EXPECT_NEAR(one.stored(a), other.stored(b), tolerance) << u;
  }
}

TEST(Dahl, with_zero_exponent_is_jenkins) {
  expect_same(Law({.sigma0 = 2.5, .zc = 1.3, .n = 0}), Jenkins<double>({.k = 2.5, .phi = 1.3}),
              1e-14);
}

TEST(Dahl, with_exponent_one_is_bouc) {
  // σ₀ = A, zc = A/α.
  expect_same(Law({.sigma0 = 2, .zc = 2.5, .n = 1}), Bouc<double>({.A = 2, .alpha = 0.8, .k = 0}),
              1e-14);
}

TEST(Dahl, agrees_with_the_quadrature_of_its_equation) {
  // From r to s the motion is ∫ ρ⁻ⁿ dρ and the work ∫ (1 − ρ) ρ⁻ⁿ dρ, in units of zc/σ₀ and zc²/σ₀.
  boost::math::quadrature::tanh_sinh<double> rule;
  for (const double n : {0.0, 0.3, 0.999999, 1.0, 1.000001, 1.5, 2.0, 2.000001, 3.7, 20.0}) {
    const Law law({.sigma0 = 3, .zc = 2, .n = n});
    for (const auto& [r, s] : {std::pair{1.9, 1.2}, {1.9, 0.4}, {1.0, 0.6}, {0.5, 0.49}}) {
      const double length = rule.integrate([&](double x) { return std::pow(x, -n); }, s, r, 1e-15);
      const double work =
          rule.integrate([&](double x) { return (1 - x) * std::pow(x, -n); }, s, r, 1e-15);
      Law::State state;
      state.f = 2 * (1 - r);
      const double before = law.stored(state);
      const auto reply = law.step(state, length * 2 / 3, state);
      EXPECT_NEAR(reply.force, 2 * (1 - s), 1e-13) << "n " << n << ", from " << r << " to " << s;
      EXPECT_NEAR(law.stored(state) - before + reply.dissipated, work * 4 / 3, 1e-13 * (1 + length))
          << "n " << n << ", from " << r << " to " << s;
      EXPECT_NEAR(reply.tangent, 3 * std::pow(s, n), 1e-12);
    }
  }
}

TEST(Dahl, brittle_materials_reach_the_limit_after_a_finite_motion) {
  // n = ½: r = (1 − X/2)², X = σ₀u/zc, so the limit is reached at u = 2 zc/σ₀.
  const Law law({.sigma0 = 4, .zc = 2, .n = 0.5});
  auto state = law.rest();
  EXPECT_DOUBLE_EQ(law.next_kink(state, 1), 1);
  EXPECT_DOUBLE_EQ(law.next_kink(state, -1), -1);
  EXPECT_NEAR(law.step(state, 0.5, state).force, 2 * (1 - 0.25), 1e-15);
  EXPECT_EQ(law.step(state, 1.5, state).force, 2);
  EXPECT_EQ(law.next_kink(state, 1), infinity);
  EXPECT_EQ(law.step(state, 1.5, state).tangent, 0);
  EXPECT_EQ(Law({.sigma0 = 4, .zc = 2, .n = 1}).next_kink({}, 1), infinity);
}

TEST(Dahl, has_the_energy_of_the_reviews_table) {
  // Mathis et al., Table 1: σ₀ = 4, zc = 2, n = 1.5 at amplitude 1 has D = 4, |z| = √3 there.
  const Law law({.sigma0 = 4, .zc = 2, .n = 1.5});
  auto state = law.rest();
  double lost = 0;
  for (int cycle = 0; cycle < 40; ++cycle) {
    lost = law.step(state, 1, state).dissipated;
    lost += law.step(state, -1, state).dissipated;
  }
  EXPECT_NEAR(state.f, -std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(lost, 4, 1e-12);
}

TEST(Dahl, its_minor_loops_stay_open) {
  // n = 1, zc = σ₀ = 1: down by x and up again from z gives 1 − 2e^(−x) + (1 + z)e^(−2x).
  const Law law({.sigma0 = 1, .zc = 1, .n = 1});
  auto state = law.rest();
  const double z = law.step(state, 1, state).force;
  law.step(state, 0.6, state);
  const double back = law.step(state, 1, state).force;
  EXPECT_NEAR(back, 1 - 2 * std::exp(-0.4) + (1 + z) * std::exp(-0.8), 1e-15);
  EXPECT_GT(std::abs(back - z), 0.05);
}

TEST(Dahl, refuses_a_negative_exponent) {
  EXPECT_THROW(Law({.sigma0 = 1, .zc = 1, .n = -0.1}), Error);
}

// For n = 1e7 the force stays near 1e-6 zc. In s = z d/zc the loss is ∫ s ((1 − s)^−n − 1) ds:
// Simpson's rule in long double, from force to force, unloading included.
TEST(Dahl, energy_of_an_almost_flat_curve) {
  for (const double n : {60.0, 1e3, 1e7}) {
    const Dahl<double> law({.n = n});
    auto state = law.rest();
    for (const double u : {1e-8, 0.5, 0.50001, 1.5, 1.4999999, 1.4, 0.0, -2.0, 2.0}) {
      const double d = u > state.u ? 1 : -1, from = d * state.f;
      const auto reply = law.step(state, u, state);
      const long double a = from, b = d * state.f;
      const auto f = [&](long double s) { return s * std::expm1(-n * std::log1p(-s)); };
      long double sum = f(a) + f(b);
      constexpr int parts = 20000;
      for (int i = 1; i < parts; ++i) sum += (i % 2 == 0 ? 2 : 4) * f(a + (b - a) * i / parts);
      const double expected = static_cast<double>(sum * (b - a) / (3 * parts));
      // A step of 1e-5 moves s by 1e-13 to 1e-8, known to 1e-16 of s.
      const double blur = 4e-16 * std::abs(state.f) / std::abs(d * state.f - from);
      EXPECT_NEAR(reply.dissipated, expected, (1e-10 + blur) * expected) << n << ", " << u;
    }
  }
}

// Far below the limit s = 1 − r is σ₀ u/zc and the loss per length n σ₀ u²·σ₀/zc: (4/3) n σ₀² U³/zc
// from rest to U, −U and back to 0. What is left out is n U σ₀/zc of it.
TEST(Dahl, energy_of_a_small_cycle) {
  for (const double n : {0.3, 1.0, 1.7, 2.0, 3.0, 60.0}) {
    const Law law({.sigma0 = 1, .zc = 1, .n = n});
    for (const double amplitude : {1e-4, 1e-6, 1e-9, 1e-12}) {
      for (const int parts : {1, 10}) {
        auto state = law.rest();
        double lost = 0, from = 0;
        for (const double to : {amplitude, -amplitude, 0.0}) {
          for (int i = 1; i <= parts; ++i)
            lost +=
                law.step(state, i == parts ? to : from + (to - from) * i / parts, state).dissipated;
          from = to;
        }
        const double expected = 4.0 / 3 * n * std::pow(amplitude, 3);
        EXPECT_NEAR(lost, expected, (1e-14 + 3 * n * amplitude) * expected)
            << n << " " << amplitude;
      }
    }
  }
}

}  // namespace dahl_test
}  // namespace microslip
