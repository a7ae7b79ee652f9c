#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "dynamics/support.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/runge_kutta.hpp"

/// Rate-dependent laws in time: the midpoint rule with halved steps.
namespace microslip::dynamics {
namespace refined_midpoint_test {

constexpr double load = 1.5, damping = 0.02, until = 10;

TimeResult motion_of(const std::string& model, double step) {
  Structure s = oscillator(law(model), load, 1, damping, 1);
  std::get<Tones>(s.loads[0].signal).list[0].omega = 1;
  TimeOptions options;
  options.until = until;
  options.step = step;
  options.every_step = false;
  return integrate(s, options);
}

/// x, v, z and t of LuGre's printed equation with the parameters that the law has by default.
std::array<double, 4> rates(const std::array<double, 4>& at) {
  const auto [x, v, z, t] = at;
  constexpr double sigma0 = 1, sigma1 = 0.1, sigma2 = 0.1, zc = 1, zs = 1.2, vs = 0.5;
  const double limit = (zc + (zs - zc) * std::exp(-v * v / (vs * vs))) / sigma0;
  const double bend = v - std::abs(v) * z / limit;
  const double joint = sigma0 * z + sigma1 * bend + sigma2 * v;
  return {v, load * std::cos(t) - damping * v - x - joint, bend, 1};
}

TEST(RefinedMidpoint, keeps_its_tolerance_in_few_steps) {
  const TimeResult r = motion_of("lugre", 0.1);
  ASSERT_EQ(r.message, "");
  ASSERT_EQ(r.t.size(), 101u);
  // 12 800 where steps went across turns.
  EXPECT_LT(r.steps, 5000);
  constexpr int steps = 1000;  // between rows; |v| bends at turns, which costs some 1e-9
  std::array<double, 4> at{0, 0, 0, 0};
  double size = 0, error = 0;
  for (const Eigen::VectorXd& x : r.x) {
    size = std::max(size, std::abs(at[0]));
    error = std::max(error, std::abs(x[0] - at[0]));
    at = testing::runge_kutta(at, 0.1, steps, rates);
  }
  EXPECT_LT(error, 1e-7 * size);
}

TEST(RefinedMidpoint, says_how_exact_a_motion_is_that_does_not_keep_its_tolerance) {
  const TimeResult exact = motion_of("elasto-plastic", 0.1);
  ASSERT_EQ(exact.message, "");
  for (const double step : {2.0, 5.0}) {
    const TimeResult coarse = motion_of("elasto-plastic", step);
    EXPECT_EQ(coarse.status, Status::not_converged);
    const std::string before = "the motion is known to ";
    const std::size_t place = coarse.message.find(before);
    ASSERT_NE(place, std::string::npos) << coarse.message;
    const double said = std::stod(coarse.message.substr(place + before.size()));
    EXPECT_GT(said, 1e-7);
    // All rows are there, and no further from the truth than that.
    ASSERT_EQ(coarse.t.size(), static_cast<std::size_t>(until / step) + 1);
    double size = 0, error = 0;
    for (const Eigen::VectorXd& x : exact.x) size = std::max(size, std::abs(x[0]));
    for (std::size_t i = 0; i < coarse.t.size(); ++i)
      error = std::max(
          error, std::abs(coarse.x[i][0] -
                          exact.x[static_cast<std::size_t>(std::lround(coarse.t[i] / 0.1))][0]));
    EXPECT_LT(error, said * size);
    EXPECT_GT(error, 0.01 * said * size);
  }
}

}  // namespace refined_midpoint_test
}  // namespace microslip::dynamics
