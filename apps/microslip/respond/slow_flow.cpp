#include "microslip/dynamics/periodic/slow_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "respond/analyses.hpp"
#include "terminal.hpp"

namespace microslip::app {

/// Amplitude and phase in time, next to the motion itself.
Report slow_flow_report(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  const dynamics::Structure& s = file.structure;
  dynamics::SlowFlowOptions options;
  options.until = *analysis.until;
  options.step = analysis.step.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  options.x0 = analysis.x0.empty() ? 0 : analysis.x0[0];
  options.v0 = analysis.v0.empty() ? 0 : analysis.v0[0];
  options.progress = [](double) { return !interrupted(); };
  const dynamics::SlowFlow flow = dynamics::slow_flow(s, options);

  dynamics::TimeOptions whole;
  whole.until = flow.t.back();
  whole.at = flow.t;
  whole.every_step = false;
  whole.tolerance = std::min(1e-7, options.tolerance);
  whole.x0 = Eigen::VectorXd::Constant(1, options.x0);
  whole.v0 = Eigen::VectorXd::Constant(1, options.v0);
  whole.progress = [](double) { return !interrupted(); };
  const dynamics::TimeResult motion = dynamics::integrate(s, whole);

  Report report;
  report.json["kind"] = analysis.kind;
  if (!motion.message.empty()) report.failure = "the motion itself: " + motion.message;
  // The motion may have rows of its own at events.
  std::vector<double> x, envelope;
  std::size_t row = 0;
  for (const double t : flow.t) {
    while (row + 1 < motion.t.size() && motion.t[row] < t * (1 - 1e-12)) ++row;
    x.push_back(motion.x[row][0]);
    envelope.push_back(std::hypot(motion.x[row][0], motion.v[row][0] / flow.omega));
  }
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    difference = std::max(difference, std::abs(flow.amplitude[i] - envelope[i]));
    largest = std::max(largest, envelope[i]);
  }
  report.add_column("t", flow.t);
  report.add_column("amplitude", flow.amplitude);
  report.add_column("phase", flow.phase);
  report.add_column("x", flow.x);
  report.add_column("x_full", x);
  report.add_column("amplitude_full", envelope);
  report.summary = fmt::format(
      "amplitude {:.6g} at the end, phase {:.6g}; largest difference from the amplitude of the "
      "full "
      "motion {:.2g} of the largest\n",
      flow.amplitude.back(), flow.phase.back(), largest > 0 ? difference / largest : 0);
  if (flow.at_rest)
    report.summary += "friction ends the averaged motion: its amplitude comes to 0\n";
  report.json["amplitude"] = flow.amplitude.back();
  report.json["phase"] = flow.phase.back();
  report.json["at_rest"] = flow.at_rest;
  report.json["largest_difference"] = difference;
  report.json["largest_amplitude"] = largest;
  io::Panel top{"", {"t"}, {"displacement"}, {}, true, false};
  top.curves.push_back({"full motion", flow.t, x, io::Style::line, {}});
  top.curves.push_back({"slow flow, amplitude", flow.t, flow.amplitude, io::Style::solid, {}});
  io::Panel bottom{"", {"t"}, {"phase"}, {}, false, false};
  bottom.curves.push_back({"", flow.t, flow.phase, io::Style::solid, {}});
  report.figure = {"", {{{top}, 5, true}, {{bottom}, 3, false}}, 16};
  return report;
}

}  // namespace microslip::app
