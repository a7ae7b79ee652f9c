#include "dynamics/joint/closed_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dynamics/support.hpp"

/// The closed loop begins at the reversal furthest out. What laws hold there is known.
namespace microslip::dynamics {
namespace closed_loop_test {

struct Beginning {
  double u, f;
};

/// Where the closed loop of a law begins under u = mean + amplitude cos θ.
Beginning beginning(const AnyModel& model, double mean, double amplitude) {
  JointPeriod period(model, 1, {}, {});
  period.motion.set(Eigen::Vector3d(mean, amplitude, 0));
  period.odd = model.odd() && period.motion.pair_reversals();
  period.start();
  ClosedLoop loop(period);
  loop.close(false);
  EXPECT_EQ(period.result.status, Status::ok);
  EXPECT_TRUE(period.result.closed);
  const double u = period.motion.turning_values().front();
  AnyState to = period.law.state;
  return {u, model.step(period.law.state, u, std::numeric_limits<double>::infinity(), to).force};
}

double sign_of(const Beginning& at, double mean) { return at.u > mean ? 1 : -1; }

TEST(ClosedLoop, a_slider_begins_at_its_limit) {
  for (const double mean : {0.0, 0.3, -7.0}) {
    const Beginning at = beginning(jenkins(2, 0.5), mean, 0.6);
    EXPECT_NEAR(std::abs(at.u - mean), 0.6, 1e-14);
    EXPECT_NEAR(at.f, sign_of(at, mean) * 0.5, 1e-14) << mean;
  }
}

/// z′ = A u′ − α|u′| z: over 2U from −Z to Z = (A/α) tanh αU.
TEST(ClosedLoop, bouc_begins_where_its_memory_has_faded) {
  constexpr double A = 2, alpha = 0.7, k = 0.5, U = 0.9;
  for (const double mean : {0.0, 0.4}) {
    const Beginning at = beginning(law("bouc", {{"A", A}, {"alpha", alpha}, {"k", k}}), mean, U);
    const double z = A / alpha * std::tanh(alpha * U);
    EXPECT_NEAR(at.f, k * at.u + sign_of(at, mean) * z, 1e-11) << mean;
  }
}

/// A mean that a slow memory has nearly forgotten is not what is left of the way from rest: α U = 0.02.
TEST(ClosedLoop, slow_memory_is_solved_for) {
  constexpr double A = 2, alpha = 0.02, U = 1;
  const Beginning at = beginning(law("bouc", {{"A", A}, {"alpha", alpha}, {"k", 0.0}}), 30, U);
  EXPECT_NEAR(at.f, sign_of(at, 30) * A / alpha * std::tanh(alpha * U), 1e-9);
}

}  // namespace closed_loop_test
}  // namespace microslip::dynamics
