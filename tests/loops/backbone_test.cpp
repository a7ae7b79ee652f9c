#include <gtest/gtest.h>

#include "microslip/core/error.hpp"
#include "microslip/models/iwan_uniform.hpp"
#include "microslip/models/two_state.hpp"
#include "record.hpp"

namespace microslip::loops {
namespace backbone_test {

TEST(IwanDensity, is_even_for_iwan_uniform) {
  const IwanUniform<double> law({.k = 3, .u_max = 2});
  std::vector<double> x, g;
  for (int i = 0; i <= 200; ++i) {
    x.push_back(0.015 * i);  // up to 3: a third of the way everything slips
    g.push_back(law.backbone().at(x.back()).force);
  }
  const IwanDensity density = iwan_density(x, g, 30);
  // ρ = −g'' = k/u_max on (0, u_max], 0 beyond; the edges 0, 0.1, … include u_max.
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(density.density[i], i < 20 ? 1.5 : 0, 1e-6) << i;
  EXPECT_NEAR(density.elastic, 0, 1e-9);
  EXPECT_LT(density.rms, 1e-9);
}

TEST(IwanDensity, tells_sliders_from_the_spring_beside_them) {
  // A thousand sliders of stiffness 0.002 that slip between 0.5 and 0.6, and a spring of 0.5.
  std::vector<double> x, g;
  for (int i = 0; i <= 100; ++i) {
    x.push_back(0.01 * i);
    double force = 0.5 * x.back();
    for (int k = 0; k < 1000; ++k) force += 0.002 * std::min(x.back(), 0.5 + 1e-4 * (k + 0.5));
    g.push_back(force);
  }
  const IwanDensity density = iwan_density(x, g, 10);
  EXPECT_NEAR(density.elastic, 0.5, 1e-5);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(density.stiffness[i], i == 5 ? 2 : 0, 1e-4) << i;
}

TEST(IwanDensity, never_goes_negative_on_noise) {
  const IwanUniform<double> law({.k = 1, .u_max = 1});
  std::vector<double> x, g;
  for (int i = 0; i <= 200; ++i) {
    x.push_back(0.005 * i);
    g.push_back(law.backbone().at(x.back()).force);
  }
  add_noise(g, 0.003, 11);
  const IwanDensity density = iwan_density(x, g, 20);
  for (const double bar : density.density) EXPECT_GE(bar, 0);
  EXPECT_NEAR(density.rms, 0.006, 0.002);  // the noise over the largest force, 0.003/0.5
}

TEST(IwanDensity, refuses_what_is_no_backbone) {
  const std::vector<double> two{0, 1}, three{0, 1, 2}, zero{0, 0, 0};
  EXPECT_THROW(iwan_density(two, two, 10), Error);
  EXPECT_THROW(iwan_density(three, two, 10), Error);
  EXPECT_THROW(iwan_density(zero, three, 10), Error);
  EXPECT_THROW(iwan_density(three, three, 0), Error);
}

TEST(Normalization, there_and_back) {
  Normalization n = normalization(5, 1, 0.25);
  n.u_center = 3;
  n.f_center = -2;
  // Saturated lines f = −2 + (u − 3) ± 0.125 become ±1; a slope of 5 becomes 1.
  EXPECT_DOUBLE_EQ(n.f(7, -2 + 4 + 0.125), 1);
  EXPECT_DOUBLE_EQ(n.f(-1, -2 - 4 - 0.125), -1);
  const double rise = n.f(3.01, -2 + 0.05) - n.f(3, -2);
  EXPECT_NEAR(rise / (n.u(3.01) - n.u(3)), 1, 1e-12);
  for (const double u : {-2.0, 0.3, 5.0}) {
    for (const double f : {-1.0, 4.0}) {
      EXPECT_NEAR(n.measured_u(n.u(u)), u, 1e-14);
      EXPECT_NEAR(n.measured_f(n.u(u), n.f(u, f)), f, 1e-13);
    }
  }
  EXPECT_THROW(normalization(1, 1, 2), Error);
  EXPECT_THROW(normalization(1, 0, 0), Error);
}

TEST(Normalization, of_a_lap_joint_is_found_from_its_loop) {
  // The single-bolt joint of the thesis: α = 2/3, σ = 1/16 in normalised form (eq. 4.20), taken
  // back to kN and mm with the printed a0, a1, a2 of fig. 4.5.
  const double alpha = 2.0 / 3, sigma = 1.0 / 16;
  const TwoState<double> law({.mu = 1,
                              .sigma = sigma,
                              .alpha = alpha,
                              .b1 = std::sqrt(alpha * (1 - alpha) / (1 - sigma)),
                              .b2 = std::sqrt(alpha * (alpha - sigma) / (1 - sigma)),
                              .ks = 0});
  Normalization printed{.a0 = 11.1266, .a1 = 28.6250, .a2 = 1.1255};
  TestRecord record;
  for (int k = 0; k <= 8000; ++k) {
    record.t.push_back(k / 2000.0);
    record.u.push_back(2 * std::sin(2 * pi * record.t.back()) + std::sin(8 * pi * record.t.back()));
  }
  std::vector<double> bar;
  for (const double u : record.u) bar.push_back(printed.u(u));
  const std::vector<double> f_bar = forces(law, bar);
  for (std::size_t i = 0; i < bar.size(); ++i)
    record.f.push_back(printed.measured_f(bar[i], f_bar[i]));

  const Loops loops = record.analyse();
  ASSERT_TRUE(loops.normalization.has_value());
  const Normalization& found = *loops.normalization;
  // The loop is bent near its corners, so slopes and gap read from it are only nearly the limits.
  EXPECT_NEAR(found.a0, printed.a0, 0.02 * printed.a0);
  EXPECT_NEAR(found.a1, printed.a1, 0.02 * printed.a1);
  EXPECT_NEAR(found.a2, printed.a2, 0.03 * printed.a2);
  const Cycle& largest = *loops.largest();
  EXPECT_NEAR(found.f(largest.out.u.front(), largest.out.f.front()), 1, 0.02);
  EXPECT_NEAR(found.f(largest.back.u.front(), largest.back.f.front()), -1, 0.02);
}

}  // namespace backbone_test
}  // namespace microslip::loops
