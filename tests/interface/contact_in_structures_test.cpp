#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "dynamics/joint/periodic_interface.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/catalog/vector_joint.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/periodic/small_vibrations.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/io/file.hpp"

/// Contacts in structures against motions that are computed here by other means, and closed forms.
namespace microslip::catalog {
namespace contact_in_structures_test {

using Index = Eigen::Index;

StructureFile file_of(const std::string& text) {
  return parse_structure(text, std::string("s.toml"));
}

std::string tone(int dof, double amplitude, double phase = 0, double omega = 0) {
  return "[[load]]\nkind = \"harmonic\"\ndof = " + std::to_string(dof) +
         "\namplitude = " + number_text(amplitude) + "\nphase = " + number_text(phase) + "\n" +
         (omega > 0 ? "omega = " + number_text(omega) + "\n" : "");
}
std::string weight(int dof, double force) {
  return "[[load]]\nkind = \"static\"\ndof = " + std::to_string(dof) +
         "\namplitude = " + number_text(force) + "\n";
}

dynamics::FrequencyResponse response_at(const dynamics::Structure& structure, double omega,
                                        int harmonics, int periods = 1) {
  dynamics::FrequencyResponseOptions options;
  options.from = 0.99 * omega;
  options.to = 1.01 * omega;
  options.at = {omega};
  options.harmonics = harmonics;
  options.periods = periods;
  return dynamics::frequency_response(structure, options);
}

/// The plane has no preferred direction: structure and loads turned by 0.7 give the turned motion.
TEST(ContactInStructures, turned_axes_give_the_turned_motion) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const auto file = [&](bool turned) {
    const std::string along = turned ? "along = [[" + number_text(c) + ", " + number_text(s) +
                                           ", 0], [" + number_text(-s) + ", " + number_text(c) +
                                           ", 0], [0, 0, 1]]\n"
                                     : "between = [[0, 1], [0, 2], [0, 3]]\n";
    return file_of(
        "M = [1.0, 1.0, 1.0]\nK = [10.0, 10.0, 21.0]\ndamping = [0.03, 0.03, 0.1]\n"
        "[[joint]]\nmodel = \"contact-planar\"\n"
        "set = { kt = 5.0, kn = 21.0, mu = 0.85, N0 = 0.0 }\n" +
        along + tone(1, 60) + tone(2, 45, 1.2) + tone(3, 40, 0.7) + weight(3, 100));
  };
  const auto plain = response_at(file(false).structure, 3.4, 9);
  const auto turned = response_at(file(true).structure, 3.4, 9);
  ASSERT_EQ(plain.at.size(), 1U);
  ASSERT_EQ(turned.at.size(), 1U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(turned.at[0].first[i].amplitude, plain.at[0].first[i].amplitude,
                1e-7 * plain.at[0].first[i].amplitude);
}

// ------------------------------------------------------------------------------------------- losses

/// ut = A cos θ and un = B cos θ: every side of the loop of ft against ut is a straight line, because the limit
/// is linear in ut. The area of that polygon is the loss; fn is a function of un and takes nothing.
TEST(ContactInStructures, the_loss_of_a_normal_motion_in_phase_is_a_polygon) {
  const double kt = 3, kn = 5, mu = 0.6, N0 = 2, A = 1.3;
  const auto joint =
      vector_joint(make({"contact", {{"kt", kt}, {"kn", kn}, {"mu", mu}, {"N0", N0}}, {}}));
  for (const double B : {-0.3, 0.1, 0.25}) {
    const double g = mu * kn * B / A;  // the limit is μN0 + g ut
    const auto limit = [&](double u) { return mu * N0 + g * u; };
    // Down from A it sticks until ft = −limit, up from −A until ft = limit.
    const double down = (kt * A - mu * N0 - limit(A)) / (kt + g);
    const double up = (mu * N0 + limit(-A) - kt * A) / (kt - g);
    const std::vector<std::array<double, 2>> corners{
        {A, limit(A)}, {down, -limit(down)}, {-A, -limit(-A)}, {up, limit(up)}};
    double area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto& [x, f] = corners[i];
      const auto& [next_x, next_f] = corners[(i + 1) % corners.size()];
      area += 0.5 * (x * next_f - next_x * f);
    }
    ASSERT_GT(std::abs(area), 0.1);
    dynamics::PeriodicInterface element(*joint, 3, {});
    Eigen::VectorXd input = Eigen::VectorXd::Zero(14);
    input[2] = A;
    input[3] = B;
    element.respond(input, {}, 1, false);
    EXPECT_NEAR(element.reply().energy, std::abs(area), 1e-12 * std::abs(area)) << B;
  }
}

// ----------------------------------------------------------------------------- in time, event by event

const std::string standing =
    "M = [1.0, 1.0]\nK = [[12.0, 0.0], [0.0, 21.0]]\nC = [[0.34641, 0.0], [0.0, 2.0]]\n[[joint]]\n"
    "model = \"contact\"\nset = { kt = 5.0, kn = 21.0, mu = 0.85, N0 = 0.0 }\n"
    "between = [[0, 1], [0, 2]]\n";

/// First harmonics of a motion over its last period.
Eigen::Vector2d first_harmonics(const dynamics::Structure& structure, double omega, int periods) {
  constexpr int rows = 2000;
  dynamics::TimeOptions options;
  options.until = periods * 2 * pi / omega;
  options.every_step = false;
  options.x0 = dynamics::static_equilibrium(structure).x;
  for (int i = 1; i <= rows; ++i)
    options.at.push_back(
        std::min(options.until, (periods - 1 + static_cast<double>(i) / rows) * 2 * pi / omega));
  const auto run = dynamics::integrate(structure, options);
  EXPECT_TRUE(run.message.empty()) << run.message;
  EXPECT_GT(run.events, 2 * periods);
  EXPECT_LT(std::abs(run.audit.error()), 1e-6 * run.audit.input);
  Eigen::Vector2cd sum(0, 0);
  std::size_t used = 0;
  for (std::size_t i = run.t.size() - rows; i < run.t.size(); ++i, ++used)
    sum += run.x[i] * std::polar(2.0 / rows, -omega * run.t[i]);
  EXPECT_EQ(used, static_cast<std::size_t>(rows));
  return sum.cwiseAbs();
}

/// Against tests/reference/contact.py, whose sums over a period of 2000 rows leave 1e-6.
TEST(ContactInStructures, motions_from_event_to_event_are_those_of_another_program) {
  struct Known {
    double omega, x, y;
  };
  for (const Known& at : {Known{2.0, 4.166000723482955, 4.897009562764551},
                          Known{3.8, 28.091440534793502, 7.192895585265127},
                          Known{6.0, 2.607575122186491, 12.639141893656191}}) {
    const auto file =
        file_of(standing + tone(1, 60, 0, at.omega) + tone(2, 160, 0.8, at.omega) + weight(2, 100));
    const Eigen::Vector2d first = first_harmonics(file.structure, at.omega, 80);
    EXPECT_NEAR(first[0], at.x, 2e-6 * at.x) << at.omega;
    EXPECT_NEAR(first[1], at.y, 2e-6 * at.y) << at.omega;
  }
  const auto slips =
      file_of(standing + tone(1, 300, 0, 3.8) + tone(2, 30, 0, 3.8) + weight(2, 100));
  const Eigen::Vector2d first = first_harmonics(slips.structure, 3.8, 80);
  EXPECT_NEAR(first[0], 104.54477537490381, 1e-5 * 104);
  EXPECT_NEAR(first[1], 1.049365766115227, 1e-5);
}

/// The mass of vector_joint_test.cpp, with as many digits as the closed form: flights are parabolas, the contact is
/// half a wave, and the slip along it takes μ times its impulse.
TEST(ContactInStructures, a_bouncing_mass_is_followed_to_nine_digits) {
  const double kn = 1e4, mu = 0.2, gap = 0.5, v0 = 3;
  const StructureFile file = file_of(
      "M = [1.0, 1.0]\nK = [[0.0, 0.0], [0.0, 0.0]]\n[[joint]]\nmodel = \"contact\"\n"
      "set = { kt = 1e4, kn = 1e4, mu = 0.2, N0 = -5000 }\nbetween = [[0, 1], [0, 2]]\n"
      "[[load]]\nkind = \"formula\"\nforce = \"1+0*t\"\ndof = 2\n");
  dynamics::TimeOptions options;
  options.until = 1.6;
  options.tolerance = 1e-11;
  options.v0 = Eigen::Vector2d(v0, 0);
  const auto run = dynamics::integrate(file.structure, options);
  ASSERT_TRUE(run.message.empty()) << run.message;
  const double fall = std::sqrt(2 * gap), v = fall, w = std::sqrt(kn);
  const double touch = 2 * (pi - std::atan(v * w)) / w;
  const double after = v0 - mu * (2 * v + touch), t = options.until - fall - touch;
  EXPECT_NEAR(run.v.back()[0], after, 2e-9);
  EXPECT_NEAR(run.x.back()[1], gap - v * t + 0.5 * t * t, 2e-9);
  // All that friction took.
  EXPECT_NEAR(run.audit.joints, 0.5 * (v0 * v0 - after * after), 1e-8);
  EXPECT_EQ(run.f.back(), Eigen::Vector2d::Zero());
}

/// A sum of contacts, and a joint of the other kind beside them.
TEST(ContactInStructures, several_contacts_are_followed_together) {
  const auto file = file_of(
      "M = [1.0, 1.0]\nK = [[12.0, 0.0], [0.0, 21.0]]\nC = [[0.3, 0.0], [0.0, 1.0]]\n"
      "[[joint]]\nmodel = \"contact(kt=3,kn=9,mu=0.5,N0=1)+contact(kt=2,kn=12,mu=0.9,N0=-2)\"\n"
      "between = [[0, 1], [0, 2]]\n[[joint]]\nmodel = \"jenkins\"\nset = { k = 3, phi = 2 }\n"
      "between = [0, 1]\n" +
      tone(1, 40, 0, 3) + tone(2, 30, 0.5, 3));
  dynamics::TimeOptions options;
  options.until = 20;
  options.at = {5, 10, 20};
  options.every_step = false;
  const auto events = dynamics::integrate(file.structure, options);
  ASSERT_TRUE(events.message.empty()) << events.message;
  EXPECT_LT(std::abs(events.audit.error()), 1e-7 * events.audit.input);
  options.method = dynamics::Method::newmark;
  options.step = 2e-4;
  options.at.clear();
  const auto steps = dynamics::integrate(file.structure, options);
  // Newmark's steps have an error of the second order.
  EXPECT_LT((events.x.back() - steps.x.back()).norm(), 1e-5 * steps.x.back().norm());
  EXPECT_NEAR(events.audit.joints, steps.audit.joints, 1e-4 * steps.audit.joints);
}

// ----------------------------------------------------------------------------- doubling of the period

/// A mass on a spring and, where x > 0, a second one: x'' + c x' + x + 9 max(0, x) = cos ωt, by the method of Runge
/// and Kutta in small steps. The amplitude at ω, and what is left at ω/2.
std::array<double, 2> two_springs(double omega, double c) {
  constexpr int steps = 2000, periods = 400;
  const double h = 2 * pi / omega / steps;
  const auto a = [&](double t, double x, double v) {
    return std::cos(omega * t) - c * v - x - 9 * std::max(0.0, x);
  };
  double x = 0, v = 0, at[4] = {};
  for (int i = 0; i < steps * periods; ++i) {
    const double t = i * h;
    const double v1 = v, a1 = a(t, x, v);
    const double v2 = v + h / 2 * a1, a2 = a(t + h / 2, x + h / 2 * v1, v2);
    const double v3 = v + h / 2 * a2, a3 = a(t + h / 2, x + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = a(t + h, x + h * v3, v4);
    x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (i < steps * (periods - 2)) continue;
    const double angle = omega * (t + h);
    at[0] += x * std::cos(angle) / steps;
    at[1] += x * std::sin(angle) / steps;
    at[2] += x * std::cos(angle / 2) / steps;
    at[3] += x * std::sin(angle / 2) / steps;
  }
  return {std::hypot(at[0], at[1]), std::hypot(at[2], at[3])};
}

TEST(ContactInStructures, a_joint_that_opens_doubles_the_period_and_says_so) {
  const double c = 0.2;
  // N0 = 0, and nothing moves along the surface.
  const auto file = file_of(
      "M = [1.0, 1.0]\nK = [1.0, 1.0]\nC = [[0.2, 0.0], [0.0, 0.2]]\n[[joint]]\n"
      "model = \"contact\"\nset = { kt = 1.0, kn = 9.0, mu = 0.3, N0 = 0.0 }\n"
      "between = [[0, 1], [0, 2]]\n" +
      tone(2, 1));
  for (const double omega : {1.2, 2.8}) {
    const auto once = response_at(file.structure, omega, 21);
    ASSERT_EQ(once.at.size(), 1U);
    EXPECT_EQ(once.at[0].stability,
              omega < 2 ? dynamics::Stability::stable : dynamics::Stability::doubling);
    EXPECT_EQ(once.at[0].subharmonic, 0);
  }
  const auto twice = response_at(file.structure, 2.8, 15, 2);
  ASSERT_EQ(twice.at.size(), 1U);
  const auto [first, half] = two_springs(2.8, c);
  ASSERT_GT(half, 0.1);
  const dynamics::ResponsePoint& point = twice.at[0];
  EXPECT_EQ(point.omega, 2.8);
  EXPECT_EQ(point.stability, dynamics::Stability::stable);
  EXPECT_NEAR(point.first[1].amplitude, first, 2e-4 * first);
  // Other multiples of ω/2 add to it: 3/2 is the next.
  EXPECT_GT(point.subharmonic, 0.999 * half);
  EXPECT_LT(point.subharmonic, 1.2 * half);
  EXPECT_LT(twice.energy_balance, 1e-7);
}

/// Below the doubling the motion over two periods is that over one.
TEST(ContactInStructures, two_periods_of_a_motion_that_takes_one_are_the_same_motion) {
  const auto file = file_of(standing + tone(1, 60) + tone(2, 160, 0.8) + weight(2, 100));
  const auto once = response_at(file.structure, 2.0, 9);
  const auto twice = response_at(file.structure, 2.0, 9, 2);
  ASSERT_EQ(once.at.size(), 1U);
  ASSERT_EQ(twice.at.size(), 1U);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(twice.at[0].first[i].amplitude, once.at[0].first[i].amplitude,
                1e-8 * once.at[0].first[i].amplitude);
  EXPECT_NEAR(twice.at[0].energy[0], once.at[0].energy[0], 1e-7 * once.at[0].energy[0]);
  EXPECT_NEAR(twice.at[0].lost, once.at[0].lost, 1e-7 * once.at[0].lost);
  EXPECT_LT(twice.at[0].subharmonic, 1e-7);
}

// ----------------------------------------------------------------------- small and large amplitudes

/// Slip begins at ut = μ N/kt = 0.4. Far below it is a spring; far beyond, friction is nothing against springs.
TEST(ContactInStructures, modes_go_from_far_below_slip_to_far_beyond) {
  const auto file = file_of(
      "M = [1.0, 1.0]\nK = [3.0, 21.0]\n[[joint]]\nmodel = \"contact\"\n"
      "set = { kt = 5.0, kn = 21.0, mu = 0.5, N0 = 0.0 }\nbetween = [[0, 1], [0, 2]]\n" +
      weight(2, 8));
  dynamics::ModeOptions options;
  options.mode = 1;
  options.from = 4e-9;
  options.to = 4e2;
  options.harmonics = 3;
  const auto curve = dynamics::nonlinear_mode(file.structure, options);
  EXPECT_EQ(curve.end, dynamics::CurveEnd::reached);
  ASSERT_FALSE(curve.points.empty());
  EXPECT_NEAR(curve.points.front().omega, std::sqrt(8.0), 1e-9);
  EXPECT_LT(std::abs(curve.points.front().zeta), 1e-9);
  EXPECT_NEAR(curve.points.back().omega, std::sqrt(3.0), 1e-2);
}

TEST(ContactInStructures, small_loads_give_the_linear_response) {
  for (const double size : {1e-8, 1e-4}) {
    const auto file = file_of(standing + tone(1, size) + tone(2, 0.1 * size) + weight(2, 100));
    const auto response = response_at(file.structure, 3.8, 3);
    ASSERT_EQ(response.at.size(), 1U) << size;
    // Stuck: 12 + 5 and 21 + 21.
    EXPECT_NEAR(response.at[0].first[0].amplitude, size / std::hypot(17 - 3.8 * 3.8, 0.34641 * 3.8),
                1e-6 * size);
    EXPECT_NEAR(response.at[0].first[1].amplitude, 0.1 * size / std::hypot(42 - 3.8 * 3.8, 2 * 3.8),
                1e-7 * size);
  }
}

// ------------------------------------------------------------------------------------ files and frames

class ContactFiles : public ::testing::Test {
 protected:
  ContactFiles()
      : folder_(std::filesystem::temp_directory_path() /
                (std::string("microslip_contact_") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
    // Two nodes with three directions each.
    io::write_file(folder_ / "k.dof", "17.1\n17.2\n17.3\n20.1\n20.2\n20.3\n");
    std::string masses, springs;
    for (int i = 1; i <= 6; ++i) {
      const std::string place = std::to_string(i) + " " + std::to_string(i) + " ";
      masses += place + "1.0\n";
      springs += place + std::to_string(10 + i) + ".0\n";
    }
    io::write_file(folder_ / "k.mas", masses);
    io::write_file(folder_ / "k.sti", springs);
  }
  ~ContactFiles() override { std::filesystem::remove_all(folder_); }

  StructureFile parse(const std::string& joint) {
    return parse_structure("M = \"k.mas\"\nK = \"k.sti\"\n" + joint, folder_ / "s.toml");
  }
  static Eigen::MatrixXd rows(const dynamics::InterfaceElement& joint) {
    Eigen::MatrixXd all(joint.w.size(), joint.w[0].size());
    for (std::size_t i = 0; i < joint.w.size(); ++i)
      all.row(static_cast<Index>(i)) = joint.w[i].dense().transpose();
    return all;
  }
  std::filesystem::path folder_;
};

TEST_F(ContactFiles, nodes_are_pairs_in_their_directions) {
  const auto pairs = parse(
      "[[joint]]\nmodel = \"contact-planar\"\n"
      "between = [[\"17.1\", \"20.1\"], [\"17.2\", \"20.2\"], [\"17.3\", \"20.3\"]]\n");
  const auto nodes = parse("[[joint]]\nmodel = \"contact-planar\"\nnodes = [17, 20]\n");
  EXPECT_EQ(rows(nodes.structure.interfaces[0]), rows(pairs.structure.interfaces[0]));
  const auto some =
      parse("[[joint]]\nmodel = \"contact\"\nnodes = [17, 20]\ncomponents = [3, 1]\n");
  EXPECT_EQ(rows(some.structure.interfaces[0]),
            (Eigen::MatrixXd(2, 6) << 0, 0, -1, 0, 0, 1, -1, 0, 0, 1, 0, 0).finished());
  const auto ground =
      parse("[[joint]]\nmodel = \"contact\"\nnodes = [0, 20]\ncomponents = [1, 2]\n");
  EXPECT_EQ(rows(ground.structure.interfaces[0]),
            (Eigen::MatrixXd(2, 6) << 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0).finished());
}

TEST_F(ContactFiles, axes_turn_the_directions_of_the_nodes) {
  const auto file = parse(
      "[[joint]]\nmodel = \"contact-planar\"\nnodes = [17, 20]\n"
      "axes = [[0.6, 0.8, 0], [0, 0, 1], [0.8, -0.6, 0]]\n");
  EXPECT_TRUE(rows(file.structure.interfaces[0])
                  .isApprox((Eigen::MatrixXd(3, 6) << -0.6, -0.8, 0, 0.6, 0.8, 0, 0, 0, -1, 0, 0, 1,
                             -0.8, 0.6, 0, 0.8, -0.6, 0)
                                .finished(),
                            1e-12));
}

/// The normal points from the first node to the second: they press where the second moves against it.
TEST_F(ContactFiles, a_normal_presses_where_the_nodes_approach) {
  const auto file =
      parse("[[joint]]\nmodel = \"contact-planar\"\nnodes = [17, 20]\nnormal = [0, 3, 4]\n");
  const dynamics::InterfaceElement& joint = file.structure.interfaces[0];
  Eigen::VectorXd x = Eigen::VectorXd::Zero(6);
  x.tail(3) << 0, -0.3, -0.4;
  const Eigen::VectorXd u = dynamics::displacements(joint, x);
  EXPECT_NEAR(u[2], 0.5, 1e-14);
  EXPECT_NEAR(u.head(2).norm(), 0, 1e-14);
  const Eigen::MatrixXd second = rows(joint).rightCols(3);
  EXPECT_TRUE((second * second.transpose()).isIdentity(1e-12));
  EXPECT_EQ(rows(joint).leftCols(3), -second);
}

TEST_F(ContactFiles, a_table_of_joints_has_nodes_and_components) {
  io::write_file(folder_ / "joints.csv",
                 "model, name, from, to, components, kt, kn, mu, N0\n"
                 "contact-planar, upper, 17, 20, 1 2 3, 5, 7, 0.3, 2\n"
                 "contact, lower, 0, 17, 2 1, 4, 6, 0.2, 1\n"
                 "jenkins, side, 0, 20.1,, , , ,\n");
  const auto file = parse("joints = \"joints.csv\"\n");
  ASSERT_EQ(file.structure.interfaces.size(), 2U);
  ASSERT_EQ(file.structure.joints.size(), 1U);
  EXPECT_EQ(file.structure.interfaces[0].name, "upper");
  EXPECT_EQ(rows(file.structure.interfaces[0]),
            (Eigen::MatrixXd(3, 6) << -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1)
                .finished());
  EXPECT_EQ(rows(file.structure.interfaces[1]),
            (Eigen::MatrixXd(2, 6) << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0).finished());
  const AnyModel& lower = *file.structure.interfaces[1].law->model();
  EXPECT_EQ(std::get<double>(lower.parameters().at("kn")), 6);
}

/// Ground that moves in x and y by records: seen from it, inertia forces −m a act on a mass with isotropic
/// springs, so that a motion of the ground along a line turned by 0.5 gives that line.
TEST_F(ContactFiles, the_ground_moves_in_two_directions_by_a_record) {
  std::string record = "t,ax,ay\n";
  for (int i = 0; i <= 400; ++i) {
    const double t = 0.025 * i, a = std::sin(2 * t) * std::exp(-0.2 * t);
    record += number_text(t) + "," + number_text(a * std::cos(0.5)) + "," +
              number_text(a * std::sin(0.5)) + "\n";
  }
  io::write_file(folder_ / "ground.csv", record);
  const std::string law = "jenkins-planar\"\nset = { k = 4.0, phi = 0.3 }\n";
  const auto two = parse_structure(
      "M = [1.0, 1.0]\nK = [2.0, 2.0]\n[[joint]]\nmodel = \"" + law +
          "between = [[0, 1], [0, 2]]\n"
          "[[load]]\nkind = \"base\"\nalong = [1, 0]\nfile = \"ground.csv\"\ncolumn = \"ax\"\n"
          "[[load]]\nkind = \"base\"\nalong = [0, 1]\nfile = \"ground.csv\"\ncolumn = \"ay\"\n",
      folder_ / "s.toml");
  const auto one = file_of(
      "M = [1.0]\nK = [2.0]\n[[joint]]\nmodel = \"jenkins\"\nset = { k = 4.0, phi = 0.3 }\n"
      "between = [0, 1]\n[[load]]\nkind = \"formula\"\ndof = 1\n"
      "force = \"-sin(2*t)*exp(-0.2*t)\"\n");
  dynamics::TimeOptions options;
  options.until = 9;
  options.tolerance = 1e-6;
  options.every_step = false;
  const auto plane = dynamics::integrate(two.structure, options);
  const auto line = dynamics::integrate(one.structure, options);
  const double x = line.x.back()[0];
  ASSERT_GT(std::abs(x), 0.01);
  // The record is straight between its rows: 0.025²/8 of the curvature.
  EXPECT_NEAR(plane.x.back()[0], x * std::cos(0.5), 2e-3 * std::abs(x));
  EXPECT_NEAR(plane.x.back()[1], x * std::sin(0.5), 2e-3 * std::abs(x));
}

}  // namespace contact_in_structures_test
}  // namespace microslip::catalog
