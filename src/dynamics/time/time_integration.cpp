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

/// Rows of a run in steps of h that a run in steps of h/2 has as well, without the error that goes with
/// h²: the midpoint rule is symmetric, so that its error has even powers of h alone.
TimeResult extrapolated(const TimeResult& coarse, const TimeResult& fine, double same_time) {
  const auto rest = [](const auto& better, const auto& worse) { return (better - worse) / 3; };
  TimeResult rows;
  std::size_t k = 0;
  for (std::size_t i = 0; i < coarse.t.size(); ++i) {
    while (k < fine.t.size() && fine.t[k] < coarse.t[i] - same_time) ++k;
    if (k == fine.t.size()) break;
    rows.t.push_back(fine.t[k]);
    rows.x.push_back(fine.x[k] + rest(fine.x[k], coarse.x[i]));
    rows.v.push_back(fine.v[k] + rest(fine.v[k], coarse.v[i]));
    rows.f.push_back(fine.f[k] + rest(fine.f[k], coarse.f[i]));
    rows.energy.push_back(fine.energy[k] + rest(fine.energy[k], coarse.energy[i]));
  }
  rows.rows = static_cast<long>(rows.t.size());
  return rows;
}

/// The largest change of the motion at common rows, relative to the largest motion.
double change_of_motion(const TimeResult& coarse, const TimeResult& fine, double same_time) {
  double change = 0, size = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < coarse.t.size(); ++i) {
    while (k < fine.t.size() && fine.t[k] < coarse.t[i] - same_time) ++k;
    if (k == fine.t.size()) break;
    change = std::max(change, (fine.x[k] - coarse.x[i]).lpNorm<Eigen::Infinity>());
    size = std::max(size, fine.x[k].lpNorm<Eigen::Infinity>());
  }
  return size > 0 ? change / size : 0;
}

/// Rate-dependent laws have no events that could be located from the path alone: the midpoint rule
/// with halved steps, extrapolated, until the motion changes by less than the tolerance.
TimeResult refined_midpoint(const Structure& structure, TimeOptions options, double t0,
                            const std::vector<AnyState>& joints) {
  options.method = Method::midpoint;
  const auto sink = std::exchange(options.row, nullptr);  // rows are compared before they are final
  if (!(options.step > 0)) {
    const double frequency = std::max(1 / options.until, highest_frequency(structure));
    options.step = std::min(0.1 / frequency, options.until / 10);
  }
  const double rows = options.step, same_time = 1e-9 * rows;
  // Where the motion has corners the error falls with the square of the step all the same, and what is
  // left is a third of the last change.
  const double most = 3 * std::max(options.tolerance, 1e-7);
  TimeResult coarse = integrate(structure, options, t0, joints);
  TimeResult best = coarse;
  for (int halving = 0; halving < 10 && coarse.message.empty(); ++halving) {
    options.step /= 2;
    TimeResult fine = integrate(structure, options, t0, joints);
    if (!fine.message.empty()) {
      best = std::move(fine);
      break;
    }
    const TimeResult better = extrapolated(coarse, fine, same_time);
    // The first extrapolation has none to be compared with.
    const double change = change_of_motion(best, halving == 0 ? fine : better, same_time);
    coarse = std::move(fine);
    best = coarse;
    best.t = better.t;
    best.x = better.x;
    best.v = better.v;
    best.f = better.f;
    best.energy = better.energy;
    best.rows = better.rows;
    if (change <= most) break;
  }
  if (!options.every_step) keep_rows(rows, options.at, best);
  if (sink) hand_over(sink, best);
  return best;
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
    run.record(t0, x, v, lost, run.force);
    integrate_cvode(run, x, v);
    return std::move(run.result);
  }
  const std::unique_ptr<Motion> motion = motion_of(std::move(run), x, v);
  // Only now it is known what stuck joints hold.
  TimeRun& now = motion->run();
  now.record(t0, x, v, lost, motion->forces());
  go(*motion);
  return std::move(now.result);
}

}  // namespace microslip::dynamics
