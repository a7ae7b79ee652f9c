#include "microslip/models/generalized_kelvin_voigt.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "microslip/models/kelvin_voigt.hpp"
#include "support/runge_kutta.hpp"

namespace microslip {
namespace generalized_kelvin_voigt_test {

using Law = GeneralizedKelvinVoigt<double>;

// The chain itself: each element's u_i' = (f − k_i u_i)/c_i with f such that they add up to u'.
// The stored energy of the spectrum must be that of the springs of the chain.
TEST(GeneralizedKelvinVoigt, follows_the_chain) {
  const std::array<double, 3> k{1, 3, 0.5}, c{0.7, 0.2, 2};
  const Law law({.k = {k.begin(), k.end()}, .c = {c.begin(), c.end()}});
  ASSERT_EQ(law.spectrum().k.size(), 2u);
  const double fluidity = 1 / c[0] + 1 / c[1] + 1 / c[2];
  auto state = law.rest();
  std::array<double, 4> chain{};  // u_i, and the energy lost
  for (const auto& [u, dt] : {std::pair{1.0, 0.5}, {-2.0, 0.3}, {-2.0, 1.0}, {0.5, 4.0}}) {
    const double v = (u - state.u) / dt;
    const auto force = [&](const auto& y) {
      double relaxing = 0;
      for (std::size_t i = 0; i < 3; ++i) relaxing += k[i] * y[i] / c[i];
      return (v + relaxing) / fluidity;
    };
    chain = testing::runge_kutta<4>(chain, dt, 4000, [&](const std::array<double, 4>& y) {
      std::array<double, 4> rate{};
      for (std::size_t i = 0; i < 3; ++i) {
        rate[i] = (force(y) - k[i] * y[i]) / c[i];
        rate[3] += c[i] * rate[i] * rate[i];
      }
      return rate;
    });
    double stored = 0;
    for (std::size_t i = 0; i < 3; ++i) stored += k[i] * chain[i] * chain[i] / 2;
    const double lost_before = chain[3];
    chain[3] = 0;
    const auto reply = law.step(state, u, dt, state);
    EXPECT_NEAR(reply.force, force(chain), 1e-10);
    EXPECT_NEAR(law.stored(state), stored, 1e-10);
    EXPECT_NEAR(reply.dissipated, lost_before, 1e-9);
  }
}

TEST(GeneralizedKelvinVoigt, one_element_is_kelvin_voigt) {
  const Law law({.k = {2}, .c = {0.5}});
  const KelvinVoigt<double> element({.k = 2, .c = 0.5});
  auto a = law.rest();
  auto b = element.rest();
  for (const auto& [u, dt] : {std::pair{1.0, 0.5}, {-2.0, 0.3}, {-2.0, 1.0}})
    EXPECT_DOUBLE_EQ(law.step(a, u, dt, a).force, element.step(b, u, dt, b).force);
}

// Poles k_i/c_i that meet: the force is continuous, and so is its derivative.
TEST(GeneralizedKelvinVoigt, equal_elements_act_as_one) {
  const auto force = [](double shift) {
    const Law law({.k = {1, 1 + shift, 4}, .c = {1, 1, 0.3}});
    auto state = law.rest();
    law.step(state, 1, 0.3, state);
    return law.step(state, 0.2, 0.6, state).force;
  };
  EXPECT_NEAR(force(1e-9), force(0), 1e-8);
  GeneralizedKelvinVoigt<Dual<1>>::Params params{.k = {Dual<1>(1), Dual<1>(1, 0), Dual<1>(4)},
                                                 .c = {Dual<1>(1), Dual<1>(1), Dual<1>(0.3)}};
  const GeneralizedKelvinVoigt<Dual<1>> law(params);
  auto state = law.rest();
  law.step(state, Dual<1>(1), 0.3, state);
  const double slope = law.step(state, Dual<1>(0.2), 0.6, state).force.v[0];
  EXPECT_NEAR(slope, (force(1e-5) - force(-1e-5)) / 2e-5, 1e-8);
}

// Relaxation rates separate the creep rates.
TEST(GeneralizedKelvinVoigt, rates_interlace) {
  const std::vector<double> rates{0.01, 0.5, 0.5000001, 20, 3000};
  Law::Params params{.k = {}, .c = {}};
  for (const double rate : rates) {
    params.c.push_back(1 + rate / 7);
    params.k.push_back(rate * params.c.back());
  }
  const Law law(params);
  const auto& spectrum = law.spectrum();
  ASSERT_EQ(spectrum.tau.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_GT(1 / spectrum.tau[j], rates[j]);
    EXPECT_LT(1 / spectrum.tau[j], rates[j + 1]);
    EXPECT_GT(spectrum.k[j], 0);
  }
}

}  // namespace generalized_kelvin_voigt_test
}  // namespace microslip
