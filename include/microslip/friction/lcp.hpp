#pragma once

/// The linear complementarity problem: given M and q, find w ≥ 0 and z ≥ 0 with
///
///     w − M z = q,   wᵀz = 0.

#include <Eigen/Core>

#include "microslip/core/response.hpp"

namespace microslip::friction {

struct LcpSolution {
  Eigen::VectorXd w, z;
  int pivots = 0;
  /// The largest of |w − Mz − q|, negative parts of w and z, and |w_i z_i| relative to the size of
  /// the problem; what `ok` has been checked against.
  double residual = 0;
  /// ok; `undefined` when the method ends on a ray (for positive semidefinite M there is then no
  /// solution); `not_converged` when pivots run out or the residual is too large.
  Status status = Status::ok;
};

struct LcpOptions {
  int most_pivots = 0;      ///< 0: a hundred for each unknown
  double tolerance = 1e-9;  ///< of the residual
};

/// Lemke's complementary pivoting with the lexicographic rule, which cannot cycle (C. E. Lemke,
/// Management Science 11 (1965) 681–689; Cottle, Pang and Stone, The Linear Complementarity
/// Problem, 1992, section 4.4). Finds a solution whenever there is one if M is positive
/// semidefinite. Throws Error when sizes differ.
LcpSolution lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q,
                  const LcpOptions& options = {});

}  // namespace microslip::friction
