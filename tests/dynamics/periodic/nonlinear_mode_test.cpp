#include "microslip/dynamics/periodic/nonlinear_mode.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::dynamics {
namespace nonlinear_mode_test {

/// In phase and quadrature of `jenkins` under a cosine of amplitude A > φ/k.
struct Describing {
  double b1, a1;
};
Describing jenkins_describing(double k, double phi, double A) {
  const double delta = phi / k;
  const double theta = std::acos(1 - 2 * delta / A);
  return {k * A / pi * (theta - 0.5 * std::sin(2 * theta)), 4 * phi * (A - delta) / (pi * A)};
}

ModeOptions mode_options(int harmonics, std::vector<double> at) {
  ModeOptions options;
  options.from = 0.1;
  options.to = 20;
  options.harmonics = harmonics;
  options.at = std::move(at);
  return options;
}

TEST(NonlinearMode, units_of_time_do_not_matter) {
  for (const double unit : {1.0, 1e-9, 1e9}) {
    const Structure s = oscillator(jenkins(0.25, 0.2), 0, unit * unit, 0.01 * unit);
    ModeOptions options;
    options.from = 0.5 * unit;
    options.to = 2 * unit;
    options.harmonics = 3;
    options.largest_step = 0.2;
    const ModeCurve curve = nonlinear_mode(s, options);
    ASSERT_EQ(curve.end, CurveEnd::reached) << unit;
    EXPECT_LT(curve.points.size(), 30u) << unit;
    // The value of the first unit, which is the common one.
    EXPECT_NEAR(curve.points.back().omega * unit, 0.918395, 1e-6) << unit;
  }
}

TEST(NonlinearMode, one_harmonic_is_the_describing_function) {
  const Structure s = oscillator(jenkins(0.25, 0.2), 0, 1, 0);
  const ModeCurve curve = nonlinear_mode(s, mode_options(1, {0.5, 2, 7}));
  ASSERT_EQ(curve.end, CurveEnd::reached);
  ASSERT_EQ(curve.at.size(), 3u);
  // Stuck below φ/k = 0.8.
  EXPECT_NEAR(curve.at[0].omega, 1, 1e-10);
  EXPECT_NEAR(curve.at[0].zeta, 0, 1e-10);
  for (std::size_t i : {1u, 2u}) {
    const double A = curve.at[i].amplitude;
    const Describing f = jenkins_describing(0.25, 0.2, A);
    const double omega = std::sqrt(0.75 + f.b1 / A);
    EXPECT_NEAR(curve.at[i].omega, omega, 1e-9);
    EXPECT_NEAR(curve.at[i].zeta, f.a1 / (2 * omega * omega * A), 1e-9);
    EXPECT_NEAR(curve.at[i].energy[0], pi * A * f.a1, 1e-9);
  }
}

/// Far below slip z = u but for terms of the next order, so that a cycle of amplitude U loses
/// (1 − a) k β ∮|u|^(n+1) |du| = (1 − a) k β 4 U^(n+2)/(n + 2).
TEST(NonlinearMode, damping_far_below_slip_has_digits_of_its_own) {
  const double k = 0.25, a = 0.1, beta = 0.5;
  for (const double n : {1.0, 2.0}) {
    const Structure s = oscillator(
        law("bouc-wen", {{"k", k}, {"a", a}, {"beta", beta}, {"gamma", 0.5}, {"n", n}}), 0, 1, 0);
    ModeOptions options = mode_options(3, {1e-5, 1e-6});
    options.from = 5e-7;
    options.to = 1e-4;
    const ModeCurve curve = nonlinear_mode(s, options);
    ASSERT_EQ(curve.at.size(), 2u);
    for (const ModePoint& p : curve.at) {
      const double U = p.amplitude;
      const double lost = (1 - a) * k * beta * 4 * std::pow(U, n + 2) / (n + 2);
      // n = 1: the next order is relative to U.
      EXPECT_NEAR(p.zeta / (lost / (2 * pi * p.omega * p.omega * U * U)), 1, 1e-4) << n << ' ' << U;
    }
  }
}

TEST(NonlinearMode, viscous_damping_is_its_ratio) {
  const Structure s = oscillator(law("linear", {{"k", 0.25}}), 0, 1, 0.04);
  const ModeCurve curve = nonlinear_mode(s, mode_options(3, {1}));
  EXPECT_NEAR(curve.at[0].omega, 1, 1e-10);
  EXPECT_NEAR(curve.at[0].zeta, 0.02, 1e-10);
}

TEST(NonlinearMode, force_that_balances_the_loss_makes_the_resonance) {
  // At resonance force and loss balance: with the force of the mode, the peak of the response has
  // about the amplitude of the mode (exactly so where damping is small).
  const Structure free = oscillator(jenkins(0.25, 0.2), 0, 1, 0.01);
  ModeOptions options = mode_options(7, {2.5});
  const ModeCurve mode = nonlinear_mode(free, options);
  ASSERT_EQ(mode.at.size(), 1u);
  const ModePoint& p = mode.at[0];
  FrequencyResponseOptions response;
  response.from = 0.7;
  response.to = 1.2;
  response.harmonics = 7;
  const double force = 2 * p.zeta * p.omega * p.omega * p.amplitude;
  const FrequencyResponse r = frequency_response(oscillator(jenkins(0.25, 0.2), force), response);
  EXPECT_NEAR(r.peaks[0][0].first[0].amplitude, p.amplitude, 0.01 * p.amplitude);
}

Structure two_masses() {
  Structure s{diagonal({1, 1}), diagonal({0, 0}), diagonal({2, 1}), {}, {}};
  s.K.coeffRef(0, 1) = s.K.coeffRef(1, 0) = -1;
  s.joints.push_back({law("iwan4", {{"Fs", 1.0}, {"KT", 0.5}, {"chi", -0.5}, {"beta", 0.5}}),
                      Eigen::Vector2d(1, 0)});
  s.joints.push_back({jenkins(0.3, 0.2), Eigen::Vector2d(-1, 1)});
  return s;
}

TEST(NonlinearMode, quasi_static_analysis_is_near) {
  ModeOptions options;
  options.from = 0.05;
  options.to = 3;
  options.at = {0.1, 1, 2.5};
  for (const int mode : {1, 2}) {
    options.mode = mode;
    const ModeCurve exact = nonlinear_mode(two_masses(), options);
    const ModeCurve fast = quasi_static_mode(two_masses(), options);
    ASSERT_EQ(exact.at.size(), 3u);
    ASSERT_EQ(fast.at.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      // Per cents are expected: the secant is not the first harmonic.
      EXPECT_NEAR(fast.at[i].omega, exact.at[i].omega, 0.03 * exact.at[i].omega);
      EXPECT_NEAR(fast.at[i].zeta, exact.at[i].zeta, 0.2 * exact.at[i].zeta + 1e-6);
    }
  }
}

TEST(NonlinearMode, refuses_what_makes_no_sense) {
  ModeOptions options = mode_options(3, {});
  options.mode = 2;
  EXPECT_THROW(nonlinear_mode(oscillator(jenkins(1, 1)), options), Error);
  options.mode = 1;
  options.from = -1;
  EXPECT_THROW(nonlinear_mode(oscillator(jenkins(1, 1)), options), Error);
}

TEST(NonlinearMode, says_at_once_how_large_it_may_be) {
  const std::vector<double> ones(2001, 1);
  Structure s{diagonal(ones), diagonal(ones), diagonal(ones), {}, {}};
  s.joints.push_back({jenkins(0.25, 0.2), Eigen::VectorXd::Unit(2001, 0)});
  try {
    nonlinear_mode(s, mode_options(0, {}));
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2001 degrees of freedom; 2000"), std::string::npos)
        << error.what();
  }
}

TEST(NonlinearMode, an_interrupted_curve_is_as_exact_as_a_whole_one) {
  ModeOptions options = mode_options(0, {});
  options.from = 1.5;
  options.to = 3;
  int points = 0;
  options.tolerance = 1e-6;
  options.progress = [&](double) { return ++points < 3; };
  const ModeCurve curve = nonlinear_mode(oscillator(law("m-state")), options);
  EXPECT_EQ(curve.end, CurveEnd::stopped);
  EXPECT_LT(curve.quadrature, options.quadrature);
  EXPECT_LT(curve.truncation, options.tolerance);
}

TEST(NonlinearMode, an_interrupted_curve_goes_on_where_it_stopped) {
  const Structure s = oscillator(jenkins(0.25, 0.2));
  ModeOptions options = mode_options(0, {});
  const ModeCurve whole = nonlinear_mode(s, options);
  ASSERT_EQ(whole.end, CurveEnd::reached);
  options.progress = [&](double part) { return part < 0.6; };
  const ModeCurve begun = nonlinear_mode(s, options);
  ASSERT_EQ(begun.end, CurveEnd::stopped);
  options.progress = {};
  options.start = begun.unknowns;
  options.direction = begun.tangent;
  const ModeCurve rest = nonlinear_mode(s, options);
  ASSERT_EQ(rest.end, CurveEnd::reached);
  EXPECT_LT(rest.points.size(), whole.points.size());
  EXPECT_NEAR(rest.points.front().amplitude / begun.points.back().amplitude, 1, 1e-12);
  EXPECT_NEAR(rest.points.front().omega, begun.points.back().omega, 1e-9);
  EXPECT_EQ(rest.points.back().amplitude, whole.points.back().amplitude);
  EXPECT_NEAR(rest.points.back().omega, whole.points.back().omega, 1e-9);
  EXPECT_NEAR(rest.points.back().zeta, whole.points.back().zeta, 1e-9);
}

TEST(NonlinearMode, laws_that_never_repeat_are_refused) {
  const Structure s = oscillator(law("bouc-wen-degrading"));
  const auto refusal = [](const auto& analysis) {
    try {
      analysis();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string sentence = "never repeats its loop, so there is no steady response";
  EXPECT_NE(refusal([&] { nonlinear_mode(s, mode_options(1, {})); }).find(sentence),
            std::string::npos);
  EXPECT_NE(refusal([&] { averaged(s, 1); }).find(sentence), std::string::npos);
}

TEST(Averaging, resonance_curve_is_the_closed_form) {
  const Structure s = oscillator(jenkins(0.25, 0.2), 0.2, 1, 0.01);
  const AveragedPoint p = averaged(s, 2.5);
  const Describing f = jenkins_describing(0.25, 0.2, 2.5);
  const double omega0 = std::sqrt(0.75);
  EXPECT_NEAR(p.b1, f.b1, 1e-12);
  EXPECT_NEAR(p.a1, f.a1 + 0.01 * omega0 * 2.5, 1e-12);
  EXPECT_NEAR(p.omega, omega0 * (1 + f.b1 / (2 * 0.75 * 2.5)), 1e-12);
}

TEST(Averaging, error_falls_with_the_square_of_the_joint) {
  // First-order averaging: the frequency of the peak is wrong by ε².
  double error[2];
  int i = 0;
  for (const double eps : {0.04, 0.01}) {
    const Structure s = oscillator(jenkins(eps, 0.5 * eps), 0.3 * eps, 1, 0, 1);
    const AveragedResponse fast = averaged_response(s, 0.3 * eps, 0.9, 1.1);
    FrequencyResponseOptions options;
    options.from = 1 - 0.5 * eps;
    options.to = 1 + eps;
    options.harmonics = 7;
    options.stability = false;
    const FrequencyResponse exact = frequency_response(s, options);
    ASSERT_EQ(exact.peaks[0].size(), 1u);
    error[i++] = std::abs(fast.peak_omega - exact.peaks[0][0].omega);
    EXPECT_NEAR(fast.peak_amplitude, exact.peaks[0][0].first[0].amplitude, 3 * eps);
  }
  EXPECT_GT(error[0] / error[1], 10);
}

TEST(Averaging, is_for_one_degree_of_freedom) { EXPECT_THROW(averaged(two_masses(), 1), Error); }

/// Two masses; joints of these strengths side by side between them, the second mass is shaken.
Structure rubbing_masses(const std::vector<double>& strengths) {
  Structure s{diagonal({1, 1.5}), diagonal({0.03, 0.03}), diagonal({1, 0}), {}, {}};
  add_along(s.K, between(2, 1, 2), 1);
  for (const double fc : strengths)
    s.joints.push_back({law("coulomb", {{"fc", fc}}), between(2, 1, 2)});
  s.loads.push_back({Eigen::Vector2d(0, 1), Tones{{Tone{1}}}});
  return s;
}

// The memory of bouc-wen fades over many cycles at 1e-7: its closed loop is solved for, inside
// wrappers too, and within a gap of nothing it is the law alone.
TEST(NonlinearMode, wrappers_do_not_hide_the_state_of_a_law) {
  const auto curve_of = [](const std::string& model) {
    ModeOptions options;
    options.from = 1e-7;
    options.to = 2;
    options.harmonics = 3;
    return nonlinear_mode(oscillator(law(model), 0, 1, 0), options);
  };
  const ModeCurve alone = curve_of("bouc-wen");
  ASSERT_EQ(alone.end, CurveEnd::reached);
  for (const char* model : {"scaled(bouc-wen)", "backlash(bouc-wen,gap=0)"}) {
    const ModeCurve wrapped = curve_of(model);
    ASSERT_EQ(wrapped.end, CurveEnd::reached) << model;
    EXPECT_LE(wrapped.points.size(), alone.points.size() + 5) << model;
    EXPECT_NEAR(wrapped.points.front().omega, alone.points.front().omega, 1e-9) << model;
    EXPECT_NEAR(wrapped.points.back().omega, alone.points.back().omega, 1e-9) << model;
    EXPECT_NEAR(wrapped.points.back().zeta, alone.points.back().zeta, 1e-9) << model;
  }
}

TEST(NonlinearMode, of_joints_side_by_side_is_that_of_one_joint) {
  const auto at_five = [](const std::vector<double>& strengths, double from) {
    ModeOptions options;
    options.from = from;
    options.to = 5;
    options.harmonics = 3;
    const ModeCurve curve = nonlinear_mode(rubbing_masses(strengths), options);
    EXPECT_EQ(curve.end, CurveEnd::reached);
    return curve.points.empty() ? ModePoint{} : curve.points.back();
  };
  const ModePoint one = at_five({1.0}, 0.5);
  EXPECT_GT(one.zeta, 0.01);
  // From 2 on the first point is found from the other end.
  for (const double from : {0.5, 2.0}) {
    const ModePoint two = at_five({0.3, 0.7}, from);
    EXPECT_NEAR(two.omega, one.omega, 1e-8);
    EXPECT_NEAR(two.zeta, one.zeta, 1e-8);
  }
}

TEST(FrequencyResponse, at_given_amplitude_begins_where_friction_holds) {
  for (const std::vector<double>& strengths : {std::vector{1.0}, {0.3, 0.7}}) {
    FrequencyResponseOptions options;
    options.along = Along::amplitude;
    options.from = 0.1;
    options.to = 3;
    options.omega = 0.55;
    options.dof = 1;
    options.harmonics = 3;
    options.stability = false;
    const FrequencyResponse r = frequency_response(rubbing_masses(strengths), options);
    EXPECT_EQ(r.end, CurveEnd::reached);
    ASSERT_FALSE(r.branch.empty());
    // Both masses move as one: (k − ω²(m₁ + m₂)) A, the dashpots beside it.
    const ResponsePoint& first = r.branch.front();
    const double spring = 1 - 2.5 * 0.55 * 0.55;
    EXPECT_NEAR(first.level, 0.1 * std::hypot(spring, 0.06 * 0.55), 1e-9);
  }
}

TEST(NonlinearMode, rigid_friction_begins_stuck_and_ends_slipping) {
  // Friction links the second mass to the first as long as the motion is small.
  Structure s{diagonal({1, 1, 1}), diagonal({0, 0, 0}), diagonal({0, 0, 0}), {}, {}};
  for (int i = 0; i < 3; ++i) {
    add_along(s.K, between(3, i, i + 1), 1 + 0.3 * i);
    add_along(s.C, between(3, i, i + 1), 0.02);
  }
  s.joints.push_back({law("coulomb", {{"fc", 0.6}}), between(3, 1, 2)});
  const auto mode = [&](double from, double to) {
    ModeOptions options;
    options.from = from;
    options.to = to;
    options.harmonics = 5;
    return nonlinear_mode(s, options);
  };
  const ModeCurve up = mode(0.1, 50);
  const ModeCurve down = mode(50, 0.1);
  ASSERT_EQ(up.end, CurveEnd::reached);
  ASSERT_EQ(down.end, CurveEnd::reached);
  // Linked, masses 2 and 1 on springs 1 and 1.6: 2ω⁴ − (2.6 + 2 · 1.6) ω² + 1.6 = 0.
  const double b = (2.6 * 1 + 1.6 * 2) / 2, c = 1.6 / 2;
  EXPECT_NEAR(up.points.front().omega, std::sqrt(0.5 * (b - std::sqrt(b * b - 4 * c))), 1e-6);
  EXPECT_NEAR(down.points.front().omega, modes_at_rest(s).omega[0], 1e-3);
  for (const auto& [one, other] : {std::pair{up.points.front(), down.points.back()},
                                   std::pair{up.points.back(), down.points.front()}}) {
    EXPECT_NEAR(one.omega, other.omega, 1e-8);
    EXPECT_NEAR(one.zeta, other.zeta, 1e-8);
  }
}

}  // namespace nonlinear_mode_test
}  // namespace microslip::dynamics
