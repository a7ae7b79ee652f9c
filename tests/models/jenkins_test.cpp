#include "microslip/models/jenkins.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace jenkins_test {

// k = 2, phi = 3: slip displacement 1.5. All numbers below follow by hand and are exact in binary.
class JenkinsTest : public ::testing::Test {
 protected:
  Response<double> to(double u) { return law.step(state, u, state); }
  const Jenkins<double> law{{.k = 2, .phi = 3}};
  Jenkins<double>::State state = law.rest();
};

TEST_F(JenkinsTest, sticks_then_slips_then_sticks_after_a_reversal) {
  EXPECT_EQ(to(1).force, 2);      // k u
  EXPECT_EQ(to(2.5).force, 3);    // slipped by 1
  EXPECT_EQ(to(2).force, 2);      // 3 − 2 · 0.5
  EXPECT_EQ(to(-0.5).force, -3);  // −3 is reached after 3, exactly here
  EXPECT_EQ(to(-4.5).force, -3);
  EXPECT_EQ(to(-3).force, 0);  // −3 + 2 · 1.5
}

TEST_F(JenkinsTest, loses_its_limit_force_times_the_slip) {
  EXPECT_EQ(to(1).dissipated, 0);
  EXPECT_EQ(to(2.5).dissipated, 3);    // 3 · 1
  EXPECT_EQ(law.stored(state), 2.25);  // 3²/(2·2)
  EXPECT_EQ(to(-4.5).dissipated, 12);  // 3 · (7 − 3)
}

TEST_F(JenkinsTest, has_the_tangent_of_spring_or_slider) {
  EXPECT_EQ(law.step(state, 0, state).tangent, 2);
  EXPECT_EQ(to(1).tangent, 2);
  EXPECT_EQ(to(2).tangent, 0);
  EXPECT_EQ(to(1.9).tangent, 2);
}

TEST_F(JenkinsTest, knows_where_slip_begins) {
  EXPECT_EQ(law.next_kink(state, 1), 1.5);
  EXPECT_EQ(law.next_kink(state, -1), -1.5);
  to(2.5);
  EXPECT_EQ(law.next_kink(state, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(law.next_kink(state, -1), -0.5);  // 2.5 − 2 phi/k
}

TEST_F(JenkinsTest, steady_cycle_loses_four_times_limit_times_slip) {
  const double amplitude = 4;
  to(amplitude);
  const double lost = to(-amplitude).dissipated + to(amplitude).dissipated;
  EXPECT_EQ(lost, 30);  // 4 phi (U − phi/k) = 4 · 3 · 2.5
}

}  // namespace jenkins_test
}  // namespace microslip
