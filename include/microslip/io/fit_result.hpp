#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace microslip::io {

/// What a fit result says besides its laws and their parameters.

/// Preload, friction coefficient and the like of the records that were fitted.
struct FitCovariates {
  std::map<std::string, double> at;  ///< where the laws stand: those of the first record
  std::map<std::string, std::pair<double, double>> range;  ///< smallest and largest of all records
  double amplitude = 0;  ///< the largest of the records, divided by their scales; 0 if not known
};
/// Empty where the file has none.
FitCovariates fit_covariates(const std::filesystem::path& fit_result);

/// Standard errors of the parameters of one law, and the correlations between them.
struct FitErrors {
  std::vector<std::string> names;    ///< "k", or "a[2]" for the second number of a list
  std::vector<double> errors;        ///< none of them zero
  std::vector<double> correlation;   ///< row by row; NaN where it is not known
  std::vector<std::string> unknown;  ///< fitted, but not determined by the data
  bool given = false;                ///< the file has standard errors
};
FitErrors fit_errors(const std::filesystem::path& fit_result, std::string_view model);

}  // namespace microslip::io
