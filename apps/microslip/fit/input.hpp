#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/fit.hpp"
#include "record_options.hpp"

/// What `microslip fit` is asked: the records and the laws.
namespace microslip::app {

struct FitCommand {
  std::vector<std::string> words;  ///< files, and laws behind the first --model
  std::vector<std::string> models, fixes, bounds, free, separate, share, profiles;
  std::vector<std::string> covariates, predicted;
  RecordOptions record;
  std::string weight, start = "auto", holdout = "auto", sign = "auto", threshold;
  std::string starts, seed, budget, threads, elements;
  std::string output, report, plot;
  std::string posterior, sampler, draws, chains, corner;
  std::vector<std::string> priors;
  bool robust = false, json = false, quiet = false;
};

using jobs::FitRequest;

/// Reads the files and the values of the options.
FitRequest fit_request(const FitCommand& command);

}  // namespace microslip::app
