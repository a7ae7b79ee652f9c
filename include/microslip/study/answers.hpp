#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"
#include "microslip/study/store.hpp"

/// What the runs of a study say together.
namespace microslip::study {

using jobs::member;
using jobs::member_if_any;
using jobs::Named;

/// How often a number is larger than its limit, and the interval of 95 % for it (Clopper and Pearson).
struct Exceedance {
  double limit = 0, probability = 0, low = 0, high = 1;
  static constexpr auto members = std::tuple{
      member("limit", &Exceedance::limit), member("probability", &Exceedance::probability),
      member("low", &Exceedance::low), member("high", &Exceedance::high)};
};

/// Shares of the variance: by this input alone, and with all others it acts together with; with the
/// standard errors of both, from a bootstrap of the samples.
struct SobolIndex {
  std::string input;
  double first = 0, first_error = 0, total = 0, total_error = 0;
  static constexpr auto members = std::tuple{
      member("input", &SobolIndex::input), member("first", &SobolIndex::first),
      member("first_error", &SobolIndex::first_error), member("total", &SobolIndex::total),
      member("total_error", &SobolIndex::total_error)};
};

/// Of a number; NaN where it takes more runs than there are.
struct NumberAnswer {
  std::string name;
  std::uint64_t count = 0;    ///< runs that have it
  std::uint64_t missing = 0;  ///< runs that succeeded and do not have it
  double mean = 0, standard_error = 0, deviation = 0, min = 0, max = 0;
  std::vector<double> levels, quantiles;
  /// Intervals of 95 % of the quantiles, from the order of the runs; of a random design.
  std::vector<double> low, high;
  std::optional<Exceedance> exceeds{};
  std::vector<SobolIndex> indices{};
  std::optional<std::uint64_t> whole_blocks{};  ///< of Saltelli's design
  static constexpr auto members =
      std::tuple{member("name", &NumberAnswer::name),
                 member("count", &NumberAnswer::count),
                 member("missing", &NumberAnswer::missing),
                 member("mean", &NumberAnswer::mean),
                 member("standard_error", &NumberAnswer::standard_error),
                 member("deviation", &NumberAnswer::deviation),
                 member("min", &NumberAnswer::min),
                 member("max", &NumberAnswer::max),
                 member("levels", &NumberAnswer::levels),
                 member("quantiles", &NumberAnswer::quantiles),
                 member("low", &NumberAnswer::low),
                 member("high", &NumberAnswer::high),
                 member_if_any("exceeds", &NumberAnswer::exceeds),
                 member_if_any("indices", &NumberAnswer::indices),
                 member_if_any("whole_blocks", &NumberAnswer::whole_blocks)};
};

/// Of a curve, point by point.
struct CurveAnswer {
  std::string name, abscissa;
  std::vector<double> grid;
  std::vector<double> count, mean, median, low, high, maximum;  ///< low and high: 5 and 95 %
  static constexpr auto members = std::tuple{
      member("name", &CurveAnswer::name),      member("abscissa", &CurveAnswer::abscissa),
      member("grid", &CurveAnswer::grid),      member("count", &CurveAnswer::count),
      member("mean", &CurveAnswer::mean),      member("median", &CurveAnswer::median),
      member("low", &CurveAnswer::low),        member("high", &CurveAnswer::high),
      member("maximum", &CurveAnswer::maximum)};
};

struct FailureCount {
  std::string message;
  std::uint64_t count = 0, first = 0;  ///< first: the number of a run
  static constexpr auto members =
      std::tuple{member("message", &FailureCount::message), member("count", &FailureCount::count),
                 member("first", &FailureCount::first)};
};

struct StudyResult {
  std::string version, command, study;
  std::string kind, design;
  std::uint64_t seed = 0, runs = 0, done = 0, failed = 0;
  std::vector<std::string> inputs;
  std::vector<NumberAnswer> numbers;
  std::vector<CurveAnswer> curves;
  std::vector<FailureCount> failures;  ///< the most frequent
  double seconds_per_run = 0;
  std::vector<std::string> notes;

  static constexpr std::string_view schema = "microslip.study/1";
  static constexpr auto members =
      std::tuple{member("version", &StudyResult::version),
                 member("command", &StudyResult::command),
                 member("study", &StudyResult::study),
                 member("kind", &StudyResult::kind),
                 member("design", &StudyResult::design),
                 member("seed", &StudyResult::seed),
                 member("runs", &StudyResult::runs),
                 member("done", &StudyResult::done),
                 member("failed", &StudyResult::failed),
                 member("inputs", &StudyResult::inputs),
                 member("numbers", &StudyResult::numbers),
                 member("curves", &StudyResult::curves),
                 member("failures", &StudyResult::failures),
                 member("seconds_per_run", &StudyResult::seconds_per_run),
                 member("notes", &StudyResult::notes)};
};

/// Means, quantiles, bands, probabilities and indices of what is there. Takes memory for one number of
/// each run; curves are read in as many passes as it takes.
StudyResult answers(const Study& study, const Store& store);

/// The value below which a share p of the sorted values lies, linear between them.
double quantile_of(const std::vector<double>& sorted, double p);

/// First and total indices of `inputs` from the results of Saltelli's design, block by block: A, B, and A with
/// each input of B. Blocks with a NaN are left out; `whole` is how many are not.
std::vector<SobolIndex> sobol_indices(const std::vector<double>& results,
                                      const std::vector<std::string>& inputs, std::uint64_t seed,
                                      std::uint64_t& whole);

}  // namespace microslip::study
