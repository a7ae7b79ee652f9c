#include "microslip/detail/numerics/signal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip {
namespace signal_test {

SampledSignal sample(std::string_view text, double until, double step) {
  return sample_signal(Expression::parse(text, {"t"}), until, step);
}

/// The rows that are no multiple of the step.
SampledSignal inserted(const SampledSignal& rows, double step) {
  SampledSignal result;
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    const double steps = rows.t[i] / step;
    if (std::abs(steps - std::round(steps)) <= 1e-9) continue;
    result.t.push_back(rows.t[i]);
    result.u.push_back(rows.u[i]);
  }
  return result;
}

/// Times of the rows that are higher or lower than both neighbours.
std::vector<double> turning_times(const SampledSignal& rows) {
  std::vector<double> result;
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    if ((rows.u[i] - rows.u[i - 1]) * (rows.u[i + 1] - rows.u[i]) < 0) result.push_back(rows.t[i]);
  }
  return result;
}

void expect_times(const std::vector<double>& got, const std::vector<double>& wanted,
                  double tolerance) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], tolerance) << i;
}

void expect_increasing(const SampledSignal& rows) {
  ASSERT_EQ(rows.t.size(), rows.u.size());
  EXPECT_TRUE(std::is_sorted(rows.t.begin(), rows.t.end(), std::less_equal<double>()));
}

std::string message(std::string_view text, double until, double step) {
  try {
    sample(text, until, step);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Signal, counts_rows_in_spite_of_rounding) {
  EXPECT_EQ(sample("t", 1, 0.001).size(), 1001u);
  EXPECT_EQ(sample("t", 0.3, 0.1).size(), 4u);    // 0.3/0.1 = 2.9999999999999996
  EXPECT_EQ(sample("t", 0.07, 0.01).size(), 8u);  // 0.07/0.01 = 7.000000000000001
  EXPECT_EQ(sample("t", 100, 1e-3).size(), 100001u);
  EXPECT_EQ(sample("t", 1, 0.3).size(), 5u);  // 0, .3, .6, .9, 1
  EXPECT_EQ(sample("t", 1, 5).size(), 2u);
  EXPECT_EQ(sample("t", 1e-9, 1).size(), 2u);
}

TEST(Signal, rows_are_the_decimals_one_expects) {
  const SampledSignal rows = sample("2*t", 1, 0.1);
  EXPECT_EQ(rows.t[3], 0.3);
  EXPECT_EQ(rows.t[7], 0.7);
  EXPECT_EQ(rows.u[7], 1.4);
  EXPECT_EQ(rows.t.front(), 0);
  EXPECT_EQ(sample("t", 0.95, 0.1).t.back(), 0.95);
}

TEST(Signal, monotone_and_constant_signals_get_no_further_rows) {
  for (const char* text :
       {"3", "t", "-t^3", "exp(-t)", "(t-0.503)^3", "sqrt(t)", "floor(2)*t", "t+sin(t)",
        "sin(7*t)^2+cos(7*t)^2", "abs(t-0.503)+2*t", "tanh(50*t-9)", "min(t,0.503)", "0*t"}) {
    EXPECT_EQ(sample(text, 1, 0.01).size(), 101u) << text;
  }
}

TEST(Signal, two_frequency_load_has_the_turning_points_of_the_closed_form) {
  // u' = 4π cos 2πt + 8π cos 8πt = 0; with c = cos 2πt, cos 8πt = 8c⁴ - 8c² + 1:
  // c + 2(8c⁴ - 8c² + 1) = 0. Its roots in [-1, 1] by bisection in long double.
  const auto polynomial = [](long double c) { return c + 2 * (8 * c * c * c * c - 8 * c * c + 1); };
  std::vector<double> wanted;
  for (int i = -1000; i < 1000; ++i) {
    long double lo = i / 1000.0L, hi = (i + 1) / 1000.0L;
    if ((polynomial(lo) < 0) == (polynomial(hi) < 0)) continue;
    const bool low_side = polynomial(lo) < 0;
    for (int k = 0; k < 80; ++k) {
      const long double mid = (lo + hi) / 2;
      ((polynomial(mid) < 0) == low_side ? lo : hi) = mid;
    }
    const long double t = std::acos(lo) / (2 * std::numbers::pi_v<long double>);
    for (int cycle = 0; cycle < 2; ++cycle) {
      wanted.push_back(static_cast<double>(cycle + t));
      wanted.push_back(static_cast<double>(cycle + 1 - t));
    }
  }
  std::sort(wanted.begin(), wanted.end());
  ASSERT_EQ(wanted.size(), 16u);  // 4 roots, 8 extrema per cycle
  for (const double step : {0.001, 0.01, 0.037, 0.125, 0.25, 0.5, 1.0, 2.0}) {
    const SampledSignal rows = sample("2*sin(2*pi*t)+sin(8*pi*t)", 2, step);
    expect_increasing(rows);
    expect_times(turning_times(rows), wanted, 4e-16 * 4);  // a few ulp of t up to 2
  }
}

TEST(Signal, three_samples_a_period) {
  const double step = 2 * pi / 3;
  const SampledSignal rows = sample("sin(t)", 20 * pi, step);
  std::vector<double> wanted;
  for (int i = 0; i < 20; ++i) wanted.push_back((i + 0.5) * pi);
  expect_times(turning_times(rows), wanted, 2e-14);  // ulp(20π) = 7e-15
  for (const double u : inserted(rows, step).u) EXPECT_EQ(std::abs(u), 1.0);
}

TEST(Signal, faster_than_the_step_and_in_tune_with_it) {
  // 40 whole periods per step: every row is 0, with the same slope.
  const SampledSignal rows = sample("sin(80*pi*t)", 2, 1);
  EXPECT_EQ(turning_times(rows).size(), 160u);
  EXPECT_EQ(rows.size(), 163u);
}

TEST(Signal, pair_of_turning_points_inside_one_step) {
  // u' = 3((t - 0.5)² - δ²): turns at 0.5 ± δ, by 4δ³.
  for (const double delta : {0.1, 0.01, 1e-3, 1e-4}) {
    const std::string d = std::to_string(delta);
    const SampledSignal rows = sample("(t-0.5)^3-3*" + d + "^2*(t-0.5)", 0.9, 0.9);
    expect_times(turning_times(rows), {0.5 - delta, 0.5 + delta}, 1e-12);
  }
}

TEST(Signal, shallow_pairs_of_turning_points) {
  // u' = 1 - δ + cos t dips below zero by δ only, around t = π.
  for (const double delta : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const double step : {0.1, 0.37, 0.63, 0.9, 1.3, 2.1, 3.0}) {
      const SampledSignal rows = sample("(1-" + std::to_string(delta) + ")*t+sin(t)", 6, step);
      const double turn = std::acos(delta - 1);
      expect_times(turning_times(rows), {turn, 2 * pi - turn}, 1e-10);
    }
  }
}

TEST(Signal, flat_at_every_row) {
  // Value, slope and curvature are exactly 0 at each row and at each quarter of a step.
  EXPECT_EQ(turning_times(sample("sin(2*pi*mod(4*t,1))^4", 2, 1)).size(), 31u);
}

TEST(Signal, pulse_beside_the_point_of_the_first_cut) {
  const SampledSignal rows = sample("max(0, 0.1-abs(t-0.2))", 1, 1);
  EXPECT_EQ(*std::max_element(rows.u.begin(), rows.u.end()), 0.1);
}

TEST(Signal, peak_on_a_row_is_not_doubled) {
  EXPECT_EQ(sample("sin(2*pi*t)", 1, 0.25).size(), 5u);
  EXPECT_EQ(sample("sin(2*pi*t)", 1, 0.001).size(), 1001u);
  EXPECT_EQ(sample("cos(2*pi*t)", 3, 0.01).size(), 301u);
  EXPECT_EQ(sample("triangle(2*pi*t)", 3, 0.05).size(), 61u);
  EXPECT_EQ(sample("(t-0.3)^2", 1, 0.1).size(), 11u);
}

TEST(Signal, peaks_keep_their_height) {
  const SampledSignal rows = sample("exp(-0.1*t)*cos(3*t)", 10, 0.1);
  // u' = 0 at tan 3t = -0.1/3.
  std::vector<double> wanted;
  for (int i = 1; i <= 9; ++i) wanted.push_back((i * pi - std::atan(0.1 / 3)) / 3);
  expect_times(turning_times(rows), wanted, 1e-14);
}

TEST(Signal, kinks_are_turning_points) {
  for (const double step : {0.01, 0.07, 0.3, 0.9}) {
    const SampledSignal wave = sample("triangle(2*pi*t)", 2.7, step);
    expect_times(turning_times(wave), {0.25, 0.75, 1.25, 1.75, 2.25}, 1e-15);
    for (const double u : wave.u) EXPECT_LE(std::abs(u), 1.0);
    expect_times(turning_times(sample("abs(t-0.123)", 0.9, step)), {0.123}, 1e-16);
    expect_times(turning_times(sample("sqrt(abs(t-0.123))", 0.9, step)), {0.123}, 1e-16);
    expect_times(turning_times(sample("asin(sin(2*pi*t))", 0.9, step)), {0.25, 0.75}, 1e-8);
  }
}

TEST(Signal, plateau_turns_at_its_ends) {
  // Rises to 1 at 0.123, stays until 0.877, falls.
  const SampledSignal rows = sample("min(t/0.123, 1, (1-t)/0.123)", 1, 0.3);
  EXPECT_EQ(*std::max_element(rows.u.begin(), rows.u.end()), 1.0);
  EXPECT_EQ(rows.size(), 5u);  // the rows 0.3 and 0.6 hold the plateau's height
  const SampledSignal coarse = sample("min(t/0.123, 1, (1-t)/0.123)", 1, 1);
  EXPECT_EQ(*std::max_element(coarse.u.begin(), coarse.u.end()), 1.0);
}

TEST(Signal, jumps_are_two_neighbouring_rows) {
  for (const double step : {0.01, 0.3, 0.9}) {
    const SampledSignal rows = sample("t-2*step(t-0.123)", 0.9, step);
    expect_increasing(rows);
    const auto after = std::find(rows.t.begin(), rows.t.end(), 0.123) - rows.t.begin();
    ASSERT_LT(static_cast<std::size_t>(after), rows.size());
    const auto i = static_cast<std::size_t>(after);
    EXPECT_EQ(rows.t[i - 1], std::nextafter(0.123, -infinity));
    EXPECT_NEAR(rows.u[i - 1], 0.123, 1e-16);
    EXPECT_NEAR(rows.u[i], 0.123 - 2, 1e-15);
  }
  const SampledSignal sawtooth = sample("sawtooth(2*pi*t)", 2, 0.4);
  EXPECT_EQ(sawtooth.size(), 6u + 4u);
  EXPECT_NEAR(*std::max_element(sawtooth.u.begin(), sawtooth.u.end()), 1.0, 1e-15);
  EXPECT_EQ(*std::min_element(sawtooth.u.begin(), sawtooth.u.end()), -1.0);
  // Jumps at 0.5, 1, 1.5, and at 2, which is a row and gets its left neighbour.
  EXPECT_EQ(sample("square(2*pi*t)", 2, 0.4).size(), 6u + 7u);
  // sign(0) = 0 is a row of its own.
  EXPECT_EQ(sample("sign(t-0.5)", 1, 0.25).size(), 5u + 2u);
}

TEST(Signal, small_jump_against_the_motion_is_seen) {
  const SampledSignal rows = sample("t-1e-5*step(t-0.123)", 1, 0.3);
  EXPECT_EQ(rows.size(), 5u + 2u);
}

TEST(Signal, the_same_values_as_the_expression) {
  const Expression u = Expression::parse("sin(t)/3+t^2.5/(1+t)", {"t"});
  const SampledSignal rows = sample_signal(u, 9, 0.1);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows.u[i], u(rows.t[i]));
}

// At the nodes of a beat both terms cancel and their rounding remains; it was taken for a signal
// that is too fast, and the smaller the step the sooner.
TEST(Signal, rounding_between_beats_is_not_a_fast_signal) {
  const SampledSignal rows = sample_signal(Expression::parse("sin(t)+sin(1.1*t)", {"t"}), 32, 2e-4);
  // 2 sin(1.05 t) cos(0.05 t) turns once between neighbouring zeros, kπ/1.05 and 10π; eleven such
  // pieces end before t = 32.
  EXPECT_EQ(rows.size(), 160001u + 11u);
}

TEST(Signal, refuses_what_it_cannot_sample) {
  EXPECT_EQ(message("t", 1, 0), "step = 0 must be positive and finite");
  EXPECT_EQ(message("t", -2, 1), "until = -2 must be positive and finite");
  EXPECT_NE(message("t", std::nan(""), 1), "");
  EXPECT_NE(message("t", 1, std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(message("t", 1, 1e-9),
            "step = 1e-09 gives more than 1e8 rows up to until = 1, a larger step is needed");
  EXPECT_NE(message("t", 1e300, 1e-300), "");
  EXPECT_EQ(message("1/(t-0.5)", 1, 0.25), "signal '1/(t-0.5)' is not finite at t = 0.5");
  EXPECT_NE(message("log(t)", 1, 0.25).find("at t = 0"), std::string::npos);
  EXPECT_EQ(
      message("sin(1e6*t)", 1, 1),
      "signal 'sin(1e6*t)' varies too fast after t = 0 for step = 1, a smaller step is needed");
  EXPECT_THROW(sample_signal(Expression::parse("t*u", {"t", "u"}), 1, 0.1), Error);
  EXPECT_EQ(sample_signal(Expression(), 1, 0.5).size(), 3u);
}

}  // namespace signal_test
}  // namespace microslip
