#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dynamics/support.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/loops/harmonic.hpp"
#include "support/random.hpp"

/// `series` around a law in every analysis, against the law that it is.
namespace microslip::dynamics {
namespace series_in_structures_test {

struct Pair {
  std::string series, same;
};

std::vector<Pair> pairs() {
  return {
      {"series(jenkins(k=0.5,phi=0.2))", "jenkins(k=0.5,phi=0.2)"},
      {"series(jenkins(k=1,phi=0.2),compliance=1)", "jenkins(k=0.5,phi=0.2)"},
      {"series(series(jenkins(k=2,phi=0.2),compliance=0.5),compliance=1)",
       "jenkins(k=0.5,phi=0.2)"},
      {"series(masing(k=[0.5,0.3],phi=[0.1,0.2]))", "masing(k=[0.5,0.3],phi=[0.1,0.2])"},
      {"series(iwan4(Fs=0.4,KT=0.5))", "iwan4(Fs=0.4,KT=0.5)"},
      {"scaled(series(jenkins(k=1,phi=0.2),compliance=1),output_gain=2)", "jenkins(k=1,phi=0.4)"},
  };
}

AnyModel model_of(const std::string& text) { return catalog::make({text, {}, {}}); }

TEST(SeriesInStructures, resonance_of_series_jenkins_is_that_of_jenkins) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.series);
    FrequencyResponseOptions options;
    options.from = 0.5;
    options.to = 2;
    options.at = {0.9, 1.1, 1.15, 1.2, 1.5};
    const auto response = [&](const std::string& text) {
      return frequency_response(oscillator(model_of(text), 0.1, 1, 0.02, 1), options);
    };
    const FrequencyResponse series = response(pair.series), same = response(pair.same);
    EXPECT_EQ(series.end, CurveEnd::reached);
    EXPECT_TRUE(series.leaps.empty());
    EXPECT_LE(series.branch.size(), same.branch.size() + 5);
    ASSERT_EQ(series.at.size(), same.at.size());
    for (std::size_t i = 0; i < same.at.size(); ++i) {
      const Phasor &a = series.at[i].first[0], &b = same.at[i].first[0];
      EXPECT_LE(std::abs(std::polar(a.amplitude, a.phase) - std::polar(b.amplitude, b.phase)),
                1e-8 * b.amplitude)
          << same.at[i].omega;
      EXPECT_EQ(series.at[i].stability, same.at[i].stability) << same.at[i].omega;
    }
  }
}

TEST(SeriesInStructures, modes_averages_and_motions_are_those_of_the_same_law) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.series);
    const AnyModel series = model_of(pair.series), same = model_of(pair.same);
    ModeOptions options;
    options.from = 0.1;
    options.to = 2;
    options.at = {0.3, 1};
    const ModeCurve a = nonlinear_mode(oscillator(series), options),
                    b = nonlinear_mode(oscillator(same), options);
    EXPECT_EQ(a.end, CurveEnd::reached);
    ASSERT_EQ(a.at.size(), b.at.size());
    for (std::size_t i = 0; i < a.at.size(); ++i) {
      EXPECT_NEAR(a.at[i].omega, b.at[i].omega, 1e-8 * b.at[i].omega);
      EXPECT_NEAR(a.at[i].zeta, b.at[i].zeta, 1e-8);
    }
    const loops::FirstHarmonic one = loops::first_harmonic(series, 0.7, 1),
                               other = loops::first_harmonic(same, 0.7, 1);
    EXPECT_NEAR(one.a1, other.a1, 1e-10);
    EXPECT_NEAR(one.b1, other.b1, 1e-10);
    EXPECT_NEAR(averaged(oscillator(series), 0.7).zeta, averaged(oscillator(same), 0.7).zeta,
                1e-10);
    TimeOptions run;
    run.until = 20;
    run.x0 = Eigen::VectorXd::Ones(1);
    Structure s = oscillator(series), t = oscillator(same);
    s.loads.clear();
    t.loads.clear();
    const TimeResult moved = integrate(s, run), moves = integrate(t, run);
    EXPECT_NEAR(moved.x.back()[0], moves.x.back()[0], 1e-8);
  }
}

TEST(SeriesInStructures, derivatives_by_motion_and_by_parameters_are_exact) {
  const AnyModel series = model_of("series(jenkins(k=1,phi=0.2),compliance=1)");
  WideDual k(1), c(1);
  k.v[1] = 1;
  c.v[2] = 1;
  const AnyDualModel dual = series.dual({{"jenkins.k", {k}}, {"compliance", {c}}});
  const auto derivatives = [&](double u) {
    AnyState state = dual.rest();
    WideDual target(u);
    target.v[0] = 1;
    return dual.step(state, target, 0, state).force;
  };
  // Stuck: f = u/(c + 1/k); slipping: f = φ.
  const WideDual stuck = derivatives(0.1), slips = derivatives(1);
  EXPECT_NEAR(stuck.a, 0.05, 1e-15);
  EXPECT_NEAR(stuck.v[0], 0.5, 1e-15);
  EXPECT_NEAR(stuck.v[1], 0.025, 1e-15);
  EXPECT_NEAR(stuck.v[2], -0.025, 1e-15);
  EXPECT_NEAR(slips.a, 0.2, 1e-15);
  EXPECT_NEAR(slips.v.norm(), 0, 1e-15);
}

}  // namespace series_in_structures_test
}  // namespace microslip::dynamics
