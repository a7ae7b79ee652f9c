#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "dynamics/support.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/time/shooting.hpp"

/// A law that answers a displacement to a force and is infinitely stiff after reversals, as a joint.
namespace microslip::dynamics {
namespace force_driven_joints_test {

using std::numbers::pi;

AnyModel front() { return catalog::make({"slip-front(EA=2,t=0.4,ell=2)", {}, {}}); }
Structure held_by(const AnyModel& model, double force, double m = 1, double c = 0.05,
                  double k = 0.6) {
  return oscillator(catalog::by_displacement(model), force, m, c, k);
}

FrequencyResponse response(const Structure& s, double from, double to, std::vector<double> at,
                           int harmonics) {
  FrequencyResponseOptions options;
  options.from = from;
  options.to = to;
  options.at = std::move(at);
  options.harmonics = harmonics;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(s, options);
  EXPECT_EQ(r.end, CurveEnd::reached);
  EXPECT_TRUE(r.loops_closed);
  EXPECT_LT(r.energy_balance, 1e-6);
  return r;
}

/// Where inertia and spring cancel (k = m ω²) the joint carries the load, and its displacement is that of
/// the law under F sin: b1 = u₀ and a1 = 4u₀/(3π) with u₀ = F²/(2 EA t). The inertia of the higher harmonics
/// is left: 8 m x₃ is 5e-4 of the load.
TEST(ForceDrivenJoint, carries_the_load_of_a_light_mass) {
  const double F = 0.5, u = F * F / (2 * 2 * 0.4);
  const double expected = u * std::hypot(1, 4 / (3 * pi));
  const Structure s = held_by(front(), F, 1e-3, 0, 1e-3);
  const auto r = response(s, 0.9, 1.1, {1.0}, 31);
  ASSERT_EQ(r.at.size(), 1u);
  EXPECT_NEAR(r.at[0].first[0].amplitude, expected, 5e-4 * expected);
  EXPECT_NEAR(r.at[0].energy[0], 4 * F * u / 3, 5e-4 * F * u);
}

TEST(ForceDrivenJoint, has_no_stability_by_linearisation) {
  // Multipliers of such a joint are noise; the library reported them.
  FrequencyResponseOptions options;
  options.from = 0.9;
  options.to = 1.1;
  options.harmonics = 5;
  const auto first = [&](const Structure& s) {
    return frequency_response(s, options).branch.front().stability;
  };
  EXPECT_EQ(first(held_by(front(), 0.5)), Stability::unknown);
  EXPECT_EQ(first(oscillator(catalog::make({"series(slip-front,compliance=0.1)", {}, {}}), 0.5)),
            Stability::stable);
  EXPECT_EQ(first(problem_a()), Stability::stable);
  options.stability = false;
  EXPECT_EQ(first(problem_a()), Stability::unknown);
}

/// An independent method: shooting by events.
TEST(ForceDrivenJoint, agrees_with_time_integration) {
  const Structure s = held_by(front(), 0.5);
  const double omega = 0.9;
  const ShootingResult shot = shoot(s, omega, {.tolerance = 1e-9, .closure = 1e-7});
  ASSERT_TRUE(shot.converged);
  const double expected = harmonic_of(s, shot, omega, 0, 1).norm();
  double before = 0;
  for (const int harmonics : {7, 15}) {
    const auto r = response(s, 0.98 * omega, 1.02 * omega, {omega}, harmonics);
    ASSERT_EQ(r.at.size(), 1u);
    const double error = std::abs(r.at[0].first[0].amplitude - expected) / expected;
    EXPECT_LT(error, harmonics == 7 ? 4e-3 : 1e-3) << harmonics;
    if (harmonics > 7) {
      EXPECT_LT(error, 0.5 * before);
    }
    before = error;
  }
}

/// The same law, written as one that is driven by displacement: F = √(2 EA t u) until the whole rod slides.
TEST(ForceDrivenJoint, is_the_masing_law_of_its_inverse) {
  const AnyModel inverse = catalog::make({"masing-backbone(g=sqrt(1.6*min(u,0.4)))", {}, {}});
  for (const double force : {0.05, 0.5}) {
    const auto a = response(held_by(front(), force), 0.7, 1.1, {0.8, 0.9, 1.0}, 7);
    const auto b = response(held_by(inverse, force), 0.7, 1.1, {0.8, 0.9, 1.0}, 7);
    ASSERT_EQ(a.at.size(), 3u);
    ASSERT_EQ(b.at.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(a.at[i].first[0].amplitude, b.at[i].first[0].amplitude,
                  1e-7 * b.at[i].first[0].amplitude);
      EXPECT_NEAR(a.at[i].energy[0], b.at[i].energy[0], 1e-7 * b.at[i].energy[0]);
    }
  }
}

TEST(ForceDrivenJoint, the_same_physics_in_other_units) {
  const auto r = response(held_by(front(), 0.5), 0.7, 1.1, {0.9}, 7);
  // Newton, metre, second to millinewton, millimetre, millisecond.
  const double N = 1e3, metre = 1e3, s = 1e3;
  const AnyModel model = catalog::make(
      {"slip-front", {{"EA", 2 * N}, {"t", 0.4 * N / metre}, {"p", 0.0}, {"ell", 2 * metre}}, {}});
  const auto other =
      response(held_by(model, 0.5 * N, N * s * s / metre, 0.05 * N * s / metre, 0.6 * N / metre),
               0.7 / s, 1.1 / s, {0.9 / s}, 7);
  EXPECT_NEAR(other.at[0].first[0].amplitude / metre, r.at[0].first[0].amplitude, 1e-9);
  EXPECT_NEAR(other.at[0].energy[0] / (N * metre), r.at[0].energy[0], 1e-9);
}

}  // namespace force_driven_joints_test
}  // namespace microslip::dynamics
