#include "microslip/dynamics/periodic/slow_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {

/// Amplitude and phase in time, next to the motion itself.
AnalysisResult slow_flow(const Task& task) {
  const dynamics::Structure& s = task.file.structure;
  const catalog::Analysis& analysis = task.analysis;
  Progress& progress = task.progress;
  dynamics::SlowFlowOptions options;
  options.until = *analysis.until;
  options.step = analysis.step.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  options.x0 = analysis.x0.empty() ? 0 : analysis.x0[0];
  options.v0 = analysis.v0.empty() ? 0 : analysis.v0[0];
  options.progress = [&](double) { return progress.advance(0); };
  const dynamics::SlowFlow flow = dynamics::slow_flow(s, options);

  dynamics::TimeOptions whole;
  whole.until = flow.t.back();
  whole.at = flow.t;
  whole.every_step = false;
  whole.tolerance = std::min(1e-7, options.tolerance);
  whole.x0 = Eigen::VectorXd::Constant(1, options.x0);
  whole.v0 = Eigen::VectorXd::Constant(1, options.v0);
  whole.progress = [&](double) { return progress.advance(0); };
  const dynamics::TimeResult motion = dynamics::integrate(s, whole);

  AnalysisResult result;
  if (!motion.message.empty()) result.failure = "the motion itself: " + motion.message;
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
  add_column(result, "t", flow.t);
  add_column(result, "amplitude", flow.amplitude);
  add_column(result, "phase", flow.phase);
  add_column(result, "x", flow.x);
  add_column(result, "x_full", x);
  add_column(result, "amplitude_full", envelope);
  result.summary = fmt::format(
      "amplitude {:.6g} at the end, phase {:.6g}; largest difference from the amplitude of the "
      "full "
      "motion {:.2g} of the largest\n",
      flow.amplitude.back(), flow.phase.back(), largest > 0 ? difference / largest : 0);
  if (flow.at_rest)
    result.summary += "friction ends the averaged motion: its amplitude comes to 0\n";
  result.amplitude = flow.amplitude.back();
  result.phase = flow.phase.back();
  result.at_rest = flow.at_rest;
  result.largest_difference = difference;
  result.largest_amplitude = largest;
  io::Panel top{"", {"t"}, {"displacement"}, {}, true, false};
  top.curves.push_back({"full motion", flow.t, x, io::Style::line, {}});
  top.curves.push_back({"slow flow, amplitude", flow.t, flow.amplitude, io::Style::solid, {}});
  io::Panel bottom{"", {"t"}, {"phase"}, {}, false, false};
  bottom.curves.push_back({"", flow.t, flow.phase, io::Style::solid, {}});
  result.figure = {"", {{{top}, 5, true}, {{bottom}, 3, false}}, 16};
  return result;
}

}  // namespace microslip::jobs::respond_parts
