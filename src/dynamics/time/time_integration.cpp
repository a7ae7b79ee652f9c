#include "microslip/dynamics/time/time_integration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/time/motion.hpp"
#include "microslip/core/text.hpp"

namespace microslip::dynamics {
namespace {

/// Only the rows at multiples of a step, at times asked for and at the end.
void keep_rows(double step, const std::vector<double>& at, TimeResult& result) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < result.t.size(); ++i) {
    const bool wanted = multiple_of(step, result.t[i] - result.t[0]).there ||
                        std::find(at.begin(), at.end(), result.t[i]) != at.end() ||
                        i + 1 == result.t.size();
    if (!wanted) continue;
    result.t[kept] = result.t[i];
    result.x[kept] = result.x[i];
    result.v[kept] = result.v[i];
    result.f[kept] = result.f[i];
    result.energy[kept] = result.energy[i];
    ++kept;
  }
  result.t.resize(kept);
  result.x.resize(kept);
  result.v.resize(kept);
  result.f.resize(kept);
  result.energy.resize(kept);
  result.rows = static_cast<long>(kept);
}

/// Gives rows that were kept to the one who asked for them.
void hand_over(const std::function<void(const TimeRow&)>& row, TimeResult& result) {
  for (std::size_t i = 0; i < result.t.size(); ++i) {
    const std::vector<double> f(result.f[i].begin(), result.f[i].end());
    row({result.t[i], result.x[i], result.v[i], f, result.energy[i]});
  }
  result.t.clear();
  result.x.clear();
  result.v.clear();
  result.f.clear();
  result.energy.clear();
}

/// Rate-dependent laws have no events that could be located from the path alone: the midpoint rule
/// with halved steps, until the motion changes by less than the tolerance.
TimeResult refined_midpoint(const Structure& structure, TimeOptions options, double t0,
                            const std::vector<AnyState>& joints) {
  options.method = Method::midpoint;
  const auto sink = std::exchange(options.row, nullptr);  // rows are compared before they are final
  if (!(options.step > 0)) {
    const double frequency = std::max(1 / options.until, highest_frequency(structure));
    options.step = std::min(0.1 / frequency, options.until / 10);
  }
  const double rows = options.step;
  TimeResult coarse = integrate(structure, options, t0, joints);
  for (int halving = 0; halving < 10; ++halving) {
    options.step /= 2;
    TimeResult fine = integrate(structure, options, t0, joints);
    double change = 0;
    double size = 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < coarse.t.size(); ++i) {
      while (k < fine.t.size() && fine.t[k] < coarse.t[i] - 1e-9 * rows) ++k;
      if (k == fine.t.size()) break;
      change = std::max(change, (fine.x[k] - coarse.x[i]).lpNorm<Eigen::Infinity>());
      size = std::max(size, fine.x[k].lpNorm<Eigen::Infinity>());
    }
    coarse = std::move(fine);
    // Order two: the finer one is three times better than their difference.
    if (change <= 3 * std::max(options.tolerance, 1e-7) * size || !coarse.message.empty()) break;
  }
  if (!options.every_step) keep_rows(rows, options.at, coarse);
  if (sink) hand_over(sink, coarse);
  return coarse;
}

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
  for (std::size_t j = 0; j < run.state.size(); ++j)
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
  // Nor have interfaces: many sliders, each with events of its own.
  if (options.method == Method::events && (without_events || !structure.interfaces.empty()))
    return refined_midpoint(structure, options, t0, joints);
  check(structure, options);
  TimeRun run(structure, options, t0, std::move(joints));
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(structure.size());
  const Eigen::VectorXd x = options.x0.size() > 0 ? options.x0 : none;
  Eigen::VectorXd v = options.v0.size() > 0 ? options.v0 : none;
  run.begin(x, v);
  const double lost = run.result.audit.joints;
  if (options.method == Method::cvode) {
    run.record(t0, x, v, lost);
    integrate_cvode(run, x, v);
    return std::move(run.result);
  }
  const std::unique_ptr<Motion> motion = motion_of(std::move(run), x, v);
  // Only now it is known what stuck joints hold.
  TimeRun& now = motion->run();
  now.record(t0, x, v, lost);
  go(*motion);
  return std::move(now.result);
}

}  // namespace microslip::dynamics
