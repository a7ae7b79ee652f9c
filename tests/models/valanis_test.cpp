#include "microslip/models/valanis.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc.hpp"
#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace valanis_test {

using Law = Valanis<double>;

TEST(Valanis, without_kappa_is_bouc) {
  // z = F − Et u obeys z' = (E0 − Et − λ d z) u'.
  const Law law({.E0 = 2, .Et = 0.3, .lambda = 1.4, .kappa = 0});
  const Bouc<double> bouc({.A = 1.7, .alpha = 1.4, .k = 0.3});
  auto one = law.rest();
  auto other = bouc.rest();
  for (const double u : {0.2, 1.5, 1.1, 1.3, -2.0, 0.0, 40.0, 39.0}) {
    const auto f = law.step(one, u, one);
    const auto g = bouc.step(other, u, other);
    EXPECT_NEAR(f.force, g.force, 1e-14) << u;
    EXPECT_NEAR(f.tangent, g.tangent, 1e-14) << u;
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-14 * (1 + g.dissipated)) << u;
    EXPECT_NEAR(law.stored(one), bouc.stored(other), 1e-13 * (1 + bouc.stored(other))) << u;
  }
}

TEST(Valanis, tends_to_a_slider_with_kappa_to_one) {
  // Slip force E0/λ (1 − ρ)/(1 − ρκ) → E0/λ above the line Et u, stick with E0: a Jenkins element
  // of stiffness E0 − Et beside a spring Et.
  const double E0 = 3, Et = 0.5, lambda = 2;
  const Jenkins<double> slider({.k = E0 - Et, .phi = E0 / lambda});
  double before = 1;
  for (const double gap : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Law law({.E0 = E0, .Et = Et, .lambda = lambda, .kappa = 1 - gap});
    auto one = law.rest();
    auto other = slider.rest();
    double worst = 0;
    for (const double u : {0.4, 0.59, 0.61, 2.0, 1.0, 1.2, -3.0})
      worst = std::max(worst, std::abs(law.step(one, u, one).force - Et * u -
                                       slider.step(other, u, other).force));
    EXPECT_LT(worst, 0.3 * before);
    before = worst;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Valanis, agrees_with_the_quadrature_of_the_printed_equation) {
  // With H = F − Et u: dH/du = E0 (1 + e)/(1 + κe) − Et, e = −d (λ/E0) H, a function of H alone.
  boost::math::quadrature::tanh_sinh<double> rule;
  for (const double kappa : {0.0, 0.4, 0.9, 0.99}) {
    const double E0 = 2, Et = 0.3, lambda = 1.4;
    const Law law({.E0 = E0, .Et = Et, .lambda = lambda, .kappa = kappa});
    const double limit = E0 / lambda * (1 - Et / E0) / (1 - Et / E0 * kappa);
    auto state = law.rest();
    double h = 0, u = 0, work = 0, lost = 0;
    for (const double part : {0.5, 0.99, 0.2, 0.6, -0.9, -0.95, 0.999}) {
      const double target = part * limit, d = target > h ? 1 : -1;
      const auto inverse_slope = [&](double x) {
        const double e = -d * lambda / E0 * x;
        return 1 / (E0 * (1 + e) / (1 + kappa * e) - Et);
      };
      u += rule.integrate(inverse_slope, h, target, 1e-15);
      work += rule.integrate([&](double x) { return x * inverse_slope(x); }, h, target, 1e-15);
      h = target;
      lost += law.step(state, u, state).dissipated;
      EXPECT_NEAR(state.f, Et * u + h, 1e-12) << kappa << " " << part;
      EXPECT_NEAR(lost + law.stored(state), work + 0.5 * Et * u * u, 1e-12) << kappa << " " << part;
    }
  }
}

// The loss is (1 − κ)/(1 − ρ) (E0/λ) e² per displacement, and e = ∓λ(1 − ρ) u to the first order:
// (4/3)(1 − κ)(1 − ρ) λ E0 U³ from rest to U, −U and back to 0.
TEST(Valanis, energy_of_a_small_cycle) {
  for (const double kappa : {0.0, 0.5, 0.9}) {
    const Law law({.E0 = 2, .Et = 0.5, .lambda = 3, .kappa = kappa});
    for (const double amplitude : {1e-4, 1e-6, 1e-9, 1e-12}) {
      auto state = law.rest();
      double lost = 0;
      for (const double u : {amplitude, -amplitude, 0.0})
        lost += law.step(state, u, state).dissipated;
      const double expected = 4.0 / 3 * (1 - kappa) * 0.75 * 3 * 2 * std::pow(amplitude, 3);
      EXPECT_NEAR(lost, expected, (1e-14 + 20 * amplitude) * expected) << kappa << " " << amplitude;
    }
  }
}

TEST(Valanis, refuses_slip_stiffer_than_stick) {
  EXPECT_THROW(Law({.E0 = 1, .Et = 1, .lambda = 1, .kappa = 0}), Error);
  EXPECT_THROW(Law({.E0 = 1, .Et = 0, .lambda = 1, .kappa = 1}), Error);
}

}  // namespace valanis_test
}  // namespace microslip
