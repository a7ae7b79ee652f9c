#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "microslip/core/values.hpp"
#include "microslip/fit/fit.hpp"
#include "microslip/fit/prediction.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/record.hpp"

/// Which law describes a record, with which parameters, how sure: laws are fitted to records and
/// ranked, from the simple to those that contain them, within a budget of time.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 5> words_of<fit::Beginning>{
    "auto", "virgin", "first-row", "cycled", "unknown"};
template <>
inline constexpr std::array<std::string_view, 5> words_of<fit::Outcome>{
    "converged", "budget", "stalled", "undetermined", "failed"};

/// Whether a force or displacement that was recorded with the wrong sign is turned round.
enum class Sign { automatic, keep };
template <>
inline constexpr std::array<std::string_view, 2> words_of<Sign>{"auto", "keep"};

/// Limits of a parameter; none: those of the law.
struct Limits {
  std::optional<double> low{}, high{};
  static constexpr auto members =
      std::tuple{member_if_any("low", &Limits::low), member_if_any("high", &Limits::high)};
};

/// Names and meanings are those of the options of `microslip fit`.
struct FitRequest {
  std::vector<Record> records;      ///< all parameters are shared, but those of `separate`
  std::vector<Record> predict;      ///< not fitted
  std::vector<std::string> models;  ///< laws and sums of laws; empty or "all": every law that suits
  std::size_t elements = 4;         ///< of lists such as those of masing
  Named<double> fix;
  Named<Limits> bounds;
  std::vector<std::string>
      free;  ///< of offset, gain, offset_u, delay, drift, drift_u, spring, backlash
  std::vector<std::string> separate, share, profile;  ///< names of parameters
  fit::Beginning start = fit::Beginning::automatic;
  Sign sign = Sign::automatic;
  std::optional<double> threshold{};  ///< smaller turns of u are noise; estimated if left out
  std::string holdout = "auto";       ///< auto, minor, last, none, "0.3" or "2,4-6"
  std::size_t starts = 32;            ///< at most
  std::uint64_t seed = 1;
  double time_budget = 60;  ///< seconds for all laws together
  std::size_t threads = 0;  ///< 0: as many as the machine has
  bool robust = false;      ///< outliers count less

  static constexpr std::string_view schema = "microslip.fit-request/1";
  static constexpr auto members = std::tuple{member("records", &FitRequest::records),
                                             member_if_any("predict", &FitRequest::predict),
                                             member("models", &FitRequest::models),
                                             member("elements", &FitRequest::elements),
                                             member_if_any("fix", &FitRequest::fix),
                                             member_if_any("bounds", &FitRequest::bounds),
                                             member_if_any("free", &FitRequest::free),
                                             member_if_any("separate", &FitRequest::separate),
                                             member_if_any("share", &FitRequest::share),
                                             member_if_any("profile", &FitRequest::profile),
                                             member("start", &FitRequest::start),
                                             member("sign", &FitRequest::sign),
                                             member_if_any("threshold", &FitRequest::threshold),
                                             member("holdout", &FitRequest::holdout),
                                             member("starts", &FitRequest::starts),
                                             member("seed", &FitRequest::seed),
                                             member("time_budget", &FitRequest::time_budget),
                                             member("threads", &FitRequest::threads),
                                             member("robust", &FitRequest::robust)};
};

// ----------------------------------------------------------------------------------------- result

/// A record as it was fitted: divided by its scale, turned round where its sign was wrong.
struct FitRecord {
  fit::Data data;
  std::string u_unit, f_unit, t_unit, weight_column;
  std::string taken;  ///< which columns were taken for what, in words
  bool flipped = false;
  catalog::Covariates covariates{};  ///< of the record
  double scale = 1;                  ///< by which its displacement and force were divided
  std::size_t rows_that_jump = 0;    ///< and were left out
  std::vector<bool> held_out;        ///< rows for the prediction; empty: none

  const loops::Loops& loops() const { return *data.loops; }
  /// The law is driven by force: u holds the force and f the displacement.
  bool by_force() const { return data.driven == Driven::force; }
  const std::string& force_unit() const { return by_force() ? u_unit : f_unit; }
  const std::string& length_unit() const { return by_force() ? f_unit : u_unit; }
  std::size_t held_out_rows() const;
  std::size_t weightless_rows() const;
};

/// After reversals, force over displacement.
double initial_stiffness(const FitRecord& record);
/// Smallest and largest answer (a force, or the displacement of a law driven by force) of the rows
/// that count.
std::pair<double, double> force_limits(const FitRecord& record);

/// What a result says of a record.
struct FitData {
  std::string file;
  std::size_t rows = 0;
  bool time = false;
  std::string u_unit, f_unit, t_unit;
  std::optional<double> force_range{}, displacement_range{};  ///< of the answer of the laws
  Driven driven = Driven::displacement;
  double amplitude = 0, u_first = 0, u_last = 0, f_first = 0, f_last = 0;
  double initial_stiffness = 0;
  std::size_t cycles = 0, minor_loops = 0;
  double noise_f = 0;
  bool sign_flipped = false;
  std::size_t held_out_rows = 0;
  catalog::Covariates covariates;
  std::string weight;  ///< name of the column
  std::optional<std::size_t> rows_of_weight_0{};
  std::vector<FitData> files;  ///< all of several records

  static constexpr auto members =
      std::tuple{member("file", &FitData::file),
                 member("rows", &FitData::rows),
                 member("time", &FitData::time),
                 member("u_unit", &FitData::u_unit),
                 member("f_unit", &FitData::f_unit),
                 member_if_any("t_unit", &FitData::t_unit),
                 member_if_any("force_range", &FitData::force_range),
                 member_if_any("displacement_range", &FitData::displacement_range),
                 member("driven", &FitData::driven),
                 member("amplitude", &FitData::amplitude),
                 member("u_first", &FitData::u_first),
                 member("u_last", &FitData::u_last),
                 member("f_first", &FitData::f_first),
                 member("f_last", &FitData::f_last),
                 member("initial_stiffness", &FitData::initial_stiffness),
                 member("cycles", &FitData::cycles),
                 member("minor_loops", &FitData::minor_loops),
                 member("noise_f", &FitData::noise_f),
                 member("sign_flipped", &FitData::sign_flipped),
                 member("held_out_rows", &FitData::held_out_rows),
                 member_if_any("covariates", &FitData::covariates),
                 member_if_any("weight", &FitData::weight),
                 member_if_any("rows_of_weight_0", &FitData::rows_of_weight_0),
                 member_if_any("files", &FitData::files)};
};

/// What happened before the first row.
struct FittedStart {
  fit::Beginning kind = fit::Beginning::automatic;
  std::vector<double> before;  ///< displacements to which the law was driven
  static constexpr auto members =
      std::tuple{member("kind", &FittedStart::kind), member_if_any("before", &FittedStart::before)};
};

/// Offset, gain and the like, which belong to the measurement and not to the law.
struct FittedMeasure {
  double value = 0;
  std::optional<double> standard_error{};
  static constexpr auto members =
      std::tuple{member("value", &FittedMeasure::value),
                 member("standard_error", &FittedMeasure::standard_error)};
};

struct FittedCorrelation {
  std::vector<std::string> names;
  std::vector<std::vector<double>> matrix;  ///< NaN where not determined
  static constexpr auto members = std::tuple{member("names", &FittedCorrelation::names),
                                             member("matrix", &FittedCorrelation::matrix)};
};

/// See fit::Combination.
struct FittedCombination {
  double sensitivity = 0;
  bool determined = true;
  Named<double> exponents;
  static constexpr auto members = std::tuple{member("sensitivity", &FittedCombination::sensitivity),
                                             member("determined", &FittedCombination::determined),
                                             member("exponents", &FittedCombination::exponents)};
};

/// See fit::Prediction; energies are those of the record as it was measured.
struct FittedPrediction {
  std::string file;
  catalog::Covariates covariates;
  double rms_relative = 0, standard_deviation_relative = 0;
  double energy = 0, energy_standard_deviation = 0, measured_energy = 0;
  double misfit_relative = 0, energy_misfit = 0;  ///< what the law misses on records not seen
  static constexpr auto members = std::tuple{
      member("file", &FittedPrediction::file),
      member("covariates", &FittedPrediction::covariates),
      member("rms_relative", &FittedPrediction::rms_relative),
      member("standard_deviation_relative", &FittedPrediction::standard_deviation_relative),
      member("energy", &FittedPrediction::energy),
      member("energy_standard_deviation", &FittedPrediction::energy_standard_deviation),
      member("measured_energy", &FittedPrediction::measured_energy),
      member("misfit_relative", &FittedPrediction::misfit_relative),
      member("energy_misfit", &FittedPrediction::energy_misfit)};
};

struct FittedProfile {
  std::vector<double> value, rms_relative;
  std::optional<double> low{}, high{};  ///< 95 % interval; none: not within reach
  static constexpr auto members = std::tuple{
      member("value", &FittedProfile::value), member("rms_relative", &FittedProfile::rms_relative),
      member("low", &FittedProfile::low), member("high", &FittedProfile::high)};
};

/// One of several records.
struct FittedFile {
  std::string file;
  ParameterValues parameters;
  Named<Value> standard_errors;
  Named<FittedMeasure> measurement;
  FittedStart start;
  static constexpr auto members = std::tuple{
      member("file", &FittedFile::file), member("parameters", &FittedFile::parameters),
      member("standard_errors", &FittedFile::standard_errors),
      member("measurement", &FittedFile::measurement), member("start", &FittedFile::start)};
};

/// One law. Parameters are those of the first record.
struct FittedLaw {
  std::string model;
  std::optional<ParameterValues> parameters{};  ///< none: the fit failed, `message` says why
  OptionValues options;
  /// In the shape of the parameters: 0 for what was fixed, NaN for what the data do not determine.
  std::optional<Named<Value>> standard_errors{};
  double rms = 0, rms_relative = 0;  ///< of the error; relative to the range of the force
  double energy_error = 0;           ///< relative, of the energy summed over the cycles
  double aicc = 0, bic = 0;
  std::optional<double> holdout_rms_relative{};  ///< on rows that a second fit did not see
  std::vector<FittedPrediction> predictions;
  fit::Outcome status = fit::Outcome::failed;
  std::string message;
  std::optional<std::size_t> fitted{};  ///< how many numbers
  Named<FittedMeasure> measurement;
  std::optional<FittedStart> start{};
  std::optional<FittedCorrelation> correlation{};
  std::optional<std::vector<FittedCombination>> combinations{};
  std::optional<std::size_t> starts{}, starts_at_best{}, evaluations{}, jacobians{};
  std::vector<FittedFile> files;  ///< of several records
  Named<FittedProfile> profiles;
  // In all detail, with the force of each row.
  fit::Fit fit{};
  std::vector<fit::Prediction> predicted{};
  std::vector<fit::Profile> profiled{};

  static constexpr auto members =
      std::tuple{member("model", &FittedLaw::model),
                 member("parameters", &FittedLaw::parameters),
                 member_if_any("options", &FittedLaw::options),
                 member("standard_errors", &FittedLaw::standard_errors),
                 member("rms", &FittedLaw::rms),
                 member("rms_relative", &FittedLaw::rms_relative),
                 member("energy_error", &FittedLaw::energy_error),
                 member("aicc", &FittedLaw::aicc),
                 member("bic", &FittedLaw::bic),
                 member("holdout_rms_relative", &FittedLaw::holdout_rms_relative),
                 member_if_any("predictions", &FittedLaw::predictions),
                 member("status", &FittedLaw::status),
                 member("message", &FittedLaw::message),
                 member_if_any("fitted", &FittedLaw::fitted),
                 member_if_any("measurement", &FittedLaw::measurement),
                 member_if_any("start", &FittedLaw::start),
                 member_if_any("correlation", &FittedLaw::correlation),
                 member_if_any("combinations", &FittedLaw::combinations),
                 member_if_any("starts", &FittedLaw::starts),
                 member_if_any("starts_at_best", &FittedLaw::starts_at_best),
                 member_if_any("evaluations", &FittedLaw::evaluations),
                 member_if_any("jacobians", &FittedLaw::jacobians),
                 member_if_any("files", &FittedLaw::files),
                 member_if_any("profiles", &FittedLaw::profiles),
                 not_in_text(&FittedLaw::fit),
                 not_in_text(&FittedLaw::predicted),
                 not_in_text(&FittedLaw::profiled)};
};

struct FitResult {
  std::vector<FittedLaw> fits;  ///< best first
  FitData data;
  std::vector<std::string> notes;     ///< whole sentences
  std::vector<std::string> left_out;  ///< laws of "all" that were not tried, and why
  std::string command;                ///< what was called, set by the caller
  std::string version;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool interrupted = false;        ///< by the caller: these are the best so far
  catalog::Covariates covariates;  ///< where the laws stand: those of the first record
  std::vector<FitRecord> records, predicted;

  static constexpr std::string_view schema = "microslip.fit/1";
  static constexpr auto members = std::tuple{member("fits", &FitResult::fits),
                                             member("data", &FitResult::data),
                                             member("notes", &FitResult::notes),
                                             member("left_out", &FitResult::left_out),
                                             member("command", &FitResult::command),
                                             member("version", &FitResult::version),
                                             member("seed", &FitResult::seed),
                                             member("seconds", &FitResult::seconds),
                                             member("interrupted", &FitResult::interrupted),
                                             member_if_any("covariates", &FitResult::covariates),
                                             not_in_text(&FitResult::records),
                                             not_in_text(&FitResult::predicted)};
};

/// Throws Error for bad input. A law that cannot be fitted beside others is a result that failed.
/// Stopped by the caller, it returns the best so far, possibly no law at all.
FitResult fit(FitRequest request, const Control& control = {});

}  // namespace microslip::jobs
