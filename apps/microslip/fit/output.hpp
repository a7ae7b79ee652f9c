#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fit/input.hpp"
#include "microslip/fit/prediction.hpp"

/// The results of `microslip fit` as text, JSON and pictures.
namespace microslip::app {

struct FitResult {
  FitJob job;
  fit::Fit fit;
  std::vector<fit::Profile> profiles;
  std::vector<fit::Prediction> predictions{};  ///< of FitAnswer::predicted
};

struct FitAnswer {
  std::vector<FitRecord> records;
  std::vector<FitRecord> predicted;   ///< not fitted
  std::vector<FitResult> results;     ///< best first
  std::vector<std::string> notes;     ///< whole sentences
  std::vector<std::string> left_out;  ///< laws that --model all did not try, and why
  std::string command_line;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool interrupted = false;  ///< by Ctrl-C: the results are the best so far
};

std::string fit_json(const FitAnswer& answer);
std::string fit_text(const FitAnswer& answer);
void draw_fits(const FitAnswer& answer, const std::string& file);

/// After reversals, force over displacement.
double initial_stiffness(const FitRecord& record);
/// Smallest and largest answer (a force, or the displacement of a law driven by force) of the rows
/// that count.
std::pair<double, double> force_limits(const FitRecord& record);
/// "rows weighted by column 'w', 3 of them not compared"; empty without weights.
std::string weights_text(const FitRecord& record);

/// "0.3 %", short enough for a table.
std::string percent(double share);
std::string short_number(double x);
/// "1.234 ± 0.005", "1.2 (not determined)".
std::string with_error(const fit::Estimate& estimate);
std::string beginning_text(fit::Beginning beginning);

}  // namespace microslip::app
