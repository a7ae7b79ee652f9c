#include <cmath>

#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "oscillators.hpp"
#include "support.hpp"

// A linear oscillator of unit frequency with ζ = 0, 0.01, 0.05, 0.10; response by harmonic balance
// with the dashpot as a joint, against the closed form.

namespace microslip::reproduce {
namespace mathis2020_fig6_parts {

double closed_form(double zeta, double omega) {
  return 1 / std::hypot(1 - omega * omega, 2 * zeta * omega);
}

Outcome compute() {
  Outcome outcome;
  io::Panel panel{"", {"frequency, rad/s"}, {"|x| k / F", true, 1.0, 1e3}, {}, true, false};
  for (const double zeta : {0.0, 0.01, 0.05, 0.10}) {
    io::Curve curve{"ζ = " + std::to_string(zeta).substr(0, 4), {}, {}, io::Style::line, {}};
    if (zeta == 0) {
      // Without damping the response has no end at ω = 1: the closed form is drawn.
      for (const double omega : spaced(0.8, 1.2, 401)) {
        curve.x.push_back(omega);
        curve.y.push_back(std::min(closed_form(0, omega), 1e3));
      }
      panel.curves.push_back(std::move(curve));
      continue;
    }
    dynamics::FrequencyResponseOptions options;
    options.from = 0.8;
    options.to = 1.2;
    options.harmonics = 1;
    const dynamics::FrequencyResponse r =
        dynamics::frequency_response(oscillator({"viscous", {{"c", 2 * zeta}}, {}}, 1), options);
    double error = 0;
    for (const auto& point : r.branch) {
      curve.x.push_back(point.omega);
      curve.y.push_back(point.first[0].amplitude);
      error = std::max(error, std::abs(curve.y.back() / closed_form(zeta, point.omega) - 1));
    }
    // Peak of the displacement: ω = √(1 − 2ζ²), 1/(2ζ√(1 − ζ²)).
    outcome.comparisons.push_back(independent("peak for ζ = " + curve.name.substr(5),
                                              1 / (2 * zeta * std::sqrt(1 - zeta * zeta)), 1e-6,
                                              r.peaks[0].at(0).first[0].amplitude));
    outcome.comparisons.push_back(
        independent("largest relative error along the branch, " + curve.name, 0, 1e-7, error));
    panel.curves.push_back(std::move(curve));
  }
  outcome.figures = {{"", {"", {{{panel}, 8, false}}, 14}}};
  outcome.remark = "The caption gives ω_n = 1 and the legend the damping ratios.";
  return outcome;
}

}  // namespace mathis2020_fig6_parts

Entry mathis2020_fig6() {
  using namespace mathis2020_fig6_parts;
  return {"mathis2020-fig6",
          "Mathis et al. (2020), fig. 6",
          "Resonance of a linear oscillator for four damping ratios.",
          compute,
          {"viscous.c", 1.05, "peak for ζ = 0.01"}};
}

}  // namespace microslip::reproduce
