#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <memory>

#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {

class MotionRecord;

/// Throws Error for input that no method can take.
void check(const Structure& structure, const TimeOptions& options);

/// √(K/M) of the degree of freedom where that is largest; 0 without springs.
double highest_frequency(const Structure& structure);

/// Where a time lies among the multiples of a step: the last one that it has reached, and whether it is
/// that multiple up to rounding. Who asks whether a row is due and who asks for the next one agree.
struct Multiple {
  double number;
  bool there;
  double rounding;  ///< of the time
};
Multiple multiple_of(double step, double since);

/// Solves with M: by division, dense or sparse factors. Copies share them.
class MassSolver {
 public:
  explicit MassSolver(const SparseMatrix& M);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Factors {
    Eigen::VectorXd diagonal;  ///< empty if M is not diagonal
    dense::Cholesky full;
    std::unique_ptr<sparse::Ldlt> thin;  ///< of large ones
  };
  std::shared_ptr<const Factors> factors_;
};

/// What all methods share: joints with their states, loads, rows and the energy audit. A value; the
/// structure and the options outlive it.
class TimeRun {
 public:
  TimeRun(const Structure& structure, const TimeOptions& options, double t0,
          std::vector<AnyState> joints);

  Eigen::VectorXd load(double t) const;
  void load(double t, Eigen::VectorXd& sum) const;
  /// Work of instant impulses at time t on the velocity v, which they change; whether there are any.
  bool apply_impulses(double t, Eigen::VectorXd& v);
  double next_break(double t) const;
  /// Of an impulse without duration.
  double next_jump(double t) const;
  double next_row(double t) const;

  /// The velocity that the loads would give to the structure in a part 1/frequency of a vibration, at most.
  double velocity_by_loads(double frequency) const;

  double joint_motion(std::size_t j, const Eigen::VectorXd& x) const { return w_[j].dot(x); }
  /// Displacements of an interface.
  Eigen::VectorXd interface_motion(std::size_t i, const Eigen::VectorXd& x) const;
  /// A row, with the forces of the joints at its time.
  void record(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v, double joints_lost,
              const std::vector<double>& f);
  bool row_wanted(double t) const;
  double last_row() const { return last_row_; }
  /// The joints start where the structure is: driven there from where they are, energy counted.
  /// Impulses at the start change v.
  void begin(const Eigen::VectorXd& x, Eigen::VectorXd& v);
  void finish(const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  void note_energy(const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  void note_energy(double energy);
  /// States of joints, sums and forces; rows are not part of it.
  void visit(MotionRecord& record);

  const Structure& structure;
  const TimeOptions& options;
  double t0;
  std::vector<AnyState> state, scratch;
  std::vector<double> force;  ///< of the joints, committed: what the last step ended with
  std::vector<AnyState> interface_state, interface_scratch;
  std::vector<Eigen::VectorXd> interface_force;  ///< committed
  Eigen::VectorXd extra_force;                   ///< beside the loads
  MassSolver mass;
  /// Steps of the midpoint rule end where a joint turns or comes to a kink.
  bool ends_at_events = false;
  TimeResult result;

 private:
  double stored_in_joints() const;
  std::vector<Eigen::SparseVector<double>> w_;
  std::vector<double> rows_;
  double last_row_ = 0;
  std::vector<double> row_force_;  ///< of joints, then of those with several directions
};

/// From x0 and v0 of the options to the end, with rows.
TimeResult whole(TimeRun run);

void integrate_cvode(TimeRun& run, const Eigen::VectorXd& x, const Eigen::VectorXd& v);

}  // namespace microslip::dynamics
