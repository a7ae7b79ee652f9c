#include "microslip/models/contact_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/message_of.hpp"

namespace microslip {
namespace contact_table_test {

using Law = ContactTable<double>;
using Vec = Vec2<double>;
using testing::message_of;

/// N = 20 exp(un/0.5) over its value at −1, in straight lines: a rough surface.
Law::Params rough(int lines = 40) {
  Law::Params p{.un = {}, .N = {}, .ratio = 0.8, .mu = 0.4};
  for (int i = 0; i <= lines; ++i) {
    const double un = -1 + 2.0 * i / lines;
    p.un.push_back(un);
    p.N.push_back(20 * (std::exp(un / 0.5) - std::exp(-2)));
  }
  return p;
}

/// Straight lines through the points, the last one continued.
double curve(const Law::Params& p, double un) {
  if (un <= p.un.front()) return 0;
  std::size_t i = 0;
  while (i + 2 < p.un.size() && un > p.un[i + 1]) ++i;
  return p.N[i] + (p.N[i + 1] - p.N[i]) / (p.un[i + 1] - p.un[i]) * (un - p.un[i]);
}

TEST(ContactTable, the_normal_force_is_the_curve) {
  const Law::Params p = rough();
  const Law law(p);
  for (const double un : {-2.0, -1.0, -0.3, 0.0, 0.017, 0.9, 1.0, 1.5}) {
    auto state = law.rest();
    const auto reply = law.step(state, Vec(0, un), state);
    EXPECT_NEAR(reply.force[1], curve(p, un) - curve(p, 0), 1e-12 * curve(p, 1.5));
    EXPECT_EQ(reply.force[0], 0);
    EXPECT_NEAR(reply.dissipated, 0, 1e-15);
  }
}

/// The theorem of Ciavarella and Jäger: under a constant normal force the tangential one is μ times the difference of
/// two normal ones, of un and of un less than that by r ut/μ.
TEST(ContactTable, the_virgin_curve_is_a_difference_of_normal_forces) {
  const Law::Params p = rough();
  const Law law(p);
  for (const double un : {-0.5, 0.0, 0.8}) {
    auto state = law.rest();
    law.step(state, Vec(0, un), state);
    for (const double ut : {1e-6, 0.01, 0.1, 0.3, 0.7, 2.0}) {
      law.step(state, Vec(ut, un), state);
      const double expected = p.mu * (curve(p, un) - curve(p, un - p.ratio * ut / p.mu));
      EXPECT_NEAR(state.f[0], expected, 1e-12 * p.mu * curve(p, un)) << un << " " << ut;
    }
    EXPECT_NEAR(state.f[0], p.mu * curve(p, un), 1e-12 * p.mu * curve(p, un));  // all slips
  }
}

/// And after a reversal, by Masing's rule, as long as the normal force rests.
TEST(ContactTable, the_returning_branch_is_twice_the_virgin_one) {
  const Law::Params p = rough();
  const Law law(p);
  auto state = law.rest();
  law.step(state, Vec(0.3, 0), state);
  const double top = state.f[0];
  for (const double back : {0.05, 0.2, 0.6}) {
    law.step(state, Vec(0.3 - back, 0), state);
    const double half = p.mu * (curve(p, 0) - curve(p, -p.ratio * back / 2 / p.mu));
    EXPECT_NEAR(state.f[0], top - 2 * half, 1e-12 * p.mu * curve(p, 0));
  }
}

/// Shear under a large load that is taken off under a small one must not give energy: stuck springs that were stretched
/// by the load keep what they have until they slip.
TEST(ContactTable, cycles_of_load_and_shear_give_no_energy) {
  const Law law(rough(10));
  std::mt19937 random(11);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int sample = 0; sample < 15; ++sample) {
    std::vector<Vec> corners;
    for (int i = 0; i < 5; ++i) corners.emplace_back(0.2 * draw(random), 0.8 * draw(random));
    auto state = law.rest();
    double work = 0, lost = 0;
    const auto round = [&] {
      for (const Vec& corner : corners) {
        constexpr int parts = 400;
        const Vec from = state.u;
        for (int i = 1; i <= parts; ++i) {
          const Vec before = state.f, u = from + (corner - from) * i / parts;
          lost += law.step(state, u, state).dissipated;
          work += 0.5 * (before + state.f).dot(corner - from) / parts;
        }
      }
    };
    round();
    work = lost = 0;
    round();
    EXPECT_GT(work, -1e-6);
    EXPECT_NEAR(work, lost, 1e-3 * (lost + 1));
  }
}

TEST(ContactTable, its_walk_follows_its_steps) {
  const Law law(rough(6));
  const auto walk = law.walk();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(-1, 1);
  walk->rest(true);
  auto state = law.rest();
  double lost = 0;
  Eigen::Vector2d here(0, 0);
  for (int leg = 0; leg < 60; ++leg) {
    const Vec target(1.5 * draw(random), 1.2 * draw(random));
    lost += law.step(state, target, state).dissipated;
    const Eigen::Vector2d way = target - here;
    double done = 0;
    for (int events = 0; events < 100; ++events) {
      walk->set_out(way);
      double next = 1;
      int which = -1;
      for (std::size_t e = 0; e < walk->events().size(); ++e) {
        const auto& event = walk->events()[e];
        const double rate = event.c.dot(way);
        const double at = (event.value - event.c.dot(here)) / rate;
        if (event.of_rate || !(rate > 0) || !(at >= done - 1e-12) || !(at < next)) continue;
        next = std::max(at, done);
        which = static_cast<int>(e);
      }
      done = next;
      walk->go(here + done * way, which);
      if (which < 0) break;
    }
    here = target;
    ASSERT_NEAR((walk->force() - state.f).norm(), 0, 1e-11) << leg;
    ASSERT_NEAR(walk->dissipated(), lost, 1e-11);
  }
}

TEST(ContactTable, a_curve_that_summits_cannot_give_is_refused) {
  const auto message = [](const std::vector<double>& un, const std::vector<double>& N) {
    return message_of([&] { Law({.un = un, .N = N, .ratio = 1, .mu = 0.5}); });
  };
  EXPECT_EQ(message({0}, {0}), "contact-table.un must have at least two points");
  EXPECT_EQ(message({0, 1}, {1, 2}), "contact-table.N must begin with 0, where the surfaces touch");
  EXPECT_EQ(message({0, 1, 1}, {0, 1, 2}), "contact-table.un must ascend, but un[3] = 1 follows 1");
  EXPECT_NE(message({0, 1, 2}, {0, 1, 1.5}).find("must get steeper from line to line"),
            std::string::npos);
}

}  // namespace contact_table_test
}  // namespace microslip
