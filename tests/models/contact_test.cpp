#include "microslip/models/contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace contact_test {

using Law = Contact<double>;
using Vec = Vec2<double>;

TEST(Contact, under_a_constant_normal_force_is_jenkins) {
  const Law law({.kt = 2, .kn = 7, .mu = 0.3, .N0 = 4});
  const Jenkins<double> jenkins({.k = 2, .phi = 0.3 * 4});
  auto state = law.rest();
  auto plain = jenkins.rest();
  for (const double u : {0.3, 1.1, -0.4, -3.0, 0.2, 0.9, 0.85}) {
    const auto reply = law.step(state, Vec(u, 0), state);
    const auto expected = jenkins.step(plain, u, plain);
    EXPECT_NEAR(reply.force[0], expected.force, 1e-15);
    EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-15);
    EXPECT_EQ(reply.force[1], 0);
    EXPECT_EQ(reply.tangent(0, 0), expected.tangent);
  }
}

// Stuck at ft = 0.8 of μN = 1; N falls to a half: ft falls with μN from 0.8 on, and the slider moves by
// (0.8 − 0.5)/kt under a mean limit of 0.65.
TEST(Contact, slips_while_it_rests_when_the_normal_force_falls) {
  const Law law({.kt = 4, .kn = 10, .mu = 0.5, .N0 = 2});
  auto state = law.rest();
  law.step(state, Vec(0.2, 0), state);
  const auto reply = law.step(state, Vec(0.2, -0.1), state);
  EXPECT_NEAR(reply.force[0], 0.5, 1e-15);
  EXPECT_NEAR(reply.force[1], -1, 1e-15);
  EXPECT_NEAR(reply.dissipated, 0.65 * 0.3 / 4, 1e-15);
  // The limit carries the force along.
  EXPECT_EQ(reply.tangent(0, 0), 0);
  EXPECT_NEAR(reply.tangent(0, 1), 5, 1e-15);
  EXPECT_EQ(reply.tangent(1, 0), 0);
}

// At its limit, with kt ut′ = 2 and μN′ = 3: the limit runs away.
TEST(Contact, sticks_while_the_limit_grows_faster_than_the_spring) {
  const Law law({.kt = 1, .kn = 10, .mu = 0.5, .N0 = 2});
  auto state = law.rest();
  law.step(state, Vec(5, 0), state);
  ASSERT_EQ(state.f[0], 1);
  const auto reply = law.step(state, Vec(5 + 2, 0.6), state);
  EXPECT_NEAR(reply.force[0], 3, 1e-14);
  EXPECT_NEAR(reply.dissipated, 0, 1e-14);
  EXPECT_EQ(reply.tangent(0, 0), 1);
}

TEST(Contact, a_gap_carries_nothing_and_closes_without_force) {
  const Law law({.kt = 3, .kn = 2, .mu = 0.4, .N0 = -1});
  auto state = law.rest();
  EXPECT_EQ(law.step(state, Vec(1, 0.5), state).force, Vec(0, 0));  // touches at un = 0.5
  // From there N grows to 1 while ut moves by 0.1: sticks, since 0.3 < 0.4.
  auto reply = law.step(state, Vec(1.1, 1), state);
  EXPECT_NEAR(reply.force[0], 0.3, 1e-15);
  EXPECT_NEAR(reply.force[1], 1, 1e-15);
  // Opens and forgets; while it closes over a quarter of the next step only that part counts.
  reply = law.step(state, Vec(1.1, 0), state);
  EXPECT_EQ(reply.force, Vec(0, 0));
  reply = law.step(state, Vec(1.1 + 0.08, 2.0 / 3), state);
  EXPECT_NEAR(reply.force[0], 3 * 0.02, 1e-15);
  EXPECT_NEAR(law.stored(state), 0.06 * 0.06 / 6 + 1.0 / 9 / 4, 1e-15);
}

// A preload is held by the rest: at rest and while un = 0 the law gives nothing, and when it opens it
// gives back what the rest holds.
TEST(Contact, a_preload_counts_from_rest) {
  const Law law({.kt = 1, .kn = 5, .mu = 0.5, .N0 = 2});
  auto state = law.rest();
  EXPECT_EQ(state.f, Vec(0, 0));
  auto reply = law.step(state, Vec(0, -1), state);
  EXPECT_EQ(reply.force, Vec(0, -2));
  EXPECT_NEAR(law.stored(state), 0.5 * 5 * 0.16 + 2 * 0.6, 1e-14);  // spring to −0.4, then −2 du
  reply = law.step(state, Vec(0, 0.3), state);
  EXPECT_NEAR(reply.force[1], 1.5, 1e-15);
  EXPECT_NEAR(law.stored(state), 0.5 * 5 * 0.09, 1e-15);
}

/// The rate equations in many small steps: a trial, and what exceeds the limit at the end of it.
struct FineSteps {
  double kt, kn, mu, N0;
  double ut = 0, un = 0, ft = 0, work = 0, lost = 0;

  void go(double to_t, double to_n, int steps) {
    const double dt = (to_t - ut) / steps, dn = (to_n - un) / steps;
    for (int i = 0; i < steps; ++i) {
      const double N_before = std::max(0.0, N0 + kn * un), f_before = ft;
      ut += dt;
      un += dn;
      const double N = std::max(0.0, N0 + kn * un), limit = mu * N;
      double trial = ft + kt * dt;
      if (N_before == 0 || N == 0) trial = 0;
      const double f = std::min(limit, std::max(-limit, trial));
      lost += std::abs(trial - f) / kt * 0.5 * mu * (N + N_before);
      ft = f;
      const double held = std::max(N0, 0.0);
      work += 0.5 * (f_before + ft) * dt + (0.5 * (N + N_before) - held) * dn;
    }
  }
};

TEST(Contact, agrees_with_its_rate_equations_in_small_steps) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int sample = 0; sample < 40; ++sample) {
    const Law::Params p{.kt = std::exp(draw(random)),
                        .kn = std::exp(draw(random)),
                        .mu = 0.6 * std::exp(draw(random)),
                        .N0 = draw(random)};
    const Law law(p);
    FineSteps fine{p.kt, p.kn, p.mu, p.N0};
    auto state = law.rest();
    double lost = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec u(2 * draw(random), 1.5 * draw(random));
      lost += law.step(state, u, state).dissipated;
      fine.go(u[0], u[1], 20000);
      // First order in the steps of 1e-4, where it opens and closes.
      EXPECT_NEAR(state.f[0], fine.ft, 2e-3);
      EXPECT_NEAR(lost, fine.lost, 2e-3);
      EXPECT_NEAR(lost + law.stored(state), fine.work, 2e-3);
    }
  }
}

// The same contact with its lengths in other units, from 1e-8 to 1e3 of a slip displacement.
TEST(Contact, other_units_give_the_same_answer) {
  for (const double length : {1e-8, 1e-3, 1e3})
    for (const double force : {1e-6, 1e9}) {
      const Law one({.kt = 2, .kn = 3, .mu = 0.4, .N0 = 1.5});
      const Law other(
          {.kt = 2 * force / length, .kn = 3 * force / length, .mu = 0.4, .N0 = 1.5 * force});
      auto a = one.rest();
      auto b = other.rest();
      for (const Vec& u : {Vec(0.5, 0.1), Vec(-1, -0.4), Vec(0.3, -0.8), Vec(0.9, 0.2)}) {
        const auto x = one.step(a, u, a);
        const auto y = other.step(b, u * length, b);
        EXPECT_NEAR((y.force / force - x.force).norm(), 0, 1e-13);
        EXPECT_NEAR(y.dissipated / force / length, x.dissipated, 1e-13);
      }
    }
}

// Straight legs by events against the law's own steps.
TEST(Contact, its_walk_follows_its_steps) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int sample = 0; sample < 200; ++sample) {
    const Law law({.kt = 2, .kn = 1.5, .mu = 0.7, .N0 = 0.8 * draw(random)});
    const auto walk = law.walk();
    walk->rest(true);
    auto state = law.rest();
    double lost = 0;
    Eigen::Vector2d here(0, 0);
    for (int leg = 0; leg < 10; ++leg) {
      const Vec target(1.5 * draw(random), draw(random));
      lost += law.step(state, target, state).dissipated;
      const Eigen::Vector2d start = here;
      double done = 0;
      for (int events = 0; events < 10; ++events) {
        const Eigen::Vector2d way = target - start;
        walk->set_out(way);
        double next = 1;
        int which = -1;
        for (std::size_t e = 0; e < walk->events().size(); ++e) {
          const auto& event = walk->events()[e];
          const double rate = event.c.dot(way);
          const double at = (event.value - event.c.dot(start)) / rate;
          if (event.of_rate || !(rate > 0) || !(at >= done - 1e-12) || !(at < next)) continue;
          next = std::max(at, done);
          which = static_cast<int>(e);
        }
        // Linear up to the event.
        const Eigen::Vector2d before = walk->force();
        const Eigen::Vector2d step = (next - done) * way;
        const Eigen::Vector2d expected = before + walk->tangent() * step;
        done = next;
        walk->go(start + done * way, which);
        EXPECT_NEAR((walk->force() - expected).norm(), 0, 1e-13);
        if (which < 0) break;
      }
      here = target;
      ASSERT_NEAR((walk->force() - state.f).norm(), 0, 1e-12) << sample << " " << leg;
      ASSERT_NEAR(walk->dissipated(), lost, 1e-12);
    }
  }
}

/// It opens just where its spring has no force left: the slope is that of an open contact, not of a stuck one.
TEST(Contact, has_no_slope_where_it_opened_without_force) {
  const Contact<double> law({.kt = 2, .kn = 1, .mu = 10, .N0 = 0});
  auto state = law.rest();
  law.step(state, {0.5, 1}, state);
  const auto reply = law.step(state, {-0.5, -1}, state);
  EXPECT_EQ(reply.force, (Vec2<double>(0, 0)));
  EXPECT_EQ(reply.tangent, (Mat2<double>::Zero()));
}

}  // namespace contact_test
}  // namespace microslip
