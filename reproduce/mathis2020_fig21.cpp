#include <algorithm>
#include <cmath>

#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "oscillators.hpp"
#include "support.hpp"

// Frequency responses by averaging and the resonance curve C (104) for Iwan's and Dahl's laws as in
// Table 1: figs 21, 22, 24 and 25. ε is not printed; the law is scaled by 0.01 here, so that
// averaging is good, and forces and detunings are divided by it again.

namespace microslip::reproduce {
namespace {

constexpr double eps = 0.01;
const ModelSpec iwan{"iwan4", {{"Fs", 2.5707}, {"KT", 10.0}, {"chi", -0.3}, {"beta", 1.0}}, {}};
const ModelSpec dahl{"dahl", {{"sigma0", 4.0}, {"zc", 2.0}, {"n", 1.5}}, {}};

/// A dashpot of ε·0.002 as "small linear damping for numerical stability"; the number is ours.
dynamics::Structure weak(const ModelSpec& law, double gamma) {
  return oscillator(law, eps * gamma, eps * 0.002, eps);
}

double peak(const ModelSpec& law, double gamma) {
  const dynamics::Structure s = weak(law, gamma);
  return dynamics::averaged_response(s, dynamics::harmonic_force(s), 0.97, 1.1, 60).peak_amplitude /
         gamma;
}

io::Panel responses(const std::string& title, const ModelSpec& law,
                    const std::vector<double>& gammas) {
  io::Panel panel{title, {"α"}, {"A₀/Γ"}, {}, true, false};
  for (const double gamma : gammas) {
    const dynamics::Structure s = weak(law, gamma);
    const dynamics::AveragedResponse r =
        dynamics::averaged_response(s, dynamics::harmonic_force(s), 0.98, 1.08, 120);
    io::Curve curve{"Γ = " + std::to_string(gamma).substr(0, 4), {}, {}, io::Style::line, {}};
    for (std::size_t i = 0; i < r.omega.size(); ++i) {
      curve.x.push_back((r.omega[i] - 1) / eps);
      curve.y.push_back(r.amplitude[i] / gamma);
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

/// The largest ratio of A₀/Γ at resonance from one load to the next.
double falls(const ModelSpec& law, const std::vector<double>& gammas) {
  double largest_ratio = 0;
  for (std::size_t i = 1; i < gammas.size(); ++i)
    largest_ratio = std::max(largest_ratio, peak(law, gammas[i]) / peak(law, gammas[i - 1]));
  return largest_ratio;
}

Outcome compute() {
  const std::vector<double> unsaturated{0.05, 0.2, 0.4, 0.6, 0.8};
  const std::vector<double> saturating{0.05, 0.4, 0.8, 1.2, 1.6, 2.0};
  Outcome outcome;
  outcome.comparisons = {
      at_most(
          "fig. 21b, Dahl: A₀/Γ at resonance falls from Γ = 0.05 to 0.8, largest ratio of a step",
          0.99, falls(dahl, unsaturated)),
      at_most(
          "fig. 21a, Iwan: A₀/Γ at resonance falls from Γ = 0.05 to 0.8, largest ratio of a step",
          0.99, falls(iwan, unsaturated)),
  };
  // (114): at small load the joint is a spring KT, (Ω − 1)/ε = KT/2.
  const dynamics::AveragedPoint small = dynamics::averaged(weak(iwan, 1), 1e-6);
  outcome.comparisons.push_back(
      independent("Iwan: detuning α_C as Γ → 0, KT/2", 5, 2e-3, (small.omega - 1) / eps));
  const dynamics::AveragedPoint large = dynamics::averaged(weak(iwan, 1), 1e6);
  outcome.comparisons.push_back(independent("Iwan: detuning α_C as Γ → ∞, the spring alone", 0,
                                            1e-4, (large.omega - 1) / eps));
  // A saturated slider loses 4 Fs A a cycle: a1 → 4 Fs/π, beyond which no amplitude is enough.
  outcome.comparisons.push_back(independent("Iwan: load a1 that saturates, 4 Fs/π", 4 * 2.5707 / pi,
                                            1e-2, large.force - 0.002 * eps * 1e6 / eps));

  io::Curve curve{"", {}, {}, io::Style::solid, {}};
  double best = 0, turning = 0;
  for (const double logarithm : spaced(-2, 1, 121)) {
    const dynamics::AveragedPoint p = dynamics::averaged(weak(iwan, 1), std::pow(10, logarithm));
    curve.x.push_back(p.force);
    curve.y.push_back(p.amplitude);
    if (p.zeta > best) {
      best = p.zeta;
      turning = p.force;
    }
  }
  const double at_two = peak(iwan, 2.0), at_turning = peak(iwan, turning);
  outcome.comparisons.push_back(
      at_least("fig. 22 and (115), Iwan saturated: A₀/Γ at Γ = 2 over its least", 1.01,
               at_two / at_turning));
  // Averaging against harmonic balance of the same oscillator.
  dynamics::FrequencyResponseOptions options;
  options.from = 0.99;
  options.to = 1.06;
  options.harmonics = 5;
  options.stability = false;
  const dynamics::FrequencyResponse numerical =
      dynamics::frequency_response(weak(iwan, 0.8), options);
  const double exact = numerical.peaks[0].at(0).first[0].amplitude / 0.8;
  outcome.comparisons.push_back(
      independent("Iwan, Γ = 0.8: peak by averaging over that by harmonic "
                  "balance",
                  1, 0.005, peak(iwan, 0.8) / exact));
  io::Panel resonance{"fig. 25: resonance curve of Iwan", {"Γ"}, {"A₀"}, {curve}, false, true};
  outcome.figures = {{"",
                      {"",
                       {{{responses("fig. 21a: Iwan", iwan, unsaturated)}, 5, false},
                        {{responses("fig. 21b: Dahl", dahl, unsaturated)}, 5, false},
                        {{responses("fig. 22: Iwan, saturating", iwan, saturating)}, 5, false},
                        {{resonance}, 4, false}},
                       14}}};
  outcome.remark =
      "Printed are the loads Γ and, in Table 1, the parameters; ε and the small linear damping are "
      "ours (0.01 and 0.002). With the four printed parameters Iwan's damping is largest at Γ = " +
      std::to_string(turning).substr(0, 4) +
      "; (115) must speak of A₀/Γ, since A₀ itself grows all along C.";
  return outcome;
}

}  // namespace

Entry mathis2020_fig21() {
  return {"mathis2020-fig21-25",
          "Mathis et al. (2020), figs 21–25, eqs (102)–(115)",
          "Frequency responses by averaging, the resonance curve, saturation.",
          compute,
          {"iwan4.KT", 1.05}};
}

}  // namespace microslip::reproduce
