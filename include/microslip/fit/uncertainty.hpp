#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// What a fit leaves uncertain: the parameters of the law that it determined, and their covariance.
/// That the law itself is wrong is not in it.
struct Uncertainty {
  std::vector<std::string> names;  ///< "k", or "a[2]" for the second number of a list
  Eigen::MatrixXd covariance;

  /// From standard errors and correlations; a correlation that is not finite counts as zero.
  static Uncertainty from(std::vector<std::string> names, const Eigen::VectorXd& errors,
                          const Eigen::MatrixXd& correlation);
};

/// That of the parameters of the first record.
Uncertainty uncertainty_of(const Fit& fit);

/// Numbers that follow from parameters; throws Error where there are none.
using Answer = std::function<std::vector<double>(const ParameterValues&)>;

/// Standard deviations of the answer at `at`, to first order: differences over one standard
/// deviation to both sides along the principal axes of the covariance. Where the law refuses such
/// parameters, steps become smaller and at last one-sided. Throws Error when none is left.
std::vector<double> standard_deviations(const Uncertainty& uncertainty, const ParameterValues& at,
                                        const Answer& answer);

}  // namespace microslip::fit
