#pragma once

#include <Eigen/Core>

#include "microslip/core/response.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"

namespace microslip::dynamics {

/// What a joint answers to a periodic motion.
struct PeriodicForce {
  Eigen::VectorXd coefficients;
  Eigen::MatrixXd jacobian;   ///< by the coefficients of the motion; when asked for
  Eigen::VectorXd wrt_omega;  ///< if the joint feels the frequency; when asked for
  double energy = 0;          ///< dissipated in one period
  int rounds = 0;             ///< until the loop closed
  bool closed = true;
  double drift = 0;  ///< change of force over the last round, relative, if the loop did not close
  /// Of the mean force: what rounding leaves open where a memory fades slowly.
  double mean_noise = 0;
  Status status = Status::ok;
};

/// Where joints that slide get to in a period that begins anywhere: u and v/ω of all their ways to
/// move, with derivatives when asked for.
struct PeriodEnd {
  Eigen::VectorXd at;
  Eigen::MatrixXd wrt_input, wrt_start;
  Eigen::VectorXd wrt_omega;
  Eigen::MatrixXd force_wrt_start;  ///< of the coefficients of the force
};

}  // namespace microslip::dynamics
