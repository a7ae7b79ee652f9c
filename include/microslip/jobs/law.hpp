#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/core/values.hpp"
#include "microslip/fit/uncertainty.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"

namespace microslip::jobs {

/// What a fit leaves uncertain in the parameters of a law.
struct ParameterUncertainty {
  std::vector<std::string> names;               ///< "k", or "a[2]" of a list
  std::vector<std::vector<double>> covariance;  ///< row by row
  static constexpr auto members =
      std::tuple{member("names", &ParameterUncertainty::names),
                 member("covariance", &ParameterUncertainty::covariance)};
};

/// A law and how it is called in results.
struct NamedLaw {
  std::string label{};  ///< the name of the law if empty
  std::string model{};  ///< a law or an expression of laws
  ParameterValues parameters{};
  OptionValues options{};
  std::optional<ParameterUncertainty> uncertainty{};

  static constexpr auto members =
      std::tuple{member_if_any("label", &NamedLaw::label), member("model", &NamedLaw::model),
                 member_if_any("parameters", &NamedLaw::parameters),
                 member_if_any("options", &NamedLaw::options),
                 member_if_any("uncertainty", &NamedLaw::uncertainty)};
};

/// As the functions of `fit` take it. Throws Error unless the covariance is a square; `law` is for the
/// message.
fit::Uncertainty uncertainty_of(const std::string& law, const ParameterUncertainty& uncertainty);

}  // namespace microslip::jobs
