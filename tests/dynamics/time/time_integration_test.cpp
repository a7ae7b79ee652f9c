#include "microslip/dynamics/time/time_integration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/in_time.hpp"
#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/time/ringdown.hpp"

namespace microslip::dynamics {
namespace time_integration_test {

/// At several times, because the error of a vibration can pass through zero at any one of them.
double distance(const TimeResult& a, const TimeResult& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.t.size(); ++i)
    for (std::size_t k = 0; k < b.t.size(); ++k)
      if (a.t[i] == b.t[k]) largest = std::max(largest, std::abs(a.x[i][0] - b.x[k][0]));
  return largest;
}

TimeOptions sampled(double end, double tolerance = 1e-12) {
  TimeOptions options = until(end, tolerance);
  options.at = {14, 15, 16, 17, 18, 19};
  return options;
}

TEST(TimeIntegration, units_of_length_do_not_matter) {
  // Of stiff joints in large units the slip distance is below any number one would call small.
  double expected = 0;
  for (const double unit : {1.0, 1e-9, 1e-20, 1e-100, 1e100}) {
    const double k = 1 / unit;
    Structure s = oscillator(jenkins(0.25 * k, 0.2), 0.2, k, 0.01 * k, 0.75 * k);
    EXPECT_FALSE(s.joints[0].model.rigid()) << unit;
    std::get<Tones>(s.loads[0].signal).list[0].omega = 0.9;
    TimeOptions options;
    options.until = 20;
    const TimeResult r = integrate(s, options);
    EXPECT_EQ(r.message, "") << unit;
    if (unit == 1) expected = r.x.back()[0];
    EXPECT_NEAR(r.x.back()[0] / unit, expected, 1e-7) << unit;
  }
  for (const char* rigid : {"coulomb", "prager", "reid", "stribeck", "backlash(prager, gap=0.1)"})
    EXPECT_TRUE(law(rigid).rigid()) << rigid;
}

TEST(TimeIntegration, units_of_time_do_not_matter) {
  long steps = 0;
  double expected = 0;
  for (const double unit : {1.0, 1e-15, 1e15}) {
    Structure s = oscillator(jenkins(0.25, 0.2), 0.2, unit * unit, 0.01 * unit);
    std::get<Tones>(s.loads[0].signal).list[0].omega = 0.9 / unit;
    const TimeResult r = integrate(s, until(20 * unit));
    EXPECT_EQ(r.message, "") << unit;
    if (unit == 1) steps = r.steps, expected = last(r);
    EXPECT_EQ(r.steps, steps) << unit;
    EXPECT_NEAR(last(r), expected, 1e-9) << unit;
  }
}

TEST(TimeIntegration, linear_ring_down_is_the_closed_form) {
  Structure s = oscillator(law("linear", {{"k", 0.25}}));
  s.loads.clear();
  TimeOptions options = until(30, 1e-12);
  options.x0 = Eigen::VectorXd::Ones(1);
  options.at = {7, 19};
  const TimeResult r = integrate(s, options);
  const double zeta = 0.005;
  const double damped = std::sqrt(1 - zeta * zeta);
  ASSERT_EQ(r.t, (std::vector<double>{0, 7, 19, 30}));
  for (std::size_t i = 0; i < r.t.size(); ++i)
    EXPECT_NEAR(r.x[i][0],
                std::exp(-zeta * r.t[i]) *
                    (std::cos(damped * r.t[i]) + zeta / damped * std::sin(damped * r.t[i])),
                1e-10);
}

TEST(TimeIntegration, sliding_mass_stops_where_energy_says) {
  // Fully slipping joint: from x = 0, v = 1 with no spring the kinetic energy ½ is lost to
  // ½ φ²/k stored and φ (distance − φ/k), all of it at the first reversal.
  Structure s{diagonal({1}), diagonal({0}), diagonal({0}), {}, {}};
  s.joints.push_back({jenkins(4, 0.5), Eigen::VectorXd::Ones(1)});
  TimeOptions options = until(3, 1e-11);
  options.v0 = Eigen::VectorXd::Ones(1);
  options.every_step = true;
  const TimeResult r = integrate(s, options);
  double furthest = 0;
  for (const auto& x : r.x) furthest = std::max(furthest, x[0]);
  EXPECT_NEAR(furthest, 1 + 0.5 * 0.5 / 4, 1e-9);
}

TEST(TimeIntegration, tolerance_controls_error_and_audit) {
  for (const char* name : {"jenkins", "iwan4", "bouc-wen", "two-state"}) {
    const Structure s = forced(law(name), 0.9);
    const double exact = last(integrate(s, until(40, 1e-13)));
    for (const double tolerance : {1e-6, 1e-9}) {
      const TimeResult r = integrate(s, until(40, tolerance));
      EXPECT_TRUE(r.message.empty()) << r.message;
      // About 40 time units of steps whose errors add up.
      EXPECT_LT(std::abs(last(r) - exact), 40 * tolerance) << name;
      EXPECT_LT(std::abs(r.audit.error()), 100 * tolerance * r.largest_energy) << name;
    }
  }
}

TEST(TimeIntegration, steps_between_events_have_order_five) {
  const Structure s = forced(jenkins(0.25, 0.2), 0.9);
  const double exact = last(integrate(s, until(20, 1e-14)));
  const TimeResult coarse = integrate(s, until(20, 1e-6));
  const TimeResult fine = integrate(s, until(20, 1e-11));
  const double order =
      std::log(std::abs((last(coarse) - exact) / (last(fine) - exact))) /
      std::log(static_cast<double>(fine.steps) / static_cast<double>(coarse.steps));
  EXPECT_GT(order, 4);
}

TEST(TimeIntegration, midpoint_balances_energy_to_rounding_and_has_order_two) {
  for (const char* name : {"jenkins", "iwan4", "bouc-wen"}) {
    const Structure s = forced(law(name), 0.9);
    const TimeResult exact = integrate(s, sampled(20));
    double error[2];
    int i = 0;
    for (const double h : {0.04, 0.01}) {
      TimeOptions options = sampled(20);
      options.method = Method::midpoint;
      options.step = h;
      const TimeResult r = integrate(s, options);
      EXPECT_TRUE(r.message.empty()) << name << ", " << r.message;
      EXPECT_LT(std::abs(r.audit.error()), 1e-12) << name;
      error[i++] = distance(r, exact);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]) / 2, 2, 0.4) << name;
  }
}

TEST(TimeIntegration, classical_methods_have_order_two) {
  const Structure s = forced(law("iwan4"), 0.9);
  const TimeResult exact = integrate(s, sampled(20));
  for (const Method method : {Method::newmark, Method::hht, Method::generalized_alpha}) {
    double error[2];
    int i = 0;
    for (const double h : {0.04, 0.01}) {
      TimeOptions options = sampled(20);
      options.method = method;
      options.step = h;
      error[i++] = distance(integrate(s, options), exact);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]) / 2, 2, 0.4) << static_cast<int>(method);
  }
}

TEST(TimeIntegration, steady_motion_agrees_with_harmonic_balance) {
  const double omega = 0.9;
  const double period = 2 * pi / omega;
  const int periods = 300;
  const int samples = 64;
  TimeOptions options = until(periods * period, 1e-11);
  for (int i = 0; i < samples; ++i)
    options.at.push_back(period * (periods - 1 + static_cast<double>(i) / samples));
  const TimeResult r = integrate(forced(jenkins(0.25, 0.2), omega), options);
  double a = 0;
  double b = 0;
  for (std::size_t i = 1; i + 1 < r.t.size(); ++i) {
    a += 2 * r.x[i][0] * std::cos(omega * r.t[i]) / samples;
    b += 2 * r.x[i][0] * std::sin(omega * r.t[i]) / samples;
  }
  FrequencyResponseOptions balance;
  balance.from = 0.89;
  balance.to = 0.91;
  balance.harmonics = 47;
  balance.at = {omega};
  balance.stability = balance.peaks = false;
  const FrequencyResponse steady = frequency_response(problem_a(), balance);
  EXPECT_NEAR(std::hypot(a, b), steady.at[0].first[0].amplitude, 1e-7);
}

TEST(TimeIntegration, impulse_is_a_jump_of_velocity) {
  Structure s = oscillator(law("linear", {{"k", 0.25}}), 0, 2, 0);
  s.loads[0].signal = Impulse{3, 0.5, 0};
  TimeOptions options = until(1, 1e-11);
  const TimeResult r = integrate(s, options);
  const double omega = std::sqrt(0.5);
  EXPECT_NEAR(last(r), 1.5 / omega * std::sin(omega * 0.5), 1e-9);
  EXPECT_NEAR(r.audit.input, 0.5 * 2 * 1.5 * 1.5, 1e-9);
  // Equal steps are cut where it acts, be it between two of them.
  s.loads[0].signal = Impulse{3, 0.5003, 0};
  options.step = 0.001;
  for (const Method method : {Method::midpoint, Method::newmark, Method::generalized_alpha}) {
    options.method = method;
    EXPECT_NEAR(last(integrate(s, options)), 1.5 / omega * std::sin(omega * 0.4997), 1e-5);
  }
}

TEST(TimeIntegration, stepped_sine_is_one_closed_form_after_another) {
  Structure s = oscillator(law("linear", {{"k", 0.25}}), 0, 1, 0);
  s.loads[0].signal = stepped_sine(0.2, {0.8, 1.25}, {3, 2});
  const double change = 3 * 2 * pi / 0.8;
  const double silence = change + 2 * 2 * pi / 1.25;
  TimeOptions options = until(silence + 2, 1e-12);
  options.at = {5, change, change + 4, silence};
  const TimeResult r = integrate(s, options);
  ASSERT_EQ(r.t.size(), 6u);
  // x″ + x = 0.2 sin ωt from rest, and what the levels before left swings on.
  const auto from_rest = [](double omega, double t) {
    return 0.2 / (1 - omega * omega) * (std::sin(omega * t) - omega * std::sin(t));
  };
  const auto rate = [](double omega, double t) {
    return 0.2 * omega / (1 - omega * omega) * (std::cos(omega * t) - std::cos(t));
  };
  const auto swings = [](double x, double v, double t) {
    return x * std::cos(t) + v * std::sin(t);
  };
  const double x1 = from_rest(0.8, change), v1 = rate(0.8, change);
  const double left = silence - change;
  const double x2 = from_rest(1.25, left) + swings(x1, v1, left);
  const double v2 = rate(1.25, left) + swings(v1, -x1, left);
  EXPECT_NEAR(r.x[1][0], from_rest(0.8, 5), 1e-10);
  EXPECT_NEAR(r.x[2][0], x1, 1e-10);
  EXPECT_NEAR(r.x[3][0], from_rest(1.25, 4) + swings(x1, v1, 4), 1e-10);
  EXPECT_NEAR(r.x[4][0], x2, 1e-10);
  EXPECT_NEAR(r.x[5][0], swings(x2, v2, 2), 1e-10);
  EXPECT_THROW(stepped_sine(1, {1, 0}, {1, 1}), Error);
  EXPECT_THROW(stepped_sine(1, {1, 2}, {1, 0}), Error);
}

TEST(TimeIntegration, preload_holds) {
  Structure s = oscillator(jenkins(1, 0.3), 0, 1, 0.1, 1);
  s.loads[0].signal = Constant{1};
  const StaticState at_rest = static_equilibrium(s);
  ASSERT_TRUE(at_rest.converged);
  EXPECT_NEAR(at_rest.x[0], 0.7, 1e-12);  // k x + φ = F with the joint slipping
  TimeOptions options = until(20);
  options.x0 = at_rest.x;
  const TimeResult r = integrate(s, options, 0, at_rest.joints);
  EXPECT_NEAR(last(r), 0.7, 1e-10);
}

TEST(TimeIntegration, rest_under_a_static_load_has_no_turns) {
  // In equilibrium all motion is rounding; its turns must neither be located nor hold up time.
  for (const double force : {0.01, 0.3, 2.0}) {
    Structure s = oscillator(
        law("iwan4", {{"Fs", 0.2}, {"KT", 0.25}, {"chi", -0.5}, {"beta", 0.5}}), 0, 1, 0);
    s.loads[0].signal = Constant{force};
    const StaticState at_rest = static_equilibrium(s);
    ASSERT_TRUE(at_rest.converged);
    TimeOptions options = until(100);
    options.x0 = at_rest.x;
    long calls = 0;
    options.progress = [&](double) { return ++calls < 2000; };
    const TimeResult r = integrate(s, options, 0, at_rest.joints);
    EXPECT_TRUE(r.message.empty()) << r.message;
    EXPECT_EQ(r.t.back(), 100);
    // Steps of 1/ω at most, ω² = 0.75, twice that for the few turns of the residual of equilibrium.
    EXPECT_LT(r.steps, 200);
    EXPECT_NEAR(last(r), at_rest.x[0], 1e-10 * (1 + force));
  }
}

TEST(TimeIntegration, cvode_goes_the_same_way) {
  // Two methods with nothing in common but the law: Runge–Kutta with its own search for events, and
  // multistep formulas with roots.
  for (const AnyModel& joint :
       {jenkins(0.25, 0.2), law("iwan4", {{"Fs", 0.2}, {"KT", 0.25}}), law("bouc-wen", {})}) {
    const Structure s = forced(joint, 0.9);
    TimeOptions options = sampled(40, 1e-11);
    const TimeResult expected = integrate(s, options);
    options.method = Method::cvode;
    const TimeResult r = integrate(s, options);
    ASSERT_TRUE(r.message.empty()) << r.message;
    ASSERT_EQ(r.t, expected.t);
    EXPECT_LT(distance(r, expected), 1e-8) << joint.description().name;
    EXPECT_NEAR(r.audit.joints, expected.audit.joints, 1e-8);
    EXPECT_LT(std::abs(r.audit.error()), 1e-8);
    EXPECT_GT(r.events, 10);
  }
  Structure s = forced(law("viscous", {{"c", 0.2}}), 0.9);
  TimeOptions options = until(5);
  options.method = Method::cvode;
  EXPECT_THROW(integrate(s, options), Error);
}

TEST(TimeIntegration, rows_at_equal_distances_are_as_many_as_there_are_steps) {
  // CVODE begins with a step of 1e-12, which is not a row.
  for (const Method method : {Method::events, Method::cvode, Method::midpoint}) {
    Structure s = problem_a();
    std::get<Tones>(s.loads[0].signal).list[0].omega = 0.9;
    TimeOptions options;
    options.method = method;
    options.until = 20;
    options.step = 0.1;
    options.every_step = false;
    const TimeResult r = integrate(s, options);
    EXPECT_EQ(r.t.size(), 201u);
  }
}

/// "the step size went to zero": while 1 − cos t is rounding, so was the motion, and errors were judged by it.
TEST(TimeIntegration, a_load_may_begin_gently) {
  // x″ + 4 x = 1 − cos t: x = 1/4 − cos(t)/3 + cos(2t)/12.
  Structure s{diagonal({1}), diagonal({0}), diagonal({3}), {}, {}};
  s.joints.push_back({jenkins(1, 10), Eigen::VectorXd::Ones(1)});
  s.loads.push_back({Eigen::VectorXd::Ones(1), Formula{Expression::parse("1-cos(t)", {"t"})}});
  TimeOptions options;
  options.until = 3;
  const TimeResult r = integrate(s, options);
  ASSERT_EQ(r.message, "");
  EXPECT_NEAR(r.x.back()[0], 0.25 - std::cos(3) / 3 + std::cos(6) / 12, 1e-8);
}

/// A time of a load that lies 1.05e-9 of a step beside a row was no row, and the row itself was passed.
TEST(TimeIntegration, rows_beside_times_of_a_load_are_not_left_out) {
  constexpr double step = 0.125;
  constexpr int rows = 400;
  for (const double beside : {-3e-9, -1.05e-9, -1e-9, -3e-10, 3e-10, 1e-9, 1.05e-9, 3e-9}) {
    Structure s{diagonal({1}), diagonal({0.1}), diagonal({1}), {}, {}};
    SampledLoad load;
    for (int i = 0; i <= rows; ++i) {
      // All distances about the given one, so that each limit of rounding is met by some.
      load.t.push_back((i + beside * (1 + 0.3 * i / rows)) * step);
      load.values.push_back(i % 7);
    }
    s.loads.push_back({Eigen::VectorXd::Ones(1), load});
    TimeOptions options;
    options.until = rows * step;
    options.step = step;
    options.every_step = false;
    for (const Method method : {Method::events, Method::midpoint}) {
      options.method = method;
      const TimeResult r = integrate(s, options);
      ASSERT_EQ(r.t.size(), rows + 1u) << beside;
      for (int i = 0; i <= rows; ++i)
        EXPECT_NEAR(r.t[static_cast<std::size_t>(i)], i * step, 1e-8 * step) << beside;
    }
  }
}

TEST(TimeIntegration, cvode_passes_impulses_and_rest) {
  Structure s = oscillator(law("linear", {{"k", 0.25}}), 0, 2, 0);
  s.loads[0].signal = Impulse{3, 0.5, 0};
  TimeOptions options = until(1, 1e-11);
  options.method = Method::cvode;
  const double omega = std::sqrt(0.5);
  EXPECT_NEAR(last(integrate(s, options)), 1.5 / omega * std::sin(omega * 0.5), 1e-9);
  s = oscillator(jenkins(0.25, 0.2), 0, 1, 0);
  s.loads[0].signal = Constant{2};
  const StaticState at_rest = static_equilibrium(s);
  options.until = 50;
  options.x0 = at_rest.x;
  const TimeResult r = integrate(s, options, 0, at_rest.joints);
  EXPECT_TRUE(r.message.empty()) << r.message;
  EXPECT_NEAR(last(r), 2.4, 1e-9);  // k x + φ = F
  EXPECT_LT(r.steps, 1000);
}

TEST(TimeIntegration, rate_dependent_laws_go_by_midpoint) {
  Structure s = oscillator(law("viscous", {{"c", 0.2}}), 0, 1, 0, 1);
  s.loads.clear();
  TimeOptions options = until(5);
  options.x0 = Eigen::VectorXd::Ones(1);
  const double damped = std::sqrt(1 - 0.01);
  EXPECT_NEAR(last(integrate(s, options)),
              std::exp(-0.5) * (std::cos(damped * 5) + 0.1 / damped * std::sin(damped * 5)), 1e-6);
}

TEST(Ringdown, linear_oscillator_keeps_frequency_and_damping) {
  Structure s = oscillator(law("linear", {{"k", 0.25}}), 0, 1, 0.04);
  s.loads.clear();
  TimeOptions options = until(200, 1e-11);
  options.x0 = Eigen::VectorXd::Ones(1);
  options.every_step = true;
  const TimeResult r = integrate(s, options);
  std::vector<double> x, v;
  for (std::size_t i = 0; i < r.t.size(); ++i) {
    x.push_back(r.x[i][0]);
    v.push_back(r.v[i][0]);
  }
  const double damped = std::sqrt(1 - 0.02 * 0.02);
  const auto peaks = ringdown_from_peaks(r.t, x, v);
  ASSERT_GT(peaks.size(), 50u);
  for (const RingdownPoint& p : peaks) {
    EXPECT_NEAR(p.omega, damped, 1e-5);
    EXPECT_NEAR(p.zeta, 0.02, 1e-5);
  }
  const auto hilbert = ringdown_from_hilbert(r.t, x, v);
  ASSERT_GT(hilbert.size(), 20u);
  for (const RingdownPoint& p : hilbert) {
    EXPECT_NEAR(p.omega, damped, 1e-4);
    EXPECT_NEAR(p.zeta, 0.02, 1e-4);
  }
}

}  // namespace time_integration_test
}  // namespace microslip::dynamics
