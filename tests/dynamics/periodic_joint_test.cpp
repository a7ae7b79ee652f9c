#include "microslip/dynamics/periodic/periodic_joint.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "dynamics/rigid/sliding_body.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "support.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;

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

TEST(PeriodicJoint, a_law_that_never_repeats_says_so) {
  // Its stiffness falls with the energy lost, round by round.
  PeriodicJoint joint(law("bouc-wen-degrading"), 7, {.most_rounds = 40});
  const PeriodicForce& force = joint.evaluate(0.2 * wavy_motion(), 1, true);
  EXPECT_EQ(force.status, Status::ok);
  EXPECT_FALSE(force.closed);
  EXPECT_GT(force.drift, 1e-6);
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

/// One joint on a mass of 1.
SlidingBody on_mass(const AnyModel& model, int harmonics, double damping, double stiffness,
                    double at) {
  const auto number = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  return {{{model, Eigen::VectorXd::Ones(1)}},
          harmonics,
          number(damping),
          number(stiffness),
          Eigen::VectorXd::Constant(1, at)};
}

/// Coefficients of friction on a mass under a push, and how far its derivatives are from
/// differences.
struct Pushed {
  PeriodicForce force;
  double error;
};

Pushed push(const AnyModel& model, const Eigen::VectorXd& p) {
  SlidingBody mass = on_mass(model, 3, 0.05, 1, 0);
  const double omega = 0.3, h = 1e-6;
  mass.respond_closed(p, omega, true);
  const PeriodicForce here = mass.reply();
  const auto slope = [&](const Eigen::VectorXd& more, double faster) {
    mass.respond_closed(p + more, omega + faster, false);
    const Eigen::VectorXd up = mass.reply().coefficients;
    mass.respond_closed(p - more, omega - faster, false);
    return Eigen::VectorXd((up - mass.reply().coefficients) / (2 * h));
  };
  double error = largest(slope(Eigen::VectorXd::Zero(7), h) - here.by_omega);
  for (Eigen::Index i = 0; i < 7; ++i)
    error =
        std::max(error, largest(slope(h * Eigen::VectorXd::Unit(7, i), 0) - here.jacobian.col(i)));
  return {here, error};
}

TEST(SlidingBody, one_joint_derivatives_agree_with_differences) {
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  for (const char* name : {"coulomb", "coulomb-viscous", "stribeck", "prager", "reid"}) {
    const Pushed slow = push(law(name), p);
    EXPECT_TRUE(slow.force.closed) << name;
    EXPECT_GT(slow.force.energy, 0.1) << name;
    EXPECT_LT(slow.error, 2e-5) << name;  // the differences, where the motion stops
  }
  // Held for the whole period, and pushed to where it is held.
  EXPECT_LT(push(law("coulomb"), 1e-2 * p).error, 1e-8);
  p[0] = 0.9;
  EXPECT_LT(push(law("coulomb"), Eigen::VectorXd(p.cwiseProduct(
                                     (Eigen::VectorXd(7) << 1, 0.1, 1, 1, 1, 1, 1).finished())))
                .error,
            1e-8);
}

/// Coefficients of the force and the end of a period, one below the other, and their derivatives by
/// the push, the start and ω.
struct OpenPeriod {
  Eigen::VectorXd value;
  Eigen::MatrixXd by;
};

OpenPeriod open_period(const PeriodicForce& force, const PeriodEnd& end) {
  const Eigen::Index size = force.coefficients.size(), ways = end.at.size();
  OpenPeriod period{Eigen::VectorXd(size + ways), {}};
  period.value << force.coefficients, end.at;
  period.by.resize(size + ways, size + ways + 1);
  period.by << force.jacobian, end.force_by_start, force.by_omega, end.by_push, end.by_start,
      end.by_omega;
  return period;
}

/// How far the derivatives are from differences. `from` begins a period with a push, a start and ω,
/// one below the other.
template <class Period>
double error_of_derivatives(const Period& from, const Eigen::VectorXd& at) {
  const double h = 1e-6;
  const OpenPeriod here = from(at);
  double error = 0;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    const Eigen::VectorXd more = h * Eigen::VectorXd::Unit(at.size(), i);
    const Eigen::VectorXd difference = (from(at + more).value - from(at - more).value) / (2 * h);
    error = std::max(error, largest(difference - here.by.col(i)));
  }
  return error;
}

auto mass_from(SlidingBody& mass) {
  return [&mass](const Eigen::VectorXd& at) {
    mass.respond_open(at.head(7), at.segment(7, 2), at[9], true);
    EXPECT_EQ(mass.reply().status, Status::ok);
    return open_period(mass.reply(), mass.end());
  };
}

TEST(SlidingBody, one_joint_from_anywhere_has_derivatives) {
  Eigen::VectorXd at(10);
  for (const auto& [name, held] :
       {std::pair{"coulomb", 1.5}, std::pair{"coulomb-viscous", 1.5}, std::pair{"stribeck", 1.5},
        std::pair{"prager", 1.1}, std::pair{"reid", 1.1}}) {
    SlidingBody mass = on_mass(law(name), 3, 0.05, 1, 0);
    // It slips at the start, or it sticks there, which takes what it has of velocity.
    at << 0.07, 2, 0, 0.1, 0, 0, -0.05, 0.4, 0.3, 0.3;
    EXPECT_LT(error_of_derivatives(mass_from(mass), at), 2e-5) << name;
    at.tail(3) << held, 0, 0.3;
    EXPECT_LT(error_of_derivatives(mass_from(mass), at), 2e-5) << name;
    mass_from(mass)(at);
    EXPECT_TRUE(mass.answers()[0].course.rests_at(0)) << name;
  }
  // Wherever it begins, it comes to rest, where the push has moved it to until it is held.
  SlidingBody held = on_mass(law("stribeck"), 3, 0.05, 1, 0);
  at << 1.6, 0.1, 0, 0.1, 0, 0, -0.05, 0.4, 0.01, 0.3;
  EXPECT_LT(error_of_derivatives(mass_from(held), at), 1e-8);
  EXPECT_GT(held.end().at[0], 0.01);
  EXPECT_EQ(held.end().at[1], 0);
}

TEST(SlidingBody, a_period_from_where_it_closes_is_closed) {
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  for (const char* name : {"coulomb", "stribeck", "reid"}) {
    SlidingBody mass = on_mass(law(name), 3, 0.05, 1, 0);
    mass.respond_closed(p, 0.3, true);
    const PeriodicForce closed = mass.reply();
    Eigen::VectorXd start;
    ASSERT_TRUE(mass.close(p, 0.3, start));
    mass.respond_open(p, start, 0.3, true);
    const PeriodicForce& open = mass.reply();
    EXPECT_LT(largest(mass.end().at - start), 1e-9) << name;
    EXPECT_LT(largest(open.coefficients - closed.coefficients), 1e-9) << name;
    // The start follows the push.
    const PeriodEnd& end = mass.end();
    const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - end.by_start;
    const Eigen::MatrixXd follows = left.inverse() * end.by_push;
    EXPECT_LT(largest(open.jacobian + end.force_by_start * follows - closed.jacobian), 1e-6);
  }
}

TEST(SlidingBody, friction_takes_what_the_push_gives) {
  // Without a dashpot all work of the push is lost in friction: ∮ p du = ∮ f du.
  SlidingBody mass = on_mass(law("coulomb"), 1, 0, 1, 0);
  Eigen::VectorXd p(3);
  p << 0, 1.5, 0;
  const double omega = 0.3;
  mass.respond_closed(p, omega, false);
  const PeriodicForce force = mass.reply();
  // (k − mω²) u = p − f, first harmonics.
  const double b = (p[2] - force.coefficients[2]) / (1 - omega * omega);
  EXPECT_NEAR(force.energy, std::numbers::pi * p[1] * b, 1e-8);
  // Stuck where the preload left it, with what the spring leaves.
  p[1] = 0.5;
  SlidingBody preloaded = on_mass(law("coulomb"), 1, 0, 1, 0.2);
  preloaded.respond_closed(p, omega, false);
  EXPECT_LT(largest(preloaded.reply().coefficients - Eigen::Vector3d(-0.2, 0.5, 0)), 1e-15);
}

TEST(SlidingBody, balances_its_energy_under_any_push) {
  // Each push begins with the motion of the one before, which may be far off and fast.
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto any = [&] { return std::exp(normal(random)) * normal(random); };
  for (const char* name : {"coulomb", "prager", "reid"}) {
    SlidingBody mass = on_mass(law(name), 3, 0, 0.5, 0);
    for (int i = 0; i < 500; ++i) {
      const Eigen::VectorXd p = Eigen::VectorXd::NullaryExpr(7, any);
      const double omega = std::exp(normal(random));
      mass.respond_closed(p, omega, false);
      const PeriodicForce& force = mass.reply();
      ASSERT_EQ(force.status, Status::ok) << name << ' ' << i;
      EXPECT_TRUE(force.closed) << name << ' ' << i;
      const Eigen::VectorXd& f = force.coefficients;
      double work = 0, size = 0;
      for (int h = 1; h <= 3; ++h) {
        const double impedance = 0.5 - h * h * omega * omega;
        work += pi * h * (p[2 * h] * f[2 * h - 1] - p[2 * h - 1] * f[2 * h]) / impedance;
        size += pi * h * p.squaredNorm() / std::abs(impedance);
      }
      EXPECT_NEAR(force.energy, work, 1e-9 * size) << name << ' ' << i;
    }
  }
}

/// Three joints on a body that moves in two ways.
SlidingBody triangle(const char* first, const char* second, const char* third) {
  const Eigen::Vector2d a(1, 0), b(0.3, 1);
  Eigen::Matrix2d damping, stiffness;
  damping << 0.1, 0.02, 0.02, 0.05;
  stiffness << 1, 0.2, 0.2, 1.5;
  return {{{law(first), a}, {law(second), b}, {law(third), a - b}},
          3,
          damping,
          stiffness,
          Eigen::Vector2d::Zero()};
}

Eigen::VectorXd push_in_two_ways() {
  Eigen::VectorXd p(14);
  p << 0, 0, 3, 1, 0.5, 2, 0.1, 0, 0, 0.1, 0.3, -0.2, 0.1, 0.2;
  return p;
}

/// How far derivatives are from differences, and how many stops are turns.
struct PushedBody {
  double error = 0;
  int turns = 0;
};

PushedBody push(SlidingBody body, const Eigen::VectorXd& p, double omega) {
  const double h = 1e-6;
  body.respond_closed(p, omega, true);
  const PeriodicForce here = body.reply();
  EXPECT_EQ(here.status, Status::ok);
  EXPECT_TRUE(here.closed);
  PushedBody result;
  for (const SlidingBody::Answer& answer : body.answers())
    for (const SlidingCourse::Stop& stop : answer.course.stops) result.turns += stop.kept > 0.01;
  const auto differ = [&](const Eigen::VectorXd& more, double faster, const auto& slope) {
    body.respond_closed(p + more, omega + faster, false);
    const Eigen::VectorXd up = body.reply().coefficients;
    body.respond_closed(p - more, omega - faster, false);
    const Eigen::VectorXd difference = (up - body.reply().coefficients) / (2 * h);
    result.error = std::max(result.error, largest(difference - slope));
  };
  differ(Eigen::VectorXd::Zero(p.size()), h, here.by_omega);
  for (Eigen::Index i = 0; i < p.size(); ++i)
    differ(h * Eigen::VectorXd::Unit(p.size(), i), 0, here.jacobian.col(i));
  return result;
}

TEST(SlidingBody, derivatives_agree_with_differences) {
  using Names = std::array<const char*, 3>;
  for (const auto& [a, b, c] :
       {Names{"coulomb", "coulomb", "coulomb"}, Names{"prager", "coulomb-viscous", "reid"}}) {
    // Slow, joints stick; fast and pushed hard, they turn.
    EXPECT_LT(push(triangle(a, b, c), push_in_two_ways(), 0.3).error, 2e-5) << a;
    const PushedBody fast = push(triangle(a, b, c), 3 * push_in_two_ways(), 1.4);
    EXPECT_LT(fast.error, 2e-5) << a;
    EXPECT_GT(fast.turns, 1) << a;
  }
}

TEST(SlidingBody, a_period_from_anywhere_has_derivatives) {
  SlidingBody body = triangle("stribeck", "coulomb", "prager");
  const auto from = [&](const Eigen::VectorXd& at) {
    body.respond_open(at.head(14), at.segment(14, 4), at[18], true);
    EXPECT_EQ(body.reply().status, Status::ok);
    return open_period(body.reply(), body.end());
  };
  Eigen::VectorXd at(19);
  at << push_in_two_ways(), 0.4, 0.2, 0.3, -0.1, 0.3;
  EXPECT_LT(error_of_derivatives(from, at), 1e-4);
  // One joint sticks at the start.
  at.segment(14, 4) << 2, 0.2, 0, 0.5;
  EXPECT_LT(error_of_derivatives(from, at), 1e-4);
  from(at);
  EXPECT_TRUE(body.answers()[0].course.rests_at(0));
}

TEST(SlidingBody, joints_take_what_the_push_leaves) {
  SlidingBody body = triangle("coulomb", "prager", "coulomb");
  const Eigen::VectorXd p = push_in_two_ways();
  body.respond_closed(p, 0.3, false);
  // The first two joints tell the motion: q₁ = u₁, q₂ = u₂ − 0.3 u₁.
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(2, 7);
  int stops = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    const SlidingBody::Answer& answer = body.answers()[j];
    stops += static_cast<int>(answer.course.stops.size());
    Eigen::RowVectorXd row(7);
    for (std::size_t i = 0; j < 2 && i < answer.loop.u.size(); ++i) {
      fourier_row(answer.loop.theta[i], 3, row);
      row[0] /= 2;
      u.row(static_cast<Eigen::Index>(j)) += answer.loop.weight[i] / pi * answer.loop.u[i] * row;
    }
    if (j == 1) continue;
    for (const double f : answer.loop.f) EXPECT_LE(std::abs(f), 1 + 1e-9);
  }
  EXPECT_GE(stops, 6);
  u.row(1) -= 0.3 * u.row(0);
  const Eigen::MatrixXd left = p.reshaped(2, 7) - body.through(u, 0.3);
  EXPECT_LT(largest(left.reshaped() - body.reply().coefficients), 1e-8);
}

TEST(SlidingBody, side_by_side_is_one_joint_as_strong_as_all) {
  const Eigen::VectorXd along = Eigen::VectorXd::Constant(1, -2);
  const Eigen::MatrixXd damping = Eigen::MatrixXd::Constant(1, 1, 0.05);
  const Eigen::MatrixXd stiffness = Eigen::MatrixXd::Ones(1, 1);
  SlidingBody body({{law("coulomb", {{"fc", 0.1}}), along}, {law("coulomb", {{"fc", 0.4}}), along}},
                   3, damping, stiffness, Eigen::VectorXd::Zero(1));
  SlidingBody mass = on_mass(law("coulomb"), 3, 0.05, 1, 0);
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  mass.respond_closed(p, 0.3, true);
  const PeriodicForce& one = mass.reply();
  body.respond_closed(p, 0.3, true);
  EXPECT_LT(largest(one.coefficients - body.reply().coefficients), 1e-9);
  EXPECT_LT(largest(one.jacobian - body.reply().jacobian), 1e-7);
  // While they stick, each is as near to its limit as the other.
  const Loop &weak = body.answers()[0].loop, &strong = body.answers()[1].loop;
  for (std::size_t i = 0; i < weak.f.size(); ++i) EXPECT_NEAR(4 * weak.f[i], strong.f[i], 1e-12);
}

}  // namespace
}  // namespace microslip::dynamics
