#include <gtest/gtest.h>

#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/slip.hpp"

/// Odd laws under odd motions: the second half of the loop is minus the first, and the last loop is where the next one starts.
namespace microslip::dynamics {
namespace odd_loop_test {

bool odd(const AnyModel& model) { return model.odd(); }

/// Odd harmonics only, some slip displacements large.
Eigen::VectorXd odd_motion(double size) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(11);
  q[1] = size;
  q[2] = 0.3 * size;
  q[5] = 0.05 * size;
  q[10] = 0.01 * size;
  return q;
}

double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

/// Rows and columns of odd harmonics.
Eigen::MatrixXd odd_block(const Eigen::MatrixXd& jacobian) {
  const std::vector<Eigen::Index> odd{1, 2, 5, 6, 9, 10};
  return jacobian(odd, odd);
}

TEST(OddLoop, half_of_it_is_the_whole) {
  for (const AnyModel& model : laws_with_stiffness()) {
    if (!odd(model)) continue;
    const Eigen::VectorXd q = odd_motion(3 * slip_displacement(model));
    PeriodicJoint half(model, 5), whole(model, 5);
    const PeriodicForce& by_half = half.evaluate(q, 1.3, true);
    ASSERT_EQ(by_half.status, Status::ok) << model.description().name;
    EXPECT_EQ(by_half.coefficients[0], 0) << model.description().name;
    // A mean makes the motion one that is not odd, and all of the period is evaluated.
    Eigen::VectorXd moved = q;
    moved[0] = 1e-10 * q[1];
    const PeriodicForce& by_whole = whole.evaluate(moved, 1.3, true);
    ASSERT_EQ(by_whole.status, Status::ok) << model.description().name;
    const double force = largest(by_half.coefficients), slope = largest(by_half.jacobian);
    EXPECT_LT(largest(by_half.coefficients - by_whole.coefficients), 1e-8 * force)
        << model.description().name;
    // Rate-dependent laws see straight lines between nodes.
    EXPECT_LT(largest(odd_block(by_half.jacobian) - odd_block(by_whole.jacobian)),
              (model.rate_dependent() ? 1e-3 : 1e-5) * slope)
        << model.description().name;
    EXPECT_NEAR(by_half.energy, by_whole.energy, 1e-8 * force * q[1]) << model.description().name;
  }
}

TEST(OddLoop, nodes_of_both_halves_are_shown) {
  PeriodicJoint joint(law("bouc-wen"), 5);
  joint.evaluate(odd_motion(3), 1, true);
  const JointLoop& loop = joint.loop();
  const std::size_t half = loop.u.size() / 2;
  ASSERT_GT(half, 10u);
  double weights = 0;
  for (std::size_t i = 0; i < half; ++i) {
    EXPECT_EQ(loop.u[half + i], -loop.u[i]);
    EXPECT_EQ(loop.f[half + i], -loop.f[i]);
    weights += loop.weight[i] + loop.weight[half + i];
  }
  EXPECT_NEAR(weights, 2 * 3.14159265358979, 1e-12);
}

TEST(OddLoop, the_loops_before_it_do_not_matter) {
  for (const AnyModel& model : laws_with_stiffness()) {
    if (!odd(model)) continue;
    const double slip = slip_displacement(model);
    PeriodicJoint joint(model, 5), fresh(model, 5);
    double size = 1e-3 * slip, omega = 0.8;
    for (; size < 30 * slip; size *= 1.7, omega *= 1.02)
      ASSERT_EQ(joint.evaluate(odd_motion(size), omega, true).status, Status::ok)
          << model.description().name;
    for (const double factor : {1.0, 1.001, 0.9, 1e-3}) {
      const Eigen::VectorXd q = odd_motion(factor * size);
      const PeriodicForce& led = joint.evaluate(q, omega, true);
      const PeriodicForce& found = fresh.evaluate(q, omega, true);
      ASSERT_EQ(led.status, Status::ok) << model.description().name;
      EXPECT_LT(largest(led.coefficients - found.coefficients),
                (model.rate_dependent() ? 1e-10 : 1e-12) * largest(found.coefficients))
          << model.description().name;
      EXPECT_LT(largest(led.jacobian - found.jacobian), 1e-7 * largest(found.jacobian))
          << model.description().name;
    }
  }
}

TEST(OddLoop, a_scaled_law_without_offsets_is_as_odd_as_the_law_inside) {
  // Its small loops were approached period by period.
  const AnyModel plain = law("bouc-wen"), scaled = law("scaled(bouc-wen,input_gain=2)");
  EXPECT_TRUE(odd(scaled));
  EXPECT_FALSE(odd(law("scaled(bouc-wen,output_offset=0.1)")));
  EXPECT_FALSE(odd(law("scaled(bouc-wen,input_offset=0.1)")));
  PeriodicJoint joint(scaled, 5), inside(plain, 5);
  const PeriodicForce& force = joint.evaluate(odd_motion(1e-6), 1, false);
  EXPECT_EQ(force.rounds, 1);
  const PeriodicForce& expected = inside.evaluate(odd_motion(2e-6), 1, false);
  EXPECT_LT(largest(force.coefficients - expected.coefficients),
            1e-14 * largest(expected.coefficients));
}

}  // namespace odd_loop_test
}  // namespace microslip::dynamics
