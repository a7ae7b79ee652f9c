#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <memory>

#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {

/// Solves with M: by division, dense or sparse factors.
class MassSolver {
 public:
  explicit MassSolver(const SparseMatrix& M);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  Eigen::VectorXd diagonal_;  ///< empty if M is not diagonal
  Eigen::LLT<Eigen::MatrixXd> dense_;
  std::unique_ptr<Eigen::SimplicialLDLT<SparseMatrix>> sparse_;
};

/// What all methods share: joints with their states, loads, rows and the energy audit.
class TimeRun {
 public:
  TimeRun(const Structure& structure, const TimeOptions& options, double t0,
          std::vector<AnyState> joints);

  Eigen::VectorXd load(double t) const;
  /// Work of instant impulses at time t on the velocity v, which they change.
  void apply_impulses(double t, Eigen::VectorXd& v);
  double next_break(double t) const;
  /// Of an impulse without duration.
  double next_jump(double t) const;
  double next_row(double t) const;

  double joint_motion(std::size_t j, const Eigen::VectorXd& x) const { return w_[j].dot(x); }
  void record(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  bool row_wanted(double t) const;
  void begin(const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  void finish(const Eigen::VectorXd& x, const Eigen::VectorXd& v);
  void note_energy(const Eigen::VectorXd& x, const Eigen::VectorXd& v);

  const Structure& structure;
  const TimeOptions& options;
  double t0;
  std::vector<AnyState> state, scratch;
  std::vector<double> force;  ///< of the joints, committed
  MassSolver mass;
  TimeResult result;

 private:
  double stored_in_joints() const;
  std::vector<Eigen::SparseVector<double>> w_;
  std::vector<double> rows_;
};

void integrate_events(TimeRun& run, Eigen::VectorXd x, Eigen::VectorXd v);
void integrate_cvode(TimeRun& run, const Eigen::VectorXd& x, const Eigen::VectorXd& v);
void integrate_implicit(TimeRun& run, Eigen::VectorXd x, Eigen::VectorXd v);

}  // namespace microslip::dynamics
