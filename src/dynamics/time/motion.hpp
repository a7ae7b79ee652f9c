#pragma once

#include <memory>
#include <utility>

#include "dynamics/time/motion_record.hpp"
#include "dynamics/time/time_support.hpp"

namespace microslip::dynamics {

/// A motion on its way through time. All that changes is a value, so that a clone is a snapshot; the
/// structure and the options are shared.
class Motion {
 public:
  virtual ~Motion() = default;
  virtual std::unique_ptr<Motion> clone() const = 0;

  virtual double t() const = 0;
  virtual Eigen::VectorXd x() const = 0;
  virtual Eigen::VectorXd v() const = 0;

  /// The next time at which a step must end, because a load is not smooth there.
  virtual double next_stop() const = 0;
  /// One step, which may end before `stop`. False if it failed; the message says why.
  virtual bool step(double stop) = 0;
  /// Acts on impulses and jumps of a load at the present time, if there are any.
  virtual void pass_break() {}
  /// The load differs from now on.
  virtual void load_changed() {}

  /// Where the energy went so far, without the change of what is stored.
  virtual EnergyAudit audit() const { return run_.result.audit; }
  virtual double joint_energy(std::size_t j) const { return run_.result.joint_energy[j]; }

  /// Forces of the joints at the present time and velocity.
  virtual const std::vector<double>& forces() { return run_.force; }
  /// Writes a row of the present, and keeps the largest energy.
  virtual void record() { run_.record(t(), x(), v(), audit().joints, forces()); }
  virtual void note_energy() { run_.note_energy(x(), v()); }

  /// All that the future depends on, beside structure and options: read after writing, in another motion of
  /// the same structure and options, the same steps give the same bits.
  virtual void visit(MotionRecord& record) { run_.visit(record); }

  TimeRun& run() { return run_; }
  const TimeRun& run() const { return run_; }

 protected:
  explicit Motion(TimeRun run) : run_(std::move(run)) {}
  Motion(const Motion&) = default;

  bool fail(const std::string& what);

  TimeRun run_;
};

std::unique_ptr<Motion> motion_by_events(TimeRun run, const Eigen::VectorXd& x,
                                         const Eigen::VectorXd& v);
/// Midpoint rule, Newmark's method, HHT, generalised-α.
std::unique_ptr<Motion> motion_by_implicit_steps(TimeRun run, const Eigen::VectorXd& x,
                                                 const Eigen::VectorXd& v);

/// A motion that begins at x and v, its joints driven there, by the method of the options.
std::unique_ptr<Motion> begin_motion(TimeRun run, const Eigen::VectorXd& x, Eigen::VectorXd v);

}  // namespace microslip::dynamics
