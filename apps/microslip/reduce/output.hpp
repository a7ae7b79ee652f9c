#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/catalog/files/reduction_file.hpp"
#include "microslip/io/figure.hpp"

/// What `microslip reduce` shows and writes.
namespace microslip::app {

struct ReductionResult {
  std::string file, command_line;
  catalog::ReductionFile asked;
  Eigen::VectorXd singular_values;  ///< empty for the analytic basis
  Eigen::MatrixXd basis;            ///< of the chosen model, a column for each mode
  std::vector<reduce::FullRun> loads, validation;
  reduce::Evaluation chosen;
  std::vector<reduce::Evaluation> study;
  std::vector<double> beta_errors;  ///< one for each of asked.betas
};

std::string reduction_text(const ReductionResult& result);
std::string reduction_json(const ReductionResult& result);
/// A row for each model.
std::string reduction_csv(const ReductionResult& result);
/// The parameter file of the chosen model: TOML, or JSON by the ending of the name.
std::string reduction_parameters(const ReductionResult& result, const std::string& name);
/// Loops of full and reduced system, singular values, modes, errors against their number.
io::Figure reduction_figure(const ReductionResult& result);

}  // namespace microslip::app
