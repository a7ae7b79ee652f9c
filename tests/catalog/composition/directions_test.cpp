#include <gtest/gtest.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::catalog {
namespace directions_test {

AnyModel law(const std::string& text) { return make({text, {}, {}}); }

Path orbit(const std::vector<std::string>& directions, int rows = 60) {
  Path path;
  for (int i = 0; i < rows; ++i) {
    double phase = 0;
    for (const std::string& direction : directions)
      path.along(direction).push_back(1.3 * std::sin(0.37 * i + (phase += 1.1)));
  }
  return path;
}

std::string refused(const std::string& text) {
  try {
    law(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Directions, of_laws_have_names) {
  EXPECT_EQ(law("jenkins-planar").directions(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(law("contact").directions(), (std::vector<std::string>{"t", "n"}));
  EXPECT_EQ(law("contact-planar").directions(), (std::vector<std::string>{"x", "y", "n"}));
  EXPECT_TRUE(law("jenkins").directions().empty());
}

TEST(Directions, columns_that_a_law_lacks_are_named) {
  Path path;
  path.u = {0, 1};
  path.uy = {0, 1};
  try {
    law("contact").run(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "contact has several directions: it needs the columns ut and un");
  }
}

TEST(Directions, a_sum_is_the_sum_of_its_terms) {
  const AnyModel sum =
      law("contact-planar(N0=2)+axis(jenkins(k=3,phi=0.4),direction=3)+"
          "axis(linear(k=0.5),direction=1)");
  EXPECT_EQ(sum.directions().size(), 3u);
  const Path path = orbit(sum.directions());
  const Record all{.stored = true, .states = true};
  const History h = sum.run(path, Start::virgin, Drive::displacement, all);
  const History contact = law("contact-planar(N0=2)").run(path);
  Path normal, along;
  normal.u = path.un;
  along.u = path.u;
  const History jenkins = law("jenkins(k=3,phi=0.4)").run(normal);
  ASSERT_EQ(h.f.size(), path.u.size());
  for (std::size_t i = 0; i < h.f.size(); ++i) {
    EXPECT_NEAR(h.f[i], contact.f[i] + 0.5 * path.u[i], 1e-14);
    EXPECT_NEAR(h.fy[i], contact.fy[i], 1e-14);
    EXPECT_NEAR(h.fn[i], contact.fn[i] + jenkins.f[i], 1e-14);
    EXPECT_NEAR(h.energy[i], contact.energy[i] + jenkins.energy[i], 1e-13);
  }
}

// In pieces, over a saved state.
TEST(Directions, a_sum_goes_on_from_a_saved_state) {
  const AnyModel sum = law("contact+axis(jenkins,direction=2)");
  const Path whole = orbit(sum.directions());
  const History all = sum.run(whole);
  Path first, second;
  for (const char* direction : {"t", "n"}) {
    const auto& column = whole.along(direction);
    first.along(direction).assign(column.begin(), column.begin() + 25);
    second.along(direction).assign(column.begin() + 25, column.end());
  }
  Checkpoint at = sum.begin(whole);
  sum.run(first, Drive::displacement, {}, at);
  at.state = sum.load(sum.save(at.state));
  const History rest = sum.run(second, Drive::displacement, {}, at);
  for (std::size_t i = 0; i < rest.f.size(); ++i) {
    EXPECT_EQ(rest.f[i], all.f[25 + i]);
    EXPECT_EQ(rest.fn[i], all.fn[25 + i]);
    EXPECT_EQ(rest.energy[i], all.energy[25 + i]);
  }
}

TEST(Directions, an_isotropic_law_does_not_see_a_rotation) {
  const Path path = orbit({"x", "y"});
  const History plain = law("jenkins-planar(k=2,phi=0.7)").run(path);
  const History turned = law("rotated(jenkins-planar(k=2,phi=0.7),angle=0.6)").run(path);
  for (std::size_t i = 0; i < plain.f.size(); ++i) {
    EXPECT_NEAR(turned.f[i], plain.f[i], 1e-13);
    EXPECT_NEAR(turned.fy[i], plain.fy[i], 1e-13);
    EXPECT_NEAR(turned.energy[i], plain.energy[i], 1e-12);
  }
}

// A spring along the turned axis: f = k e eᵀ u with e = (cos, sin).
TEST(Directions, a_rotated_axis_is_a_spring_along_it) {
  const AnyModel spring =
      law("rotated(axis(linear(k=2),direction=1)+axis(linear(k=5),direction=2),"
          "angle=0.4)");
  AnyState state = spring.rest();
  const auto reply = spring.step(state, Vec2<double>(0.3, -0.2), state);
  const Vec2<double> e(std::cos(0.4), std::sin(0.4)), across(-e[1], e[0]);
  const Vec2<double> u(0.3, -0.2), f = 2 * e * e.dot(u) + 5 * across * across.dot(u);
  EXPECT_NEAR((reply.force - f).norm(), 0, 1e-15);
  EXPECT_NEAR((reply.tangent - (2 * e * e.transpose() + 5 * across * across.transpose())).norm(), 0,
              1e-14);
  EXPECT_NEAR(spring.stored(state), 0.5 * f.dot(u), 1e-15);
}

// Lengths in mm instead of m, forces in N instead of kN.
TEST(Directions, scaled_changes_units) {
  const Path path = orbit({"x", "y", "n"});
  Path in_mm = path;
  for (const char* direction : {"x", "y", "n"})
    for (double& x : in_mm.along(direction)) x *= 1000;
  const History plain = law("contact-planar(kt=3,kn=2,mu=0.4,N0=0.6)").run(path);
  const History other =
      law("scaled(contact-planar(kt=3,kn=2,mu=0.4,N0=0.6),input_gain=1e-3,output_gain=1e3)")
          .run(in_mm);
  for (std::size_t i = 0; i < plain.f.size(); ++i) {
    EXPECT_NEAR(other.f[i], 1000 * plain.f[i], 1e-9);
    EXPECT_NEAR(other.fn[i], 1000 * plain.fn[i], 1e-9);
    EXPECT_NEAR(other.energy[i], 1e6 * plain.energy[i], 1e-6);
  }
}

TEST(Directions, derivatives_go_through_wrappers_and_sums) {
  const AnyModel model =
      law("rotated(bouc-wen-park(k=2),angle=0.3)+axis(jenkins(k=1,phi=0.2),"
          "direction=2)");
  const auto force = [&](double angle, double k) {
    const AnyModel changed = model.with({{"rotated.angle", angle}, {"axis.jenkins.k", k}});
    AnyState state = changed.rest();
    changed.step(state, Vec2<double>(0.4, 0.1), state);
    return AnyVec<double>(changed.step(state, Vec2<double>(0.3, 0.15), state).force);
  };
  const AnyDualModel dual =
      model.dual({{"rotated.angle", {WideDual(0.3, 0)}}, {"axis.jenkins.k", {WideDual(1, 1)}}});
  AnyState state = dual.rest();
  const auto at = [](double x, double y) {
    return AnyVec<WideDual>(Vec2<WideDual>(WideDual(x), WideDual(y)));
  };
  dual.step(state, at(0.4, 0.1), state);
  const auto reply = dual.step(state, at(0.3, 0.15), state);
  const double h = 1e-6;
  const AnyVec<double> by_angle = (force(0.3 + h, 1) - force(0.3 - h, 1)) / (2 * h);
  const AnyVec<double> by_k = (force(0.3, 1 + h) - force(0.3, 1 - h)) / (2 * h);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(reply.force[i].v[0], by_angle[i], 1e-8);
    EXPECT_NEAR(reply.force[i].v[1], by_k[i], 1e-8);
  }
}

TEST(Directions, what_does_not_go_together_is_refused) {
  EXPECT_EQ(refused("contact+jenkins"),
            "contact and jenkins cannot be added: they have different directions");
  EXPECT_EQ(refused("contact+jenkins-planar"),
            "contact and jenkins-planar cannot be added: they have different directions");
  EXPECT_EQ(refused("contact+axis(jenkins,direction=3)"),
            "contact and axis(jenkins) cannot be added: they have different directions");
  EXPECT_EQ(refused("backlash(contact)"),
            "backlash needs a scalar law; contact has several directions");
  EXPECT_EQ(refused("rotated(contact,angle=1)"),
            "rotated needs a law with directions x and y; contact has others");
  EXPECT_EQ(refused("rotated(jenkins)"),
            "rotated needs a law with directions x and y; jenkins is a scalar law");
  EXPECT_EQ(refused("axis(viscous,direction=1)"),
            "axis needs a law whose force depends on the path alone and does not jump; viscous "
            "depends on the rate");
  EXPECT_EQ(refused("axis(jenkins,direction=1.5)"), "axis.direction = 1.5 must be a whole number");
  EXPECT_EQ(refused("scaled(contact,input_offset=1)"),
            "scaled: offsets are for laws with one direction; contact has several");
  EXPECT_EQ(
      refused("loaded(iwan4,N=2)"),
      "loaded: iwan4 declares no friction limits that a load could change; jenkins and sums of "
      "it do");
}

// Stuck at 0.8 of a limit of 1; the load falls to a half: f falls with the limit from 0.8 on, and the slider
// moves by (0.8 − 0.5)/k under a mean limit of 0.65.
TEST(Loaded, slips_down_to_a_falling_limit) {
  const AnyModel model = law("loaded(jenkins(k=4,phi=1),N=12-6*t,N_ref=12)");
  Path path;
  path.t = {0, 1e-9, 1};
  path.u = {0.2, 0.2, 0.2};
  const History h = model.run(path, Start::virgin, Drive::displacement, {.stored = true});
  EXPECT_NEAR(h.f[0], 0.8, 1e-12);
  EXPECT_NEAR(h.f[2], 0.5, 1e-7);
  EXPECT_NEAR(h.energy[2], 0.65 * 0.3 / 4, 1e-8);
}

TEST(Loaded, with_a_constant_load_is_the_law_with_another_limit) {
  const Path line = [] {
    Path path;
    for (int i = 0; i < 50; ++i) {
      path.t.push_back(0.1 * i);
      path.u.push_back(1.5 * std::sin(0.6 * i));
    }
    return path;
  }();
  const History loaded =
      law("loaded(jenkins(k=2,phi=1)+jenkins(k=1,phi=0.3),N=3,N_ref=6)").run(line);
  const History half = law("jenkins(k=2,phi=0.5)+jenkins(k=1,phi=0.15)").run(line);
  for (std::size_t i = 0; i < half.f.size(); ++i) {
    EXPECT_NEAR(loaded.f[i], half.f[i], 1e-14);
    EXPECT_NEAR(loaded.energy[i], half.energy[i], 1e-13);
  }
}

// contact with N0 = 2 and un(t) has the same normal force.
TEST(Loaded, is_contact_under_the_same_normal_force) {
  const AnyModel contact = law("contact(kt=3,kn=4,mu=0.5,N0=2)");
  Path both, line;
  Matrix<double> rows(200, 2);
  for (int i = 0; i < 200; ++i) {
    const double t = 0.1 * i;
    both.u.push_back(0.8 * std::sin(t));
    both.un.push_back(0.4 * std::sin(2.3 * t));
    line.t.push_back(t);
    rows.row(i) << t, 2 + 4 * both.un.back();
  }
  line.u = both.u;
  const AnyModel loaded = make({"loaded(jenkins(k=3,phi=1))", {{"N", rows}, {"N_ref", 2.0}}, {}});
  const History a = contact.run(both), b = loaded.run(line);
  ASSERT_EQ(b.f.size(), a.f.size());
  for (std::size_t i = 0; i < a.f.size(); ++i) {
    EXPECT_NEAR(b.f[i], a.f[i], 1e-13);
    EXPECT_NEAR(b.energy[i], a.energy[i], 1e-12);
  }
  EXPECT_FALSE(loaded.repeats());
}

TEST(Loaded, a_negative_load_is_refused_with_its_place) {
  const AnyModel model = law("loaded(jenkins,N=1-t)");
  Path path;
  path.t = {0, 0.5, 2};
  path.u = {0, 0.1, 0.2};
  const History h = model.run(path);
  EXPECT_NE(h.status, Status::ok);
  EXPECT_EQ(h.f.size(), 2u);
}

}  // namespace directions_test
}  // namespace microslip::catalog
