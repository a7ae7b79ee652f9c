#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"
#include "row_noise.hpp"

namespace microslip::fit {

/// A combination counts as determined when changing it by a factor e moves the force by more than
/// this, relative to the range (rms). A recorder of 12 bits resolves 2.4e-4 of its range.
inline constexpr double least_sensitivity = 4e-4;

/// Residuals relative to the range below this are rounding of the force and of its histories.
inline constexpr double rounding_rms = 1e-12;

/// The numbers of the measurement that all records share; the mean of those that each has for itself.
ParameterValues recorder_of(const Problem& problem, const std::vector<double>& x);
/// Parameters of the law and these numbers.
ParameterValues numbers_at(const Problem& problem, const std::vector<double>& x);

/// dx of what counts as one unit: a factor e, or the number itself, and a hundredth near zero.
double unit_of(const Unknown& unknown, double x);

/// Whether a direction in these units is known to better than one of them, and by more than the
/// record could show by accident.
bool determines(double singular_value, double rows, double variance);

/// Singular values and right singular vectors of a tall matrix.
struct Decomposition {
  Eigen::VectorXd s;
  Eigen::MatrixXd v;
};
Decomposition decompose(const Eigen::MatrixXd& tall);

/// What a parabola says of all numbers that are not held, those at a limit as if they could go beyond
/// it: the others lean on that limit, and what is not known of one is not known of the other. Along
/// directions that the record does not determine, one unit.
struct Covariance {
  std::vector<std::size_t> moving;
  Eigen::MatrixXd of_x;   ///< with the correlation of the noise
  Eigen::MatrixXd white;  ///< as if the rows were independent
  Eigen::MatrixXd axes;   ///< principal directions of x in the columns, one standard deviation long
  Eigen::VectorXd rise;   ///< of the sum of squares along each of them
};
Covariance covariance_of(const Problem& problem, const std::vector<double>& x,
                         const Eigen::MatrixXd& jacobian, const RowNoise& noise);

/// Fills in what follows from the numbers found: forces, errors, criteria, standard errors and
/// combinations, as a parabola has them. The noise of the rows that they rest on.
RowNoise assess(const Problem& problem, const std::vector<double>& x, double robust_scale,
                Fit& fit);

/// A number whose error is larger than itself, or than the size by which it is measured, is not
/// determined: it has no standard error, and no correlation with others.
void forget_vague_numbers(const Problem& problem, Fit& fit);

/// Converged or undetermined, when the standard errors are known. `at_rest`: they are a minimum.
Outcome outcome_of(const Fit& fit, bool at_rest);

/// Root mean square of the residuals relative to the range, over the rows that count.
double rms_relative(const Problem& problem, const Eigen::VectorXd& residuals);

}  // namespace microslip::fit
