#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microslip/jobs/fit.hpp"
#include "microslip/study/inputs.hpp"

/// What records say about the parameters of laws: samples, not only standard errors.
namespace microslip::study {

using jobs::member;
using jobs::member_if_any;
using jobs::Named;

enum class Sampler {
  nuts,          ///< with exact derivatives, about one minimum
  transitional,  ///< from the prior: several minima, kinks, the evidence
};

struct PosteriorSettings {
  Sampler sampler = Sampler::nuts;
  std::size_t draws = 1000, chains = 4;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
  /// Of parameters by name. The others are uniform in the box in which the fit looks, three times as wide, in
  /// the logarithm of those whose size is unknown.
  std::vector<std::pair<std::string, Distribution>> priors{};
};

/// { lognormal = [1.0, 0.2] }, as a study has it. Throws Error.
Distribution distribution_of(const std::string& text, const std::string& where);

/// One number. `gaussian` is the standard error of the fit.
struct PosteriorNumber {
  std::string name, prior;
  double mean = 0, deviation = 0, low = 0, median = 0, high = 0;  ///< low and high: 5 and 95 %
  double r_hat = 1, effective = 0;
  std::optional<double> gaussian{};
  static constexpr auto members = std::tuple{member("name", &PosteriorNumber::name),
                                             member("prior", &PosteriorNumber::prior),
                                             member("mean", &PosteriorNumber::mean),
                                             member("deviation", &PosteriorNumber::deviation),
                                             member("low", &PosteriorNumber::low),
                                             member("median", &PosteriorNumber::median),
                                             member("high", &PosteriorNumber::high),
                                             member("r_hat", &PosteriorNumber::r_hat),
                                             member("effective", &PosteriorNumber::effective),
                                             member_if_any("gaussian", &PosteriorNumber::gaussian)};
};

struct PosteriorSamples {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  ///< chain after chain
  static constexpr auto members = std::tuple{member("names", &PosteriorSamples::names),
                                             member("rows", &PosteriorSamples::rows)};
};

struct LawPosterior {
  std::string model;
  ParameterValues parameters;  ///< of the draw of the highest density
  OptionValues options;
  std::string sampler;
  std::size_t chains = 0, draws = 0;
  std::vector<PosteriorNumber> numbers;  ///< with sigma, the noise in the unit of the answer
  std::optional<double> log_evidence{}, log_evidence_error{};
  double rows = 0;  ///< independent ones that the likelihood counts
  double seconds = 0, effective_per_second = 0;
  std::size_t evaluations = 0, divergences = 0;
  double acceptance = 0;
  double coverage =
      0;  ///< share of the rows of the first record inside 5 to 95 % of the prediction
  std::vector<std::string> warnings;
  PosteriorSamples samples;
  /// Of the first record: u, measured f, and 5, 50 and 95 % of what would be measured.
  Named<std::vector<double>> columns;

  static constexpr auto members =
      std::tuple{member("model", &LawPosterior::model),
                 member("parameters", &LawPosterior::parameters),
                 member_if_any("options", &LawPosterior::options),
                 member("sampler", &LawPosterior::sampler),
                 member("chains", &LawPosterior::chains),
                 member("draws", &LawPosterior::draws),
                 member("numbers", &LawPosterior::numbers),
                 member_if_any("log_evidence", &LawPosterior::log_evidence),
                 member_if_any("log_evidence_error", &LawPosterior::log_evidence_error),
                 member("rows", &LawPosterior::rows),
                 member("seconds", &LawPosterior::seconds),
                 member("effective_per_second", &LawPosterior::effective_per_second),
                 member("evaluations", &LawPosterior::evaluations),
                 member("divergences", &LawPosterior::divergences),
                 member("acceptance", &LawPosterior::acceptance),
                 member("coverage", &LawPosterior::coverage),
                 member("warnings", &LawPosterior::warnings),
                 member("samples", &LawPosterior::samples),
                 member("columns", &LawPosterior::columns)};
};

/// Laws in the order of their evidence, or of the fit.
struct PosteriorResult {
  std::string version, command;
  std::uint64_t seed = 1;
  std::vector<LawPosterior> fits;
  static constexpr std::string_view schema = "microslip.posterior/1";
  static constexpr auto members = std::tuple{
      member("version", &PosteriorResult::version), member("command", &PosteriorResult::command),
      member("seed", &PosteriorResult::seed), member("fits", &PosteriorResult::fits)};
};

/// From where a fit ended, for each law that it found parameters for. `request` is that of the fit. Rows whose
/// errors are alike count as fewer, as they do for standard errors.
PosteriorResult posterior(const jobs::FitRequest& request, const jobs::FitResult& fitted,
                          const PosteriorSettings& settings, const jobs::Control& control = {});

}  // namespace microslip::study
