#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/balance/finer_step.hpp"
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

/// Units by stiffnesses, which depend on the coordinates, counted what beams slide along each other a hundredfold:
/// 31 harmonics were taken where 15 do.
TEST(Fineness, a_change_is_the_same_part_of_a_vibration_in_any_coordinates) {
  constexpr int harmonics = 2, n = 3;
  const Eigen::MatrixXd T{{2, 0.3, -0.1}, {40, 1, 0.2}, {0.01, -0.5, 3}};
  const Eigen::MatrixXd M{{2, 0.5, 0}, {0.5, 1, 0.1}, {0, 0.1, 3}};
  const Eigen::MatrixXd inverse = T.inverse();
  Eigen::VectorXd x(n * 5), change(n * 5), there(n * 5), change_there(n * 5);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    x[i] = std::sin(1.0 + static_cast<double>(i));
    change[i] = 1e-3 * std::cos(3.0 * static_cast<double>(i));
  }
  for (Eigen::Index k = 0; k < 5; ++k) {
    there.segment(k * n, n) = inverse * x.segment(k * n, n);
    change_there.segment(k * n, n) = inverse * change.segment(k * n, n);
  }
  const auto part = [&](const Eigen::MatrixXd& mass, const Eigen::VectorXd& d,
                        const Eigen::VectorXd& y) {
    return part_of_vibration(mass.sparseView(), n, {d, 1}, {y, harmonics});
  };
  const double expected = part(M, change, x);
  EXPECT_NEAR(part(T.transpose() * M * T, change_there, there), expected, 1e-12 * expected);
  // By hand: the first harmonic of the change, all of the motion but its mean.
  double above = 0, below = 0;
  for (Eigen::Index k = 1; k < 5; ++k) {
    if (k < 3) above += change.segment(k * n, n).dot(M * change.segment(k * n, n));
    below += x.segment(k * n, n).dot(M * x.segment(k * n, n));
  }
  EXPECT_NEAR(expected, std::sqrt(above / below), 1e-15);
  // What has no mass counts by its displacement.
  Eigen::VectorXd massless = Eigen::VectorXd::Zero(n * 5);
  massless[n + 2] = 0.1;
  const double largest = x.tail(n * 4).lpNorm<Eigen::Infinity>();
  EXPECT_NEAR(part(Eigen::Vector3d(1, 1, 0).asDiagonal(), massless, x), 0.1 / largest, 1e-15);
}

}  // namespace fineness_test
}  // namespace microslip::dynamics
