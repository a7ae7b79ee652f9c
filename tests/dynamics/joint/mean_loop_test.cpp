#include <gtest/gtest.h>

#include <numbers>

#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/slip.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

/// Loops about a mean: the state that repeats is solved for, also where reversals are remembered.
namespace microslip::dynamics {
namespace mean_loop_test {

using std::numbers::pi;

/// One harmonic about a mean.
Eigen::VectorXd about(double mean, double amplitude) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(3);
  q << mean, amplitude, 0;
  return q;
}

/// Mean and first harmonic of the force after many periods in small steps: no solution of any kind.
Eigen::Vector3d marched(const AnyModel& model, const Eigen::VectorXd& q, double omega, int periods,
                        int steps) {
  AnyState state = model.rest();
  model.step(state, q[0], std::numeric_limits<double>::infinity(), state);
  model.step(state, q[0] + q[1], std::numeric_limits<double>::infinity(), state);
  Eigen::Vector3d sums = Eigen::Vector3d::Zero();
  const double h = 2 * pi / steps;
  for (int period = 0; period < periods; ++period) {
    sums.setZero();
    double before = model.step(state, q[0] + q[1], h / omega, state).force;
    for (int i = 1; i <= steps; ++i) {
      const double force = model.step(state, q[0] + q[1] * std::cos(i * h), h / omega, state).force;
      const double middle = 0.5 * (force + before), theta = (i - 0.5) * h;
      sums += middle / steps * Eigen::Vector3d(1, 2 * std::cos(theta), 2 * std::sin(theta));
      before = force;
    }
  }
  return sums;
}

TEST(MeanLoop, of_a_law_that_remembers_reversals_is_that_of_many_periods) {
  // These were approached period by period and not reached.
  for (const char* name : {"lampaert", "leuven", "leuven(fc=1,fs=1,sigma1=0,sigma2=0)"}) {
    const AnyModel model = law(name);
    const double slip = slip_displacement(model);
    const Eigen::VectorXd q = about(0.5 * slip, 0.6 * slip);
    PeriodicJoint joint(model, 1, {}, {q[0]});
    const PeriodicForce& found = joint.evaluate(q, 1, false);
    ASSERT_EQ(found.status, Status::ok);
    EXPECT_TRUE(found.closed);
    EXPECT_EQ(found.rounds, 1) << name;  // it was solved for
    const Eigen::Vector3d expected = marched(model, q, 1, 300, 1000);
    // The law sees straight lines between 256 nodes.
    EXPECT_LT((found.coefficients - expected).norm(), 2e-3 * expected.norm()) << name;
  }
}

TEST(MeanLoop, of_small_amplitude_closes) {
  for (const AnyModel& model : laws_with_stiffness()) {
    const double slip = slip_displacement(model);
    for (const double size : {1e-8, 1e-5, 1e-2}) {
      const Eigen::VectorXd q = about(0.4 * slip, size * slip);
      PeriodicJoint joint(model, 1, {}, {q[0]});
      const PeriodicForce& found = joint.evaluate(q, 1, true);
      ASSERT_EQ(found.status, Status::ok) << model.description().name << " " << size;
      EXPECT_TRUE(found.closed) << model.description().name << " " << size;
      EXPECT_LT(found.rounds, 30) << model.description().name << " " << size;
    }
  }
}

TEST(MeanLoop, of_small_amplitude_has_forgotten_the_way_there) {
  // z' = u'(1 − z sgn u'): under ±a about any mean the loop closes only about z = 0, where the force is
  // tanh-like, f = ±a to first order, however long it takes. It was left where the first period was.
  for (const double size : {1e-9, 1e-7, 1e-5, 1e-3}) {
    PeriodicJoint joint(law("dahl"), 1, {}, {0.5});
    const PeriodicForce& found = joint.evaluate(about(0.5, size), 1, false);
    const double stiffness = stiffness_at_rest(law("dahl"));
    EXPECT_NEAR(found.coefficients[0], 0, 1e-6 * stiffness) << size;
    EXPECT_NEAR(found.coefficients[1] / (stiffness * size), 1, 1e-6 + 2 * size) << size;
  }
}

TEST(MeanLoop, has_the_derivatives_of_differences) {
  for (const char* name : {"lampaert", "leuven", "jenkins+dahl"}) {
    const AnyModel model = law(name);
    const double slip = slip_displacement(model);
    const Eigen::VectorXd q = about(0.5 * slip, 0.6 * slip);
    PeriodicJoint joint(model, 1, {}, {0.4 * slip});
    const PeriodicForce found = joint.evaluate(q, 1, true);
    const double change = 1e-6 * slip, largest = found.jacobian.cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      Eigen::VectorXd moved = q;
      moved[k] += change;
      PeriodicJoint other(model, 1, {}, {0.4 * slip});
      const Eigen::VectorXd slope =
          (other.evaluate(moved, 1, false).coefficients - found.coefficients) / change;
      // Nodes move with the reversals; the derivative of the nodes is not among these.
      EXPECT_LT((slope - found.jacobian.col(k)).cwiseAbs().maxCoeff(), 2e-3 * largest)
          << name << " " << k;
    }
  }
}

TEST(MeanLoop, formulas_that_are_odd_make_a_law_odd) {
  EXPECT_TRUE(law("duhem-rate").odd());
  EXPECT_TRUE(law("duhem").odd());
  EXPECT_FALSE(law("duhem", {{"g2", std::string("1+2*z")}}).odd());
  EXPECT_FALSE(law("duhem", {{"z0", 0.1}}).odd());
  EXPECT_TRUE(law("table").odd());
  EXPECT_FALSE(law("table", {{"f", std::vector{-3.0, -1.0, 0.0, 1.0, 2.0}}}).odd());
  EXPECT_TRUE(law("bouc-wen-asymmetric", {{"delta", 0.0}}).odd());
  EXPECT_FALSE(law("bouc-wen-asymmetric", {{"delta", 0.1}}).odd());
  EXPECT_FALSE(law("bouc-kernel", {{"phi", std::string("1+u")}}).odd());
  EXPECT_TRUE(law("duhem+scaled(duhem,input_gain=2)").odd());
  EXPECT_FALSE(law("duhem+scaled(duhem,input_offset=2)").odd());
}

TEST(MeanLoop, a_law_that_only_looks_odd_is_not) {
  // To all digits it is, up to u = 1e10.
  const AnyModel model =
      law("duhem-rate", {{"g1", std::string("1e-10*(1-z*(1.5+0.5*tanh((u-1e10)/1e8)))")},
                         {"g2", std::string("1e-10*(1+z)")}});
  EXPECT_FALSE(model.odd());
  PeriodicJoint joint(model, 1);
  const PeriodicForce& found = joint.evaluate(about(0, 3e10), 1e-10, false);
  ASSERT_EQ(found.status, Status::ok);
  EXPECT_GT(std::abs(found.coefficients[0]), 0.05);
}

TEST(MeanLoop, a_small_vibration_beside_a_static_load_is_linear) {
  for (const char* name : {"jenkins", "iwan4", "bouc-wen", "dahl", "valanis"}) {
    const AnyModel model = law(name);
    const double k = stiffness_at_rest(model), slip = slip_displacement(model);
    const double omega = std::sqrt(2 * k);
    for (const double level : {1e-8, 1e-5}) {
      Structure s = one_mass(model, level * slip * k);
      s.C.coeffRef(0, 0) = 0.02 * omega;
      s.loads.push_back({Eigen::VectorXd::Ones(1), Constant{0.5 * slip * k}});
      FrequencyResponseOptions options;
      options.from = 0.8 * omega;
      options.to = 1.2 * omega;
      options.at = {0.9 * omega};
      options.stability = options.peaks = false;
      const FrequencyResponse r = frequency_response(s, options);
      ASSERT_EQ(r.end, CurveEnd::reached) << name << level;
      ASSERT_EQ(r.at.size(), 1u);
      // A tangent that falls like the square root of the amplitude, 3e-3 at 1e-5.
      const double expected =
          linear_amplitude(level * slip * k, 1, 0.02 * omega, 2 * k, 0.9 * omega);
      EXPECT_NEAR(r.at[0].first[0].amplitude / expected, 1, level > 1e-6 ? 2e-2 : 2e-3)
          << name << " " << level;
    }
  }
}

}  // namespace mean_loop_test
}  // namespace microslip::dynamics
