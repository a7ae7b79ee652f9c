#include "dynamics/joint/periodic_joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "dynamics/fourier/fourier.hpp"
#include "dynamics/support.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace periodic_joint_test {

/// A motion with minor loops: six reversals.
Eigen::VectorXd wavy_motion() {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(15);
  q << 0.1, 2, 0.5, 0, 0, 0.9, 0.2, 0, 0, 0.01, 0, 0, 0, 0, 0.003;
  return q;
}

Eigen::VectorXd cosine(int harmonics, double amplitude) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(2 * harmonics + 1);
  q[1] = amplitude;
  return q;
}

double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

TEST(PeriodicJoint, jenkins_first_harmonic_is_the_closed_form) {
  const double k = 0.25, phi = 0.2, A = 2.5;
  PeriodicJoint joint(jenkins(k, phi), 3);
  const PeriodicForce& force = joint.evaluate(cosine(3, A), 1, false);
  const double delta = phi / k;
  const double theta = std::acos(1 - 2 * delta / A);
  // In phase b1, quadrature a1 = D/(πA); x = A cos θ has its velocity along −sin θ.
  EXPECT_NEAR(force.coefficients[1], k * A / pi * (theta - 0.5 * std::sin(2 * theta)), 1e-14);
  EXPECT_NEAR(force.coefficients[2], -4 * phi * (A - delta) / (pi * A), 1e-14);
  EXPECT_NEAR(force.energy, 4 * phi * (A - delta), 1e-14);
}

TEST(PeriodicJoint, iwan4_first_harmonic_is_the_closed_form) {
  const double Fs = 1, KT = 2, chi = -0.5, beta = 0.3;
  const double q = beta + (chi + 1) / (chi + 2);
  const double phi_max = Fs * (1 + beta) / (KT * q);
  const double R = Fs * (chi + 1) / (std::pow(phi_max, chi + 2) * q);
  const double A = 0.6 * phi_max;
  PeriodicJoint joint(law("iwan4", {{"Fs", Fs}, {"KT", KT}, {"chi", chi}, {"beta", beta}}), 3);
  const PeriodicForce& force = joint.evaluate(cosine(3, A), 1, false);
  const double a1 = 4 * R * std::pow(A, chi + 2) / (pi * (chi + 2) * (chi + 3));
  const double b1 = KT * A - 4 * R * std::pow(A, chi + 2) * std::tgamma(chi + 2.5) /
                                 (std::sqrt(pi) * (chi + 1) * (chi + 3) * std::tgamma(chi + 3));
  // The power after a reversal limits the plain rule; 1e-9 is what harmonic balance asks for.
  EXPECT_NEAR(force.coefficients[1], b1, 1e-9);
  EXPECT_NEAR(force.coefficients[2], -a1, 1e-9);
}

struct Case {
  std::string name;
  ParameterValues parameters;
  double tolerance;  ///< of central differences with a step of 1e-5, level 2 of refinement
};

TEST(PeriodicJoint, jacobian_agrees_with_differences) {
  const std::vector<Case> cases{
      {"jenkins", {{"k", 0.25}, {"phi", 0.2}}, 1e-8},
      {"masing",
       {{"k", std::vector<double>{1, 0.5, 0.2}}, {"phi", std::vector<double>{0.3, 0.3, 0.3}}},
       1e-8},
      {"iwan4", {{"Fs", 0.2}, {"KT", 0.25}, {"chi", -0.5}, {"beta", 0.5}}, 1e-8},
      {"bouc-wen",
       {{"A", 1.0}, {"beta", 0.5}, {"gamma", 0.3}, {"n", 1.0}, {"k", 0.25}, {"a", 0.0}},
       1e-8},
      {"two-state", {}, 1e-7},
      {"viscous", {{"c", 0.5}}, 1e-6},
      // Their forces jump at the reversals, which move.
      {"prager", {{"k", 0.25}, {"phi", 0.2}}, 1e-6},
      {"reid", {}, 1e-5},
  };
  const Eigen::VectorXd q = wavy_motion();
  for (const Case& c : cases) {
    PeriodicOptions options;
    options.level = c.name == "viscous" ? 0 : 2;
    PeriodicJoint joint(law(c.name, c.parameters), 7, options);
    const Eigen::MatrixXd jacobian = joint.evaluate(q, 1.1, true).jacobian;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double h = 1e-5;
      const Eigen::VectorXd up =
          joint.evaluate(q + h * Eigen::VectorXd::Unit(15, i), 1.1, false).coefficients;
      const Eigen::VectorXd down =
          joint.evaluate(q - h * Eigen::VectorXd::Unit(15, i), 1.1, false).coefficients;
      EXPECT_LT(largest((up - down) / (2 * h) - jacobian.col(i)), c.tolerance)
          << c.name << ", column " << i;
    }
  }
}

TEST(PeriodicJoint, force_lost_at_once_moves_with_the_motion) {
  // Sliders of iwan5 give way together, at a distance from the reversal, and the force drops.
  Eigen::VectorXd q = cosine(3, 4);
  q.tail(4) << 0.02, 0.03, 0.1, -0.05;
  PeriodicJoint joint(law("iwan5"), 3);
  const Eigen::MatrixXd jacobian = joint.evaluate(q, 1, true).jacobian;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double h = 1e-5;
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(q.size(), i);
    const Eigen::VectorXd up = joint.evaluate(q + step, 1, false).coefficients;
    const Eigen::VectorXd down = joint.evaluate(q - step, 1, false).coefficients;
    // The drop is taken from the nodes beside it.
    EXPECT_LT(largest((up - down) / (2 * h) - jacobian.col(i)), 1e-3) << "column " << i;
  }
}

TEST(PeriodicJoint, both_jacobians_agree_on_samples) {
  // The seeds of the sampled rule know nothing of reversals; refined, they converge to the same.
  const Eigen::VectorXd q = wavy_motion();
  PeriodicJoint exact(law("bouc-wen"), 7, {.level = 2});
  const Eigen::MatrixXd expected = exact.evaluate(q, 1, true).jacobian;
  double before = 0;
  for (const int samples : {500, 2000}) {
    PeriodicOptions options;
    options.rule = Rule::sampled;
    options.samples = samples;
    PeriodicJoint sampled(law("bouc-wen"), 7, options);
    const double error = largest(sampled.evaluate(q, 1, true).jacobian - expected);
    if (before > 0) {
      EXPECT_LT(error, before / 3);  // first order, four times as many samples
    }
    before = error;
  }
  EXPECT_LT(before, 5e-3);
}

TEST(PeriodicJoint, samples_converge_with_order_two_and_events_at_once) {
  const Eigen::VectorXd q = wavy_motion();
  PeriodicJoint exact(jenkins(0.25, 0.2), 7);
  const Eigen::VectorXd expected = exact.evaluate(q, 1, false).coefficients;
  PeriodicJoint finer(jenkins(0.25, 0.2), 7, {.level = 2});
  EXPECT_LT(largest(finer.evaluate(q, 1, false).coefficients - expected), 1e-14);
  PeriodicOptions options;
  options.rule = Rule::sampled;
  const auto error = [&](int samples) {
    options.samples = samples;
    PeriodicJoint sampled(jenkins(0.25, 0.2), 7, options);
    return largest(sampled.evaluate(q, 1, false).coefficients - expected);
  };
  const double order = std::log2(error(1000) / error(8000)) / 3;
  EXPECT_GT(order, 1.6);
  EXPECT_LT(order, 2.6);
  EXPECT_GT(error(1024), 1e-8);
}

TEST(PeriodicJoint, nodes_suffice_for_the_layer_of_two_state) {
  // A thin layer after reversals; eight nodes and those of the harmonics miss it by 1e-7.
  const Eigen::VectorXd q = wavy_motion();
  const auto coefficients = [&](int level) -> Eigen::VectorXd {
    PeriodicOptions options;
    options.level = level;
    PeriodicJoint joint(law("two-state"), 7, options);
    return joint.evaluate(q, 1, false).coefficients;
  };
  const Eigen::VectorXd finest = coefficients(3);
  EXPECT_LT(largest(coefficients(0) - finest), 1e-9);
  EXPECT_LT(largest(coefficients(1) - finest), 1e-9);
}

// ------------------------------------------------------------------------ loops that close

AnyModel bouc_wen(double n, double beta, double gamma) {
  return law("bouc-wen",
             {{"A", 1.0}, {"beta", beta}, {"gamma", gamma}, {"n", n}, {"k", 0.25}, {"a", 0.0}});
}

/// The same joint after so many rounds from rest that nothing is left to be looked for.
PeriodicJoint marched(const AnyModel& model, const Eigen::VectorXd& q, int rounds, int level) {
  PeriodicJoint joint(model, 7);
  joint.evaluate(q, 1, false);
  std::vector<double> before;
  for (int i = 0; i < rounds; ++i)
    for (const double angle : joint.reversals()) before.push_back(fourier_point(q, angle).value);
  return PeriodicJoint(model, 7, {.level = level}, before);
}

TEST(PeriodicJoint, bouc_wen_has_nine_digits_for_every_exponent) {
  // The power at z = 0 is broken (1.3, 1.7, 2.5), the knee is sharp (3, 5), or the loop is so small
  // that it fades slowly (0.1).
  Eigen::VectorXd q = wavy_motion();
  q[5] = 0.05;
  for (const double n : {1.0, 1.3, 1.7, 2.0, 2.5, 3.0, 5.0})
    for (const auto& [beta, gamma] : {std::pair{0.5, 0.3}, {0.7, -0.5}})
      for (const double scale : {1.0, 0.3, 0.1}) {
        const AnyModel model = bouc_wen(n, beta, gamma);
        const Eigen::VectorXd motion = scale * q;
        const Eigen::VectorXd expected =
            marched(model, motion, 300, 3).evaluate(motion, 1, false).coefficients;
        PeriodicJoint joint(model, 7);
        for (const bool with_jacobian : {false, true}) {
          const PeriodicForce& force = joint.evaluate(motion, 1, with_jacobian);
          // With n = 5 the smallest loop keeps half of its memory over 300 rounds.
          if (n < 5 || scale > 0.1) {
            EXPECT_LT(largest(force.coefficients - expected), 1e-9 * largest(expected))
                << n << ' ' << gamma << ' ' << scale;
          }
          EXPECT_LE(force.rounds, 8) << n << ' ' << gamma << ' ' << scale;
        }
      }
}

/// Laws without return-point memory, and how small a loop of theirs fades slowly.
const std::vector<std::pair<const char*, double>>& slow_laws() {
  static const std::vector<std::pair<const char*, double>> all{{"bouc", 0.2},
                                                               {"bouc-wen", 0.2},
                                                               {"bouc-wen-asymmetric", 0.2},
                                                               {"bouc-wen-hardening", 0.2},
                                                               {"dahl", 0.2},
                                                               {"duhem", 0.2},
                                                               {"two-state", 0.2},
                                                               {"m-state", 0.2},
                                                               {"valanis", 0.2},
                                                               {"masing-smooth", 0.2}};
  return all;
}

TEST(PeriodicJoint, the_loop_looked_for_is_the_one_that_marching_reaches) {
  for (const auto& [name, scale] : slow_laws()) {
    const AnyModel model = law(name);
    const Eigen::VectorXd q = scale * wavy_motion();
    const Eigen::VectorXd expected = marched(model, q, 400, 0).evaluate(q, 1, false).coefficients;
    PeriodicJoint joint(model, 7);
    const PeriodicForce& force = joint.evaluate(q, 1, false);
    EXPECT_TRUE(force.closed) << name;
    EXPECT_LE(force.rounds, 8) << name;
    EXPECT_LT(largest(force.coefficients - expected), 1e-10 * largest(expected)) << name;
  }
}

TEST(PeriodicJoint, the_loop_looked_for_has_its_jacobian) {
  for (const auto& [name, scale] : slow_laws()) {
    PeriodicJoint joint(law(name), 7, {.level = 2});
    const Eigen::VectorXd q = scale * wavy_motion();
    const Eigen::MatrixXd jacobian = joint.evaluate(q, 1, true).jacobian;
    for (const Eigen::Index i : {0, 1, 4, 6, 11}) {
      const Eigen::VectorXd step = 1e-5 * Eigen::VectorXd::Unit(q.size(), i);
      const Eigen::VectorXd up = joint.evaluate(q + step, 1, false).coefficients;
      const Eigen::VectorXd down = joint.evaluate(q - step, 1, false).coefficients;
      EXPECT_LT(largest((up - down) / 2e-5 - jacobian.col(i)), 1e-7) << name << ", column " << i;
    }
  }
}

/// Rate-dependent laws that remember reversals, under an odd motion with minor loops.
TEST(PeriodicJoint, reversals_remembered_are_part_of_the_loop_looked_for) {
  Eigen::VectorXd motion = Eigen::VectorXd::Zero(15);
  motion[1] = 1;
  motion[6] = 0.4;
  motion[9] = 0.1;
  const std::vector<AnyModel> laws{law("lampaert"), law("leuven"), law("lugre+masing")};
  for (const AnyModel& model : laws)
    for (const double scale : {0.3, 3.0}) {
      const std::string what = model.description().name + " times " + std::to_string(scale);
      const Eigen::VectorXd q = scale * motion;
      PeriodicJoint joint(model, 7, {.level = 3});
      const PeriodicForce force = joint.evaluate(q, 1.1, true);
      EXPECT_TRUE(force.closed) << what;
      EXPECT_LE(force.rounds, scale < 1 ? 1 : 6) << what;  // a large motion forgets at once
      PeriodicJoint sampled(model, 7, {.rule = Rule::sampled, .samples = 8192});
      const PeriodicForce& marched = sampled.evaluate(q, 1.1, false);
      EXPECT_LT(largest(force.coefficients - marched.coefficients),
                3e-5 * largest(marched.coefficients))
          << what;
      // The force of leuven jumps where a minor loop closes, and so moves with the motion.
      if (model.description().name == "leuven") continue;
      for (const Eigen::Index i : {1, 2, 6, 9}) {
        const Eigen::VectorXd step = 1e-5 * Eigen::VectorXd::Unit(q.size(), i);
        const Eigen::VectorXd up = joint.evaluate(q + step, 1.1, false).coefficients;
        const Eigen::VectorXd down = joint.evaluate(q - step, 1.1, false).coefficients;
        // Between nodes, which move with the reversals, the motion is taken as straight.
        EXPECT_LT(largest((up - down) / 2e-5 - force.jacobian.col(i)),
                  1e-3 * largest(force.jacobian))
            << what << ", column " << i;
      }
    }
}

TEST(PeriodicJoint, a_law_that_never_repeats_says_so) {
  // Its stiffness falls with the energy lost, round by round.
  PeriodicJoint joint(law("bouc-wen-degrading"), 7, {.most_rounds = 40});
  const PeriodicForce& force = joint.evaluate(0.2 * wavy_motion(), 1, true);
  EXPECT_EQ(force.status, Status::ok);
  EXPECT_FALSE(force.closed);
  EXPECT_GT(force.drift, 1e-6);
}

/// A slider behind a gap: under a preload of 2 it slides to 1.45, and under 0.3 cos θ then back to 0.25, from where
/// it only follows a spring below u = 0.2, f = min(0, u − 0.2). Without the preload it is a spring beyond ±0.05.
TEST(PeriodicJoint, harmonics_left_out_are_those_after_the_preload) {
  const double amplitude = 0.3;
  const auto largest_beyond = [&](double at, bool mirrored) {
    const double ratio = at / amplitude, from = std::acos(ratio);
    double most = 0;
    for (int h = 4; h <= 7; ++h) {
      const double constant = -std::sin(h * from) / h;
      const double cosine =
          -0.5 * (std::sin((h - 1) * from) / (h - 1) + std::sin((h + 1) * from) / (h + 1));
      const double force = 2 / pi * amplitude * (ratio * constant - cosine);
      most = std::max(most, std::abs(mirrored ? (h % 2 == 0 ? 0 : 2 * force) : force));
    }
    return most;
  };
  const AnyModel model = law("backlash(jenkins(k=1,phi=0.5),gap=0.1)");
  const Surroundings forces{1, [](Eigen::Index, int, double force) { return force; }};
  PeriodicJoint loaded(model, 3, {}, {2});
  EXPECT_NEAR(loaded.truncation(cosine(3, amplitude), 1, forces), largest_beyond(0.2, false), 1e-9);
  PeriodicJoint at_rest(model, 3);
  EXPECT_NEAR(at_rest.truncation(cosine(3, amplitude), 1, forces), largest_beyond(-0.05, true),
              1e-9);
}

TEST(PeriodicJoint, loss_is_the_work_of_the_force) {
  const Eigen::VectorXd q = wavy_motion();
  for (const char* name : {"jenkins", "iwan4", "bouc-wen", "two-state"}) {
    PeriodicJoint joint(law(name), 7, {.level = 2});
    const PeriodicForce& force = joint.evaluate(q, 1, false);
    ASSERT_TRUE(force.closed);
    double work = 0;
    for (int h = 1; h <= 7; ++h)
      work += pi * h *
              (force.coefficients[2 * h - 1] * q[2 * h] - force.coefficients[2 * h] * q[2 * h - 1]);
    EXPECT_NEAR(force.energy, work, 1e-9) << name;
  }
}

TEST(PeriodicJoint, viscous_force_has_the_velocity_of_its_node) {
  PeriodicJoint joint(law("viscous", {{"c", 0.5}}), 2);
  const Eigen::VectorXd f = joint.evaluate(cosine(2, 3), 1.7, false).coefficients;
  EXPECT_NEAR(f[1], 0, 1e-10);
  EXPECT_NEAR(f[2], -0.5 * 1.7 * 3, 1e-10);
}

TEST(PeriodicJoint, coulomb_jumps_at_the_reversals) {
  PeriodicJoint joint(law("coulomb", {{"fc", 1.0}}), 3);
  const Eigen::VectorXd f = joint.evaluate(cosine(3, 3), 1.7, false).coefficients;
  EXPECT_NEAR(f[2], -4 / pi, 1e-12);
  EXPECT_NEAR(f[6], -4 / (3 * pi), 1e-12);
}

TEST(PeriodicJoint, no_motion_answers_with_the_tangent) {
  PeriodicJoint joint(jenkins(2, 1), 1);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(3);
  q[0] = 0.25;
  const PeriodicForce& force = joint.evaluate(q, 1, true);
  EXPECT_EQ(force.coefficients[0], 0.5);
  EXPECT_TRUE(force.jacobian.isApprox(2 * Eigen::MatrixXd::Identity(3, 3)));
}

}  // namespace periodic_joint_test
}  // namespace microslip::dynamics
