#include "microslip/study/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "microslip/core/error.hpp"
#include "microslip/study/answers.hpp"
#include "microslip/study/inputs.hpp"

namespace microslip::study {
namespace design_test {

/// Of Random123, kat_vectors.
TEST(design, philox_gives_the_published_numbers) {
  const std::array<std::uint32_t, 4> zero{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(philox(0, {0, 0, 0, 0}), zero);
  const std::array<std::uint32_t, 4> pi{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  EXPECT_EQ(philox(std::uint64_t{0x299f31d0} << 32 | 0xa4093822,
                   {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            pi);
}

/// The first 2^m points have one point in each interval of 2^-m, and, of the first two inputs, one in each
/// of the rectangles of that size.
TEST(design, scrambled_sobol_points_stay_a_net) {
  const Design design(DesignKind::sobol, 11, 64, 5);
  std::vector<double> u(5);
  std::vector<std::set<int>> strata(5);
  std::vector<std::set<int>> boxes(7);
  for (std::uint64_t i = 0; i < 64; ++i) {
    design.point(i, u);
    for (std::size_t d = 0; d < 5; ++d) {
      ASSERT_GT(u[d], 0);
      ASSERT_LT(u[d], 1);
      strata[d].insert(static_cast<int>(64 * u[d]));
    }
    for (int a = 0; a <= 6; ++a)
      boxes[static_cast<std::size_t>(a)].insert(static_cast<int>(std::ldexp(u[0], a)) * 64 +
                                                static_cast<int>(std::ldexp(u[1], 6 - a)));
  }
  for (const auto& stratum : strata) EXPECT_EQ(stratum.size(), 64u);
  for (const auto& box : boxes) EXPECT_EQ(box.size(), 64u);
  // Another seed, other points.
  std::vector<double> other(5);
  Design(DesignKind::sobol, 12, 64, 5).point(63, other);
  EXPECT_NE(u, other);
}

/// The error of the mean of a smooth function falls much faster than with random points.
TEST(design, sobol_points_integrate) {
  const Design design(DesignKind::sobol, 3, 4096, 4);
  std::vector<double> u(4);
  double sum = 0;
  for (std::uint64_t i = 0; i < design.points(); ++i) {
    design.point(i, u);
    double product = 1;
    for (const double x : u) product *= 0.5 * std::numbers::pi * std::sin(std::numbers::pi * x);
    sum += product;
  }
  EXPECT_NEAR(sum / 4096, 1, 1e-3);  // random: 0.02
}

TEST(design, a_latin_hypercube_has_each_stratum_once) {
  const Design design(DesignKind::latin_hypercube, 5, 77, 3);
  std::vector<std::set<int>> strata(3);
  std::vector<double> u(3);
  for (std::uint64_t i = 0; i < 77; ++i) {
    design.point(i, u);
    for (std::size_t d = 0; d < 3; ++d) strata[d].insert(static_cast<int>(77 * u[d]));
  }
  for (const auto& stratum : strata) EXPECT_EQ(stratum.size(), 77u);
}

TEST(design, a_permutation_is_one) {
  for (const std::uint64_t count : {1u, 2u, 5u, 64u, 1000u}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < count; ++i) seen.insert(permuted(i, count, 9, 4));
    EXPECT_EQ(seen.size(), count);
    EXPECT_LT(*seen.rbegin(), count);
  }
}

TEST(design, a_grid_has_all_combinations) {
  const Design design(DesignKind::grid, 0, 3, 2);
  ASSERT_EQ(design.points(), 9u);
  std::set<std::pair<double, double>> seen;
  std::vector<double> u(2);
  for (std::uint64_t i = 0; i < 9; ++i) {
    design.point(i, u);
    seen.insert({u[0], u[1]});
  }
  EXPECT_EQ(seen.size(), 9u);
  EXPECT_THROW(Design(DesignKind::grid, 0, 100, 6), Error);
}

/// Φ⁻¹(0.975), and the mean of a truncated normal distribution in closed form.
TEST(inputs, quantiles_are_those_of_the_tables) {
  Distribution d;
  d.kind = Distribution::Kind::normal;
  d.a = 2;
  d.b = 3;
  EXPECT_NEAR(d.quantile(0.975), 2 + 3 * 1.959963984540054, 1e-12);
  d.lower = 1;
  d.upper = 4;
  double sum = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double x = d.quantile((i + 0.5) / n);
    EXPECT_TRUE(x >= 1 && x <= 4);
    sum += x / n;
  }
  const auto phi = [](double z) {
    return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  };
  const auto cdf = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  const double a = -1.0 / 3, b = 2.0 / 3;
  EXPECT_NEAR(sum, 2 + 3 * (phi(a) - phi(b)) / (cdf(b) - cdf(a)), 1e-7);
  Distribution log;
  log.kind = Distribution::Kind::lognormal;
  log.a = 5;
  log.b = 0.3;
  EXPECT_NEAR(log.quantile(0.5), 5, 1e-12);
  EXPECT_NEAR(log.quantile(0.975), 5 * std::exp(0.3 * 1.959963984540054), 1e-11);
  // Far in a tail, where 1 − Φ has no digits left.
  Distribution tail;
  tail.kind = Distribution::Kind::normal;
  tail.lower = 10;
  tail.upper = 11;
  EXPECT_NEAR(tail.quantile(0.5), 10.068, 0.002);
}

/// Densities integrate to 1 and belong to the quantiles.
TEST(inputs, densities_belong_to_quantiles) {
  for (const Distribution::Kind kind :
       {Distribution::Kind::normal, Distribution::Kind::lognormal, Distribution::Kind::uniform}) {
    Distribution d;
    d.kind = kind;
    d.a = 1;
    d.b = kind == Distribution::Kind::uniform ? 3 : 0.5;
    d.lower = 0.8;
    d.upper = 2;
    const double h = 1e-4;
    for (const double u : {0.2, 0.5, 0.9}) {
      const double slope = (d.quantile(u + h) - d.quantile(u - h)) / (2 * h);
      EXPECT_NEAR(std::exp(d.log_density(d.quantile(u))), 1 / slope, 1e-5 / slope);
    }
    EXPECT_TRUE(std::isinf(d.log_density(0.7)));
  }
}

/// The function of Ishigami, whose indices are known in closed form.
TEST(answers, sobol_indices_of_a_known_function) {
  constexpr double a = 7, b = 0.1, pi = std::numbers::pi;
  const Design design(DesignKind::sobol, 1, 4096, 6);
  std::vector<double> results, u(6);
  const auto f = [&](double x, double y, double z) {
    const double s = std::sin(x), t = std::sin(y);
    return s + a * t * t + b * z * z * z * z * s;
  };
  for (std::uint64_t i = 0; i < design.points(); ++i) {
    design.point(i, u);
    for (double& x : u) x = pi * (2 * x - 1);
    results.push_back(f(u[0], u[1], u[2]));
    results.push_back(f(u[3], u[4], u[5]));
    results.push_back(f(u[3], u[1], u[2]));
    results.push_back(f(u[0], u[4], u[2]));
    results.push_back(f(u[0], u[1], u[5]));
  }
  std::uint64_t whole = 0;
  const auto indices = sobol_indices(results, {"x", "y", "z"}, 1, whole);
  EXPECT_EQ(whole, 4096u);
  const double v1 = 0.5 * std::pow(1 + b * std::pow(pi, 4) / 5, 2), v2 = a * a / 8;
  const double v13 = b * b * std::pow(pi, 8) * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(indices[k].first, first[k], 4 * indices[k].first_error) << k;
    EXPECT_NEAR(indices[k].total, total[k], 4 * indices[k].total_error) << k;
    EXPECT_LT(indices[k].first_error, 0.04);
    EXPECT_GT(indices[k].total_error, 0);
  }
}

TEST(answers, quantiles_lie_between_order_statistics) {
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 4}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile_of({1, 2, 4}, 0.75), 3);
  EXPECT_TRUE(std::isnan(quantile_of({}, 0.5)));
}

}  // namespace design_test
}  // namespace microslip::study
