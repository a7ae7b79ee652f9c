#pragma once

#include "microslip/fit/problem.hpp"

namespace microslip::fit {

/// The noise of the rows as the residuals show it: stationary, and a row follows the one before with
/// one correlation (a first-order autoregression, in each record by itself). Residuals of a law that
/// misses the shape of the loops look the same: so many rows say less than their number.
struct RowNoise {
  double variance =
      0;  ///< of a residual; wider where few rows tell it, so that 1.96 errors are Student's 95 %
  double white = 0;        ///< the same as if the rows were independent
  double correlation = 0;  ///< of a row with the next one; 0 unless the residuals show it
  double evidence = 0;     ///< for it: twice the difference of the logarithms of the likelihoods

  /// Independent rows that determine a mean as well as `rows` of this correlation.
  double effective_rows(double rows) const { return rows * (1 - correlation) / (1 + correlation); }
};

/// From residuals at a minimum. `tangent` holds orthonormal columns along which the fit has moved the
/// residuals; the restricted likelihood (H. D. Patterson, R. Thompson, Biometrika 58 (1971) 545–554)
/// knows that they look less correlated for it. `freedom` is rows less fitted numbers.
RowNoise row_noise(const Problem& problem, const Eigen::VectorXd& residuals,
                   const Eigen::MatrixXd& tangent, double freedom);

/// Covariance of tangentᵀ · noise.
Eigen::MatrixXd noise_along(const Problem& problem, const RowNoise& noise,
                            const Eigen::MatrixXd& tangent);

}  // namespace microslip::fit
