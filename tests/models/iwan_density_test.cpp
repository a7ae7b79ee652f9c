#include "microslip/models/iwan_density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/iwan_power.hpp"
#include "microslip/models/iwan_table.hpp"
#include "microslip/models/iwan_uniform.hpp"
#include "microslip/models/masing.hpp"

namespace microslip {
namespace iwan_density_test {

constexpr double path[] = {0.1, 0.7, -0.3, 0.2, 0.15, 1.4, -2.0, -1.2, 3.0, 1e-3, 1.1e-3};

/// Both laws on the path: force, tangent and loss.
template <class One, class Other>
void expect_same(const One& one, const Other& other, double tolerance) {
  auto a = one.rest();
  auto b = other.rest();
  for (const double u : path) {
    const auto f = one.step(a, u, a);
    const auto g = other.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, tolerance) << u;
    EXPECT_NEAR(f.tangent, g.tangent, 10 * tolerance) << u;
    EXPECT_NEAR(f.dissipated, g.dissipated, tolerance) << u;
    EXPECT_NEAR(one.stored(a), other.stored(b), 10 * tolerance) << u;
  }
}

IwanDensity<double> density(const std::string& rho, double phi_max, double S = 0) {
  return IwanDensity<double>({.rho = Expression::parse(rho, {"phi"}), .phi_max = phi_max, .S = S});
}

TEST(IwanDensity, with_a_power_is_iwan4) {
  const Iwan4<double> iwan4({.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7});
  const auto& g = iwan4.backbone();
  expect_same(density(number_text(g.R) + "*phi^-0.4", g.phi_max, g.S), iwan4, 1e-11);
}

TEST(IwanDensity, that_is_level_is_the_uniform_continuum) {
  expect_same(density("2/0.8", 0.8), IwanUniform<double>({.k = 2, .u_max = 0.8}), 1e-12);
}

TEST(IwanDensity, has_the_loss_of_its_integral) {
  // ρ = 2(1 − φ): g = x − x² + x³/3, D = ∫φ(x − φ)ρ = x³/3 − x⁴/6.
  const auto law = density("2*(1-phi)", 1);
  for (const double x : {0.01, 0.3, 0.9})
    EXPECT_NEAR(law.energy_per_cycle(x), 4 * (x * x * x / 3 - x * x * x * x / 6), 1e-13);
}

TEST(IwanDensity, refuses_what_is_no_density) {
  EXPECT_THROW(density("1-2*phi", 1), Error);    // negative
  EXPECT_THROW(density("1/(1-phi)", 1), Error);  // no value at the end
  EXPECT_THROW(density("0*phi", 1), Error);      // nothing
}

TEST(IwanPower, is_iwan4_with_other_parameters) {
  const Iwan4<double> iwan4({.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7});
  const auto& g = iwan4.backbone();
  const IwanPower<double> law({.R = g.R, .S = g.S, .phi_max = g.phi_max, .chi = -0.4});
  expect_same(law, iwan4, 1e-14);
  EXPECT_NEAR(law.first_harmonic(0.3, 1)->b1, iwan4.first_harmonic(0.3, 1)->b1, 1e-14);
}

TEST(IwanTable, of_many_narrow_bars_is_many_sliders) {
  // Bars of width w around a displacement against sliders there: the same to w²/24 of the density.
  std::vector<double> phi, rho, k, strength;
  const double w = 1e-4;
  for (int i = 1; i <= 5; ++i) {
    const double at = 0.2 * i;
    phi.insert(phi.end(), {at - w / 2, at + w / 2});
    rho.insert(rho.end(), {0.5 / w, 0});
    k.push_back(0.5);
    strength.push_back(0.5 * at);
  }
  rho.pop_back();
  // The tangent differs inside a bar, where the path does not stop.
  const IwanTable<double> table({.phi = phi, .rho = rho, .k = 0});
  const Masing<double> sliders({.k = k, .phi = strength});
  auto a = table.rest();
  auto b = sliders.rest();
  for (const double u : {0.1, 0.71, -0.33, 0.25, 0.15, 1.45, -2.0, -1.25, 3.0})
    EXPECT_NEAR(table.step(a, u, a).force, sliders.step(b, u, b).force, 1e-8) << u;
}

TEST(IwanTable, of_one_bar_is_the_uniform_continuum) {
  expect_same(IwanTable<double>({.phi = {0, 0.8}, .rho = {2.5}, .k = 0}),
              IwanUniform<double>({.k = 2, .u_max = 0.8}), 1e-13);
}

TEST(IwanTable, refuses_edges_that_do_not_fit_the_bars) {
  using Law = IwanTable<double>;
  EXPECT_THROW(Law({.phi = {0, 1}, .rho = {1, 2}}), Error);
  EXPECT_THROW(Law({.phi = {0, 1, 1}, .rho = {1, 2}}), Error);
  EXPECT_THROW(Law({.phi = {0, 1}, .rho = {0}, .k = 0}), Error);
}

// ---------------------------------------------------------------------- the history-free method

using Iwan = Iwan4<double>;
Iwan history_free() {
  return Iwan({.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7}, {Iwan::Method::history_free});
}

TEST(Iwan4HistoryFree, is_exact_on_the_virgin_curve_and_from_full_slip) {
  const Iwan exact({.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7}), law = history_free();
  auto a = law.rest();
  auto b = exact.rest();
  for (const double u : {0.1, 0.3, 2.0, 1.6, 0.2, -1.9, -1.0}) {
    const auto f = law.step(a, u, a);
    const auto g = exact.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, 1e-13) << u;
    EXPECT_NEAR(f.tangent, g.tangent, 1e-12) << u;
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-13) << u;
    EXPECT_NEAR(law.stored(a), exact.stored(b), 1e-12) << u;
  }
}

TEST(Iwan4HistoryFree, does_not_depend_on_the_steps_and_balances_its_energy) {
  const Iwan law = history_free();
  auto coarse = law.rest(), fine = law.rest();
  double u = 0, work = 0, lost = 0, force = 0;
  for (const double end : {0.3, -0.2, 0.25, 0.1, 2.0, -0.1, 0.0}) {
    law.step(coarse, end, coarse);
    const double start = u;
    for (int i = 1; i <= 4000; ++i) {
      const double next = start + (end - start) * i / 4000;
      const auto f = law.step(fine, next, fine);
      EXPECT_GE(f.dissipated, -1e-16);
      work += 0.5 * (force + f.force) * (next - u);
      lost += f.dissipated;
      force = f.force;
      u = next;
    }
    EXPECT_NEAR(fine.f, coarse.f, 1e-12) << end;
    EXPECT_NEAR(work, lost + law.stored(fine), 1e-6) << end;  // trapezoidal rule
  }
}

TEST(Iwan4HistoryFree, forgets_the_outer_loop) {
  // A minor loop should close on its way back; with the last reversal alone it does not.
  const Iwan exact({.Fs = 2, .KT = 5, .chi = -0.4, .beta = 0.7}), law = history_free();
  auto a = law.rest();
  auto b = exact.rest();
  for (const double u : {0.3, 0.1, 0.3}) {
    law.step(a, u, a);
    exact.step(b, u, b);
  }
  EXPECT_NEAR(b.f, exact.backbone().at(0.3).force, 1e-13);
  EXPECT_GT(std::abs(a.f - b.f), 1e-3);
}

}  // namespace iwan_density_test
}  // namespace microslip
