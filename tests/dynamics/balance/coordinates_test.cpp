#include <gtest/gtest.h>

#include <random>

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/every_law.hpp"
#include "dynamics/jointed_beam.hpp"
#include "microslip/dynamics/structure/modes.hpp"

/// Structures at any amplitude and in any coordinates.
namespace microslip::dynamics {
namespace coordinates_test {

AnyModel bouc_wen(double n) {
  return law("bouc-wen",
             {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.5}, {"n", n}, {"k", 1.0}, {"a", 0.0}});
}

TEST(SmallMotions, some_laws_at_any_amplitude) {
  // Two out of all, others with another seed; slow_every_law_test.cpp runs them all.
  const std::vector<AnyModel> all = laws_with_stiffness();
  std::mt19937 random(19);
  for (int i = 0; i < 2; ++i) {
    const AnyModel& model = all[random() % all.size()];
    SCOPED_TRACE(model.description().name);
    mode_at_any_amplitude(model);
    mode_of_one_harmonic(model);
  }
}

TEST(SmallMotions, mode_of_bouc_wen_needed_5000_points_and_stopped) {
  mode_at_any_amplitude(bouc_wen(2));
  mode_at_any_amplitude(law("dahl"));
}

TEST(SmallMotions, response_of_bouc_wen_far_below_slip) { responses_at_any_level(bouc_wen(1)); }

TEST(SmallMotions, memory_of_a_small_odd_loop_is_the_symmetric_one) {
  // z' = u'(1 − ½ |z| (1 + sgn z u')): half a loop from −z0 to z0 is −ln(1 − z0) + z0 = 2a.
  const double a = 1e-3;
  double z = a;
  for (int i = 0; i < 50; ++i) z -= (z - std::log1p(-z) - 2 * a) / (1 + 1 / (1 - z));
  PeriodicJoint joint(bouc_wen(1), 1);
  const PeriodicForce& force = joint.evaluate(Eigen::Vector3d(0, a, 0), 1, true);
  EXPECT_TRUE(force.closed);
  EXPECT_EQ(force.coefficients[0], 0);
  double largest = 0;
  for (const double f : joint.loop().f) largest = std::max(largest, std::abs(f));
  EXPECT_NEAR(largest, z, 1e-3 * a);
  EXPECT_LE(largest, z);
}

/// Three masses in a row, two of them on joints, one mode and one response.
Structure row_of_masses() {
  Structure s{diagonal({1, 2, 1.5}), SparseMatrix(3, 3), SparseMatrix(3, 3), {}, {}};
  for (Eigen::Index i = 1; i <= 3; ++i) {
    add_along(s.K, between(3, i - 1, i), 1.0);
    add_along(s.C, between(3, i - 1, i), 0.02);
  }
  s.joints.push_back({jenkins(0.5, 0.3), between(3, 0, 2)});
  s.joints.push_back({bouc_wen(1), between(3, 1, 3)});
  s.loads.push_back({Eigen::Vector3d(0, 0, 1), Tones{{{0.1, 0, 1, 0}}}});
  return s;
}

/// The same structure in coordinates x/units.
Structure rescaled(Structure s, const Eigen::VectorXd& units) {
  for (SparseMatrix* matrix : {&s.M, &s.C, &s.K})
    *matrix = SparseMatrix(units.asDiagonal() * *matrix * units.asDiagonal());
  for (JointElement& joint : s.joints) joint.w = joint.w.cwiseProduct(units);
  for (Load& load : s.loads) load.direction = load.direction.cwiseProduct(units);
  return s;
}

TEST(Coordinates, units_of_degrees_of_freedom_do_not_matter) {
  const Structure plain = row_of_masses();
  ModeOptions mode;
  mode.from = 0.05;
  mode.to = 5;
  mode.at = {0.1, 1, 3};
  mode.harmonics = 3;
  FrequencyResponseOptions response;
  response.from = 0.3;
  response.to = 0.8;
  response.at = {0.4, 0.5, 0.6};
  response.harmonics = 3;
  const ModeCurve curve = nonlinear_mode(plain, mode);
  const FrequencyResponse branch = frequency_response(plain, response);
  ASSERT_EQ(curve.end, CurveEnd::reached);
  ASSERT_EQ(branch.end, CurveEnd::reached);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> exponent(-5, 5);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d units(std::pow(10, exponent(random)), std::pow(10, exponent(random)),
                                std::pow(10, exponent(random)));
    SCOPED_TRACE(testing::Message() << units.transpose());
    const Structure other = rescaled(plain, units);
    const ModeCurve same = nonlinear_mode(other, mode);
    ASSERT_EQ(same.points.size(), curve.points.size());
    for (std::size_t p = 0; p < curve.points.size(); ++p) {
      EXPECT_NEAR(same.points[p].amplitude / curve.points[p].amplitude, 1, 1e-7);
      EXPECT_NEAR(same.points[p].omega / curve.points[p].omega, 1, 1e-8);
      EXPECT_NEAR(same.points[p].zeta, curve.points[p].zeta, 1e-8);
    }
    const FrequencyResponse again = frequency_response(other, response);
    ASSERT_EQ(again.branch.size(), branch.branch.size());
    for (std::size_t p = 0; p < branch.branch.size(); ++p)
      for (std::size_t d = 0; d < 3; ++d)
        EXPECT_NEAR(again.branch[p].first[d].amplitude * units[static_cast<Eigen::Index>(d)] /
                        branch.branch[p].first[d].amplitude,
                    1, 1e-7);
  }
}

TEST(Coordinates, free_structures_need_no_ground) {
  // Two masses with a spring and a joint between them: the second mode is that of the reduced mass
  // ½, with displacement difference d = √2 a.
  Structure s{diagonal({1, 1}), SparseMatrix(2, 2), SparseMatrix(2, 2), {}, {}};
  add_along(s.K, between(2, 1, 2), 1.0);
  s.joints.push_back({bouc_wen(1), between(2, 1, 2)});
  ModeOptions options;
  options.mode = 2;
  options.from = 1e-6;
  options.to = 3;
  options.at = {1.0};
  options.harmonics = 3;
  const ModeCurve curve = nonlinear_mode(s, options);
  ASSERT_EQ(curve.end, CurveEnd::reached);
  EXPECT_NEAR(curve.points.front().omega, 2, 1e-5);
  // The same with one mass, a spring and a joint of twice the stiffness: u = √2 a, f √2.
  Structure one{diagonal({1}), SparseMatrix(1, 1), diagonal({2}), {}, {}};
  one.joints.push_back({bouc_wen(1), Eigen::VectorXd::Constant(1, std::sqrt(2.0))});
  options.mode = 1;
  const ModeCurve same = nonlinear_mode(one, options);
  ASSERT_EQ(same.at.size(), 1u);
  ASSERT_EQ(curve.at.size(), 1u);
  EXPECT_NEAR(curve.at[0].omega, same.at[0].omega, 1e-9);
  EXPECT_NEAR(curve.at[0].zeta, same.at[0].zeta, 1e-9);

  s.loads.push_back({Eigen::Vector2d(0, 1), Tones{{{1e-3, 0, 1, 0}}}});
  FrequencyResponseOptions response;
  response.from = 0.5;
  response.to = 1.5;
  response.harmonics = 3;
  const FrequencyResponse branch = frequency_response(s, response);
  ASSERT_EQ(branch.end, CurveEnd::reached);
  // Far below slip: rigid body 1/(−2ω²) and reduced mass ½, stiffness 2.
  for (const ResponsePoint& point : branch.branch) {
    const double w = point.omega * point.omega;
    EXPECT_NEAR(point.first[1].amplitude, 1e-3 * std::abs(0.5 / -w + 0.5 / (4 - w)), 2e-6);
  }
  s.loads.push_back({Eigen::Vector2d(0, 1), Constant{1e-3}});
  EXPECT_THROW(frequency_response(s, response), Error);
}

/// A short beam with six joints, shaken at its end.
Structure shaken_beam(bool clamped, double force) {
  JointedBeam beam;
  beam.elements = 4;
  beam.joints = 6;
  beam.clamped = clamped;
  Structure s = beam.structure();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(s.size());
  direction[beam.dof(0, 4, 1)] = 1;
  s.loads.push_back({direction, Tones{{{force, 0, 1, 0}}}});
  return s;
}

TEST(Coordinates, condensed_beam_with_rayleigh_damping_is_the_whole_one) {
  for (const bool clamped : {true, false}) {
    const Structure s = shaken_beam(clamped, 5);
    const double omega = modes_at_rest(s).omega[clamped ? 0 : 3];
    HarmonicBalance whole(s, 3), condensed(s, 3);
    condensed.condense(true);
    ASSERT_NE(condensed.condensed(), nullptr) << clamped;
    Eigen::VectorXd y = whole.starts().linear_response(0.97 * omega);
    Eigen::VectorXd z = condensed.starts().linear_response(0.97 * omega);
    const NewtonResult first = solve_at(whole, y), second = solve_at(condensed, z);
    EXPECT_TRUE(first.converged) << clamped << ' ' << first.residual << ' ' << first.iterations;
    EXPECT_TRUE(second.converged) << clamped << ' ' << second.residual << ' ' << second.iterations;
    EXPECT_LE(second.iterations, first.iterations + 3);
    const Eigen::VectorXd difference = (y - z).head(whole.size()).cwiseQuotient(whole.units());
    EXPECT_LT(difference.norm(), 1e-7 * y.head(whole.size()).cwiseQuotient(whole.units()).norm());
  }
}

TEST(Coordinates, free_beam_under_a_load_far_beyond_slip) {
  // Newton's method does not get from the linear response to a motion in which all joints slip; the
  // branch does.
  const Structure s = shaken_beam(false, 50);
  const double omega = modes_at_rest(s).omega[3];
  FrequencyResponseOptions options;
  options.from = 0.8 * omega;
  options.to = 1.1 * omega;
  options.at = {0.97 * omega};
  options.harmonics = 3;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(s, options);
  EXPECT_EQ(r.end, CurveEnd::reached);
  ASSERT_FALSE(r.at.empty());
  EXPECT_LT(std::abs(r.at[0].balance), 1e-8);
  HarmonicBalance condensed(s, 3);
  condensed.condense(true);
  ASSERT_NE(condensed.condensed(), nullptr);
  Eigen::VectorXd residual;
  ASSERT_TRUE(condensed.evaluate(r.at[0].y, residual, nullptr));
  EXPECT_LT(condensed.relative(r.at[0].y, residual), 1e-9);
}

TEST(Coordinates, finite_elements_with_rotations_are_condensed_and_chains_are_not) {
  JointedBeam beam;
  beam.elements = 20;
  beam.joints = 10;
  EXPECT_TRUE(HarmonicBalance(beam.structure(), 3).worth_condensing());
  Structure chain{SparseMatrix(200, 200), SparseMatrix(200, 200), SparseMatrix(200, 200), {}, {}};
  chain.M.setIdentity();
  for (Eigen::Index i = 1; i <= 200; ++i) add_along(chain.K, between(200, i - 1, i), 1.0);
  chain.joints.push_back({jenkins(0.5, 0.3), between(200, 0, 5)});
  EXPECT_FALSE(HarmonicBalance(chain, 3).worth_condensing());
}

TEST(SmallMotions, a_law_that_pushes_at_rest_vibrates_about_its_equilibrium) {
  // k x + k' (x + ½) = 0 at x = −0.2; in contact for motions below 0.3, with stiffness k + k' = 5.
  Structure s{diagonal({1}), diagonal({0.05}), diagonal({3}), {}, {}};
  s.joints.push_back({law("unilateral", {{"k", 2.0}, {"gap", -0.5}}), Eigen::VectorXd::Ones(1)});
  ModeOptions mode;
  mode.from = 1e-6;
  mode.to = 0.29;
  const ModeCurve curve = nonlinear_mode(s, mode);
  ASSERT_EQ(curve.end, CurveEnd::reached);
  EXPECT_NEAR(curve.points.front().omega, std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(curve.points.back().omega, std::sqrt(5.0), 1e-9);
  s.loads.push_back({Eigen::VectorXd::Ones(1), Tones{{{0.01, 0, 1, 0}}}});
  FrequencyResponseOptions options;
  options.from = 1.5;
  options.to = 3;
  options.at = {1.8, 2.5};
  const FrequencyResponse r = frequency_response(s, options);
  ASSERT_EQ(r.end, CurveEnd::reached);
  ASSERT_EQ(r.at.size(), 2u);
  for (const ResponsePoint& point : r.at) {
    EXPECT_NEAR(point.y[0], -0.2, 1e-10);
    EXPECT_NEAR(point.first[0].amplitude, linear_amplitude(0.01, 1, 0.05, 5, point.omega), 1e-9);
  }
}

TEST(Failure, names_the_joint_that_has_no_force) {
  // The formula ends at u = 1, and resonance asks for more.
  Structure s = oscillator(law("linear", {{"k", 1.0}}), 2, 1, 0.05, 1);
  s.joints.push_back(
      {catalog::make({"masing-backbone(g=u*sqrt(1-u*u))", {}, {}}), Eigen::VectorXd::Ones(1)});
  FrequencyResponseOptions options;
  options.from = 0.5;
  options.to = 2;
  options.harmonics = 3;
  const FrequencyResponse r = frequency_response(s, options);
  EXPECT_EQ(r.end, CurveEnd::stuck);
  EXPECT_EQ(r.hardest_joint, 2u);
  ModeOptions mode;
  mode.from = 0.1;
  mode.to = 10;
  mode.harmonics = 3;
  const ModeCurve curve = nonlinear_mode(s, mode);
  EXPECT_EQ(curve.end, CurveEnd::stuck);
  EXPECT_EQ(curve.hardest_joint, 2u);
}

}  // namespace coordinates_test
}  // namespace microslip::dynamics
