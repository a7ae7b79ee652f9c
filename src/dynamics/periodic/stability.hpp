#pragma once

#include <Eigen/Core>

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

/// Does a small disturbance of a periodic motion die out? The disturbed motion obeys a linear
/// equation with periodic coefficients and the laws' memory of reversals; its map over one period
/// has the Floquet multipliers as eigenvalues.
///
/// The memory of a law is carried as the displacement at the latest passage of each reversal, which
/// is all that laws with return-point memory know; what other laws remember of older rounds is
/// counted with the latest.
namespace microslip::dynamics {

struct Floquet {
  Eigen::VectorXcd multipliers;  ///< largest first
  bool stable = true;
};

/// The map over one period from equal steps of the implicit midpoint rule, which neither damps nor
/// excites. Rate-dependent joints are left to hill().
Floquet floquet(HarmonicBalance& balance, const Eigen::VectorXd& y, int steps = 128);

/// Hill's method, from the Jacobian of harmonic balance: serves rate-dependent laws. Their memory is
/// taken as slow against the period.
Floquet hill(HarmonicBalance& balance, const Eigen::VectorXd& y);

/// By whichever of the two applies; unknown if neither does, because a joint is infinitely stiff after
/// each reversal.
Stability stability(HarmonicBalance& balance, const Eigen::VectorXd& y);

}  // namespace microslip::dynamics
