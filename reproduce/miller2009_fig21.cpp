#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "miller2009_rod.hpp"
#include "support.hpp"

// Miller and Quinn, fig. 21: amplitude of the free end of the jointed rod against the frequency of the load.

namespace microslip::reproduce {
namespace {

/// Half of the range of the displacement in the last five of `cycles`, under the load that grows over ten (32). Where
/// the interface slides as a whole, nothing holds the mean of the motion.
double amplitude(const dynamics::Structure& s, double omega, int cycles) {
  const double period = 2 * pi / omega;
  const Motion m = motion_of(s, cycles * period, period / 100);
  double low = 0, high = 0;
  bool first = true;
  for (std::size_t i = 0; i < m.t.size(); ++i) {
    if (m.t[i] < (cycles - 5) * period) continue;
    low = first ? m.x[i] : std::min(low, m.x[i]);
    high = first ? m.x[i] : std::max(high, m.x[i]);
    first = false;
  }
  return 0.5 * (high - low);
}

double reduced(double delta, double omega, int cycles = 40) {
  return amplitude(rod(ramped(delta, omega), 40, true, input("mu", 1.0)), omega, cycles);
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
    return std::abs(tip.dot(dynamic.partialPivLu().solve(tip)));
  }
};

Outcome compute() {
  const double delta = 0.25;
  const Stuck stuck;
  std::vector<double> omegas, A, linear;
  for (int i = 0; i <= 16; ++i) omegas.push_back(0.75 + 0.075 * i);
  for (const double omega : omegas) {
    A.push_back(reduced(delta, omega));
    linear.push_back(std::min(delta * stuck.compliance(omega), 4.0));
  }
  const auto peak = std::max_element(A.begin(), A.end());
  const double at_peak = omegas[static_cast<std::size_t>(peak - A.begin())];
  // The same frequency with all masses and with smaller loads.
  const auto full = [&](double omega) {
    return amplitude(rod(ramped(delta, omega), 40, false, 1), omega, 40);
  };
  const double quarter = reduced(delta / 4, at_peak, 100);
  Outcome out;
  out.comparisons = {
      independent("largest A over ω, against the full form at the same ω: ratio", 1, 0.08,
                  *peak / full(at_peak), "four modes are kept of 39; fig. 16 has 5 %"),
      independent("A at ω = 0.75, against the full form: ratio", 1, 0.03,
                  reduced(delta, 0.75) / full(0.75)),
      at_most(
          "largest A at δ = 0.25 over that of the rod with its sliders stuck (\"induced damping\")",
          0.5, *peak / (delta * stuck.compliance(at_peak))),
      at_most("A/δ at this ω, δ = 0.25 over δ = 0.0625: damping grows with the load", 0.8,
              *peak / delta / (quarter / (delta / 4))),
      recorded("largest A, n = 40, s = 4, δ = 0.25, μ = 1", 1.41, 0.005, *peak),
      recorded("its ω", 1.5, 0.04, at_peak),
  };
  out.figures = {{"",
                  {"",
                   {{{{"",
                       {"ω"},
                       {"A", true},
                       {io::Curve{"reduced, n = 40, s = 4", omegas, A, io::Style::line_points},
                        io::Curve{"sliders stuck", omegas, linear, io::Style::dashed}}}},
                     7}},
                   12}}};
  out.remark =
      "r = 10, the sixth mass replaced, δ = 0.25, μ = 1, the load (32); A is half of the range of "
      "the "
      "displacement in the last five of 40 cycles (100 for the smaller load). Near the resonance "
      "the "
      "interface slides as a whole in each cycle, and the mean of the motion is arbitrary. The "
      "curve "
      "of fig. 21 is not printed in numbers.";
  return out;
}

}  // namespace

Entry miller2009_fig21() {
  return {"miller2009-fig21",
          "Miller and Quinn (2009), fig. 21",
          "Amplitude of the jointed rod against the frequency of the load.",
          compute,
          {"mu", 1.05}};
}

}  // namespace microslip::reproduce
