#include "microslip/contact/lap_joint.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "contact/lap_joints.hpp"
#include "microslip/contact/rectangle.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/friction/solver.hpp"
#include "support/message_of.hpp"

namespace microslip::contact {
namespace lap_joint_test {

const Clamping uniform{.pressure = [](double) { return 20.0; }};

Matrix tangential(const Matrix& K) {
  const Index n = K.rows() / 2;
  return K(Eigen::seqN(1, n, 2), Eigen::seqN(1, n, 2));
}
Vector tangential(const Vector& b) { return b(Eigen::seqN(1, b.size() / 2, 2)); }

// Linear displacements are reproduced with the stress of Hooke's law, rigid motions without any.
TEST(Rectangle, passes_the_patch_test) {
  for (const Plane plane : {Plane::stress, Plane::strain}) {
    const Rectangle r{
        .width = 0.7, .height = 0.3, .thickness = 2, .E = 70, .nu = 0.3, .plane = plane};
    const ElementMatrix K = rectangle_stiffness(r);
    const double x[4] = {0, r.width, r.width, 0}, z[4] = {0, 0, r.height, r.height};
    Eigen::Matrix<double, 8, 1> stretch, rotation;
    for (int n = 0; n < 4; ++n) {
      stretch[2 * n] = 0.01 * x[n];
      stretch[2 * n + 1] = 0;
      rotation[2 * n] = -z[n];
      rotation[2 * n + 1] = x[n];
    }
    EXPECT_LT((K * rotation).norm(), 1e-12 * K.norm());
    const double E = plane_modulus(r.E, r.nu, plane), nu = plane_ratio(r.nu, plane);
    const double sx = 0.01 * E / (1 - nu * nu), sz = nu * sx;
    const auto f = (K * stretch).eval();
    EXPECT_NEAR(f[2], sx * r.height * r.thickness / 2, 1e-13);
    EXPECT_NEAR(f[4], sx * r.height * r.thickness / 2, 1e-13);
    EXPECT_NEAR(f[5], sz * r.width * r.thickness / 2, 1e-13);
    EXPECT_NEAR(f[1], -sz * r.width * r.thickness / 2, 1e-13);
  }
}

// Bending by a constant moment: the energy of an element is M²L/2EI with no locking.
TEST(Rectangle, is_exact_in_bending) {
  const Rectangle r{
      .width = 5, .height = 0.3, .thickness = 2, .E = 70, .nu = 0.3, .plane = Plane::stress};
  Eigen::Matrix<double, 8, 1> u = Eigen::Matrix<double, 8, 1>::Zero();
  const double curvature = 0.01, x = r.width / 2, z = r.height / 2;
  u[0] = -curvature * x * z, u[2] = curvature * x * z, u[4] = -u[2], u[6] = -u[0];
  const double I = r.thickness * std::pow(r.height, 3) / 12;
  EXPECT_NEAR(0.5 * u.dot(rectangle_stiffness(r) * u),
              0.5 * r.E * I * curvature * curvature * r.width, 1e-14);
}

// Moving the drive and slipping everywhere as far is a motion of the upper plate as a whole.
TEST(LapJoint, slides_freely_without_force) {
  const LapJoint joint(plates(), uniform, 0.3);
  const Matrix K = tangential(joint.problem().K());
  const Vector b = tangential(joint.problem().b());
  const Vector ones = Vector::Ones(b.size());
  EXPECT_LT((K * ones - b).norm(), 1e-9 * b.norm());
  EXPECT_NEAR(b.sum(), joint.condensed().c0(), 1e-8 * b.sum());
}

// Slender plates: bars in series, with both plates side by side along the overlap.
TEST(LapJoint, is_a_bar_where_it_is_slender) {
  LapPlates p = plates(Support::axial, {400, 2});
  p.length = 800;
  p.overlap = 400;
  p.nu = 0;
  const double EA = p.E * p.thickness * p.width;
  const double compliance = (2 * 400 + 400 / 2.0) / EA;
  EXPECT_NEAR(LapJoint(p, uniform, 0.3).condensed().c0() * compliance, 1, 0.005);
}

// A cantilever with three parts, by the energy of bending and shear; the overlap has the thickness
// of both plates when stuck, and bends as two plates when it slips freely.
TEST(LapJoint, is_a_cantilever_where_it_is_slender) {
  LapPlates p = plates(Support::bending, {200, 4});
  p.length = 400;
  p.overlap = 150;
  const LapJoint joint(p, uniform, 0.3);
  const double I = p.width * std::pow(p.thickness, 3) / 12, free = p.length - p.overlap;
  const auto part = [](double from, double to) {
    return (std::pow(to, 3) - std::pow(from, 3)) / 3;
  };
  const auto compliance = [&](double I_overlap) {
    return (part(0, free) / I + part(free, free + p.overlap) / I_overlap +
            part(p.length, p.length + free) / I) /
           p.E;
  };
  EXPECT_NEAR(joint.condensed().c0() * compliance(8 * I), 1, 0.004);
  const Matrix K = tangential(joint.problem().K());
  const Vector b = tangential(joint.problem().b());
  const double slipping = joint.condensed().c0() - b.dot(K.ldlt().solve(b));
  EXPECT_NEAR(slipping * compliance(2 * I), 1, 0.004);
}

// All of the overlap slips at f = μ ∫p: one slider, whatever happens on the way.
TEST(LapJoint, macroslip_is_the_whole_friction) {
  const LapJoint joint(plates(), {.pressure = [](double x) { return 3 * x * (20 - x) / 20; }},
                       0.25);
  const Loop loop = tied_loop(joint, {0.5, -0.5});
  const double limit = 0.25 * 10 * 3 * std::pow(20, 3) / 6 / 20;
  EXPECT_NEAR(loop.f[0], limit, 1e-9 * limit);
  EXPECT_NEAR(loop.f[1], -limit, 1e-9 * limit);
}

TEST(LapJoint, unilateral_macroslip_is_the_friction_of_its_contact_forces) {
  const LapJoint joint(plates(), uniform, 0.25);
  Solver solver(joint.problem());
  ASSERT_EQ(solver.preload(), Status::ok);
  ASSERT_EQ(solver.advance(0.3), Status::ok) << solver.trouble();
  double P = 0;
  for (Index i = 0; i < joint.nodes(); ++i) P -= solver.T()[2 * i];
  // The plates carry a part of the pressure beside the overlap.
  EXPECT_NEAR(P, 20 * 20 * 10, 400);
  EXPECT_NEAR(joint.force(0.3, solver.xi()), 0.25 * P, 1e-8 * P);
}

// With tied normals friction and motion scale together: f(λu; λμ) = λ f(u; μ), energy by λ².
TEST(LapJoint, friction_and_motion_scale_together) {
  for (const Support support : {Support::axial, Support::bending}) {
    const double amplitude = support == Support::axial ? 0.02 : 0.5, scale = 2.5;
    const Loop one = tied_loop(LapJoint(plates(support), uniform, 0.2), cycles(amplitude));
    const Loop other =
        tied_loop(LapJoint(plates(support), uniform, 0.2 * scale), cycles(amplitude * scale));
    ASSERT_GT(one.energy.back(), 0);
    for (std::size_t i = 0; i < one.f.size(); ++i) {
      EXPECT_NEAR(other.f[i], scale * one.f[i], 1e-9 * std::abs(one.f[10]));
      EXPECT_NEAR(other.energy[i], scale * scale * one.energy[i], 1e-9 * one.energy.back());
    }
  }
}

// Work of a closed cycle is what friction lost in it. Between rows the force is not quite linear.
TEST(LapJoint, the_loop_encloses_what_friction_loses) {
  for (const Support support : {Support::axial, Support::bending})
    for (const bool open : {false, true}) {
      const double amplitude = support == Support::axial ? 0.02 : 0.5;
      const auto u = cycles(amplitude, 400, 2);
      const LapJoint joint(plates(support), uniform, 0.2);
      const Loop loop = open ? open_loop(joint, u) : tied_loop(joint, u);
      double area = 0;
      for (std::size_t i = 401; i < u.size(); ++i)
        area += 0.5 * (loop.f[i] + loop.f[i - 1]) * (u[i] - u[i - 1]);
      const double lost = loop.energy.back() - loop.energy[400];
      ASSERT_GT(lost, 0);
      EXPECT_NEAR(area, lost, 2e-3 * lost) << (open ? "unilateral" : "tied");
    }
}

TEST(LapJoint, converges_with_the_mesh) {
  const auto energy = [](std::array<int, 2> mesh) {
    return tied_loop(LapJoint(plates(Support::axial, mesh), uniform, 0.2), cycles(0.02))
        .energy.back();
  };
  const double coarse = energy({20, 2}), middle = energy({40, 4}), fine = energy({80, 8});
  EXPECT_LT(std::abs(fine - middle), 0.6 * std::abs(middle - coarse));
  EXPECT_LT(std::abs(fine - middle), 0.03 * fine);
}

TEST(LapJoint, an_odd_number_of_elements_through_the_thickness_drives_the_middle_too) {
  const double even = LapJoint(plates(Support::bending, {80, 4}), uniform, 0.2).condensed().c0();
  const double odd = LapJoint(plates(Support::bending, {80, 5}), uniform, 0.2).condensed().c0();
  EXPECT_NEAR(odd / even, 1, 0.01);
}

// Under the washer of a bolt the plates press together, and away from it they separate.
TEST(LapJoint, a_bolt_presses_only_around_itself) {
  const LapJoint joint(plates(Support::bending, {80, 6}), {.bolts = {{2000, 10, 6}}}, 0.2);
  const Vector P = joint.contact_forces();
  EXPECT_NEAR(P.sum(), 2000, 0.1);  // the plates, held at both ends, carry the rest
  EXPECT_EQ(P[0], 0);
  EXPECT_GT(P[joint.nodes() / 2], 0);
  const TiedInterface tied = joint.tied();
  EXPECT_EQ(tied.points.size() + tied.free.size(), std::size_t(joint.nodes()));
  EXPECT_GT(tied.free.size(), 4u);
  const Loop closed = tied_loop(joint, cycles(0.3)), open = open_loop(joint, cycles(0.3));
  EXPECT_GT(open.energy.back(), 0);
  EXPECT_GT(closed.energy.back(), 0);
}

// Free points follow the sliders: the tied interface is the one with their limits at nearly zero.
TEST(LapJoint, points_without_pressure_slide_freely) {
  const auto pressure = [](double beside) {
    return [beside](double x) { return x > 5 && x < 15 ? 20.0 : beside; };
  };
  const auto u = cycles(0.02);
  const Loop none = tied_loop(LapJoint(plates(), {.pressure = pressure(0)}, 0.2), u);
  const Loop little = tied_loop(LapJoint(plates(), {.pressure = pressure(1e-9)}, 0.2), u);
  for (std::size_t i = 0; i < u.size(); ++i)
    EXPECT_NEAR(none.f[i], little.f[i], 1e-6 * std::abs(none.f[10]));
}

TEST(LapJoint, other_units_give_the_same_loop) {
  const LapPlates mm = plates();
  LapPlates m = mm;
  for (double* x : {&m.length, &m.overlap, &m.thickness, &m.width}) *x *= 1e-3;
  m.E *= 1e6;
  const auto u = cycles(0.02);
  std::vector<double> u_m = u;
  for (double& x : u_m) x *= 1e-3;
  const Loop a = open_loop(LapJoint(mm, uniform, 0.2), u);
  const Loop b = open_loop(LapJoint(m, {.pressure = [](double) { return 20e6; }}, 0.2), u_m);
  for (std::size_t i = 0; i < u.size(); ++i) {
    EXPECT_NEAR(a.f[i], b.f[i], 1e-8 * std::abs(a.f[10]));
    EXPECT_NEAR(a.energy[i], b.energy[i] * 1e3, 1e-8 * a.energy.back());
  }
}

TEST(LapJoint, says_what_is_wrong) {
  const auto message = [](const LapPlates& p, const Clamping& clamping = uniform, double mu = 0.3) {
    return testing::message_of([&] { LapJoint(p, clamping, mu); });
  };
  LapPlates p = plates();
  p.overlap = 40;
  EXPECT_EQ(message(p), "plates.overlap = 40 must be less than plates.length = 40");
  p = plates();
  p.nu = 0.5;
  EXPECT_EQ(message(p), "plates.nu = 0.5 must lie in (-1, 0.5)");
  EXPECT_EQ(message(plates(), {}),
            "the joint has neither a pressure nor a bolt; give contact.pressure or [[bolt]]");
  EXPECT_EQ(message(plates(), {.bolts = {{100, 1, 4}}}),
            "bolt 1: at = 1 with washer = 4 must lie inside the overlap, from 0 to 20");
  EXPECT_EQ(
      message(plates(), {.pressure = [](double x) { return x < 12 ? 1.0 : -1.0; }}).substr(0, 27),
      "contact.pressure = -1 at x ");
  EXPECT_EQ(message(plates(), {.pressure = [](double) { return 0.0; }}),
            "contact.pressure is zero along the whole overlap; there must be a contact pressure");
  EXPECT_EQ(testing::message_of([&] { LapJoint(plates(), uniform, 0).tied(); }),
            "contact.mu = 0 must be positive with normal = \"tied\"");
}

// Under a first preload all nodes may change together. The active set alone found no solution for
// a small washer; friction that grows from nothing does.
TEST(LapJoint, a_bolt_with_a_small_washer_presses_plates_that_may_separate) {
  for (const double washer : {6.0, 8.0, 12.0}) {
    LapPlates p = plates(Support::axial, {60, 4});
    const LapJoint joint(p, {.bolts = {{2000, 10, washer}}}, 0.2);
    Solver solver(joint.problem());
    ASSERT_EQ(solver.preload(), Status::ok) << washer << ": " << solver.trouble();
    double P = 0, limit = 0;
    for (Index i = 0; i < joint.nodes(); ++i) {
      P -= solver.T()[2 * i];
      EXPECT_LE(solver.T()[2 * i], 1e-9 * 2000);
      limit = std::max(limit, std::abs(solver.T()[2 * i + 1]) + 0.2 * solver.T()[2 * i]);
    }
    EXPECT_NEAR(P, 2000, 100) << washer;  // the held end carries the rest
    EXPECT_LE(limit, 1e-9 * 2000);
  }
}

}  // namespace lap_joint_test
}  // namespace microslip::contact
