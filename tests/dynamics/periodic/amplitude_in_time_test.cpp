#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/slow_flow.hpp"

namespace microslip::dynamics {
namespace amplitude_in_time_test {

Structure unloaded(const AnyModel& joint, double m = 1, double c = 0.01, double k = 0.75) {
  Structure s = oscillator(joint, 0, m, c, k);
  s.loads.clear();
  return s;
}

TEST(SlowFlow, decays_exponentially_with_a_damper) {
  // c/(2m) is the rate of decay to the first order, in any units.
  const Structure s = unloaded(law("linear", {{"k", 0.0}}), 2, 0.03, 5);
  SlowFlowOptions options;
  options.until = 50;
  options.tolerance = 1e-9;
  options.x0 = 0.4;
  options.v0 = 0.3;
  const SlowFlow flow = slow_flow(s, options);
  const double omega0 = std::sqrt(2.5), A = std::hypot(0.4, 0.3 / omega0);
  EXPECT_DOUBLE_EQ(flow.omega, omega0);
  EXPECT_NEAR(flow.amplitude.front(), A, 1e-15);
  EXPECT_NEAR(flow.amplitude.back(), A * std::exp(-0.03 / 4 * 50), 1e-7 * A);
  EXPECT_NEAR(flow.phase.back(), std::atan2(-0.3 / omega0, 0.4), 1e-9);
  EXPECT_FALSE(flow.at_rest);
}

TEST(SlowFlow, friction_ends_the_motion) {
  // a1 = 4fc/π: A falls by 2fc/(π m ω0) a time and is 0 at A0 π m ω0/(2fc).
  const double fc = 0.02, end = std::numbers::pi / (2 * fc);
  const Structure s = unloaded(law("coulomb", {{"fc", fc}}), 1, 0, 1);
  SlowFlowOptions options;
  options.until = 1.5 * end;
  options.step = end / 4;
  options.x0 = 1;
  const SlowFlow flow = slow_flow(s, options);
  EXPECT_NEAR(flow.amplitude[1], 0.75, 1e-6);
  EXPECT_NEAR(flow.amplitude[3], 0.25, 1e-6);
  EXPECT_TRUE(flow.at_rest);
  EXPECT_EQ(flow.amplitude.back(), 0);
}

TEST(SlowFlow, comes_to_the_steady_state_of_averaging) {
  Structure s = oscillator(jenkins(0.05, 0.02), 0.02, 1, 0.002, 1);
  const AveragedPoint point = averaged(s, 0.8);
  s.loads[0].signal = Tones{{{point.force, 0.3, 1, point.omega}}};  // ψ = 0.3
  SlowFlowOptions options;
  options.until = 3000;
  options.step = 100;
  options.x0 = 0.5;
  const SlowFlow flow = slow_flow(s, options);
  EXPECT_NEAR(flow.amplitude.back(), 0.8, 1e-3);
  EXPECT_NEAR(flow.phase.back() - 0.3, -std::numbers::pi / 2, 1e-3);
}

TEST(SlowFlow, refuses_what_it_is_not_for) {
  Structure s = problem_a();
  SlowFlowOptions options;
  options.until = 1;
  EXPECT_THROW(slow_flow(s, options), Error);  // the load has no frequency
  s.loads[0].signal = Constant{1};
  EXPECT_THROW(slow_flow(s, options), Error);
  s.loads.clear();
  options.until = 0;
  EXPECT_THROW(slow_flow(s, options), Error);
}

}  // namespace amplitude_in_time_test
}  // namespace microslip::dynamics
