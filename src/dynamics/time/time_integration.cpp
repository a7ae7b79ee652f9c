#include "microslip/dynamics/time/time_integration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/time/motion.hpp"
#include "dynamics/time/refined_midpoint.hpp"
#include "microslip/core/text.hpp"

namespace microslip::dynamics {
namespace {

/// Steps to the end of the run, with rows.
void go(Motion& motion) {
  TimeRun& run = motion.run();
  const double end = run.t0 + run.options.until;
  while (motion.t() < end && run.result.status == Status::ok) {
    const double stop = std::min({motion.next_stop(), run.next_row(motion.t()), end});
    if (!motion.step(stop)) break;
    if (run.row_wanted(motion.t())) motion.record();
    motion.note_energy();
    if (motion.t() < end) motion.pass_break();
    if (run.options.progress && !run.options.progress((motion.t() - run.t0) / run.options.until)) {
      run.result.message = "interrupted at t = " + number_text(motion.t());
      break;
    }
  }
  if (run.last_row() != motion.t()) motion.record();
  for (std::size_t j = 0; j < run.result.joint_energy.size(); ++j)
    run.result.joint_energy[j] = motion.joint_energy(j);
  run.result.audit = motion.audit();
  run.finish(motion.x(), motion.v());
}

std::unique_ptr<Motion> motion_of(TimeRun run, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  return run.options.method == Method::events ? motion_by_events(std::move(run), x, v)
                                              : motion_by_implicit_steps(std::move(run), x, v);
}

}  // namespace

std::unique_ptr<Motion> begin_motion(TimeRun run, const Eigen::VectorXd& x, Eigen::VectorXd v) {
  run.begin(x, v);
  return motion_of(std::move(run), x, v);
}

TimeResult integrate(const Structure& structure, const TimeOptions& options) {
  std::vector<AnyState> rest;
  for (const JointElement& joint : structure.joints) rest.push_back(joint.model.rest());
  return integrate(structure, options, 0, std::move(rest));
}

TimeResult integrate(const Structure& structure, const TimeOptions& options, double t0,
                     std::vector<AnyState> joints) {
  const bool without_events =
      std::any_of(structure.joints.begin(), structure.joints.end(), [](const JointElement& joint) {
        return joint.model.rate_dependent() && !joint.model.rigid();
      });
  // Interfaces have them if they are joints whose forces are linear from event to event.
  const bool walked = std::all_of(structure.interfaces.begin(), structure.interfaces.end(),
                                  [](const InterfaceElement& interface) {
                                    return interface.law->model() && interface.law->walk();
                                  });
  if (options.method == Method::events && (without_events || !walked))
    return refined_midpoint(structure, options, t0, joints);
  return whole(TimeRun(structure, options, t0, std::move(joints)));
}

TimeResult whole(TimeRun run) {
  const Structure& structure = run.structure;
  const TimeOptions& options = run.options;
  check(structure, options);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(structure.size());
  const Eigen::VectorXd x = options.x0.size() > 0 ? options.x0 : none;
  Eigen::VectorXd v = options.v0.size() > 0 ? options.v0 : none;
  run.begin(x, v);
  const double lost = run.result.audit.joints;
  if (options.method == Method::cvode) {
    run.record(run.t0, x, v, lost, run.force);
    integrate_cvode(run, x, v);
    return std::move(run.result);
  }
  const std::unique_ptr<Motion> motion = motion_of(std::move(run), x, v);
  // Only now it is known what stuck joints hold.
  TimeRun& now = motion->run();
  now.record(now.t0, x, v, lost, motion->forces());
  go(*motion);
  return std::move(now.result);
}

}  // namespace microslip::dynamics
