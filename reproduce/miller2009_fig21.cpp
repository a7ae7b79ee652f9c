#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "miller2009_rod.hpp"
#include "support.hpp"

// Miller and Quinn, fig. 21: amplitude of the free end of the jointed rod against the frequency of the load.

namespace microslip::reproduce {
namespace miller2009_fig21_parts {

/// Half of the range of the displacement in the last five of so many cycles, under the load that grows over ten (32).
/// Where the interface slides as a whole, nothing holds the mean of the motion.
double amplitude(const Motion& m, double period, int cycles) {
  double low = 0, high = 0;
  bool first = true;
  for (std::size_t i = 0; i < m.t.size(); ++i) {
    if (m.t[i] < (cycles - 5) * period) continue;
    if (m.t[i] > (cycles + 1e-9) * period) break;
    low = first ? m.x[i] : std::min(low, m.x[i]);
    high = first ? m.x[i] : std::max(high, m.x[i]);
    first = false;
  }
  return 0.5 * (high - low);
}

/// After 25 cycles, as the paper has at least 20, and after 200, of one motion.
struct InTime {
  double early, late;
};
InTime in_time(double delta, double omega, int steps_a_period = 800) {
  const double period = 2 * pi / omega;
  const dynamics::Structure s = rod(ramped(delta, omega), 40, true, input("mu in time", 1.0));
  const Motion m = motion_of(s, 200 * period, period / steps_a_period);
  return {amplitude(m, period, 25), amplitude(m, period, 200)};
}

/// The steady motion by harmonic balance: half of the range of its Fourier series at these frequencies.
std::vector<double> steady(double delta, const std::vector<double>& omegas, bool reduced = true) {
  dynamics::Structure s = rod("0", 40, reduced, 1);
  s.loads[0].signal = dynamics::Tones{{{delta, 0, 1, 0}}};
  const Eigen::Index tip = 8;
  dynamics::FrequencyResponseOptions options;
  options.from = 0.99 * omegas.front();
  options.to = 1.01 * omegas.back();
  options.at = omegas;
  options.harmonics = 11;
  options.stability = false;
  options.peaks = false;
  const dynamics::FrequencyResponse response = dynamics::frequency_response(s, options);
  std::vector<double> result;
  for (const dynamics::ResponsePoint& point : response.at) {
    double low = 0, high = 0;
    for (int i = 0; i < 400; ++i) {
      const double angle = 2 * pi * i / 400;
      double x = 0;
      for (int h = 1; h <= options.harmonics; ++h)
        x += point.y[(2 * h - 1) * response.dofs + tip] * std::cos(h * angle) +
             point.y[2 * h * response.dofs + tip] * std::sin(h * angle);
      low = i == 0 ? x : std::min(low, x);
      high = i == 0 ? x : std::max(high, x);
    }
    result.push_back(0.5 * (high - low));
  }
  return result;
}

/// Of the rod with all sliders stuck: the interface is linear then, with the springs of its ends.
struct Stuck {
  Eigen::MatrixXd K, M;
  Eigen::VectorXd tip;

  Stuck() {
    const dynamics::Structure s = rod("0", 40, true, 1);
    const double k_e = 2.0 * rod_elements / (1 + 1 / 39.0);
    K = Eigen::MatrixXd(s.K);
    M = Eigen::MatrixXd(s.M);
    for (const auto& w : s.interfaces[0].w) K += k_e * w.dense() * w.dense().transpose();
    tip = s.loads[0].direction;
  }
  double compliance(double omega) const {
    const Eigen::MatrixXd dynamic = K - omega * omega * M;
    return std::abs(tip.dot(dense::solve(dynamic, tip)));
  }
};

Outcome compute() {
  const double delta = 0.25;
  const Stuck stuck;
  std::vector<double> omegas, linear;
  for (int i = 0; i <= 16; ++i) omegas.push_back(0.75 + 0.075 * i);
  const std::vector<double> A = steady(delta, omegas);
  if (A.size() != omegas.size()) throw Error("fig. 21: the branch is not a function of ω");
  for (const double omega : omegas)
    linear.push_back(std::min(delta * stuck.compliance(omega), 4.0));
  const auto peak = std::max_element(A.begin(), A.end());
  const auto place = static_cast<std::size_t>(peak - A.begin());
  const double at_peak = omegas[place];
  const double quarter = steady(delta / 4, {at_peak, omegas.back()}).at(0);
  // In time, long after the load (32) has grown: below the resonance, on it, above it.
  std::vector<double> in_time_at, in_time_A, early;
  const double full = steady(delta, {at_peak}, false).at(0);
  double apart = 0;
  for (const std::size_t i : {std::size_t{2}, place, std::size_t{12}}) {
    in_time_at.push_back(omegas[i]);
    const InTime found = in_time(delta, omegas[i]);
    in_time_A.push_back(found.late);
    early.push_back(found.early);
    apart = std::max(apart, std::abs(in_time_A.back() / A[i] - 1));
  }
  Outcome out;
  out.comparisons = {
      independent(
          "largest difference of A in time after 200 cycles from harmonic balance, relative, at "
          "ω = 0.9, 1.5 and 1.65",
          0, 0.005, apart,
          "two methods that share the structure alone; 11 harmonics and steps of T/800"),
      judged("A at ω = 1.5 of the full form, by harmonic balance", full,
             "the form with all masses; the curve of the paper is that of the reduced one"),
      judged("A at ω = 1.5, reduced form (n = 40, s = 4) over full form", A[place] / full,
             "the error of the model, which no step or harmonic lessens"),
      judged("A at ω = 1.5 after 25 cycles over that of the steady motion", early[1] / A[place],
             "the paper takes at least 20 cycles; steps of T/800"),
      judged("A at ω = 1.5 after 25 cycles, steps of T/200 over steps of T/800",
             in_time(delta, at_peak, 200).early / early[1],
             "with T/200 the error of the step is larger than what is not steady yet"),
      at_most("largest A over that of the rod with its sliders stuck", 1,
              *peak / (delta * stuck.compliance(at_peak)),
              "\"shows the effect of the induced damping\""),
      at_most("A/δ at this ω, δ = 0.25 over δ = 0.0625", 1, *peak / delta / (quarter / (delta / 4)),
              "damping that grows with the load"),
      recorded("largest A, n = 40, s = 4, δ = 0.25, μ = 1", 1.3376, 0.005, *peak),
      recorded("its ω", 1.5, 0.04, at_peak),
  };
  out.figures = {{"",
                  {"",
                   {{{{"",
                       {"ω"},
                       {"A", true},
                       {io::Curve{"reduced, n = 40, s = 4", omegas, A, io::Style::line_points},
                        io::Curve{"in time, 200 cycles", in_time_at, in_time_A, io::Style::points},
                        io::Curve{"in time, 25 cycles", in_time_at, early, io::Style::points},
                        io::Curve{"sliders stuck", omegas, linear, io::Style::dashed}}}},
                     7}},
                   12}}};
  out.remark =
      "r = 10, the sixth mass replaced, δ = 0.25, μ = 1. The curve is the steady motion by "
      "harmonic balance with "
      "11 harmonics; A is half of the range of the displacement. In time the load is (32), and A "
      "is "
      "taken over the "
      "last five cycles. Near the resonance the interface slides as a whole in each cycle, and the "
      "mean of the "
      "motion is arbitrary. The curve of fig. 21 is not printed in numbers.";
  return out;
}

}  // namespace miller2009_fig21_parts

Entry miller2009_fig21() {
  using namespace miller2009_fig21_parts;
  return {.id = "miller2009-fig21",
          .source = "Miller and Quinn (2009), fig. 21",
          .sentence = "Amplitude of the jointed rod against the frequency of the load.",
          .compute = compute,
          .mutation = {"mu in time", 1.05,
                       "largest difference of A in time after 200 cycles from harmonic balance, "
                       "relative, at ω = 0.9, 1.5 and 1.65"},
          .slow = true};
}

}  // namespace microslip::reproduce
