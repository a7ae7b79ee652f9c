// Laws with a backbone of their own, against explicit operators and against each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/models/iwan4.hpp"
#include "microslip/models/iwan_pinning.hpp"
#include "microslip/models/iwan_series_parallel.hpp"
#include "microslip/models/iwan_uniform.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/linear.hpp"
#include "microslip/models/masing.hpp"
#include "microslip/models/prager.hpp"
#include "microslip/models/prandtl_ishlinskii.hpp"
#include "support/random.hpp"

namespace microslip {
namespace masing_family_test {

std::vector<double> random_path(std::size_t n) {
  testing::Rng rng(1923);
  std::vector<double> u(n);
  for (double& x : u) x = rng.uniform(-2, 2) * rng.uniform(0, 1);
  return u;
}

/// One law along a path: forces and dissipated energy.
template <class M>
struct Driven {
  std::vector<double> f;
  double energy = 0;
  Driven(const M& law, const std::vector<double>& path) {
    auto state = law.rest();
    for (const double u : path) {
      const auto reply = law.step(state, u, state);
      f.push_back(reply.force);
      energy += reply.dissipated;
    }
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// play ← max(u − r, min(u + r, play)), row by row.
struct Play {
  double r;
  double p = 0;
  double operator()(double u) { return p = std::max(u - r, std::min(u + r, p)); }
};

TEST(Masing, one_element_is_jenkins) {
  const auto path = random_path(500);
  const Driven masing(Masing<double>({.k = {2.0}, .phi = {0.7}}), path);
  const Driven jenkins(Jenkins<double>({.k = 2.0, .phi = 0.7}), path);
  EXPECT_LT(largest_difference(masing.f, jenkins.f), 1e-14);
  EXPECT_NEAR(masing.energy, jenkins.energy, 1e-12 * jenkins.energy);
}

TEST(Masing, is_the_sum_of_its_elements) {
  const std::vector<double> k{0.5, 2.0, 0.1, 1.0};
  const std::vector<double> phi{0.6, 0.3, 0.02, 0.3};
  const auto path = random_path(2000);
  const Driven masing(Masing<double>({.k = k, .phi = phi}), path);
  std::vector<double> sum(path.size());
  double energy = 0;
  for (std::size_t i = 0; i < k.size(); ++i) {
    const Driven element(Jenkins<double>({.k = k[i], .phi = phi[i]}), path);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += element.f[j];
    energy += element.energy;
  }
  EXPECT_LT(largest_difference(masing.f, sum), 1e-13);
  EXPECT_NEAR(masing.energy, energy, 1e-12 * energy);
}

TEST(Masing, refuses_lists_of_different_length) {
  EXPECT_THROW(Masing<double>({.k = {1.0, 2.0}, .phi = {1.0}}), Error);
}

/// n equal springs that slip at u_max/n, 2u_max/n, …: the virgin curve lies above its limit by
/// k x/(2n) while x < u_max, because the sum of i is n(n+1)/2 and not n²/2.
TEST(IwanUniform, is_the_limit_of_equal_springs_at_the_rate_one_over_two_n) {
  const double k = 3;
  const double u_max = 0.8;
  const IwanUniform<double> continuum({.k = k, .u_max = u_max});
  for (const int n : {10, 100, 1000}) {
    Masing<double>::Params p{{}, {}};
    for (int i = 1; i <= n; ++i) {
      p.k.push_back(k / n);
      p.phi.push_back(k / n * u_max * i / n);
    }
    const Masing<double> discrete(p);
    auto a = continuum.rest();
    auto b = discrete.rest();
    const double limit = continuum.step(a, 2 * u_max, a).force;
    EXPECT_NEAR(discrete.step(b, 2 * u_max, b).force - limit, k * u_max / (2 * n), 1e-12);
  }
}

TEST(IwanUniform, loses_the_closed_form_energy_in_a_cycle) {
  const IwanUniform<double> law({.k = 3, .u_max = 0.8});
  EXPECT_NEAR(law.energy_per_cycle(0.5), 2.0 / 3 * 3 * 0.125 / 0.8, 1e-15);  // (2/3) k U³/u_max
  EXPECT_NEAR(law.energy_per_cycle(0.8), law.energy_per_cycle(std::nextafter(0.8, 0)), 1e-14);
}

TEST(PrandtlIshlinskii, is_a_weighted_sum_of_plays) {
  const std::vector<double> r{0.1, 0.5, 0.25};
  const std::vector<double> w{-0.4, 0.3, -0.2};
  const auto path = random_path(2000);
  const Driven law(PrandtlIshlinskii<double>({.r = r, .w = w, .w0 = 1.5}), path);
  std::vector<Play> plays;
  for (const double x : r) plays.push_back({x});
  std::vector<double> sum;
  double energy = 0;
  for (const double u : path) {
    double f = 1.5 * u;
    for (std::size_t i = 0; i < plays.size(); ++i) {
      const double before = plays[i].p;
      f += w[i] * plays[i](u);
      energy -= w[i] * r[i] * std::abs(plays[i].p - before);
    }
    sum.push_back(f);
  }
  EXPECT_LT(largest_difference(law.f, sum), 1e-13);
  EXPECT_NEAR(law.energy, energy, 1e-11);
}

TEST(PrandtlIshlinskii, a_stop_is_the_identity_minus_a_play) {
  const auto path = random_path(500);
  const Driven stop(Jenkins<double>({.k = 1.0, .phi = 0.3}), path);
  const Driven play(PrandtlIshlinskii<double>({.r = {0.3}, .w = {-1.0}, .w0 = 1.0}), path);
  EXPECT_LT(largest_difference(stop.f, play.f), 1e-14);
}

TEST(IwanSeriesParallel, stretches_like_plays_in_the_force) {
  const IwanSeriesParallel<double> law({.k0 = 2, .k = {1.0, 0.5}, .phi = {0.8, 0.3}});
  auto state = law.rest();
  Play first{0.8}, second{0.3};
  for (const double u : random_path(1000)) {
    const double force = law.step(state, u, state).force;
    const double stretch = force / 2 + first(force) / 1.0 + second(force) / 0.5;
    ASSERT_NEAR(stretch, u, 1e-12);
  }
}

TEST(IwanPinning, is_iwan4_until_the_pin_bears) {
  const Iwan4<double> free({.Fs = 1, .KT = 2, .chi = -0.3, .beta = 0.2});
  const IwanPinning<double> pinned(
      {.Fs = 1, .KT = 2, .chi = -0.3, .beta = 0.2, .delta_p = 0.6, .KP = 5});
  auto a = free.rest();
  auto b = pinned.rest();
  for (const double u : random_path(1000)) {
    const double pin = std::copysign(5 * std::max(0.0, std::abs(u) - 0.6), u);
    const auto x = free.step(a, u, a);
    const auto y = pinned.step(b, u, b);
    ASSERT_NEAR(y.force, x.force + pin, 1e-13);
    ASSERT_NEAR(y.dissipated, x.dissipated, 1e-13);
  }
}

TEST(Prager, jumps_at_a_reversal_and_keeps_its_force_at_rest) {
  const Prager<double> law({.k = 0.5, .phi = 0.5});
  auto s = law.rest();
  EXPECT_EQ(law.step(s, 1.0, s).force, 1.0);
  EXPECT_EQ(law.step(s, 1.0, s).force, 1.0);
  EXPECT_EQ(law.step(s, std::nextafter(1.0, 0), s).force, 0.5 * std::nextafter(1.0, 0) - 0.5);
  const auto reply = law.step(s, -1.0, s);
  EXPECT_EQ(reply.force, -1.0);
  EXPECT_NEAR(reply.dissipated, 1.0, 1e-15);  // φ times the distance 2
}

TEST(Linear, stores_all_work) {
  const Linear<double> law({.k = 3});
  auto s = law.rest();
  EXPECT_EQ(law.step(s, -2.0, s).force, -6.0);
  EXPECT_EQ(law.stored(s), 6.0);
}

}  // namespace masing_family_test
}  // namespace microslip
