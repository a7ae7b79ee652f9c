#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/message_of.hpp"

namespace microslip::dynamics {
namespace ringdown_test {

using Motions = std::vector<std::vector<double>>;

/// e^(−ζωt) cos(ω√(1 − ζ²) t).
double decay(double omega, double zeta, double t) {
  return std::exp(-zeta * omega * t) * std::cos(omega * std::sqrt(1 - zeta * zeta) * t);
}

struct Linear {
  double omega, zeta, size;
  std::vector<double> shape;
};

const std::vector<Linear> two_modes{{1.0, 0.01, 1, {1, 1.5}}, {1.7, 0.02, 0.5, {1, -0.7}}};

Motions two_places(double step, std::size_t rows, double noise = 0, double length = 1) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Motions motions(2, std::vector<double>(rows));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      motions[c][i] = 3 * length + noise * normal(random);  // an offset, as sensors have
      for (const Linear& m : two_modes)
        motions[c][i] +=
            length * m.size * m.shape[c] * decay(m.omega, m.zeta, static_cast<double>(i) * step);
    }
  return motions;
}

TEST(RingdownModes, linear_modes_keep_frequency_damping_and_shape) {
  const Motions motions = two_places(0.05, 8000);
  const auto modes = ringdown_modes(0.05, motions);
  ASSERT_EQ(modes.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) {
    const Linear& m = two_modes[j];
    const RingdownMode& found = modes[j];
    const std::size_t largest = j == 0 ? 1 : 0;
    EXPECT_EQ(found.largest, largest);
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(found.shape[c], m.shape[c] / m.shape[largest], 1e-4);
    // Followed as long as the other mode, which leaks through by 2.2e-5, is no twentieth of it.
    EXPECT_LT(found.shape_change, 0.01);
    ASSERT_GT(found.points.size(), 30u);
    EXPECT_NEAR(found.points.front().t, found.window / 2, 1e-9);
    for (const RingdownPoint& p : found.points) {
      // Of the other mode at most 2.2e-5 passes the band, over a twentieth of that times 20: 5 %.
      const double leak = 2.2e-5 * std::exp(0.024 * p.t);
      EXPECT_NEAR(p.omega, m.omega * std::sqrt(1 - m.zeta * m.zeta), 2 * leak);
      EXPECT_NEAR(p.zeta, m.zeta, 2 * leak);
      const double size = m.size * m.shape[largest] * std::exp(-m.zeta * m.omega * p.t);
      EXPECT_NEAR(p.amplitude / size, 1, 5 * leak);
    }
  }
}

TEST(RingdownModes, a_mode_that_does_not_decay_was_not_known_to_half_of_its_damping) {
  // Errors of some 1e-9 are more than half of a damping of 0, and the mode was refused; without
  // decay in a whole record it is one mode all the same.
  Motions motion(1);
  for (int i = 0; i < 4000; ++i) motion[0].push_back(std::cos(1.3 * 0.1 * i));
  const auto modes = ringdown_modes(0.1, motion);
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_TRUE(modes[0].resolved);
  ASSERT_FALSE(modes[0].points.empty());
  for (const RingdownPoint& p : modes[0].points) {
    EXPECT_NEAR(p.zeta, 0, 1e-7);
    EXPECT_NEAR(p.omega, 1.3, 1e-7);
  }
}

TEST(RingdownModes, errors_are_standard_deviations) {
  const Motions motions = two_places(0.05, 20000, 0.02);
  const auto modes = ringdown_modes(0.05, motions, {.most_modes = 1});
  ASSERT_EQ(modes.size(), 1u);
  ASSERT_GT(modes[0].points.size(), 20u);
  double squares = 0, of_omega = 0;
  for (const RingdownPoint& p : modes[0].points) {
    squares += std::pow((p.zeta - 0.01) / p.zeta_error, 2);
    of_omega += std::pow((p.omega - std::sqrt(1 - 1e-4)) / p.omega_error, 2);
  }
  const auto count = static_cast<double>(modes[0].points.size());
  // Windows overlap, so that some twenty points tell little: within a factor of two.
  EXPECT_GT(std::sqrt(squares / count), 0.5);
  EXPECT_LT(std::sqrt(squares / count), 2);
  EXPECT_GT(std::sqrt(of_omega / count), 0.5);
  EXPECT_LT(std::sqrt(of_omega / count), 2);
  // Followed until the noise is a twentieth; e^(−0.01 t) has then long not come to its end.
  EXPECT_LT(modes[0].points.back().t, 500);
}

TEST(RingdownModes, the_same_in_other_units) {
  const auto one = ringdown_modes(0.05, two_places(0.05, 8000));
  const double thousand = 1000;
  const auto other = ringdown_modes(0.05 * thousand, two_places(0.05, 8000, 0, 1e-6));
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t j = 0; j < one.size(); ++j) {
    ASSERT_EQ(one[j].points.size(), other[j].points.size());
    for (std::size_t i = 0; i < one[j].points.size(); ++i) {
      const RingdownPoint &p = one[j].points[i], &q = other[j].points[i];
      EXPECT_NEAR(q.amplitude / (1e-6 * p.amplitude), 1, 1e-6);
      EXPECT_NEAR(q.omega * thousand / p.omega, 1, 1e-7);
      EXPECT_NEAR(q.zeta, p.zeta, 1e-7);
    }
  }
}

/// Displacement and acceleration of a free motion at equal steps.
struct FreeMotion {
  Motions x, a;
};

FreeMotion free_motion(const Structure& s, const Eigen::VectorXd& x0, double until, double step) {
  TimeOptions options;
  options.until = until;
  options.step = step;
  options.x0 = x0;
  options.tolerance = 1e-9;
  options.every_step = false;
  const TimeResult r = integrate(s, options);
  EXPECT_TRUE(r.message.empty()) << r.message;
  const auto n = static_cast<std::size_t>(x0.size());
  FreeMotion result{Motions(n), Motions(n)};
  for (std::size_t i = 0; i < r.t.size(); ++i) {
    Eigen::VectorXd force = s.K * r.x[i] + s.C * r.v[i];
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      force += s.joints[j].w * r.f[i][static_cast<Eigen::Index>(j)];
    for (std::size_t k = 0; k < n; ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      result.x[k].push_back(r.x[i][row]);
      result.a[k].push_back(-force[row] / s.M.coeff(row, row));
    }
  }
  return result;
}

/// Slow change of amplitude and phase of m ẍ + K x + f(x) = 0 with a Jenkins element (k, φ), by
/// averaging: ω² = (K + k_eq)/m with the first harmonic of its loop, ζ = D/(2π m ω² A²).
RingdownPoint averaged(double stiffness, double k, double phi, double amplitude) {
  const double limit = phi / k;
  double secant = k, energy = 0;
  if (amplitude > limit) {
    const double theta = std::acos(1 - 2 * limit / amplitude);
    secant = k / pi * (theta - 0.5 * std::sin(2 * theta));
    energy = 4 * phi * (amplitude - limit);
  }
  const double square = stiffness + secant;
  return {0, amplitude, std::sqrt(square), energy / (2 * pi * square * amplitude * amplitude)};
}

TEST(RingdownModes, a_slider_against_averaging) {
  const double k = 0.02, phi = 0.02;  // slips beyond A = 1
  Structure s = oscillator(jenkins(k, phi), 0, 1, 0, 1);
  s.loads.clear();
  const FreeMotion motion = free_motion(s, Eigen::VectorXd::Constant(1, 8), 1200, 0.1);
  const auto modes = ringdown_modes(0.1, motion.x, {.most_modes = 1});
  ASSERT_EQ(modes.size(), 1u);
  const auto& points = modes[0].points;
  EXPECT_GT(points.front().amplitude, 7);
  EXPECT_LT(points.back().amplitude, 1.05);
  double largest = 0;
  for (const RingdownPoint& p : points) {
    const RingdownPoint expected = averaged(1, k, phi, p.amplitude);
    // The whole shift is 1e-2; averaging is good to its square, the kink at A = 1 is smoothed.
    EXPECT_NEAR(p.omega, expected.omega, 1e-4) << p.amplitude;
    if (p.amplitude > 1.3) {
      EXPECT_NEAR(p.zeta / expected.zeta, 1, 0.02) << p.amplitude;
    }
    largest = std::max(largest, p.zeta);
  }
  EXPECT_NEAR(largest, k / (2 * pi), 0.02 * k / (2 * pi));  // at A = 2φ/k
}

TEST(RingdownModes, acceleration_gives_the_damping_of_the_displacement) {
  Structure s = oscillator(jenkins(0.1, 0.1), 0, 1, 0, 1);
  s.loads.clear();
  const FreeMotion motion = free_motion(s, Eigen::VectorXd::Constant(1, 8), 400, 0.1);
  const auto of_x = ringdown_modes(0.1, motion.x, {.most_modes = 1});
  const std::vector<double> at{of_x[0].omega};
  const auto of_a =
      ringdown_modes(0.1, motion.a, {.omegas = at, .quantity = Quantity::acceleration});
  const auto as_it_is = ringdown_modes(0.1, motion.a, {.omegas = at});
  ASSERT_EQ(of_x[0].window, of_a[0].window);
  double corrected = 0, raw = 0;
  for (std::size_t i = 0; i < of_x[0].points.size(); ++i) {
    const RingdownPoint &x = of_x[0].points[i], &a = of_a[0].points[i];
    if (x.amplitude < 2) break;  // where the damping ratio is largest and the frequency shifts most
    EXPECT_NEAR(a.amplitude / x.amplitude, 1, 2e-3);
    EXPECT_NEAR(a.omega, x.omega, 1e-3);
    corrected = std::max(corrected, std::abs(a.zeta / x.zeta - 1));
    raw = std::max(raw, std::abs(as_it_is[0].points[i].zeta / x.zeta - 1));
  }
  // The frequency rises while the motion decays, so that accelerations decay less.
  EXPECT_LT(corrected, 0.01);
  EXPECT_GT(raw, 3 * corrected);
}

TEST(RingdownModes, either_mode_of_two_masses_against_the_nonlinear_mode) {
  // Two masses in a row with an Iwan joint to ground, each mode alone. The nonlinear mode comes from
  // harmonic balance, which shares nothing with the motion in time but the law. It defines ζ by the
  // loss over ω²a², a decay by the loss over the change of energy: with so weak a joint both agree to
  // the shift of the frequency, and what the window smooths comes on top.
  Structure s{diagonal({1, 1}), diagonal({0, 0}), diagonal({2, 1}), {}, {}};
  s.K.coeffRef(0, 1) = -1;
  s.K.coeffRef(1, 0) = -1;
  const AnyModel joint = law("iwan4", {{"Fs", 0.02}, {"KT", 0.02}, {"chi", -0.5}, {"beta", 0.5}});
  s.joints.push_back({joint, Eigen::Vector2d(1, 0)});
  for (const int mode : {1, 2}) {
    ModeOptions options;
    options.mode = mode;
    options.from = 0.02;
    options.to = 6;
    options.largest_step = 0.005;  // ζ has a kink where the whole joint slips
    const ModeCurve curve = nonlinear_mode(s, options);
    ASSERT_EQ(curve.end, CurveEnd::reached);
    const Eigen::VectorXd shape = modes_at_rest(s).shapes.col(mode - 1);
    const FreeMotion motion = free_motion(s, 5 * shape, 1500, 0.1);
    const auto found = ringdown_modes(0.1, motion.x, {.most_modes = 1});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(found[0].shape_change, 1e-3);
    const std::size_t other = 1 - found[0].largest;
    const auto row = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
    EXPECT_NEAR(found[0].shape[other], shape[row(other)] / shape[row(found[0].largest)], 0.01);
    std::size_t compared = 0;
    for (const RingdownPoint& p : found[0].points) {
      for (std::size_t i = 1; i < curve.points.size(); ++i) {
        const ModePoint &low = curve.points[i - 1], &high = curve.points[i];
        const double a = low.first[found[0].largest].amplitude;
        const double b = high.first[found[0].largest].amplitude;
        if (!(a <= p.amplitude && p.amplitude < b)) continue;
        const double part = (p.amplitude - a) / (b - a);
        EXPECT_NEAR(p.omega, low.omega + part * (high.omega - low.omega), 2e-4 * high.omega);
        EXPECT_NEAR(p.zeta / (low.zeta + part * (high.zeta - low.zeta)), 1, 0.03) << p.amplitude;
        ++compared;
      }
    }
    EXPECT_GT(compared, 50u);
  }
}

TEST(RingdownModes, what_rows_cannot_show_is_refused) {
  const Motions motions = two_places(0.05, 8000);
  const auto message = [&](const RingdownOptions& options) {
    return testing::message_of([&] { ringdown_modes(0.05, motions, options); });
  };
  EXPECT_EQ(message({.omegas = {20 * pi}}),
            "the frequency 10 must lie between 0 and 9, 0.45 of the rows in a unit of time");
  EXPECT_EQ(
      message({.omegas = {2 * pi}, .band = 2 * pi}),
      "the band 1 around the frequency 1 must be at most 0.9 of it, so that it does not reach "
      "to zero");
  const std::vector<double> t{0, 1, 2, 3.8, 4, 5};
  EXPECT_EQ(
      testing::message_of([&] { even_step(t); }),
      "row 4: t = 3.8 is not evenly spaced (3 would be); a ring-down needs rows at equal steps "
      "of time");
  EXPECT_DOUBLE_EQ(even_step(std::vector<double>{1, 1.5, 2, 2.5}), 0.5);
}

TEST(RingdownModes, noise_has_no_modes) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Motions motions(1, std::vector<double>(5000));
  for (double& x : motions[0]) x = normal(random);
  EXPECT_TRUE(ringdown_modes(0.1, motions).empty());
  EXPECT_TRUE(ringdown_modes(0.1, Motions(1, std::vector<double>(5000, 2.0))).empty());
}

TEST(RingdownModes, a_decay_begins_where_the_motion_is_large) {
  // A blow in row 3; the larger motion later on, where two modes add up, does not count.
  const Motions motions{{0, 0.1, -4, 3, 4.5}, {0, 10, 20, -19, -25}};
  EXPECT_EQ(start_of_decay(motions), 2u);
}

}  // namespace ringdown_test
}  // namespace microslip::dynamics
