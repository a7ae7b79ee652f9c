#include "microslip/jobs/law.hpp"

#include "microslip/core/error.hpp"

namespace microslip::jobs {

fit::Uncertainty uncertainty_of(const std::string& law, const ParameterUncertainty& uncertainty) {
  const std::size_t n = uncertainty.names.size();
  const auto size = static_cast<Eigen::Index>(n);
  fit::Uncertainty result{uncertainty.names, Eigen::MatrixXd(size, size)};
  if (uncertainty.covariance.size() != n)
    throw Error(law + ": the covariance must have a row for each of its " + std::to_string(n) +
                " names");
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double>& row = uncertainty.covariance[i];
    if (row.size() != n)
      throw Error(law + ": the rows of the covariance must have " + std::to_string(n) + " numbers");
    for (std::size_t j = 0; j < n; ++j)
      result.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
  }
  return result;
}

}  // namespace microslip::jobs
