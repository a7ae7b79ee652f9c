#include "microslip/models/masing_smooth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/masing.hpp"

namespace microslip {
namespace masing_smooth_test {

using Law = MasingSmooth<double>;

TEST(MasingSmooth, one_element_is_bouc_wen) {
  // z' = k(1 − ½(1 + sgn)|z/φ|^m)u' is A = k, β = γ = k/(2φ^m).
  const double k = 1.4, phi = 0.6, m = 2.6, half = 0.5 * k * std::pow(phi, -m);
  const Law law({.k = {k}, .phi = {phi}, .m = m});
  const BoucWen<double> one({.A = k, .beta = half, .gamma = half, .n = m, .k = 1, .a = 0});
  auto a = law.rest();
  auto b = one.rest();
  for (const double u : {0.2, 1.0, 0.7, 0.8, -2.0, 0.0, 9.0}) {
    const auto f = law.step(a, u, a);
    const auto g = one.step(b, u, b);
    EXPECT_NEAR(f.force, g.force, 1e-15);
    EXPECT_NEAR(f.tangent, g.tangent, 1e-14);
    EXPECT_NEAR(f.dissipated, g.dissipated, 1e-14);
    EXPECT_NEAR(law.stored(a), one.stored(b), 1e-15);
  }
}

// 1000^150 and 0.001^150 are no numbers, yet only the unit of force has changed.
TEST(MasingSmooth, sharp_knees_in_any_unit_of_force) {
  for (const double m : {150.0, 4000.0}) {
    const Law one({.k = {1.0}, .phi = {1.0}, .m = m});
    for (const double unit : {1000.0, 0.001}) {
      const Law other({.k = {unit}, .phi = {unit}, .m = m});
      auto a = one.rest();
      auto b = other.rest();
      for (const double u : {0.5, 3.0, 2.5, -4.0, 0.0}) {
        const auto f = one.step(a, u, a);
        const auto g = other.step(b, u, b);
        EXPECT_NEAR(g.force, unit * f.force, 1e-14 * unit) << m << " " << unit << " " << u;
        EXPECT_NEAR(g.dissipated, unit * f.dissipated, 1e-13 * unit) << m << " " << unit;
      }
    }
  }
}

TEST(MasingSmooth, sharp_knees_are_masing) {
  const std::vector<double> k{0.5, 0.3, 0.2}, phi{0.25, 0.3, 0.45};
  const Masing<double> sharp({.k = k, .phi = phi});
  double before = 1;
  for (const double m : {10.0, 40.0, 160.0, 640.0}) {
    const Law law({.k = k, .phi = phi, .m = m});
    auto a = law.rest();
    auto b = sharp.rest();
    double worst = 0;
    for (const double u : {0.6, 1.5, 0.2, 0.9, -3.0, -2.0, 0.1})
      worst = std::max(worst, std::abs(law.step(a, u, a).force - sharp.step(b, u, b).force));
    EXPECT_LT(worst, 0.5 * before) << m;  // of order 1/m
    before = worst;
  }
  EXPECT_LT(before, 2e-3);
}

TEST(MasingSmooth, unloads_elastically) {
  const Law law({.k = {0.5, 0.3}, .phi = {0.25, 0.3}, .m = 3});
  auto state = law.rest();
  const double top = law.step(state, 2, state).force;
  EXPECT_NEAR(law.step(state, 1.8, state).force, top - 0.2 * 0.8, 1e-15);
  // Element forces near 0.25 and 0.3 vanish after 0.5 and 1: the first kink ahead is the first.
  EXPECT_NEAR(law.next_kink(state, -1), 1.8 - state.z[0] / 0.5, 1e-15);
}

TEST(MasingSmooth, refuses_lists_of_different_length) {
  EXPECT_THROW(Law({.k = {1, 2}, .phi = {1}, .m = 2}), Error);
}

}  // namespace masing_smooth_test
}  // namespace microslip
