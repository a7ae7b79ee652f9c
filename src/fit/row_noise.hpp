#pragma once

#include <vector>

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
  /// Variance of each row, besides, that comes from noise smoothed out of the input; empty: none. Slow
  /// parts of it pass the smoothing as if there were none, and in the residuals they are hidden among the
  /// rest, but it is they that move the numbers.
  Eigen::VectorXd of_input{};

  /// Independent rows that determine a mean as well as `rows` of this correlation.
  double effective_rows(double rows) const { return rows * (1 - correlation) / (1 + correlation); }
};

/// From residuals at a minimum. `tangent` holds orthonormal columns along which the fit has moved the
/// residuals; the restricted likelihood (H. D. Patterson, R. Thompson, Biometrika 58 (1971) 545–554)
/// knows that they look less correlated for it. `freedom` is rows less fitted numbers, `answers` what the
/// law says of each record.
RowNoise row_noise(const Problem& problem, const Eigen::VectorXd& residuals,
                   const Eigen::MatrixXd& tangent, double freedom,
                   const std::vector<std::vector<double>>& answers);

/// Covariance of tangentᵀ · noise.
Eigen::MatrixXd noise_along(const Problem& problem, const RowNoise& noise,
                            const Eigen::MatrixXd& tangent);

}  // namespace microslip::fit
