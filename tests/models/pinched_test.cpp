#include "microslip/models/pinched.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace pinched_test {

using Law = Pinched<double>;

Law printed(double eps) { return Law({.K0 = 4, .theta_m = 2, .beta = 1.8, .eps = eps}); }

double energy_of_steady_cycle(const Law& law, double amplitude) {
  auto state = law.rest();
  double lost = 0;
  for (int cycle = 0; cycle < 40; ++cycle) {
    lost = law.step(state, amplitude, state).dissipated;
    lost += law.step(state, -amplitude, state).dissipated;
  }
  return lost;
}

TEST(Pinched, follows_its_powers_on_each_side_of_the_origin) {
  // Thesis fig. 6.6(c): K0 = 4, θm = 2, β = 1.8, ε = 1e-4, amplitude 1.
  const double eps = 1e-4;
  const Law law = printed(eps);
  auto state = law.rest();
  law.step(state, 1, state);
  EXPECT_NEAR(state.theta, 3.8 - 1.8 * std::pow(eps / (1 + eps), 4), 1e-15);
  EXPECT_NEAR(law.step(state, 1.0, state).tangent, 3.8, 1e-12);
  // Unloading starts with slope θ + K0 (θ − 0.2) u/(u + ε).
  auto back = state;
  EXPECT_NEAR(law.step(state, 1 - 1e-12, back).tangent, 3.8 + 4 * 3.6 / (1 + eps), 1e-9);
  for (const double u : {0.75, 0.5, 0.25}) {
    law.step(state, u, back);
    EXPECT_NEAR(back.theta, 0.2 + 3.6 * std::pow((u + eps) / (1 + eps), 4), 1e-14);
  }
  EXPECT_EQ(law.step(state, 0, back).force, 0);
}

TEST(Pinched, agrees_with_small_steps_of_the_printed_equation) {
  // Heun's method on θ' with Richardson's extrapolation; the origin is a row.
  for (const double K0 : {0.7, 1.0, 2.0, 3.3}) {
    const Law law({.K0 = K0, .theta_m = 1, .beta = 1.3, .eps = 0.2});
    const auto heun = [&](int steps) {
      double x = 0, theta = 1, work = 0;
      for (const double end : {0.8, 0.3, 0.5, 0.0, -0.6, -0.1, -0.9}) {
        const double h = (end - x) / steps;
        for (int i = 0; i < steps; ++i) {
          const double middle = x + 0.5 * h;
          const auto rate = [&](double at, double th) {
            const double s = middle * h > 0 ? 1 : -1;
            return K0 / (std::abs(at) + 0.2) * (1 + 1.3 * s - th) * std::abs(h);
          };
          const double first = rate(x, theta);
          const double next = theta + 0.5 * (first + rate(x + h, theta + first));
          work += 0.5 * h * (theta * x + next * (x + h));
          theta = next;
          x += h;
        }
        x = end;
      }
      return std::pair{theta, work};
    };
    const auto [coarse, coarse_work] = heun(4000);
    const auto [fine, fine_work] = heun(8000);
    auto state = law.rest();
    double lost = 0;
    for (const double u : {0.8, 0.3, 0.5, 0.0, -0.6, -0.1, -0.9})
      lost += law.step(state, u, state).dissipated;
    EXPECT_NEAR(state.theta, (4 * fine - coarse) / 3, 1e-10) << K0;
    EXPECT_NEAR(law.stored(state) + lost, (4 * fine_work - coarse_work) / 3, 1e-10) << K0;
  }
}

TEST(Pinched, energy_per_cycle_tends_to_the_printed_formula) {
  // Thesis section 6.3: D = 2β K0/(K0 + 2) U² for U ≫ ε, here 2.4; to first order in ε the factor
  // is 1 − 2ε/(K0 + 1).
  for (const double eps : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const double D = energy_of_steady_cycle(printed(eps), 1);
    EXPECT_NEAR((D / 2.4 - 1) / (-2 * eps / 5), 1, 1.1 * eps + 1e-8) << eps;
  }
  // Exact at finite ε, from the steady integrals.
  EXPECT_NEAR(energy_of_steady_cycle(printed(0.1), 1), 2.294768474252, 1e-12);
  EXPECT_NEAR(energy_of_steady_cycle(printed(1e-6), 2), 4 * 2.4, 1e-5);
}

TEST(Pinched, epsilon_may_be_below_the_rounding_of_the_amplitude) {
  // The printed formula is the limit; the correction is of the order ε.
  for (const double eps : {1e-12, 1e-17, 1e-100})
    EXPECT_NEAR(energy_of_steady_cycle(printed(eps), 1), 2 * 1.8 * 4 / (4 + 2), 1e-10) << eps;
}

TEST(Pinched, small_reversals_do_not_close) {
  // On the way out with θ = 3.8: 0.8 → 0.79 → 0.8.
  const Law law = printed(1e-4);
  auto state = law.rest();
  const double f = law.step(state, 0.8, state).force;
  EXPECT_NEAR(f, 3.04, 1e-12);
  EXPECT_NEAR(law.step(state, 0.79, state).force, 2.8624612153, 1e-10);
  EXPECT_NEAR(law.step(state, 0.8, state).force, 2.9056279331, 1e-10);
}

TEST(Pinched, stored_energy_is_never_negative) {
  // Also where β > θm and the force on the way back pulls outwards.
  const Law law({.K0 = 0.8, .theta_m = 0.4, .beta = 1.5, .eps = 0.01});
  for (const double u : {-2.0, -0.1, 0.0, 1e-3, 0.5})
    for (double theta = -1.1; theta <= 1.9; theta += 0.1) {
      Law::State state;
      state.u = u;
      state.theta = theta;
      EXPECT_GE(law.stored(state), -1e-15) << u << " " << theta;
    }
}

}  // namespace pinched_test
}  // namespace microslip
