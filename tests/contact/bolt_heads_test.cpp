#include <gtest/gtest.h>

#include <cmath>

#include "contact/lap_joints.hpp"
#include "microslip/contact/lap_joint.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/friction/solver.hpp"
#include "support/message_of.hpp"

// Friction under the heads of bolts: docs/joint.md.

namespace microslip::contact {
namespace bolt_heads_test {

Clamping bolt(double head_mu, double shear_stiffness, double force = 2000) {
  return {.bolts = {{.force = force,
                     .at = 10,
                     .washer = 7,
                     .head_mu = head_mu,
                     .shear_stiffness = shear_stiffness}}};
}

// Without friction between the plates the bolt alone holds them: its spring stands in series with
// the plates, and it slips at head_mu times its force, as a Jenkins element.
TEST(BoltHeads, alone_are_a_spring_in_series_with_the_plates_and_a_slider) {
  const auto stiffness = [](double k) { return LapJoint(plates(), bolt(0.1, k), 0).tied().c0; };
  const double rest = 1 / stiffness(1e4) - 1e-4;  // of the plates
  EXPECT_GT(rest, 0);
  for (const double k : {3e2, 1e5, 1e8}) EXPECT_NEAR(1 / stiffness(k) - 1 / k, rest, 1e-7 * rest);

  const LapJoint joint(plates(), bolt(0.1, 1e4), 0);
  const double k = stiffness(1e4), phi = 0.1 * 2000, A = 3 * phi / k;
  const auto u = cycles(A, 40, 3);
  const Loop loop = tied_loop(joint, u);
  EXPECT_NEAR(loop.f[1], k * u[1], 1e-9 * phi);
  EXPECT_NEAR(loop.f[10], phi, 1e-9 * phi);
  EXPECT_NEAR(loop.f[30], -phi, 1e-9 * phi);
  EXPECT_NEAR(loop.energy[120] - loop.energy[80], 4 * phi * (A - phi / k), 1e-9 * phi * A);
}

TEST(BoltHeads, add_their_friction_to_that_of_the_interface) {
  const LapJoint joint(plates(), bolt(0.15, 1e5), 0.25);
  ASSERT_EQ(joint.heads().size(), 1u);
  ASSERT_EQ(joint.problem().nodes(), joint.nodes() + 1);
  const Vector P = joint.contact_forces();
  EXPECT_NEAR(P[joint.nodes()], 2000, 1e-9);
  const double limit = 0.25 * P.head(joint.nodes()).sum() + 0.15 * 2000;
  const Loop loop = tied_loop(joint, {0.5, -0.5});
  EXPECT_NEAR(loop.f[0], limit, 1e-9 * limit);
  EXPECT_NEAR(loop.f[1], -limit, 1e-9 * limit);
}

// A head that does not slip is a spring beside the interface: once all of the interface slips, the
// slope is that of the bolt alone.
TEST(BoltHeads, that_stick_are_a_spring) {
  const double k = 2e4;
  const Loop loop = tied_loop(LapJoint(plates(), bolt(1e3, k), 0.25), {0.5, 0.6});
  const double alone = LapJoint(plates(), bolt(1e3, k), 0).tied().c0;
  EXPECT_NEAR((loop.f[1] - loop.f[0]) / 0.1, alone, 1e-7 * alone);
}

TEST(BoltHeads, without_friction_leave_the_loop_as_it_is) {
  for (const Support support : {Support::axial, Support::bending}) {
    const auto u = cycles(support == Support::axial ? 0.02 : 0.4);
    const Loop plain = tied_loop(LapJoint(plates(support), bolt(0, 0), 0.2), u);
    const Loop none = tied_loop(LapJoint(plates(support), bolt(0, 1e5), 0.2), u);
    // In bending a force between the outer faces counts about 20 times at the end of the plate.
    const Loop little = tied_loop(LapJoint(plates(support), bolt(1e-7, 1e5), 0.2), u);
    for (std::size_t i = 0; i < u.size(); ++i) {
      EXPECT_EQ(none.f[i], plain.f[i]);
      EXPECT_NEAR(little.f[i], plain.f[i], 25 * 1e-7 * 2000);
    }
  }
}

// Stuck plates bend as one beam, whose sections stay straight: the bolt turns with them and is not
// sheared, however stiff it is. Without the slope of the faces in δ it would be, and the joint 12 times as stiff.
TEST(BoltHeads, turn_with_the_joint) {
  LapPlates p = plates(Support::bending);
  p.nu = 0;
  const double without = LapJoint(p, bolt(0, 0), 0.2).condensed().c0();
  const double with = LapJoint(p, bolt(0.2, 1e7), 0.2).condensed().c0();
  EXPECT_GE(with, without);
  EXPECT_NEAR(with / without, 1, 0.02);
}

TEST(BoltHeads, lose_what_the_loop_encloses) {
  for (const Support support : {Support::axial, Support::bending})
    for (const bool open : {false, true}) {
      const auto u = cycles(support == Support::axial ? 0.04 : 0.5, 400, 2);
      const LapJoint joint(plates(support), bolt(0.15, 1e5), 0.2);
      const Loop loop = open ? open_loop(joint, u) : tied_loop(joint, u);
      double area = 0;
      for (std::size_t i = 401; i < u.size(); ++i)
        area += 0.5 * (loop.f[i] + loop.f[i - 1]) * (u[i] - u[i - 1]);
      const double lost = loop.energy.back() - loop.energy[400];
      ASSERT_GT(lost, 0);
      EXPECT_NEAR(area, lost, 2e-3 * lost) << (open ? "unilateral" : "tied");
    }
}

// Friction limits follow the bolt force, so that preload and motion scale together.
TEST(BoltHeads, scale_with_the_preload) {
  const double scale = 2.5;
  for (const bool open : {false, true}) {
    const LapJoint one(plates(), bolt(0.15, 1e5), 0.2), more(plates(), bolt(0.15, 1e5, 5000), 0.2);
    const auto u = cycles(0.02), wide = cycles(0.02 * scale);
    const Loop a = open ? open_loop(one, u) : tied_loop(one, u);
    const Loop b = open ? open_loop(more, wide) : tied_loop(more, wide);
    for (std::size_t i = 0; i < u.size(); ++i)
      EXPECT_NEAR(b.f[i], scale * a.f[i], 1e-8 * std::abs(a.f[10]));
  }
}

TEST(BoltHeads, say_what_is_wrong) {
  const auto message = [](const Clamping& clamping) {
    return testing::message_of([&] { LapJoint(plates(), clamping, 0.2); });
  };
  EXPECT_EQ(message(bolt(-0.1, 1e5)), "bolt 1: head_mu = -0.1 must not be negative");
  EXPECT_EQ(message(bolt(0.1, 0)), "bolt 1: shear_stiffness = 0 must be positive where head_mu is");
}

}  // namespace bolt_heads_test
}  // namespace microslip::contact
