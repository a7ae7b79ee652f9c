#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/message_of.hpp"

namespace microslip::catalog {
namespace series_test {

using testing::message_of;

const std::vector<double> motion{0.4, -0.3, 0.9, 0.1, 0.7, -2.0, 0.0, 0.05, -0.05, 1.5};

AnyModel law(const std::string& text) { return make({text, {}, {}}); }

/// Force, energy and what is stored along a motion are those of another law.
void expect_same(const AnyModel& a, const AnyModel& b, const std::vector<double>& path,
                 double tolerance, bool kinks = true) {
  AnyState at = a.rest(), other = b.rest();
  for (const double u : path) {
    for (const int direction : {-1, 1}) {
      const double kink = a.next_kink(at, direction), expected = b.next_kink(other, direction);
      if (kinks && std::isfinite(expected)) {
        EXPECT_NEAR(kink, expected, tolerance) << u << direction;
      }
    }
    const Response<double> left = a.step(at, u, 0, at), right = b.step(other, u, 0, other);
    EXPECT_EQ(left.status, Status::ok);
    EXPECT_NEAR(left.force, right.force, tolerance) << u;
    EXPECT_NEAR(left.tangent, right.tangent, tolerance) << u;
    EXPECT_NEAR(left.dissipated, right.dissipated, tolerance) << u;
    EXPECT_NEAR(a.stored(at), b.stored(other), tolerance) << u;
  }
}

TEST(Series, a_spring_makes_a_jenkins_element_softer) {
  // k in series with 1/c is k/(1 + c k), and the slip force stays.
  expect_same(law("series(jenkins(k=2,phi=0.5), compliance=0.3)"), law("jenkins(k=1.25,phi=0.5)"),
              motion, 1e-14);
}

TEST(Series, rigid_friction_and_a_spring_are_an_element_of_iwan) {
  const AnyModel model = law("series(prager(k=0.8,phi=0.5), compliance=0.25)");
  EXPECT_FALSE(model.rigid());
  expect_same(
      model, law("iwan-series-parallel(k0=4,k=[0.8],phi=[0.5])"), motion, 1e-14,
      false);  // Masing's rules also name places where straight pieces meet without a corner
}

TEST(Series, one_state_driven_by_force_is_prager_friction) {
  // s = b f − K q within ±√A: rigid up to f = √A/b, then the stiffness K/b².
  const AnyModel model = by_displacement(make({"ellipsoid",
                                               {{"A", Matrix<double>::Constant(1, 1, 0.25).eval()},
                                                {"K", Matrix<double>::Constant(1, 1, 1.8).eval()},
                                                {"b", std::vector{1.5}}},
                                               {}}));
  EXPECT_TRUE(model.rigid());
  EXPECT_EQ(model.description().driven, Driven::displacement);
  const AnyModel expected = law("prager(k=0.8,phi=0.33333333333333333)");
  AnyState at = model.rest(), other = expected.rest();
  AnyState scratch = at, spare = other;
  for (const double u : motion) {
    EXPECT_NEAR(model.step(at, u, 0, at).force, expected.step(other, u, 0, other).force, 1e-14);
    EXPECT_NEAR(model.stored(at), expected.stored(other), 1e-14);
    for (const int side : {-1, 1})
      for (const double ahead : {0.0, 0.2}) {
        Sliding sliding;
        sliding.side = side;
        sliding.u = u + side * ahead;
        const auto mine = model.slip(at, sliding, scratch);
        const auto theirs = expected.slip(other, sliding, spare);
        EXPECT_NEAR(mine.force, theirs.force, 1e-14) << u << ' ' << side;
        EXPECT_NEAR(mine.by_u, theirs.by_u, 1e-9) << u << ' ' << side;
      }
  }
}

TEST(Series, a_slip_front_follows_the_root_of_the_displacement_and_then_slides) {
  const AnyModel model = by_displacement(law("slip-front(EA=3,t=0.5,p=0,ell=4)"));
  EXPECT_FALSE(model.rigid());
  AnyState state = model.rest();
  for (const double u : {1e-9, 0.01, 0.3, 1.3})
    EXPECT_NEAR(model.step(model.rest(), u, 0, state).force, std::sqrt(2 * 3 * 0.5 * u), 1e-13);
  // Macroslip at F = t ell = 2, u = F ell/(2 EA) = 4/3; then the force stays and all work is lost.
  // The largest force that a law carries is found to 1e-12.
  EXPECT_NEAR(model.next_kink(model.rest(), 1), 4.0 / 3, 1e-11);
  state = model.rest();
  const double lost = model.step(state, 4.0 / 3, 0, state).dissipated;
  const Response<double> reply = model.step(state, 2.0, 0, state);
  EXPECT_NEAR(reply.force, 2, 1e-11);
  EXPECT_NEAR(reply.dissipated, 2 * (2 - 4.0 / 3), 1e-11);
  EXPECT_NEAR(lost, 2 * (4.0 / 3) / 3, 1e-11);  // F u/(2p + 3)
  // Back: Masing's rule from the new place.
  EXPECT_NEAR(model.step(state, 1.9, 0, state).force, 2 - 2 * std::sqrt(2 * 3 * 0.5 * 0.05), 1e-11);
}

TEST(Series, a_chain_of_sliders_gives_back_the_loads_that_moved_it) {
  const AnyModel sliders = make({"sliders",
                                 {{"k", 2.0}, {"mu", std::vector{0.1}}},
                                 {{"kind", std::string("chain")}, {"n", 12.0}}});
  const AnyModel inverse = by_displacement(sliders);
  const std::vector<double> loads{0.5, -0.35, 0.2, 0.55, -0.59};
  AnyState at = sliders.rest(), state = inverse.rest();
  for (const double load : loads) {
    const Response<double> moved = sliders.step(at, load, 0, at);
    const Response<double> reply = inverse.step(state, moved.force, 0, state);
    EXPECT_EQ(reply.status, Status::ok);
    EXPECT_NEAR(reply.force, load, 1e-12);
    EXPECT_NEAR(reply.tangent * moved.tangent, 1, 1e-9);
    EXPECT_NEAR(inverse.stored(state), sliders.stored(at), 1e-12);
  }
  // Twelve limits of 0.1 on two ends.
  const double f = inverse.step(state, 50, 0, state).force;
  EXPECT_NEAR(f, 0.6, 2e-12);
  EXPECT_NEAR(inverse.step(state, 51, 0, state).dissipated, 0.6, 1e-11);
}

TEST(Series, refuses_laws_that_depend_on_time) {
  EXPECT_NE(message_of([] { law("series(maxwell, compliance=1)"); }).find("rate-dependent"),
            std::string::npos);
}

dynamics::TimeResult motion_of(const std::string& joint, dynamics::Method method,
                               double step) {  // rows at the times `at`
  StructureFile file =
      parse_structure("M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 0.6\n" + joint +
                          "[[load]]\nkind = \"harmonic\"\ndof = 1\n"
                          "amplitude = 0.7\nomega = 0.8\n"
                          "[[analysis]]\nkind = \"time\"\nuntil = 30\n",
                      "test.toml");
  dynamics::TimeOptions options;
  options.until = 30;
  options.method = method;
  options.step = step;
  dynamics::TimeResult rows;
  std::vector<double> times{7.5, 15, 22.5, 30};
  options.at = times;
  options.every_step = false;
  options.row = [&](const dynamics::TimeRow& row) {
    for (const double t : times)
      if (std::abs(row.t - t) < 1e-9) rows.x.push_back(row.x);
  };
  dynamics::TimeResult result = dynamics::integrate(file.structure, options);
  result.x = rows.x;
  return result;
}

TEST(ForceDrivenJoints, move_a_mass_as_the_same_law_driven_by_displacement) {
  const std::string by_force =
      "[[joint]]\nmodel = \"ellipsoid\"\nbetween = [0, 1]\n"
      "set = { A = [[0.04]], K = [[1.8]], b = [1.5] }\n";
  const std::string by_displacement =
      "[[joint]]\nmodel = \"prager\"\nbetween = [0, 1]\n"
      "set = { k = 0.8, phi = 0.13333333333333333 }\n";
  for (const auto method : {dynamics::Method::events, dynamics::Method::midpoint}) {
    const double step = method == dynamics::Method::events ? 0 : 0.02;
    const auto a = motion_of(by_force, method, step);
    const auto b = motion_of(by_displacement, method, step);
    ASSERT_EQ(a.message, "");
    ASSERT_EQ(a.x.size(), 4u);
    ASSERT_EQ(b.x.size(), 4u);
    for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_NEAR(a.x[i][0], b.x[i][0], 1e-8) << i;
    EXPECT_NEAR(a.audit.joints, b.audit.joints, 1e-8);
    EXPECT_NEAR(a.audit.error(), 0, 1e-7);
  }
}

TEST(ForceDrivenJoints, events_and_midpoint_agree_for_a_slip_front_and_for_a_chain) {
  const std::string front =
      "[[joint]]\nmodel = \"series(slip-front(EA=2,t=0.4,ell=2),compliance=0.2)\"\n"
      "between = [0, 1]\n";
  const std::string chain =
      "[[joint]]\nmodel = \"sliders\"\nbetween = [0, 1]\n"
      "set = { kind = \"chain\", n = 6, k = 1.0, mu = 0.1 }\n";
  for (const std::string& joint : {front, chain}) {
    const auto a = motion_of(joint, dynamics::Method::events, 0);
    const auto b = motion_of(joint, dynamics::Method::midpoint, 0.01);
    ASSERT_EQ(a.message, "");
    ASSERT_EQ(b.message, "");
    ASSERT_EQ(a.x.size(), 4u);
    ASSERT_EQ(b.x.size(), 4u);
    EXPECT_GT(a.audit.joints, 0.1);
    EXPECT_NEAR(a.audit.error(), 0, 1e-6);
    EXPECT_NEAR(b.audit.error(), 0, 1e-9);
    for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_NEAR(a.x[i][0], b.x[i][0], 1e-3) << i;
  }
}

}  // namespace series_test
}  // namespace microslip::catalog
