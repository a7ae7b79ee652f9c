#include "microslip/core/joint.hpp"

#include <gtest/gtest.h>

#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace joint_test {

TEST(Joint, every_trial_starts_from_the_committed_state) {
  const Jenkins<double> law({.k = 2, .phi = 1});
  Joint joint(law);
  joint.trial(10.0);                        // slips; thrown away
  EXPECT_EQ(joint.trial(0.25).force, 0.5);  // 2 · 0.25, as if the first trial had not been
  EXPECT_EQ(joint.committed().f, 0);
  joint.commit();
  EXPECT_EQ(joint.committed().u, 0.25);
  EXPECT_EQ(joint.committed().f, 0.5);
  EXPECT_EQ(joint.stored(), 0.0625);  // f²/2k
}

TEST(Joint, repeated_trials_are_bit_identical) {
  const Iwan4<double> law({});
  Joint joint(law);
  for (const double u : {1.0, -0.7, 0.4}) {
    joint.trial(u);
    joint.commit();
  }
  const double once = joint.trial(-0.1).force;
  joint.trial(3.0);
  EXPECT_EQ(joint.trial(-0.1).force, once);
}

TEST(Joint, takes_the_time_step_of_a_law_with_time) {
  const Timeless<Jenkins<double>> law({.k = 2, .phi = 1});
  Joint joint(law);
  EXPECT_EQ(joint.trial(0.25, 0.1).force, 0.5);
}

}  // namespace joint_test
}  // namespace microslip
