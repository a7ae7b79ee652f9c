#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/friction/sliders.hpp"

namespace microslip::friction {
namespace chain_test {

/// A chain of n sliders, k = 1, μ = 1/n, pulled at one end by 0.8 sin over 1.25 cycles in 200 rows.
double loss_of(Index n) {
  std::vector<double> b(static_cast<std::size_t>(n), 0.0);
  b[0] = 1;
  const System chain = chain_system(n, 1, std::vector<double>{1.0 / static_cast<double>(n)}, b);
  std::vector<double> loads;
  for (int i = 1; i <= 200; ++i)
    loads.push_back(0.8 * std::sin(2 * std::numbers::pi * 1.25 * i / 200));
  const Result run = friction::run(chain, loads);
  EXPECT_EQ(run.status, Status::ok);
  return run.energy.back();
}

TEST(EndLoadedChain, loses_its_closed_form) {
  for (const Index n : {100, 250, 500}) {
    // Fronts at whole sliders: the amplitude is 0.8 n of them.
    const double m = 0.8 * static_cast<double>(n);
    const double expected = 5.0 / 6 * std::pow(0.8, 3) * static_cast<double>(n) * (1 - 1 / (m * m));
    EXPECT_NEAR(loss_of(n), expected, 1e-9 * expected);
  }
  EXPECT_NEAR(loss_of(500), 213.332, 1e-9 * 213.332);
}

TEST(EndLoadedChain, of_thirty_thousand_sliders_takes_no_time) {
  // A front that moves by one slider in each round would need 30000 rounds a row: hours.
  const double n = 30000, m = 0.8 * n;
  const double expected = 5.0 / 6 * std::pow(0.8, 3) * n * (1 - 1 / (m * m));
  EXPECT_NEAR(loss_of(30000), expected, 1e-9 * expected);
}

}  // namespace chain_test
}  // namespace microslip::friction
