#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "dynamics/slip.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/loops/harmonic.hpp"

/// Laws with a finite stiffness at rest, from motions far below slip to motions far beyond it.
namespace microslip::dynamics {

/// Shows what a test did when MICROSLIP_SHOW is set.
inline void show(const std::string& what, int end, std::size_t points, double seconds) {
  if (!std::getenv("MICROSLIP_SHOW")) return;
  std::printf("%-60s end %d %4zu points %6.2f s\n", what.c_str(), end, points, seconds);
  std::fflush(stdout);
}

/// Of this process alone, so that a busy machine does not matter.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
};

/// Spring and dashpot that a joint is to small motions. Of a rate-independent law its tangent at
/// rest; of a rate-dependent one the first harmonic of a loop at this frequency, which
/// loops::first_harmonic integrates by itself (straight lines between its nodes: three digits).
struct SmallMotion {
  double k, c, tolerance;
};
inline SmallMotion small_motion(const AnyModel& model, double amplitude, double omega) {
  if (!model.rate_dependent()) return {stiffness_at_rest(model), 0, 1e-4};
  const loops::FirstHarmonic first =
      loops::first_harmonic(model, amplitude, omega, {.use_closed_form = false});
  EXPECT_EQ(first.status, Status::ok);
  return {first.b1 / amplitude, first.a1 / (amplitude * omega), 2e-3};
}

/// From 1e-8 to 1e3 slip displacements in at most 300 points; the low end is the linear structure.
inline void mode_at_any_amplitude(const AnyModel& model) {
  const std::string& name = model.description().name;
  const double slip = slip_displacement(model);
  ModeOptions options;
  options.from = 1e-8 * slip;
  options.to = 1e3 * slip;
  const Stopwatch watch;
  options.progress = [&](double) { return watch.seconds() < 60; };
  const ModeCurve curve = nonlinear_mode(one_mass(model), options);
  show("mode " + name, static_cast<int>(curve.end), curve.points.size(), watch.seconds());
  EXPECT_EQ(curve.end, CurveEnd::reached);
  EXPECT_LE(curve.points.size(), 300u);
  ASSERT_FALSE(curve.points.empty());
  const ModePoint& low = curve.points.front();
  if (has_corner_at_rest(model, slip)) {
    EXPECT_NEAR(low.omega / curve.points.back().omega, 1, 1e-6);
    EXPECT_NEAR(low.zeta, curve.points.back().zeta, 1e-6);
    return;
  }
  // A tangent that falls like a power of the amplitude, at least its square root.
  const auto [k, c, tolerance] = small_motion(model, low.amplitude, low.omega);
  EXPECT_NEAR(low.omega * low.omega / (stiffness_at_rest(model) + k), 1, tolerance);
  EXPECT_NEAR(low.zeta, c / (2 * low.omega), tolerance);
}

/// With one harmonic a mode is the describing function, which loops::first_harmonic integrates
/// along the loop by itself.
inline void mode_of_one_harmonic(const AnyModel& model) {
  // A law with a side has a mean, too.
  if (model.description().claims.odd.verdict == Verdict::fails) return;
  const double slip = slip_displacement(model);
  const double k = stiffness_at_rest(model);
  ModeOptions options;
  options.harmonics = 1;
  options.from = 0.2 * slip;
  options.to = 40 * slip;
  options.at = {0.3 * slip, 3 * slip, 30 * slip};
  options.largest_step = 0.1;
  const Stopwatch watch;
  options.progress = [&](double) { return watch.seconds() < 60; };
  const ModeCurve curve = nonlinear_mode(one_mass(model), options);
  show("  one harmonic", static_cast<int>(curve.end), curve.points.size(), watch.seconds());
  EXPECT_EQ(curve.end, CurveEnd::reached);
  for (const ModePoint& point : curve.at) {
    const loops::FirstHarmonic first =
        loops::first_harmonic(model, point.amplitude, point.omega, {.use_closed_form = false});
    if (first.status != Status::ok || !first.closed) continue;  // the memory fades too slowly
    // Rate-dependent laws see straight lines between nodes: three digits.
    const double tolerance = model.rate_dependent() ? 2e-3 : 1e-6;
    EXPECT_NEAR(point.omega * point.omega, k + first.b1 / point.amplitude, tolerance * 2 * k)
        << point.amplitude;
    EXPECT_NEAR(2 * point.zeta * point.omega * point.omega, first.a1 / point.amplitude,
                tolerance * 2 * k)
        << point.amplitude;
  }
}

/// The same loads beside a static one of half the slip force: the joints are pulled to one side and
/// the memory of that fades, over 1e8 periods of the smallest motion.
inline void responses_beside_a_static_load(const AnyModel& model) {
  const std::string& name = model.description().name;
  const double k = stiffness_at_rest(model);
  const double slip = slip_displacement(model), omega = std::sqrt(2 * k);
  for (const double level : {1e-8, 1e-5, 1e-2, 1.0}) {
    Structure s = one_mass(model, level * slip * k);
    s.C.coeffRef(0, 0) = 0.02 * omega;
    s.loads.push_back({Eigen::VectorXd::Ones(1), Constant{0.5 * slip * k}});
    FrequencyResponseOptions options;
    options.from = 0.7 * omega;
    options.to = 1.4 * omega;
    const Stopwatch watch;
    options.progress = [&](double) { return watch.seconds() < 60; };
    const FrequencyResponse r = frequency_response(s, options);
    show("  static load and " + name + " at " + std::to_string(level), static_cast<int>(r.end),
         r.branch.size(), watch.seconds());
    // The bristles of `leuven` have no digits left for so small a motion (docs/respond.md): the branch may
    // end, and says at which joint.
    if (name == "leuven" && level < 1e-7 && r.end == CurveEnd::stuck)
      EXPECT_EQ(r.hardest_joint, 1u);
    else
      EXPECT_EQ(r.end, CurveEnd::reached) << level;
    EXPECT_LE(r.branch.size(), 300u) << level;
  }
}

/// Loads from 1e-8 to 1e3 times the slip force over the resonance, with a dashpot of one per cent;
/// the smallest gives the linear response.
inline void responses_at_any_level(const AnyModel& model) {
  const std::string& name = model.description().name;
  const double k = stiffness_at_rest(model);
  const double slip = slip_displacement(model), omega = std::sqrt(2 * k);
  for (const double level : {1e-8, 1e-5, 1e-2, 1.0, 1e3}) {
    Structure s = one_mass(model, level * slip * k);
    s.C.coeffRef(0, 0) = 0.02 * omega;
    FrequencyResponseOptions options;
    options.from = 0.7 * omega;
    options.to = 1.4 * omega;
    options.at = {0.9 * omega, omega, 1.1 * omega};
    const Stopwatch watch;
    options.progress = [&](double) { return watch.seconds() < 60; };
    const FrequencyResponse r = frequency_response(s, options);
    show("  response of " + name + " at " + std::to_string(level), static_cast<int>(r.end),
         r.branch.size(), watch.seconds());
    EXPECT_EQ(r.end, CurveEnd::reached) << level;
    EXPECT_LE(r.branch.size(), 300u) << level;
    if (level > 1e-8 || has_corner_at_rest(model, slip)) continue;
    for (const ResponsePoint& point : r.at) {
      const SmallMotion joint = small_motion(model, point.first[0].amplitude, point.omega);
      EXPECT_NEAR(
          point.first[0].amplitude / linear_amplitude(level * slip * k, 1, 0.02 * omega + joint.c,
                                                      k + joint.k, point.omega),
          1, 3e-3)  // at the peak the loss of the smallest loops adds to the dashpot
          << point.omega;
    }
  }
}

}  // namespace microslip::dynamics
