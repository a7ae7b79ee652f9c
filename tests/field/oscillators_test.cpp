#include "microslip/field/oscillators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "microslip/models/jenkins.hpp"
#include "microslip/models/lugre.hpp"

namespace microslip {
namespace {

using Numbers = std::vector<double>;

TEST(Oscillators, FollowNewmarksOwnClosedForm) {
  // While a joint sticks it is a spring. Average acceleration then turns by ω' dt in a step, tan(ω' dt/2) = ω dt/2,
  // and keeps the amplitude.
  const std::vector<Oscillator> bodies{{.m = 1, .k = 3}, {.m = 2, .k = 0}, {.m = 0.5, .k = 1}};
  std::vector<Jenkins<double>> laws(3, Jenkins<double>({.k = 1, .phi = 100}));
  const double dt = 0.1;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    Oscillators<Jenkins<double>> field(bodies, laws, threads);
    for (std::size_t i = 0; i < 3; ++i) field.motion(i) = {.x = 1, .v = 0};
    Numbers largest(3), lost(3);
    EXPECT_EQ(field.run(Numbers(201, 0.0), dt, {largest, lost}), Status::ok);
    for (std::size_t i = 0; i < 3; ++i) {
      const double omega = std::sqrt((bodies[i].k + 1) / bodies[i].m);
      const double turned = 200 * 2 * std::atan(omega * dt / 2);
      EXPECT_NEAR(field.joint(i).u, std::cos(turned), 1e-11);
      EXPECT_EQ(lost[i], 0);
    }
  }
}

/// What free decays miss of their energy balance.
double imbalance(double dt) {
  const std::vector<Oscillator> bodies{{.m = 1, .c = 0, .k = 1}};
  const std::vector<Jenkins<double>> laws{Jenkins<double>({.k = 2, .phi = 0.3})};
  Oscillators<Jenkins<double>> field(bodies, laws);
  field.motion(0) = {.x = 0, .v = 2};
  Numbers lost(1);
  const auto steps = static_cast<std::size_t>(std::lround(20 / dt));
  EXPECT_EQ(field.run(Numbers(steps + 1, 0.0), dt, {{}, lost}), Status::ok);
  const Motion end = field.motion(0);
  const double energy = 0.5 * end.v * end.v + 0.5 * end.x * end.x + laws[0].stored(field.joint(0));
  EXPECT_GT(lost[0], 1);
  return std::abs(2 - energy - lost[0]);
}

TEST(Oscillators, KeepTheBalanceOfEnergy) {
  EXPECT_LT(imbalance(1e-3), 1e-5);
  EXPECT_LT(imbalance(1e-3), imbalance(1e-2));
}

TEST(Oscillators, EachHasItsLoadAndItsLaw) {
  const std::vector<Oscillator> bodies(3, {.m = 1, .c = 0.1, .k = 1});
  std::vector<LuGre<double>> laws;
  for (const double zc : {0.1, 1.0, 1.0})
    laws.emplace_back(LuGre<double>::Params{.sigma0 = 50, .zc = zc, .zs = zc});
  Numbers load(2000), largest(3), lost(3);
  for (std::size_t i = 0; i < load.size(); ++i) load[i] = std::sin(0.01 * static_cast<double>(i));
  const Numbers scale{1, 1, 5};
  Oscillators<LuGre<double>> field(bodies, laws);
  EXPECT_EQ(field.run(load, 0.01, {largest, lost}, scale), Status::ok);
  EXPECT_GT(largest[0], 5 * largest[1]);  // friction of 1 holds a load of 1
  EXPECT_GT(largest[2], 5 * largest[1]);
  EXPECT_THROW(field.run(load, 0.01, {largest, lost}, Numbers{1}), Error);
  EXPECT_THROW(field.run(load, 0, {largest, lost}), Error);
}

}  // namespace
}  // namespace microslip
