#include "microslip/models/contact_planar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/contact.hpp"
#include "microslip/models/jenkins_planar.hpp"

namespace microslip {
namespace contact_planar_test {

using Law = ContactPlanar<double>;
using Vec = microslip::Vec<double, 3>;

TEST(ContactPlanar, under_a_constant_normal_force_is_jenkins_planar) {
  const Law law({.kt = 2, .kn = 7, .mu = 0.3, .N0 = 4});
  const JenkinsPlanar<double> plane({.k = 2, .phi = 0.3 * 4});
  auto state = law.rest();
  auto plain = plane.rest();
  for (const Vec2<double>& u :
       {Vec2<double>(0.3, 0.1), Vec2<double>(1.1, -0.4), Vec2<double>(-3, 2),
        Vec2<double>(0.2, 2.1), Vec2<double>(0.1, 2), Vec2<double>(9, 2)}) {
    const auto reply = law.step(state, Vec(u[0], u[1], 0), state);
    const auto expected = plane.step(plain, u, plain);
    EXPECT_NEAR((reply.force.head<2>() - expected.force).norm(), 0, 1e-14);
    EXPECT_NEAR((reply.tangent.topLeftCorner<2, 2>() - expected.tangent).norm(), 0, 1e-13);
    EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-13);
  }
}

TEST(ContactPlanar, along_a_line_is_contact) {
  const Law law({.kt = 2, .kn = 3, .mu = 0.6, .N0 = 0.5});
  const Contact<double> line({.kt = 2, .kn = 3, .mu = 0.6, .N0 = 0.5});
  const double c = std::cos(0.7), s = std::sin(0.7);
  auto state = law.rest();
  auto on_line = line.rest();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int i = 0; i < 60; ++i) {
    const double ut = draw(random), un = 0.5 * draw(random);
    const auto reply = law.step(state, Vec(c * ut, s * ut, un), state);
    const auto expected = line.step(on_line, Vec2<double>(ut, un), on_line);
    EXPECT_NEAR(reply.force[0], c * expected.force[0], 1e-13);
    EXPECT_NEAR(reply.force[1], s * expected.force[0], 1e-13);
    EXPECT_NEAR(reply.force[2], expected.force[1], 1e-13);
    EXPECT_NEAR(reply.dissipated, expected.dissipated, 1e-13);
  }
}

// ψ falls as tan(ψ/2) ∝ N^(−kt|u′|/(μN′)) while N goes from 2 to 3 or to 1.
TEST(ContactPlanar, the_angle_of_slip_has_a_power_law) {
  for (const double way_n : {0.25, -0.25})
    for (const double psi : {0.3, 1.0, 1.4}) {
      const Law law({.kt = 3, .kn = 4, .mu = 0.5, .N0 = 2});
      auto state = law.rest();
      law.step(state, Vec(40 * std::cos(psi), 40 * std::sin(psi), 0), state);
      const double along = 1.7;
      const auto reply = law.step(state, Vec(state.u[0] + along, state.u[1], way_n), state);
      const double N = 2 + 4 * way_n, power = -3 * along / (0.5 * 4 * way_n);
      const double expected = 2 * std::atan(std::tan(psi / 2) * std::pow(N / 2, power));
      EXPECT_NEAR(std::atan2(reply.force[1], reply.force[0]), expected, 1e-13);
      EXPECT_NEAR(reply.force.head<2>().norm(), 0.5 * N, 1e-14);
    }
}

// A steady circle of radius R: the force lags behind the velocity by ψ with sin ψ = μN/(kt R), and
// 2πR μN cos ψ is lost in a turn. The polygon is nearer than 1e-5.
TEST(ContactPlanar, a_steady_circle_has_a_closed_form) {
  const Law law({.kt = 5, .kn = 3, .mu = 0.4, .N0 = 2});
  const double R = 0.7, limit = 0.8, sine = limit / (5 * R);
  auto state = law.rest();
  double lost = 0;
  constexpr int corners = 4000;
  for (int turn = 0; turn < 6; ++turn) {
    lost = 0;
    for (int i = 1; i <= corners; ++i) {
      const double angle = 2 * pi * i / corners;
      lost += law.step(state, Vec(R * std::cos(angle), R * std::sin(angle), 0), state).dissipated;
    }
  }
  EXPECT_NEAR(lost, 2 * pi * R * limit * std::sqrt(1 - sine * sine), 1e-5);
  // At the end the velocity points along y.
  EXPECT_NEAR(-state.f[0] / limit, -sine, 1e-3);
}

// N falls while the displacement rests: the force shrinks along its own direction.
TEST(ContactPlanar, slips_along_its_force_when_the_normal_force_falls) {
  const Law law({.kt = 4, .kn = 10, .mu = 0.5, .N0 = 2});
  auto state = law.rest();
  law.step(state, Vec(0.12, 0.16, 0), state);  // |f| = 0.8
  const auto reply = law.step(state, Vec(0.12, 0.16, -0.1), state);
  EXPECT_NEAR(reply.force[0], 0.3, 1e-15);
  EXPECT_NEAR(reply.force[1], 0.4, 1e-15);
  EXPECT_NEAR(reply.dissipated, 0.65 * 0.3 / 4, 1e-14);
  EXPECT_NEAR(reply.tangent(0, 2), 3, 1e-13);
  EXPECT_EQ(reply.tangent(2, 0), 0);
}

// Exponents of e and of N, hand in hand: from 1e-8 to 1e3 of slip in one step, and in many.
TEST(ContactPlanar, steps_of_any_size_keep_the_energy) {
  const Law law({.kt = 2, .kn = 1, .mu = 0.5, .N0 = 1});
  for (const double size : {1e-8, 1e-4, 1.0, 1e3})
    for (const double along_n : {0.0, 0.3, -0.3, -2.0}) {
      auto state = law.rest();
      law.step(state, Vec(-0.3, 0.4, 0), state);
      const auto start = state;
      const Vec way(size, 0.2 * size, along_n * size);
      const auto reply = law.step(start, start.u + way, state);
      auto fine = start;
      double lost = 0;
      constexpr int parts = 400;
      for (int i = 1; i <= parts; ++i)
        lost += law.step(fine, start.u + way * (static_cast<double>(i) / parts), fine).dissipated;
      const double scale = std::max(1.0, size) * size;
      EXPECT_NEAR((fine.f - state.f).norm(), 0, 1e-12 * std::max(1.0, size));
      EXPECT_NEAR(lost, reply.dissipated, 1e-12 * scale);
      EXPECT_GE(reply.dissipated, -1e-16 * scale);
    }
}

/// The rate equations in many small steps: a trial, returned to the circle along its radius.
TEST(ContactPlanar, agrees_with_its_rate_equations_in_small_steps) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int sample = 0; sample < 20; ++sample) {
    const double kt = std::exp(draw(random)), kn = std::exp(draw(random)), N0 = draw(random);
    const double mu = 0.6 * std::exp(draw(random));
    const Law law({.kt = kt, .kn = kn, .mu = mu, .N0 = N0});
    auto state = law.rest();
    Vec here(0, 0, 0);
    Vec2<double> f(0, 0);
    double lost = 0, work = 0;
    for (int i = 0; i < 6; ++i) {
      const Vec target(1.5 * draw(random), 1.5 * draw(random), draw(random));
      lost += law.step(state, target, state).dissipated;
      constexpr int steps = 20000;
      const Vec step = (target - here) / steps;
      for (int n = 0; n < steps; ++n) {
        const double before = std::max(0.0, N0 + kn * here[2]);
        here += step;
        const double N = std::max(0.0, N0 + kn * here[2]);
        Vec2<double> trial = f + kt * step.head<2>();
        if (before == 0 || N == 0) trial.setZero();
        if (trial.norm() > mu * N) trial *= mu * N / trial.norm();
        work += 0.5 * (f + trial).dot(step.head<2>()) +
                (0.5 * (before + N) - std::max(N0, 0.0)) * step[2];
        f = trial;
      }
      EXPECT_NEAR((state.f.head<2>() - f).norm(), 0, 3e-3);
      EXPECT_NEAR(lost + law.stored(state), work, 3e-3);
    }
  }
}

/// The length of a tangential motion of zero has no slope; its derivative was 0/0.
TEST(ContactPlanar, opens_along_its_normal_with_derivatives) {
  const auto lost = [](const auto& kt) {
    using Real = std::decay_t<decltype(kt)>;
    const ContactPlanar<Real> law({.kt = kt, .kn = Real(0.5), .mu = Real(0.7), .N0 = Real(4.6)});
    auto state = law.rest();
    law.step(state, microslip::Vec<Real, 3>(Real(-15.0), Real(1.25), Real(17.0)), state);
    return law.step(state, microslip::Vec<Real, 3>(Real(-15.0), Real(1.25), Real(-14.0)), state)
        .dissipated;
  };
  const Dual<1> exact = lost(Dual<1>(1.6, 0));
  const double h = 1e-5, slope = (lost(1.6 + h) - lost(1.6 - h)) / (2 * h);
  EXPECT_NEAR(exact.v[0], slope, 1e-7 * std::abs(slope));
  EXPECT_EQ(exact.a, lost(1.6));
}

/// Where it opens, N is rounding of the motion, and N0 = 0 gives no other measure: the place was met again and
/// again, nearer and nearer, until forces were NaN.
TEST(ContactPlanar, opens_once) {
  const Law law({.kt = 1.7, .kn = 0.56, .mu = 0.4, .N0 = 0});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(0.01, 1);
  for (int sample = 0; sample < 1000; ++sample) {
    auto state = law.rest();
    const Vec from(draw(random), draw(random), draw(random));
    const Vec to(-draw(random), -draw(random), -draw(random));
    law.step(state, from, state);
    int kinks = 0;
    for (; kinks < 10; ++kinks) {
      const double part = law.next_kink(state, to - state.u);
      if (!(part < 1)) break;
      law.step(state, Vec(state.u + part * (to - state.u)), state);
    }
    EXPECT_LE(kinks, 3);  // slip, opening, and that once more where it is rounding of a short way
  }
}

/// Force and motion point against each other while the limit falls to nothing: the cosine of their angle was
/// 0/0 next to the opening and at it.
TEST(ContactPlanar, slips_backwards_where_its_limit_falls) {
  const double kn = 3.47067128337588, mu = 0.17207325870351228, N0 = 2.790686720621128;
  const Law law({.kt = 0.5468701520733003, .kn = kn, .mu = mu, .N0 = N0});
  const double x = 1.6995533772065972, y = 1.4974179000006282;
  auto start = law.rest();
  law.step(start, {x, y, -0.8981738567117756}, start);
  law.step(start, {x, -y, 0.8994116763266531}, start);
  const Vec from = start.u, way = Vec(x, 0.30149832605843163, -1.7641377247990615) - from;
  const auto after = [&](double part) {
    auto state = start;
    const double lost = law.step(start, Vec(from + part * way), state).dissipated;
    return std::pair(state.f[1], lost);
  };
  auto fine = start;
  double lost = 0;
  for (int i = 1; i <= 20000; ++i)
    lost += law.step(fine, Vec(from + i / 20000.0 * way), fine).dissipated;
  EXPECT_NEAR(after(1).second, lost, 1e-12 * lost);
  const double opening = law.next_kink(start, way);
  for (const double before : {0.3, 1e-3, 1e-6, 1e-12, 1e-13, 1e-14, 1e-15, 0.0}) {
    const double part = opening * (1 - before), N = N0 + kn * (from[2] + part * way[2]);
    EXPECT_NEAR(after(part).first, -mu * std::max(N, 0.0), 1e-15 * N0) << before;
    if (before < 1e-6) {
      EXPECT_NEAR(after(part).second, lost, 1e-11 * lost) << before;
    }
  }
}

}  // namespace contact_planar_test
}  // namespace microslip
