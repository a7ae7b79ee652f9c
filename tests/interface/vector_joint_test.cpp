#include "microslip/catalog/vector_joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dynamics/fourier/fourier.hpp"
#include "dynamics/joint/periodic_interface.hpp"
#include "dynamics/joint/periodic_planar.hpp"
#include "dynamics/joint/periodic_steps.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/periodic/small_vibrations.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/message_of.hpp"

namespace microslip::catalog {
namespace vector_joint_test {

using dynamics::PeriodicInterface;
using dynamics::PeriodicPlanar;
using dynamics::PeriodicSteps;
using dynamics::Structure;
using testing::message_of;
using Index = Eigen::Index;

AnyModel law(const std::string& model, const ParameterValues& values) {
  return make({model, values, {}});
}

AnyModel contact(double N0 = 2) {
  return law("contact", {{"kt", 3.0}, {"kn", 5.0}, {"mu", 0.6}, {"N0", N0}});
}

/// Coefficients of two inputs with three harmonics, side by side.
Eigen::VectorXd both(const Eigen::VectorXd& t, const Eigen::VectorXd& n) {
  Eigen::VectorXd input(2 * t.size());
  for (Index k = 0; k < t.size(); ++k) input.segment<2>(2 * k) << t[k], n[k];
  return input;
}

/// Stick; slip under a load that changes; slip with a mean; opening, also twice a period.
std::vector<Eigen::VectorXd> motions() {
  Eigen::VectorXd a(7), b(7), c(7), d(7);
  a << 0, 1, 0.2, 0, 0.1, 0.05, 0;
  b << 0, 0.3, 1, 0.1, 0, 0, 0.1;
  c << 0.3, 0.7, -0.8, 0, 0.3, 0.1, 0;
  d << -0.2, 0.1, 0.4, 0.6, 0.3, 0, 0.05;
  return {both(0.1 * a, 0.1 * b), both(a, 0.1 * b), both(c, 0.3 * b), both(a, b), both(c, d),
          both(0.5 * d, 1.5 * c)};
}

/// Coefficients of the forces from many steps of the law along the motion, the third period.
Eigen::VectorXd by_steps(const AnyModel& model, const Eigen::VectorXd& input, int steps,
                         double& lost) {
  const auto size = static_cast<Index>(model.directions().size());
  const Index width = input.size() / size;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(input.size()), row(width);
  AnyState state = model.rest();
  lost = 0;
  for (int i = 0; i < 3 * steps; ++i) {
    dynamics::fourier_row(2 * pi * i / steps, static_cast<int>(width / 2), row);
    AnyVec<double> u = AnyVec<double>::Zero(size);
    for (Index k = 0; k < width; ++k) u += row[k] * input.segment(size * k, size);
    const auto reply = model.step(state, u, state);
    if (i < 2 * steps) continue;
    lost += reply.dissipated;
    for (Index k = 0; k < width; ++k)
      sum.segment(size * k, size) += (k == 0 ? 1.0 : 2.0) / steps * row[k] * reply.force;
  }
  return sum;
}

TEST(VectorJoint, forces_of_a_contact_over_a_period_are_those_of_many_small_steps) {
  for (const double N0 : {2.0, 0.0, -1.0}) {
    const AnyModel model = contact(N0);
    const auto joint = vector_joint(model);
    for (const Eigen::VectorXd& input : motions()) {
      PeriodicInterface element(*joint, 3, {});
      element.respond(input, {}, 1, false);
      ASSERT_EQ(element.reply().status, Status::ok);
      EXPECT_TRUE(element.reply().closed);
      double lost = 0;
      const Eigen::VectorXd steps = by_steps(model, input, 5000, lost);
      // The error of steps falls with their square; events cost as much.
      EXPECT_LT((element.reply().coefficients - steps).norm(), 1e-5 * (1 + steps.norm())) << N0;
      EXPECT_NEAR(element.reply().energy, lost, 1e-5 * (1 + lost));
    }
  }
}

/// The Jacobian is that of differences of the coefficients, by a part of the motion.
void expect_slopes(dynamics::PeriodicElement& element, const Eigen::VectorXd& input, double part) {
  element.respond(input, {}, 1, true);
  const Eigen::MatrixXd jacobian = element.reply().jacobian;
  const double h = part * input.norm();
  for (Index k = 0; k < input.size(); ++k) {
    const auto moved = [&](double by) {
      Eigen::VectorXd there = input;
      there[k] += by;
      element.respond(there, {}, 1, false);
      return Eigen::VectorXd(element.reply().coefficients);
    };
    const Eigen::VectorXd slope = (moved(h) - moved(-h)) / (2 * h);
    EXPECT_LE((slope - jacobian.col(k)).norm(), 1e-5 * jacobian.norm()) << k;
  }
}

TEST(VectorJoint, derivatives_of_a_contact_are_those_of_differences) {
  for (const double N0 : {2.0, 0.0, -1.0}) {
    const auto joint = vector_joint(contact(N0));
    for (const Eigen::VectorXd& input : motions()) {
      PeriodicInterface element(*joint, 3, {});
      SCOPED_TRACE(N0);
      expect_slopes(element, input, 1e-6);
    }
  }
}

TEST(VectorJoint, steps_along_the_motion_lead_to_the_same_forces) {
  const AnyModel model = contact();
  const auto joint = vector_joint(model);
  for (const Eigen::VectorXd& input : motions()) {
    PeriodicInterface exact(*joint, 3, {});
    PeriodicSteps steps(model, 2, 3, {}, {});
    exact.respond(input, {}, 1, true);
    steps.respond(input, {}, 1, true);
    const double size = exact.reply().coefficients.lpNorm<Eigen::Infinity>();
    // What it says of its error covers.
    EXPECT_LT((steps.reply().coefficients - exact.reply().coefficients).lpNorm<Eigen::Infinity>(),
              std::max(steps.quadrature(input, 1), 1e-12) * size);
    EXPECT_LT((steps.reply().jacobian - exact.reply().jacobian).norm(),
              0.03 * exact.reply().jacobian.norm());
  }
}

// -------------------------------------------------------------------------------- sliders in the plane

/// Inputs x, y, n of the motions above: the last input, turned on, is also x.
std::vector<Eigen::VectorXd> motions_in_space() {
  std::vector<Eigen::VectorXd> all;
  for (const Eigen::VectorXd& two : motions()) {
    Eigen::VectorXd input(two.size() / 2 * 3);
    for (Index k = 0; k < two.size() / 2; ++k)
      input.segment<3>(3 * k) << two[2 * k],
          0.7 * two[2 * (k == 0  ? 0
                         : k % 2 ? k + 1
                                 : k - 1)],
          two[2 * k + 1];
    input[4] += 0.2;
    all.push_back(input);
  }
  return all;
}

AnyModel contact_planar(double N0) {
  return law("contact-planar", {{"kt", 3.0}, {"kn", 5.0}, {"mu", 0.6}, {"N0", N0}});
}

/// Straight steps of the law, whose error falls with the square of their length: without it.
TEST(VectorJoint, sliders_in_the_plane_answer_as_many_small_steps) {
  for (const double N0 : {2.0, 0.0, -1.0})
    for (const Eigen::VectorXd& input : motions_in_space()) {
      const AnyModel model = contact_planar(N0);
      const auto joint = vector_joint(model);
      PeriodicPlanar element(*joint, 3, 0, {});
      element.respond(input, {}, 1, false);
      ASSERT_EQ(element.reply().status, Status::ok);
      EXPECT_TRUE(element.reply().closed);
      double once = 0, twice = 0;
      const Eigen::VectorXd coarse = by_steps(model, input, 4000, once);
      const Eigen::VectorXd fine = by_steps(model, input, 8000, twice);
      const Eigen::VectorXd steps = fine + (fine - coarse) / 3;
      EXPECT_LT((element.reply().coefficients - steps).norm(),
                (fine - coarse).norm() + 1e-9 * (1 + steps.norm()))
          << N0;
      EXPECT_NEAR(element.reply().energy, twice, 2 * std::abs(twice - once) + 1e-9 * (1 + twice));
      EXPECT_LT(element.quadrature(input, 1), 1e-8);
    }
}

TEST(VectorJoint, derivatives_of_sliders_in_the_plane_are_those_of_differences) {
  for (const double N0 : {2.0, 0.0, -1.0}) {
    const auto joint = vector_joint(contact_planar(N0));
    for (const Eigen::VectorXd& input : motions_in_space()) {
      PeriodicPlanar element(*joint, 3, 1, {});
      SCOPED_TRACE(N0);
      expect_slopes(element, input, 1e-5);
    }
  }
}

/// A circle of radius a beyond the limit: the force has the size φ and lags behind the motion by
/// acos(φ/(k a)); 2π φ sin of that times a is lost.
TEST(VectorJoint, a_circle_is_known_in_closed_form) {
  const double k = 2, phi = 0.7, a = 1.3;
  const auto joint = vector_joint(law("jenkins-planar", {{"k", k}, {"phi", phi}}));
  PeriodicPlanar element(*joint, 3, 0, {});
  Eigen::VectorXd input = Eigen::VectorXd::Zero(14);
  input[2] = a;
  input[5] = a;
  element.respond(input, {}, 1, true);
  const double cosine = phi / (k * a), sine = std::sqrt(1 - cosine * cosine);
  Eigen::VectorXd known = Eigen::VectorXd::Zero(14);
  // Ahead of the displacement by 90° − the lag behind the velocity.
  known[2] = known[5] = phi * cosine;
  known[4] = -phi * sine;
  known[3] = phi * sine;
  EXPECT_LT((element.reply().coefficients - known).norm(), 1e-11);
  EXPECT_NEAR(element.reply().energy, 2 * pi * a * phi * sine, 1e-10);
}

/// From far below slip to far beyond, in any units.
TEST(VectorJoint, sliders_in_the_plane_are_known_at_any_size) {
  const Eigen::VectorXd motion = motions_in_space()[2];
  for (const double size : {1e-8, 1e-4, 1e3}) {
    const auto small = vector_joint(law("jenkins-planar", {{"k", 2.0}, {"phi", 0.7}}));
    Eigen::VectorXd input(14);
    for (Index k = 0; k < 7; ++k) input.segment<2>(2 * k) = size * motion.segment<2>(3 * k);
    PeriodicPlanar element(*small, 3, 0, {});
    element.respond(input, {}, 1, true);
    ASSERT_EQ(element.reply().status, Status::ok);
    if (size < 1) {
      EXPECT_LT((element.reply().coefficients - 2 * input).norm(), 1e-14 * input.norm());
      EXPECT_LT((element.reply().jacobian - 2 * Eigen::MatrixXd::Identity(14, 14)).norm(), 1e-13);
      EXPECT_EQ(element.reply().energy, 0);
      continue;
    }
    // Next to nothing is elastic: the limit times the way.
    double way = 0;
    Eigen::VectorXd row(7), slopes(7);
    for (int i = 0; i < 20000; ++i) {
      dynamics::fourier_row(2 * pi * i / 20000, 3, row);
      dynamics::fourier_slopes(row, 3, slopes);
      way += (Eigen::Map<const Eigen::MatrixXd>(input.data(), 2, 7) * slopes).norm() * pi / 10000;
    }
    EXPECT_NEAR(element.reply().energy, 0.7 * way, 2e-3 * way);
  }
}

TEST(VectorJoint, a_sum_of_sliders_in_the_plane_is_followed_as_they_are) {
  const AnyModel sum = make({"jenkins-planar(k=2,phi=0.7)+jenkins-planar(k=1,phi=0.2)", {}, {}});
  const auto joint = vector_joint(sum);
  ASSERT_EQ(joint->sliders().size(), 2U);
  PeriodicPlanar element(*joint, 3, 0, {});
  const Eigen::VectorXd input = motions()[3];
  element.respond(input, {}, 1, false);
  double lost = 0;
  const Eigen::VectorXd steps = by_steps(sum, input, 5000, lost);
  EXPECT_LT((element.reply().coefficients - steps).norm(), 1e-5 * steps.norm());
  EXPECT_NEAR(element.reply().energy, lost, 1e-5 * lost);
  const auto other =
      vector_joint(make({"jenkins-planar(k=2,phi=0.7,method=return-mapping)", {}, {}}));
  EXPECT_TRUE(other->sliders().empty());
}

/// The number of forces of a planar law is two, or three with a normal direction.
TEST(VectorJoint, planar_laws_along_a_period_are_those_of_many_small_steps) {
  const AnyModel planar = law("jenkins-planar", {{"k", 2.0}, {"phi", 0.7}});
  for (const Eigen::VectorXd& input : motions()) {
    PeriodicSteps element(planar, 2, 3, {}, {});
    element.respond(input, {}, 1, false);
    double lost = 0;
    const Eigen::VectorXd steps = by_steps(planar, input, 5000, lost);
    const double error = std::max(element.quadrature(input, 1), 1e-8);
    EXPECT_LT((element.reply().coefficients - steps).norm(), 3 * error * (1 + steps.norm()));
  }
}

// ------------------------------------------------------------------------------------- in a file

StructureFile file_of(const std::string& text) {
  return parse_structure(text, std::string("s.toml"));
}

const std::string two_masses = "M = [1.0, 1.0]\nK = [[12.0, 0.0], [0.0, 21.0]]\n";
const std::string set = "set = { kt = 5.0, kn = 21.0, mu = 0.85, N0 = 0.0 }\n";

TEST(VectorJoint, a_joint_has_a_pair_for_each_direction_or_weights) {
  const auto pairs = file_of(two_masses + "[[joint]]\nmodel = \"contact\"\n" + set +
                             "between = [[0, 1], [0, 2]]\n");
  const auto weights =
      file_of(two_masses + "[[joint]]\nmodel = \"contact\"\n" + set + "along = [[1, 0], [0, 1]]\n");
  for (const StructureFile* file : {&pairs, &weights}) {
    ASSERT_EQ(file->structure.interfaces.size(), 1U);
    EXPECT_TRUE(file->structure.joints.empty());
    const auto& joint = file->structure.interfaces[0];
    EXPECT_EQ(joint.w[0].dense(), Eigen::Vector2d(1, 0));
    EXPECT_EQ(joint.w[1].dense(), Eigen::Vector2d(0, 1));
    EXPECT_EQ(joint.law->model()->description().name, "contact");
  }
}

TEST(VectorJoint, a_wrong_place_is_named) {
  const auto message = [](const std::string& lines) {
    return message_of(
        [&] { file_of(two_masses + "[[joint]]\nmodel = \"contact\"\n" + set + lines); });
  };
  EXPECT_NE(message("between = [0, 1]\n").find("one pair of degrees of freedom for each direction"),
            std::string::npos);
  EXPECT_NE(message("between = [[0, 1]]\n").find("t and n"), std::string::npos);
  EXPECT_NE(message("along = [[1, 0]]\n").find("a row for each direction"), std::string::npos);
  EXPECT_NE(message("nodes = [1, 2]\n").find("by node and direction"), std::string::npos);
  EXPECT_NE(message("between = [[0, 1], [0, 2]]\nnormal = [1, 0]\n").find("belongs to 'nodes'"),
            std::string::npos);
  EXPECT_NE(message("").find("give 'between' with a pair for each"), std::string::npos);
  EXPECT_NE(
      message_of([&] {
        file_of(two_masses + "[[joint]]\nmodel = \"jenkins\"\nbetween = [0, 1]\nnodes = [1, 2]\n");
      }).find("laws with several directions"),
      std::string::npos);
}

/// The standing example of an open code: springs 12 and 21, dampers 0.34641 and 2.
std::string standing(const std::string& loads, const std::string& more = "") {
  return "M = [1.0, 1.0]\nK = [[12.0, 0.0], [0.0, 21.0]]\nC = [[0.34641, 0.0], [0.0, 2.0]]\n" +
         more + "[[joint]]\nmodel = \"contact\"\n" + set + "between = [[0, 1], [0, 2]]\n" + loads +
         "[[load]]\nkind = \"static\"\ndof = 2\namplitude = 100\n";
}
std::string tone(int dof, double amplitude, double phase = 0) {
  return "[[load]]\nkind = \"harmonic\"\ndof = " + std::to_string(dof) +
         "\namplitude = " + number_text(amplitude) + "\nphase = " + number_text(phase) + "\n";
}

TEST(VectorJoint, a_static_load_closes_the_contact) {
  const StructureFile file = file_of(standing(tone(1, 1)));
  const auto rest = dynamics::static_equilibrium(file.structure);
  ASSERT_TRUE(rest.converged);
  EXPECT_NEAR(rest.x[1], 100.0 / 42, 1e-12);
  EXPECT_EQ(rest.x[0], 0);
  // Stuck under the load: kx + kt and ky + kn.
  const auto modes =
      dynamics::small_vibrations(file.structure, dynamics::JointTangents::preloaded, 2);
  EXPECT_NEAR(modes[0].omega, std::sqrt(17.0), 1e-9);
  EXPECT_NEAR(modes[1].omega, std::sqrt(42.0), 1e-9);
}

TEST(VectorJoint, a_gap_closes_though_nothing_else_holds_the_mass) {
  // A gap of 0.5 and a spring of 2: x = 0.5 + 3/2.
  const StructureFile file = file_of(
      "M = [1.0, 1.0]\nK = [[1.0, 0.0], [0.0, 0.0]]\n[[joint]]\nmodel = \"contact\"\n"
      "set = { kt = 1.0, kn = 2.0, mu = 0.3, N0 = -1.0 }\nbetween = [[0, 1], [0, 2]]\n"
      "[[load]]\nkind = \"static\"\ndof = 2\namplitude = 3\n");
  const auto rest = dynamics::static_equilibrium(file.structure);
  ASSERT_TRUE(rest.converged);
  EXPECT_NEAR(rest.x[1], 2.0, 1e-12);
}

struct Steady {
  double level, x, y;
};

dynamics::FrequencyResponse response_at(const Structure& structure, double omega, int harmonics) {
  dynamics::FrequencyResponseOptions options;
  options.from = 0.98 * omega;
  options.to = 1.02 * omega;
  options.at = {omega};
  options.harmonics = harmonics;
  return dynamics::frequency_response(structure, options);
}

/// First harmonics from tests/reference/contact.py, which follows the motion in time from event to event; its
/// sums over a period of 2000 rows leave 1e-6.
TEST(VectorJoint, the_standing_example_is_the_motion_in_time_at_every_level) {
  for (const Steady& known : {Steady{0.5, 0.1736949131655647, 0.0017489429435},
                              {20, 6.947796526628502, 0.06995771774},
                              {50, 17.182628853267925, 0.1748942943525372},
                              {100, 34.374605892502714, 0.3497885887050722},
                              {200, 69.17330000881415, 0.699577177410153},
                              {300, 104.54477537490381, 1.049365766115227}}) {
    const StructureFile file = file_of(standing(tone(1, known.level) + tone(2, 0.1 * known.level)));
    const auto response = response_at(file.structure, 3.8, 31);
    ASSERT_EQ(response.at.size(), 1U) << known.level;
    EXPECT_NEAR(response.at[0].first[0].amplitude, known.x, 2e-5 * known.x) << known.level;
    EXPECT_NEAR(response.at[0].first[1].amplitude, known.y, 2e-5 * known.y) << known.level;
    EXPECT_LT(response.energy_balance, 1e-8);
    EXPECT_FALSE(response.unbalanced);
  }
}

TEST(VectorJoint, loss_of_contact_is_the_motion_in_time) {
  for (const Steady& known : {Steady{2.0, 4.166000723482955, 4.897009562764551},
                              {3.8, 28.091440534793502, 7.192895585265127},
                              {6.0, 2.607575122186491, 12.639141893656191}}) {
    const StructureFile file = file_of(standing(tone(1, 60) + tone(2, 160, 0.8)));
    const auto response = response_at(file.structure, known.level, 31);
    ASSERT_GE(response.at.size(), 1U) << known.level;
    EXPECT_NEAR(response.at[0].first[0].amplitude, known.x, 2e-4 * known.x) << known.level;
    EXPECT_NEAR(response.at[0].first[1].amplitude, known.y, 2e-4 * known.y) << known.level;
    EXPECT_LT(response.energy_balance, 1e-7);
  }
}

TEST(VectorJoint, a_constant_normal_force_is_the_joint_along_one_direction) {
  // Nothing moves along n: N stays 10, the limit 3.
  const StructureFile both = file_of(
      "M = [1.0, 1.0]\nC = [[0.05, 0.0], [0.0, 1.0]]\nK = [[1.0, 0.0], [0.0, 1.0]]\n[[joint]]\n"
      "model = \"contact\"\nset = { kt = 1.0, kn = 4.0, mu = 0.3, N0 = 10.0 }\n"
      "between = [[0, 1], [0, 2]]\n" +
      tone(1, 2));
  const StructureFile one = file_of(
      "M = [1.0]\nC = [0.05]\nK = [1.0]\n[[joint]]\nmodel = \"jenkins\"\n"
      "set = { k = 1.0, phi = 3.0 }\nbetween = [0, 1]\n" +
      tone(1, 2));
  const auto planar = response_at(both.structure, 1.2, 15);
  const auto scalar = response_at(one.structure, 1.2, 15);
  ASSERT_EQ(planar.at.size(), 1U);
  ASSERT_EQ(scalar.at.size(), 1U);
  EXPECT_NEAR(planar.at[0].first[0].amplitude, scalar.at[0].first[0].amplitude,
              1e-9 * scalar.at[0].first[0].amplitude);
  EXPECT_NEAR(planar.at[0].energy[0], scalar.at[0].energy[0], 1e-8 * scalar.at[0].energy[0]);
  EXPECT_EQ(planar.at[0].stability, scalar.at[0].stability);
}

TEST(VectorJoint, other_units_give_the_same_response) {
  const auto first =
      response_at(file_of(standing(tone(1, 60) + tone(2, 160, 0.8))).structure, 3.8, 11);
  // Lengths 1e-3, forces 1e6: stiffness 1e9.
  const double F = 1e6, L = 1e-3, k = F / L;
  const auto text = [&](double value) { return number_text(value); };
  const auto second = response_at(
      file_of("M = [" + text(k) + ", " + text(k) + "]\nK = [[" + text(12 * k) + ", 0.0], [0.0, " +
              text(21 * k) + "]]\nC = [[" + text(0.34641 * k) + ", 0.0], [0.0, " + text(2 * k) +
              "]]\n[[joint]]\nmodel = \"contact\"\nset = { kt = " + text(5 * k) +
              ", kn = " + text(21 * k) + ", mu = 0.85, N0 = 0.0 }\nbetween = [[0, 1], [0, 2]]\n" +
              tone(1, 60 * F) + tone(2, 160 * F, 0.8) +
              "[[load]]\nkind = \"static\"\ndof = 2\namplitude = " + text(100 * F) + "\n")
          .structure,
      3.8, 11);
  ASSERT_EQ(first.at.size(), second.at.size());
  ASSERT_GE(first.at.size(), 1U);
  EXPECT_NEAR(second.at[0].first[0].amplitude, L * first.at[0].first[0].amplitude,
              1e-7 * L * first.at[0].first[0].amplitude);
}

// ------------------------------------------------------------------------------------------ in time

TEST(VectorJoint, a_mass_that_bounces_and_slides_is_followed_through_its_flights) {
  // A unit mass on a stiff contact under weight 1, dropped from a height of 0.5 with a velocity along the surface.
  // Flights are parabolas, contacts half waves; while it is pressed it slips, ft = μ N, until it sticks.
  const double kn = 1e4, mu = 0.2, gap = 0.5, v0 = 3;
  StructureFile file = file_of(
      "M = [1.0, 1.0]\nK = [[0.0, 0.0], [0.0, 0.0]]\n[[joint]]\nmodel = \"contact\"\n"
      "set = { kt = 1e4, kn = 1e4, mu = 0.2, N0 = -5000 }\nbetween = [[0, 1], [0, 2]]\n"
      "[[load]]\nkind = \"formula\"\nforce = \"1+0*t\"\ndof = 2\n");
  dynamics::TimeOptions options;
  options.method = dynamics::Method::midpoint;
  options.step = 1e-4;
  options.until = 1.6;
  options.v0 = Eigen::Vector2d(v0, 0);
  options.at = {options.until};
  options.every_step = false;
  const auto run = dynamics::integrate(file.structure, options);
  ASSERT_TRUE(run.message.empty()) << run.message;
  // First flight; then y = gap + (1/kn)(1 − cos) + (v/w) sin with w = √kn until it is back at the gap.
  const double fall = std::sqrt(2 * gap), v = fall, w = std::sqrt(kn);
  const double touch = 2 * (pi - std::atan(v * w)) / w;
  // In slip along t: −μN integrated over the contact is −μ (2v + touch).
  const double after = v0 - mu * (2 * v + touch);
  const double t = options.until - fall - touch;
  ASSERT_GT(after, 0);
  EXPECT_NEAR(run.v.back()[0], after, 1e-5);
  EXPECT_NEAR(run.x.back()[1], gap - v * t + 0.5 * t * t, 1e-5);
  EXPECT_LT(std::abs(run.audit.error()), 1e-8 * run.largest_energy);
}

}  // namespace vector_joint_test
}  // namespace microslip::catalog
