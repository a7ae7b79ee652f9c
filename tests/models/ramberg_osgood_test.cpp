#include "microslip/models/ramberg_osgood.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/fit/fit.hpp"
#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace ramberg_osgood_test {

using Law = RambergOsgood<double>;

double displacement(const Law::Params& p, double f) {
  return f / p.k * (1 + p.alpha * std::pow(std::abs(f / p.fy), p.n - 1));
}

TEST(RambergOsgood, virgin_curve_solves_its_equation) {
  for (const double n : {1.0, 1.3, 2.0, 5.0, 60.0, 1e4})
    for (const double alpha : {1e-6, 0.4, 30.0})
      for (double u = 1e-9; u < 1e9; u *= 7.3) {
        const Law::Params p{.k = 3e4, .fy = 20, .alpha = alpha, .n = n};
        const Law law(p);
        auto state = law.rest();
        const double f = law.step(state, -u, state).force;
        // A relative error of f becomes one of n times its size in u.
        EXPECT_NEAR(displacement(p, f), -u, 8e-16 * (1 + n) * u) << n << ' ' << alpha << ' ' << u;
      }
}

TEST(RambergOsgood, energy_per_cycle_is_the_closed_form) {
  const Law::Params p{.k = 2, .fy = 0.7, .alpha = 0.6, .n = 4.5};
  const Law law(p);
  for (const double F : {0.1, 0.7, 1.9}) {
    const double expected =
        4 * p.alpha * (p.n - 1) / (p.n + 1) * F * F / p.k * std::pow(F / p.fy, p.n - 1);
    const double A = displacement(p, F);
    EXPECT_NEAR(law.energy_per_cycle(A), expected, 1e-13 * expected);
    // The area of the loop, by Simpson's rule over the forces of a finely cut cycle.
    auto state = law.rest();
    law.step(state, A, state);
    const int n = 4000;
    double area = 0, lost = 0;
    for (const double side : {-1.0, 1.0})
      for (int i = 0; i < n; ++i) {
        const double from = state.u, to = side * A * -std::cos(std::acos(-1.0) * (i + 1) / n);
        const double first = state.f;
        auto middle = law.rest();
        law.step(state, 0.5 * (from + to), middle);
        const auto reply = law.step(state, i + 1 == n ? side * A : to, state);
        area += (first + 4 * middle.f + reply.force) / 6 * (state.u - from);
        lost += reply.dissipated;
      }
    EXPECT_NEAR(area, expected, 1e-8 * expected);
    EXPECT_NEAR(lost, expected, 1e-11 * expected);
  }
}

TEST(RambergOsgood, large_exponents_approach_jenkins) {
  // Below fy the power vanishes; above it the force exceeds fy by (X/alpha)^(1/n).
  const double n = 1e5;
  const Law law({.k = 2, .fy = 0.5, .alpha = 1, .n = n});
  const Jenkins<double> limit({.k = 2, .phi = 0.5});
  auto a = law.rest();
  auto b = limit.rest();
  for (const double u : {0.2, 0.9, -0.1, 0.3, -2.0, 1.0})
    EXPECT_NEAR(law.step(a, u, a).force, limit.step(b, u, b).force, 2 * std::log(20.0) / n) << u;
}

TEST(RambergOsgood, a_fit_finds_stiffness_force_and_exponent) {
  // alpha and fy do the same to the force: alpha is held at 1, where fy is 0.3 · 0.5^(−1/3).
  const AnyModel truth = catalog::make(
      {"ramberg-osgood", {{"k", 8e3}, {"fy", 300.0}, {"alpha", 0.5}, {"n", 4.0}}, {}});
  Path path;
  for (int i = 0; i <= 400; ++i)
    path.u.push_back(0.09 * (1 + i / 200.0) / 3 * std::sin(2 * std::acos(-1.0) * i / 100.0));
  fit::Data data;
  data.u = path.u;
  data.f = truth.run(path).f;
  const AnyModel law = catalog::make({"ramberg-osgood", {}, {}});
  const fit::Fit found = fit::fit(law, {data}, catalog::with_hints({.starts = 8}, law, {data}));
  EXPECT_EQ(found.outcome, fit::Outcome::converged) << found.message;
  const auto value = [&](const char* name) {
    return std::get<double>(found.parameters.front().at(name));
  };
  EXPECT_NEAR(value("k"), 8e3, 1e-3);
  EXPECT_NEAR(value("n"), 4, 1e-6);
  EXPECT_NEAR(value("fy"), 300 * std::pow(0.5, -1.0 / 3), 1e-4);
  EXPECT_EQ(value("alpha"), 1);
}

TEST(RambergOsgood, an_exponent_below_one_is_refused) {
  EXPECT_THROW(Law({.k = 1, .fy = 1, .alpha = 1, .n = 0.9}), Error);
}

}  // namespace ramberg_osgood_test
}  // namespace microslip
