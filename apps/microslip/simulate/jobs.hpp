#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/fit/uncertainty.hpp"
#include "microslip/io/json.hpp"
#include "microslip/jobs/law.hpp"
#include "record_options.hpp"

/// The laws of `microslip simulate`, as the call names them.
namespace microslip::app {

/// The call, as read from the command line.
struct SimulateSettings {
  std::vector<std::string> models, sets, parameter_files, fits, columns, covariates;
  std::string input, signal, until, step, start, drive, method, period;
  std::string output, save_state, resume, plot, slip_map;
  RecordOptions record;  ///< columns and rows of the input
  bool uncertainty = false, json = false, quiet = false;
};

/// One law of the call.
struct Job {
  std::string label;  ///< in tables, legends and file names; no two jobs have the same
  ModelSpec spec;     ///< with all values, so that it can be built again
  AnyModel model;
  std::optional<io::SavedHistory> resumed{};
  std::string fit_file{};                         ///< the result of a fit that it comes from
  double origin = 0;                              ///< displacement at which the law is at rest
  std::vector<double> lead{};                     ///< where it is driven before the first row
  std::optional<fit::Uncertainty> uncertainty{};  ///< if wanted; names are those of `spec`
  std::vector<std::string> notes{};               ///< what the caller should say about it
  /// With covariates: the largest displacement that the records of the fit have at this preload.
  std::optional<double> known_amplitude{};
};

/// As a request takes it; none unless it is wanted.
std::optional<jobs::ParameterUncertainty> uncertainty_of(const Job& job);

/// Files that values of a law name: matrices of sliders.
std::vector<std::filesystem::path> files_of(const ModelSpec& spec);

/// Puts the law of a job inside scaled(…); its parameters and their uncertainty come along.
void wrap(Job& job, const std::map<std::string, double>& outer_values);

/// A note when a motion of this amplitude goes beyond what was fitted; empty otherwise.
std::string beyond_the_records(const Job& job, double amplitude);

/// The laws with their values: MODEL…, --params, --fit, --set, --method, --resume, --covariate.
std::vector<Job> make_jobs(const SimulateSettings& settings);

}  // namespace microslip::app
