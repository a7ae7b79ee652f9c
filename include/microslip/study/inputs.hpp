#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What a study varies: distributions, and the numbers of a job that follow them.
namespace microslip::study {

struct Distribution {
  enum class Kind { normal, lognormal, uniform, values };
  Kind kind = Kind::uniform;
  double a = 0, b = 1;  ///< mean and deviation; median and deviation of the logarithm; limits
  double lower = -std::numeric_limits<double>::infinity();  ///< truncated
  double upper = std::numeric_limits<double>::infinity();
  std::vector<double> list{};  ///< of `values`, all equally likely

  /// The value below which a draw lies with probability u. Throws Error for limits that leave nothing.
  double quantile(double u) const;
  /// −∞ where no draw falls. Of `values`: of the integers in between none.
  double log_density(double x) const;
};

/// Numbers that are drawn together; the units of sensitivity.
struct Group {
  enum class Kind {
    one,      ///< a distribution; all numbers are the same draw
    fit,      ///< normal about the parameters of a fit, with their correlations
    samples,  ///< a row of a posterior
  };
  std::string name;                  ///< as it stands in the file
  std::vector<std::string> numbers;  ///< addresses
  Kind kind = Kind::one;
  Distribution distribution{};
  bool factor = false;        ///< the draw multiplies what stands there
  std::vector<double> own{};  ///< what stands there, if it is a factor
  Eigen::VectorXd center{};   ///< of a fit; the logarithm of positive parameters
  Eigen::MatrixXd root{};     ///< covariance = root rootᵀ
  std::vector<bool> logarithmic{};
  Eigen::MatrixXd rows{};  ///< samples × numbers

  /// How many independent uniform numbers it takes.
  std::size_t dimension() const;
  void draw(std::span<const double> u, std::span<double> values) const;
};

}  // namespace microslip::study
