#include "microslip/dynamics/periodic/frequency_response.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/periodic/stability.hpp"
#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/time/shooting.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {
namespace frequency_response_test {

FrequencyResponse response(const Structure& structure, int harmonics, double from = 0.7,
                           double to = 1.2) {
  FrequencyResponseOptions options;
  options.from = from;
  options.to = to;
  options.harmonics = harmonics;
  return frequency_response(structure, options);
}

double largest_linear_error(const Structure& structure, double k) {
  const FrequencyResponse r = response(structure, 3);
  EXPECT_EQ(r.end, CurveEnd::reached);
  double error = 0;
  for (const ResponsePoint& p : r.branch)
    error = std::max(
        error, std::abs(p.first[0].amplitude / linear_amplitude(0.2, 1, 0.01, k, p.omega) - 1));
  return error;
}

TEST(FrequencyResponse, linear_limits) {
  EXPECT_LT(largest_linear_error(oscillator(law("linear", {{"k", 0.25}})), 1.0), 1e-10);
  // Stuck: the slider never reaches its limit.
  EXPECT_LT(largest_linear_error(oscillator(jenkins(0.25, 1e3)), 1.0), 1e-10);
  // Slipping all the time: its force is 1e-11 of the load.
  EXPECT_LT(largest_linear_error(oscillator(jenkins(0.25, 1e-13)), 0.75), 1e-10);
  Structure none = oscillator(jenkins(1, 1));
  none.joints.clear();
  EXPECT_LT(largest_linear_error(none, 0.75), 1e-10);
}

TEST(FrequencyResponse, problem_a_has_its_known_peak) {
  const FrequencyResponse r = response(problem_a(), 7);
  ASSERT_EQ(r.end, CurveEnd::reached);
  ASSERT_EQ(r.peaks[0].size(), 1u);
  // Two public codes print 2.59112 and 2.59115 with 1024 samples a period, which are good to 1e-4.
  EXPECT_NEAR(r.peaks[0][0].first[0].amplitude, 2.5911, 1e-4);
  EXPECT_LT(r.energy_balance, 1e-8);
  EXPECT_LT(r.quadrature, 1e-9);
  EXPECT_LT(r.residual, 1e-10);
  for (const ResponsePoint& p : r.branch) EXPECT_EQ(p.stability, Stability::stable);
}

FrequencyResponse along(Along what, double from, double to, std::vector<double> at) {
  FrequencyResponseOptions options;
  options.along = what;
  options.omega = 0.9;
  options.from = from;
  options.to = to;
  options.harmonics = 7;
  options.at = std::move(at);
  return frequency_response(problem_a(), options);
}

TEST(FrequencyResponse, branches_along_level_and_amplitude_meet_the_one_along_frequency) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.harmonics = 7;
  options.at = {0.9};
  const FrequencyResponse frequency = frequency_response(problem_a(), options);
  ASSERT_EQ(frequency.at.size(), 1u);
  const double amplitude = frequency.at[0].first[0].amplitude;

  const FrequencyResponse level = along(Along::level, 0.1, 3, {1});
  EXPECT_EQ(level.end, CurveEnd::reached);
  ASSERT_EQ(level.at.size(), 1u);
  EXPECT_NEAR(level.at[0].first[0].amplitude, amplitude, 1e-9);
  EXPECT_LT(level.energy_balance, 1e-8);

  const FrequencyResponse reached = along(Along::amplitude, 0.1, 5, {amplitude});
  EXPECT_EQ(reached.end, CurveEnd::reached);
  ASSERT_EQ(reached.at.size(), 1u);
  EXPECT_NEAR(reached.at[0].level, 1, 1e-9);
  // Stuck, the joint is its spring: k = 1.
  EXPECT_NEAR(reached.branch[0].first[0].amplitude, 0.1, 1e-12);
  EXPECT_NEAR(reached.branch[0].level, 0.1 / linear_amplitude(0.2, 1, 0.01, 1, 0.9), 1e-9);
}

TEST(FrequencyResponse, points_along_the_amplitude_do_not_depend_on_the_unit_of_length) {
  std::vector<std::size_t> points;
  for (const double unit : {1.0, 1e6, 1e-6}) {
    Structure s = problem_a();
    s.M /= unit;
    s.C /= unit;
    s.K /= unit;
    s.joints[0].model = jenkins(0.25 / unit, 0.2);
    FrequencyResponseOptions options;
    options.along = Along::amplitude;
    options.omega = 0.9;
    options.from = 0.5 * unit;
    options.to = 3 * unit;
    options.harmonics = 3;
    const FrequencyResponse r = frequency_response(s, options);
    EXPECT_EQ(r.end, CurveEnd::reached);
    points.push_back(r.branch.size());
  }
  EXPECT_EQ(points[1], points[0]);
  EXPECT_EQ(points[2], points[0]);
}

TEST(FrequencyResponse, a_branch_that_was_stopped_goes_on_where_it_was) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.harmonics = 5;
  const FrequencyResponse whole = frequency_response(problem_a(), options);
  int points = 0;
  options.progress = [&](double) { return ++points < 30; };
  const FrequencyResponse half = frequency_response(problem_a(), options);
  EXPECT_EQ(half.end, CurveEnd::stopped);
  EXPECT_EQ(half.branch.size(), 30u);
  options.progress = {};
  options.start = half.branch.back().unknowns;
  options.direction = half.branch.back().tangent;
  const FrequencyResponse rest = frequency_response(problem_a(), options);
  EXPECT_EQ(rest.end, CurveEnd::reached);
  EXPECT_NEAR(rest.branch.front().omega, half.branch.back().omega, 1e-12);
  ASSERT_EQ(rest.peaks[0].size(), 1u);
  EXPECT_NEAR(rest.peaks[0][0].first[0].amplitude, whole.peaks[0][0].first[0].amplitude, 1e-8);
}

TEST(FrequencyResponse, under_a_static_load_the_joint_slips_there_and_sticks_beside_it) {
  // Pushed to slip and then shaken too little to slip again, the joint keeps nearly the force φ it
  // has there: mean (F − φ)/k, and the amplitude of the stuck structure.
  Structure s = oscillator(jenkins(0.25, 0.2), 0.001);
  s.loads.push_back({Eigen::VectorXd::Ones(1), Constant{2}});
  const FrequencyResponse r = response(s, 3, 0.5, 0.6);
  ASSERT_EQ(r.end, CurveEnd::reached);
  for (const ResponsePoint& p : r.branch) {
    // The furthest point of the motion slips by its own amplitude at the first pass.
    EXPECT_NEAR(p.y[0], (2 - 0.2) / 0.75, 0.01);
    EXPECT_NEAR(p.first[0].amplitude, linear_amplitude(0.001, 1, 0.01, 1, p.omega), 1e-8);
  }
}

TEST(FrequencyResponse, joints_remember_how_far_the_preload_took_them) {
  // The second mass is shaken loose from its friction and gives way to its static load; through the
  // coupling it pushes the first, heavy one back, whose joint stays behind where the preload took
  // it.
  Structure s{diagonal({50, 1}), diagonal({5, 0.1}), diagonal({1, 1}), {}, {}};
  add_along(s.K, Eigen::Vector2d(1, 1), 0.5);
  s.joints.push_back({jenkins(1, 0.3), between(2, 0, 1)});
  s.joints.push_back({jenkins(1, 0.8), between(2, 0, 2)});
  s.loads.push_back({Eigen::Vector2d(2, 3), Constant{1}});
  s.loads.push_back({Eigen::Vector2d(0, 1), Tones{{{1.5, 0, 1, 1.5}}}});
  const FrequencyResponse r = response(s, 5, 1.5, 1.6);
  ASSERT_EQ(r.end, CurveEnd::reached);
  const double preloaded = static_equilibrium(s).x[0];
  const double shaken = r.branch.front().y[0];
  EXPECT_LT(shaken, preloaded - 5 * r.branch.front().first[0].amplitude);
  TimeOptions options;
  options.method = Method::midpoint;
  options.step = 2 * pi / 1.5 / 60;
  options.until = 60 * 2 * pi / 1.5;
  const TimeResult time = integrate(s, options);
  double mean = 0;
  for (std::size_t i = time.x.size() - 60; i < time.x.size(); ++i) mean += time.x[i][0] / 60;
  // On its way the transient overshoots by 0.015, which a steady analysis does not know; a joint
  // that forgets its preload would be off by 0.09.
  EXPECT_NEAR(shaken, mean, 0.03);
}

TEST(FrequencyResponse, harmonics_are_chosen_by_what_they_change) {
  FrequencyResponseOptions options;
  options.from = 0.85;
  options.to = 0.95;
  options.tolerance = 1e-4;
  const FrequencyResponse automatic = frequency_response(problem_a(), options);
  EXPECT_GT(automatic.harmonics, 3);
  EXPECT_LE(automatic.truncation, 1e-4);
  const FrequencyResponse more = response(problem_a(), 31, 0.85, 0.95);
  EXPECT_NEAR(automatic.peaks[0][0].first[0].amplitude, more.peaks[0][0].first[0].amplitude, 1e-4);
}

TEST(FrequencyResponse, more_harmonics_go_on_where_fewer_were_not_enough) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.tolerance = 1e-4;
  double done = 0;
  options.progress = [&](double part) {
    // The points since the last test of the harmonics are done again, not the whole branch.
    EXPECT_GT(part, done - 0.1);
    done = part;
    return true;
  };
  const FrequencyResponse chosen = frequency_response(problem_a(), options);
  EXPECT_GT(chosen.harmonics, 3);
  options.harmonics = chosen.harmonics;
  done = 0;
  const FrequencyResponse given = frequency_response(problem_a(), options);
  EXPECT_NEAR(chosen.peaks.at(0).at(0).first[0].amplitude,
              given.peaks.at(0).at(0).first[0].amplitude, 1e-9);
  // Every point is on the branch, those with fewer harmonics as well as the tolerance says.
  HarmonicBalance balance(problem_a(), chosen.harmonics);
  for (const ResponsePoint& point : chosen.branch) {
    ASSERT_EQ(point.y.size(), balance.size() + 1);
    Eigen::VectorXd y = point.y;
    ASSERT_TRUE(solve_at(balance, y).converged);
    EXPECT_NEAR(first_harmonic(y, 1, 0).amplitude, point.first[0].amplitude,
                options.tolerance * point.first[0].amplitude);
  }
}

TEST(FrequencyResponse, wanted_frequencies_lie_on_the_branch) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.harmonics = 5;
  options.at = {0.7, 0.91234};
  const FrequencyResponse r = frequency_response(problem_a(), options);
  ASSERT_EQ(r.at.size(), 2u);
  EXPECT_EQ(r.at[0].omega, 0.7);
  EXPECT_EQ(r.at[1].omega, 0.91234);
  EXPECT_LT(std::abs(r.at[1].balance), 1e-8);
}

TEST(FrequencyResponse, every_law_balances_its_energy) {
  for (const char* name : {"iwan4", "bouc-wen", "two-state", "dahl", "iwan-uniform", "pinched"}) {
    const FrequencyResponse r = response(oscillator(law(name), 0.5, 1, 0.05, 0.5), 5, 0.4, 2);
    EXPECT_EQ(r.end, CurveEnd::reached) << name;
    EXPECT_LT(r.energy_balance, 1e-8) << name;
  }
}

TEST(FrequencyResponse, goes_on_beyond_a_force_that_is_lost_at_once) {
  // The sliders of iwan5 that give way together do so at u = 2.538.
  FrequencyResponseOptions options;
  options.from = 0.8;
  options.to = 1.1;
  options.harmonics = 7;
  options.stability = false;
  const FrequencyResponse r = frequency_response(oscillator(law("iwan5"), 1, 1, 0.05, 1), options);
  EXPECT_EQ(r.end, CurveEnd::reached);
  EXPECT_EQ(r.leaps.size(), 1u);
  EXPECT_LT(r.energy_balance, 1e-8);
  ASSERT_EQ(r.peaks[0].size(), 1u);
  EXPECT_GT(r.peaks[0][0].first[0].amplitude, 5);
}

TEST(FrequencyResponse, stops_on_request_and_keeps_the_branch) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.harmonics = 3;
  int points = 0;
  options.progress = [&](double) { return ++points < 10; };
  const FrequencyResponse r = frequency_response(problem_a(), options);
  EXPECT_EQ(r.end, CurveEnd::stopped);
  EXPECT_EQ(r.branch.size(), 10u);
}

TEST(FrequencyResponse, an_interrupted_branch_is_as_exact_as_a_whole_one) {
  // Smooth loops that the first rule of quadrature takes to five digits only.
  FrequencyResponseOptions options;
  options.from = 1.5;
  options.to = 0.5;
  options.stability = false;
  options.tolerance = 1e-6;
  int points = 0;
  options.progress = [&](double) { return ++points < 8; };
  const FrequencyResponse r = frequency_response(oscillator(law("m-state"), 1), options);
  EXPECT_EQ(r.end, CurveEnd::stopped);
  ASSERT_FALSE(r.branch.empty());
  EXPECT_LT(r.energy_balance, 1e-8);
  EXPECT_LT(r.quadrature, 1e-9);
  EXPECT_LT(r.truncation, 1e-6);
}

/// "a load has harmonic 2; the analysis has 1" was said of a start with fewer harmonics, and "the analysis
/// has 3" of the first number that is tried, where nobody had given one.
TEST(FrequencyResponse, no_start_has_fewer_harmonics_than_the_loads) {
  Structure s{diagonal({1}), diagonal({0.02}), diagonal({1}), {}, {}};
  s.joints.push_back({law("gap", {{"k", 5.0}, {"gap", 0.05}}), Eigen::VectorXd::Ones(1)});
  s.loads.push_back(
      {Eigen::VectorXd::Ones(1), Tones{{{1, 0, 1, 0}, {0.5, 0, 2, 0}, {0.25, 0, 3, 0}}}});
  s.loads.push_back({Eigen::VectorXd::Ones(1), Constant{1}});
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 0.75;
  options.harmonics = 15;
  options.stability = options.peaks = false;
  EXPECT_EQ(frequency_response(s, options).end, CurveEnd::reached);

  // Linear, so that each harmonic is that of its own tone.
  Structure linear{diagonal({1}), diagonal({0.1}), diagonal({1}), {}, {}};
  linear.loads.push_back({Eigen::VectorXd::Ones(1), Tones{{{1, 0, 1, 0}, {0.3, 0, 5, 0}}}});
  options.harmonics = 0;
  options.at = {0.72};
  const FrequencyResponse r = frequency_response(linear, options);
  ASSERT_GE(r.harmonics, 5);
  const auto amplitude = [&](int h) {
    return std::hypot(r.at.at(0).y[2 * h - 1], r.at.at(0).y[2 * h]);
  };
  const auto exact = [](double force, double w) { return force / std::hypot(1 - w * w, 0.1 * w); };
  EXPECT_NEAR(amplitude(1), exact(1, 0.72), 1e-9);
  EXPECT_NEAR(amplitude(5), exact(0.3, 5 * 0.72), 1e-9);
}

TEST(FrequencyResponse, refuses_loads_that_are_not_periodic) {
  Structure s = problem_a();
  s.loads[0].signal = Impulse{1, 0, 0.1};
  EXPECT_THROW(response(s, 3), Error);
  EXPECT_THROW(response(problem_a(), 3, 0, 1), Error);
}

TEST(FrequencyResponse, refuses_a_structure_that_nothing_shakes) {
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  Structure s = problem_a();
  s.loads[0].signal = Constant{0.1};
  EXPECT_THROW(frequency_response(s, options), Error);
  s.loads.clear();
  EXPECT_THROW(frequency_response(s, options), Error);
}

TEST(Stability, multipliers_of_a_linear_oscillator) {
  const Structure s = oscillator(law("linear", {{"k", 0.25}}));
  HarmonicBalance balance(s, 1);
  const Eigen::VectorXd y = balance.starts().linear_response(0.9);
  const Floquet map = floquet(balance, y, 4000);
  // |μ| = e^{−cT/2m}, with the order two of the midpoint rule.
  EXPECT_NEAR(std::abs(map.multipliers[0]), std::exp(-0.005 * 2 * pi / 0.9), 1e-7);
  EXPECT_TRUE(map.stable);
  EXPECT_NEAR(std::abs(hill(balance, y).multipliers[0]), std::exp(-0.005 * 2 * pi / 0.9), 1e-10);
}

/// Floquet multipliers of the steady motion of an oscillator, by differences in time.
Eigen::Vector2cd multipliers_in_time(Structure s, double omega) {
  const ShootingResult steady = shoot(s, omega);
  std::get<Tones>(s.loads[0].signal).list[0].omega = omega;
  TimeOptions options;
  options.until = 2 * pi / omega;
  options.tolerance = 1e-11;
  const auto end = [&](double more_x, double more_v) {
    options.x0 = steady.x0.array() + more_x;
    options.v0 = steady.v0.array() + more_v;
    const TimeResult r = integrate(s, options);
    return Eigen::Vector2d(r.x.back()[0], r.v.back()[0]);
  };
  const double h = 1e-5;
  Eigen::Matrix2d map;
  map.col(0) = (end(h, 0) - end(-h, 0)) / (2 * h);
  map.col(1) = (end(0, h) - end(0, -h)) / (2 * h);
  return map.eigenvalues();
}

TEST(Stability, rigid_friction_stops_disturbances) {
  // Turning at once, and resting twice a period.
  for (const double omega : {1.1, 0.3}) {
    const Structure s = oscillator(law("coulomb"), 2, 1, 0.05, 1);
    HarmonicBalance balance(s, 7);
    Eigen::VectorXd y = balance.starts().linear_response(omega);
    ASSERT_TRUE(solve_at(balance, y).converged);
    const Floquet found = floquet(balance, y, 1024);
    EXPECT_TRUE(found.stable);
    const Eigen::Vector2cd expected = multipliers_in_time(s, omega);
    // Steps do not end where the motion stops.
    EXPECT_NEAR(std::abs(found.multipliers[0]), expected.cwiseAbs().maxCoeff(), 0.01);
    EXPECT_NEAR(std::abs(found.multipliers[1]), expected.cwiseAbs().minCoeff(), 0.01);
  }
}

TEST(Stability, negative_damping_is_unstable) {
  const Structure s = oscillator(law("linear", {{"k", 0.25}}), 0.2, 1, -0.01);
  HarmonicBalance balance(s, 1);
  const Eigen::VectorXd y = balance.starts().linear_response(0.9);
  EXPECT_FALSE(floquet(balance, y).stable);
  EXPECT_FALSE(hill(balance, y).stable);
}

TEST(FrequencyResponse, of_a_linear_law_is_that_of_its_dynamic_stiffness) {
  // Kernels that remember all of their past were approached period by period and not reached.
  for (const char* kernel : {"gaussian", "fractional"}) {
    const AnyModel model = law("convolution(kernel=" + std::string(kernel) + ")");
    const Structure s = oscillator(model);
    FrequencyResponseOptions options;
    options.from = 0.3;
    options.to = 3;
    options.at = {1.0};
    const FrequencyResponse r = frequency_response(s, options);
    ASSERT_EQ(r.end, CurveEnd::reached);
    EXPECT_LE(r.branch.size(), 100u);
    EXPECT_LT(r.energy_balance, 1e-9);
    ASSERT_EQ(r.at.size(), 1u);
    const std::complex<double> K = *model.dynamic_stiffness(1);
    const double expected = 0.2 / std::abs(0.75 - 1 + std::complex(0.0, 0.01) + K);
    EXPECT_NEAR(r.at[0].first[0].amplitude, expected, 1e-9 * expected);
    EXPECT_EQ(r.at[0].stability, Stability::stable);
  }
}

}  // namespace frequency_response_test
}  // namespace microslip::dynamics
