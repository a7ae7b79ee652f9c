#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "dynamics/jointed_beam.hpp"
#include "dynamics/support.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"

namespace microslip::dynamics {
namespace fineness_test {

/// The peak of problem_a by shooting, docs/respond.md.
constexpr double peak_in_time = 2.59114312;

FrequencyResponseOptions over(double from, double to) {
  FrequencyResponseOptions options;
  options.from = from;
  options.to = to;
  options.stability = false;
  return options;
}

TEST(Fineness, harmonics_by_default_are_enough_for_a_picture_and_no_more) {
  std::vector<int> used;
  FrequencyResponseOptions options = over(0.7, 1.2);
  options.on_harmonics = [&](int harmonics) { used.push_back(harmonics); };
  const FrequencyResponse usual = frequency_response(problem_a(), options);
  ASSERT_EQ(usual.end, CurveEnd::reached);
  EXPECT_LE(usual.truncation, usual_truncation);
  EXPECT_NEAR(usual.peaks.at(0).at(0).first[0].amplitude, peak_in_time,
              usual_truncation * peak_in_time);
  EXPECT_EQ(usual.harmonics, *std::max_element(used.begin(), used.end()));
  options.tolerance = 1e-6;
  const FrequencyResponse fine = frequency_response(problem_a(), options);
  EXPECT_LE(fine.truncation, 1e-6);
  EXPECT_NEAR(fine.peaks.at(0).at(0).first[0].amplitude, peak_in_time, 1e-6 * peak_in_time);
  EXPECT_LT(usual.harmonics, fine.harmonics);
}

TEST(Fineness, away_from_the_resonance_fewer_harmonics_go_on) {
  // Two masses far from each other in frequency: the second resonance sticks nearly all the way.
  Structure s{diagonal({1, 1}), diagonal({0.01, 0.01}), SparseMatrix(2, 2), {}, {}};
  s.K = Eigen::Matrix2d{{0.75, -0.05}, {-0.05, 0.8}}.sparseView();
  s.joints.push_back({jenkins(0.25, 0.2), Eigen::VectorXd::Unit(2, 0)});
  s.loads.push_back({Eigen::VectorXd::Unit(2, 0), Tones{{{0.2, 0, 1, 0}}}});
  FrequencyResponseOptions options = over(0.75, 4);
  options.tolerance = 1e-5;
  std::vector<int> used;
  options.on_harmonics = [&](int harmonics) { used.push_back(harmonics); };
  const FrequencyResponse r = frequency_response(s, options);
  ASSERT_EQ(r.end, CurveEnd::reached);
  EXPECT_FALSE(std::is_sorted(used.begin(), used.end())) << used.size();
  EXPECT_EQ(r.harmonics, *std::max_element(used.begin(), used.end()));
  // Every point is as near to the response with all harmonics as the tolerance says.
  options.harmonics = r.harmonics;
  for (std::size_t i = 0; i < r.branch.size(); i += 5) options.at.push_back(r.branch[i].omega);
  const FrequencyResponse all = frequency_response(s, options);
  for (std::size_t i = 0; i < r.branch.size(); i += 5) {
    double nearest = 1;
    for (const ResponsePoint& point : all.at)
      if (point.omega == r.branch[i].omega)
        nearest = std::min(nearest,
                           std::abs(point.first[0].amplitude / r.branch[i].first[0].amplitude - 1));
    EXPECT_LT(nearest, 2 * options.tolerance) << r.branch[i].omega;
  }
}

TEST(Fineness, a_mode_has_fewer_harmonics_again_where_all_slips) {
  ModeOptions options;
  options.from = 0.1;
  options.to = 1000;
  std::vector<int> used;
  options.on_harmonics = [&](int harmonics) { used.push_back(harmonics); };
  const Structure s = oscillator(jenkins(0.25, 0.2));
  const ModeCurve usual = nonlinear_mode(s, options);
  ASSERT_EQ(usual.end, CurveEnd::reached);
  EXPECT_LE(usual.truncation, usual_truncation);
  options.at = {1, 5, 500};
  options.harmonics = 31;
  const ModeCurve fine = nonlinear_mode(s, options);
  options.harmonics = 0;
  const ModeCurve again = nonlinear_mode(s, options);
  ASSERT_EQ(fine.at.size(), again.at.size());
  for (std::size_t i = 0; i < fine.at.size(); ++i) {
    EXPECT_NEAR(again.at[i].omega, fine.at[i].omega, usual_truncation * fine.at[i].omega);
    EXPECT_NEAR(again.at[i].zeta, fine.at[i].zeta, 10 * usual_truncation * fine.at[i].zeta);
  }
}

/// Where all joints slip the beams slide along each other, in a direction in which every degree of freedom is stiff.
/// Changes there counted 1e-2 for 1e-4 of the motion, and 31 harmonics were taken, more than which hardly
/// helped.
TEST(Fineness, beams_that_slide_along_each_other_need_no_more_than_a_picture) {
  JointedBeam beam;
  beam.elements = beam.joints = 12;
  const Structure s = beam.structure();
  ModeOptions options;
  options.from = 1e-4;
  options.to = 0.1;
  options.at = {3e-4, 1e-3, 3e-3, 1e-2, 3e-2};
  const ModeCurve usual = nonlinear_mode(s, options);
  ASSERT_EQ(usual.end, CurveEnd::reached);
  EXPECT_LE(usual.harmonics, enough_for_more);
  EXPECT_LE(usual.truncation, most_usual_truncation);
  EXPECT_LE(usual.truncation_of_damping, most_usual_of_damping);
  options.harmonics = 31;
  const ModeCurve fine = nonlinear_mode(s, options);
  ASSERT_EQ(fine.at.size(), options.at.size());
  ASSERT_EQ(usual.at.size(), options.at.size());
  double most_lost = 0;
  for (std::size_t i = 0; i < fine.at.size(); ++i) {
    const ModePoint &a = usual.at[i], &b = fine.at[i];
    EXPECT_LE(std::abs(a.omega / b.omega - 1), usual.truncation);
    EXPECT_LE(std::abs(a.zeta / b.zeta - 1), usual.truncation_of_damping);
    most_lost = std::max(most_lost, b.zeta);
    std::printf("a %g omega %g zeta %g: %.1e %.1e\n", b.amplitude, b.omega, b.zeta,
                a.omega / b.omega - 1, a.zeta / b.zeta - 1);
  }
  std::printf("%d %g %g\n", usual.harmonics, usual.truncation, usual.truncation_of_damping);
  EXPECT_GT(most_lost, 0.01);  // they do slide
}

}  // namespace fineness_test
}  // namespace microslip::dynamics
