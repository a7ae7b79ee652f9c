#include <algorithm>
#include <cmath>

#include "microslip/core/text.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/slow_flow.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "oscillators.hpp"
#include "support.hpp"

// Section 6: amplitude and phase in time, (100), (108), (110)–(111). Section 5.1: static and kinetic
// friction.

namespace microslip::reproduce {
namespace mathis2020_slow_flow_parts {

dynamics::SlowFlow flow_of(const dynamics::Structure& s, double until, double x0) {
  dynamics::SlowFlowOptions options;
  options.until = until;
  options.tolerance = 1e-8;
  options.x0 = x0;
  options.step = until / 400;
  return dynamics::slow_flow(s, options);
}

dynamics::TimeResult motion_of(const dynamics::Structure& s, const dynamics::SlowFlow& flow,
                               double x0) {
  dynamics::TimeOptions options;
  options.until = flow.t.back();
  options.at = flow.t;
  options.every_step = false;
  options.x0 = Eigen::VectorXd::Constant(1, x0);
  options.v0 = Eigen::VectorXd::Zero(1);
  return dynamics::integrate(s, options);
}

/// Largest difference of the amplitude from √(x² + v²) of the motion.
double difference(const dynamics::SlowFlow& flow, const dynamics::TimeResult& motion) {
  double most = 0;
  std::size_t row = 0;
  for (std::size_t i = 0; i < flow.t.size(); ++i) {
    while (row + 1 < motion.t.size() && motion.t[row] < flow.t[i] * (1 - 1e-12)) ++row;
    const double envelope = std::hypot(motion.x[row][0], motion.v[row][0] / flow.omega);
    most = std::max(most, std::abs(flow.amplitude[i] - envelope));
  }
  return most;
}

dynamics::Structure free_oscillator(const ModelSpec& law, double eps) {
  dynamics::Structure s = oscillator(law, 1, 0, eps);
  s.loads.clear();
  return s;
}

Outcome slow() {
  Outcome out;
  auto& to = out.comparisons;
  // (110)–(111): f = 2ζ x', so the damper is 2εζ.
  const double eps = 0.02, zeta = 1;
  const ModelSpec viscous{"viscous", {{"c", 2 * zeta}}, {}};
  const dynamics::SlowFlow decay = flow_of(free_oscillator(viscous, eps), 100, 1);
  for (const std::size_t row : {100, 200, 400}) {
    const double t = decay.t[row];
    to.push_back(equation("(110): A at τ = " + number_text(t), std::exp(-eps * t), 1e-7,
                          decay.amplitude[row]));
    to.push_back(equation("(111): phase at τ = " + number_text(t) + ", frequency 1", 0, 1e-9,
                          decay.phase[row]));
  }
  // (108) with a load: exponential approach to (109).
  {
    dynamics::Structure s = oscillator(viscous, 0.5 * eps, 0, eps);
    std::get<dynamics::Tones>(s.loads[0].signal).list[0].omega = 1 + 0.8 * eps;
    const dynamics::SlowFlow forced = flow_of(s, 600, 0);
    to.push_back(equation("(109): A after a long time, Γ = ½, α = 0.8",
                          0.5 / (2 * std::hypot(zeta, 0.8)), 1e-5, forced.amplitude.back()));
    to.push_back(equation("(109): tan φ0 after a long time, ζ/(−α), sign of sin as mended",
                          std::atan2(-zeta, -0.8), 1e-5, forced.phase.back()));
  }
  // (100) with hysteresis: the steady state is (102), and the way there is that of the motion.
  const ModelSpec dahl{"dahl", {{"sigma0", 4.0}, {"zc", 2.0}, {"n", 1.5}}, {}};
  dynamics::Structure driven = oscillator(dahl, 0.6 * eps, 0, eps);
  const dynamics::AveragedPoint at_half = dynamics::averaged(driven, 0.5);
  driven.loads[0].signal = dynamics::Tones{{{at_half.force, 0, 1, at_half.omega}}};
  const dynamics::SlowFlow up = flow_of(driven, 1500, 0);
  to.push_back(independent("(100), Dahl at its resonance: amplitude after a long time, by (104)",
                           0.5, 1e-4, up.amplitude.back()));
  to.push_back(independent("(100), Dahl at its resonance: phase after a long time, −π/2", -pi / 2,
                           1e-3, up.phase.back()));
  // First order: with half of ε and twice the time the difference is half.
  const dynamics::SlowFlow one = flow_of(free_oscillator(dahl, eps), 100, 1),
                           two = flow_of(free_oscillator(dahl, eps / 2), 200, 1);
  const dynamics::TimeResult motion = motion_of(free_oscillator(dahl, eps), one, 1);
  const double whole = difference(one, motion),
               half = difference(two, motion_of(free_oscillator(dahl, eps / 2), two, 1));
  to.push_back(judged("(100), Dahl free: largest difference from the full motion, ε = 0.02", whole,
                      "of first order in ε, see the next row"));
  to.push_back(independent("(100), Dahl free: that at ε/2 over that at ε", 0.5, 0.1, half / whole));
  io::Curve x{"full motion", {}, {}, io::Style::line};
  for (std::size_t i = 0; i < motion.t.size(); ++i) {
    x.x.push_back(motion.t[i]);
    x.y.push_back(motion.x[i][0]);
  }
  io::Panel free{"Dahl, free", {"τ"}, {"x, A"}, {x, {"slow flow", one.t, one.amplitude}}};
  io::Panel rise{"Dahl, from rest at resonance", {"τ"}, {"A"}, {{"", up.t, up.amplitude}}};
  out.figures = {{"", {"", {{{free}, 5}, {{rise}, 4}}}}};
  out.remark =
      "ε = 0.02 and the laws are ours, the equations printed. The sign of sin φ0 in (100a) and "
      "(108a) "
      "is mended (mathis2020-misprints). The same is `kind = \"slow-flow\"` of `microslip "
      "respond`, "
      "which puts the full motion beside it.";
  out.headline = "(110): A at τ = 100";
  return out;
}

// ------------------------------------------------------------------------------------------- 5.1

/// A mass pulled through a spring by an end that moves with velocity V, on a slider with static
/// friction fs and kinetic friction fc.
dynamics::TimeResult stick_slip(double fs, double fc, double V, double stiffness) {
  // One slider: all of Mignolet's density in its peak.
  dynamics::Structure s =
      oscillator({"iwan5",
                  {{"Fs", fs}, {"KT", stiffness}, {"chi", 0.0}, {"beta", 1e12}, {"theta", fc / fs}},
                  {}},
                 1);
  s.loads = {{Eigen::VectorXd::Ones(1),
              dynamics::Formula{Expression::parse(number_text(V) + "*t", {"t"})}}};
  dynamics::TimeOptions options;
  options.until = (fs / V) + 8;
  // The stuck mass creeps with the spring from the start, so that it does not vibrate on its slider.
  options.x0 = Eigen::VectorXd::Zero(1);
  options.v0 = Eigen::VectorXd::Constant(1, V / (1 + stiffness));
  options.step = 0.01;
  options.every_step = true;
  return dynamics::integrate(s, options);
}

Outcome stiction() {
  const double fs = 1.5, fc = input("kinetic friction", 1), V = 0.1;
  Outcome out;
  auto& to = out.comparisons;
  struct Slip {
    double most, least, begin, end;
  };
  const auto slip_of = [&](const dynamics::TimeResult& r) {
    Slip slip{0, 0, 0, 0};
    for (std::size_t i = 0; i < r.t.size(); ++i) {
      const double pull = V * r.t[i] - r.x[i][0];  // force of the spring, stiffness 1
      slip.most = std::max(slip.most, pull);
      if (slip.begin == 0 && r.v[i][0] > 0.02) slip.begin = r.t[i];
      if (slip.begin > 0 && slip.end == 0 && r.t[i] > slip.begin + 1 && r.v[i][0] < 1e-3) {
        slip.end = r.t[i];
        slip.least = pull;
      }
    }
    return slip;
  };
  const dynamics::TimeResult coarse = stick_slip(fs, fc, V, 1e3), fine = stick_slip(fs, fc, V, 4e3);
  const Slip a = slip_of(coarse), b = slip_of(fine);
  // Rigid stick is the limit; its closed form with δ = (fs − 1)/k, ω = 1:
  // force = fc + δ cos t + V sin t from the break-away to where the mass is at rest again.
  const double drop = fs - 1;
  const double most = 1 + std::hypot(drop, V), least = 1 - drop;
  const auto limit = [](double coarse_value, double fine_value) {
    return fine_value + (fine_value - coarse_value) / 3;  // error ∝ 1/stiffness
  };
  to.push_back(independent("largest force of the spring, fc + √((fs − fc)² + V²)", most, 2e-3,
                           limit(a.most, b.most)));
  to.push_back(independent("force of the spring where the mass sticks again, 2fc − fs", least, 2e-3,
                           limit(a.least, b.least)));
  to.push_back(independent("and with a stiff slider itself, stiffness 4000: fall of the force",
                           2 * drop, 0.01, fs - b.least));
  // By displacement: static friction once, kinetic friction while it slips, static again after a
  // reversal.
  const ModelSpec slider{
      "iwan5", {{"Fs", fs}, {"KT", 10.0}, {"chi", 0.0}, {"beta", 1e12}, {"theta", fc / fs}}, {}};
  const Run run =
      simulate(slider, {0.1499, 0.1501, 0.4, 0.3, 0.05 + 1e-4, 0.05 - 1e-4, 0.149 + 0.2});
  to.push_back(independent("force just before it slips, fs", 1.499, 1e-6, run.history.f[0]));
  to.push_back(independent("force just after, fc", 1, 1e-6, run.history.f[1]));
  to.push_back(independent("force after a short way back, fc − k Δu", 0, 1e-6, run.history.f[3]));
  io::Panel motion{"a mass pulled by a spring", {"t"}, {"force of the spring"}, {}};
  io::Curve curve{"", {}, {}};
  for (std::size_t i = 0; i < fine.t.size(); ++i)
    if (fine.t[i] > 12) {
      curve.x.push_back(fine.t[i]);
      curve.y.push_back(V * fine.t[i] - fine.x[i][0]);
    }
  motion.curves = {curve};
  std::vector<double> rows{0};
  for (const double end : {0.5, -0.5, 0.5}) {
    const std::vector<double> leg = spaced(rows.back(), end, 400);
    rows.insert(rows.end(), leg.begin() + 1, leg.end());
  }
  out.figures = {
      {"", {"", {{{motion, {"one slider", {"u"}, {"F"}, {loop(simulate(slider, rows))}}}, 6}}}}};
  out.remark =
      "The review names the stiction law with two coefficients and prints no equation; numbers are "
      "ours. It is one slider of `iwan5` (beta → ∞) with theta = fc/fs: stick with a stiffness, "
      "which is what makes the drop from fs to fc well defined under a given displacement. "
      "`stribeck` "
      "with vs → 0 is the other way to it; its break-away in `respond` fails (with a message) "
      "where "
      "vs is much smaller than the velocities of the motion.";
  return out;
}

}  // namespace mathis2020_slow_flow_parts

Entry mathis2020_slow_flow() {
  using namespace mathis2020_slow_flow_parts;
  return {"mathis2020-eq100",
          "Mathis et al. (2020), eqs (100), (108)–(111)",
          "Amplitude and phase in time by the slow flow, against the full motion.",
          slow,
          {"viscous.c", 1.05, "(110): A at τ = 25"}};
}

Entry mathis2020_stiction() {
  using namespace mathis2020_slow_flow_parts;
  return {"mathis2020-sec5.1",
          "Mathis et al. (2020), section 5.1",
          "Stick–slip with static and kinetic friction, against its closed form.",
          stiction,
          {"kinetic friction", 1.05, "force of the spring where the mass sticks again, 2fc − fs"}};
}

}  // namespace microslip::reproduce
