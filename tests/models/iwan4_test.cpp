#include "microslip/models/iwan4.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <vector>

#include "support/allocations.hpp"
#include "support/random.hpp"

namespace microslip {
namespace iwan4_test {

using Law = Iwan4<double>;
const Law::Params joint{.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7};

/// φmax, R and S from the printed definitions, independent of the law's own code.
struct Density {
  double chi, phi_max, R, S;
  explicit Density(const Law::Params& p) : chi(p.chi) {
    const double q = p.beta + (p.chi + 1) / (p.chi + 2);
    phi_max = p.Fs * (1 + p.beta) / (p.KT * q);
    R = p.Fs * (p.chi + 1) / (std::pow(phi_max, p.chi + 2) * q);
    S = p.Fs / phi_max * p.beta / q;
  }
  double operator()(double phi) const { return R * std::pow(phi, chi); }
};

/// The density cut into n Jenkins elements of equal share, each at the mean slip displacement of
/// its share, plus the one that slips at φmax.
struct Sliders {
  std::vector<double> k, slip, f;
  double u = 0;
  Sliders(const Density& rho, int n) {
    const double p = rho.chi + 1;
    const auto integral = [&](double a, double b, double exponent) {
      return rho.R * (std::pow(b, exponent) - std::pow(a, exponent)) / exponent;
    };
    for (int i = 0; i < n; ++i) {
      const double a = rho.phi_max * std::pow(double(i) / n, 1 / p);
      const double b = rho.phi_max * std::pow(double(i + 1) / n, 1 / p);
      k.push_back(integral(a, b, p));
      slip.push_back(integral(a, b, p + 1) / k.back());
    }
    k.push_back(rho.S);
    slip.push_back(rho.phi_max);
    f.assign(k.size(), 0);
  }
  double move_to(double target) {
    double total = 0;
    for (std::size_t i = 0; i < k.size(); ++i) {
      f[i] = std::clamp(f[i] + k[i] * (target - u), -k[i] * slip[i], k[i] * slip[i]);
      total += f[i];
    }
    u = target;
    return total;
  }
};

TEST(Iwan4, equals_ten_thousand_sliders) {
  const Law law(joint);
  Sliders sliders(Density(joint), 10000);
  auto state = law.rest();
  testing::Rng rng(testing::seed_for(testing::base_seed(), "iwan4", 0));
  const double phi_max = law.slip_displacement();
  for (int i = 0; i < 300; ++i) {
    const double u =
        rng.chance(0.1) ? rng.uniform(-2, 2) * phi_max : state.u + rng.uniform(-0.4, 0.4) * phi_max;
    const double expected = sliders.move_to(u);
    // A share is 1e-4 of the stiffness and lies within 1e-4 of φmax: 1e-8 Fs, a few of them cut.
    ASSERT_NEAR(law.step(state, u, state).force, expected, 2e-7 * joint.Fs)
        << "row " << i << ", seed " << testing::base_seed();
  }
}

TEST(Iwan4, density_integrates_to_stiffness_and_slip_force) {
  for (const Law::Params& p : {joint, Law::Params{}, Law::Params{3, 0.5, -0.9, 0}}) {
    const Density rho(p);
    // With φ = φmax t^(1/(χ+1)) the integrands are smooth.
    const double e = 1 / (p.chi + 1);
    const auto moment = [&](int power) {
      return boost::math::quadrature::gauss<double, 30>::integrate(
          [&](double t) {
            const double phi = rho.phi_max * std::pow(t, e);
            return std::pow(phi, power) * rho(phi) * rho.phi_max * e * std::pow(t, e - 1);
          },
          0.0, 1.0);
    };
    EXPECT_NEAR(moment(0) + rho.S, p.KT, 1e-9 * p.KT);
    EXPECT_NEAR(moment(1) + rho.S * rho.phi_max, p.Fs, 1e-9 * p.Fs);
    const Law law(p);
    auto state = law.rest();
    EXPECT_NEAR(law.step(state, 0, state).tangent, p.KT, 1e-14 * p.KT);
    EXPECT_NEAR(law.step(state, 10 * rho.phi_max, state).force, p.Fs, 1e-14 * p.Fs);
  }
}

TEST(Iwan4, cycle_loses_the_closed_form_on_both_sides_of_full_slip) {
  const Law law(joint);
  const Density rho(joint);
  const double chi = joint.chi, phi_max = rho.phi_max;
  for (const double ratio : {0.01, 0.3, 0.99, 1.0, 1.01, 3.0}) {
    const double U = ratio * phi_max;
    auto state = law.rest();
    law.step(state, U, state);
    const double down = law.step(state, -U, state).dissipated;
    const double lost = down + law.step(state, U, state).dissipated;
    // Segalman's closed forms, as in the table of equations.
    const double expected =
        ratio < 1 ? 4 * rho.R * std::pow(U, chi + 3) / ((chi + 2) * (chi + 3))
                  : 4 * (U * joint.Fs - rho.R * std::pow(phi_max, chi + 3) / (chi + 3) -
                         rho.S * phi_max * phi_max);
    EXPECT_NEAR(lost, expected, 1e-12 * expected) << ratio;
    EXPECT_NEAR(law.energy_per_cycle(U), expected, 1e-12 * expected) << ratio;
  }
}

TEST(Iwan4, small_cycles_lose_energy_like_a_power) {
  const Law law(joint);
  const double U = 1e-3 * law.slip_displacement();
  const double exponent = std::log2(law.energy_per_cycle(2 * U) / law.energy_per_cycle(U));
  EXPECT_NEAR(exponent, 3 + joint.chi, 1e-12);
}

TEST(Iwan4, remembers_a_hundred_thousand_nested_reversals_and_allocates_nothing_once_warm) {
  const Law law(joint);
  const double U = law.slip_displacement();
  constexpr int n = 100000;
  const auto turn = [&](int i) { return (i % 2 == 0 ? 1 : -1) * U * (1 - 0.9e-5 * i); };
  const auto rest = law.rest();
  auto state = rest;
  std::vector<double> forces(n);
  const auto wind = [&] {
    state = rest;
    for (int i = 0; i < n; ++i)
      forces[static_cast<std::size_t>(i)] = law.step(state, turn(i), state).force;
  };
  wind();
  EXPECT_EQ(state.reversals.size(), static_cast<std::size_t>(n - 1));
  const std::size_t before = testing::allocations();
  wind();
  EXPECT_EQ(testing::allocations(), before);
  for (int i = n - 3; i >= 0; --i)
    ASSERT_NEAR(law.step(state, turn(i), state).force, forces[static_cast<std::size_t>(i)], 1e-9)
        << i;
  EXPECT_EQ(state.reversals.size(), 0u);
}

}  // namespace iwan4_test
}  // namespace microslip
