#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "microslip/fit/problem.hpp"

/// A law's parameters from measured histories: least squares from many starts, and how sure they
/// are.
namespace microslip::fit {

enum class Outcome {
  converged,     ///< a minimum, checked on all sides, and the data determine every parameter
  budget,        ///< stopped by the time budget or by the caller; the best so far
  stalled,       ///< no minimum yet after many steps
  undetermined,  ///< a minimum, but other parameters describe the data as well
  failed,        ///< no parameters were found for which the law has an answer
};
std::string_view text_of(Outcome outcome);

/// Passed to the caller from time to time, by any thread, one at a time.
struct Progress {
  std::size_t starts_done = 0, starts = 0;
  double best_rms_relative = std::numeric_limits<double>::infinity();
};

struct Settings {
  Setup setup{};
  std::size_t starts = 32;  ///< at most; the search ends earlier when it keeps finding the same
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t threads = 0;  ///< 0: as many as the machine has. The result does not depend on it.
  bool robust = false;      ///< outliers count less: pseudo-Huber at 1.5 times the usual residual
  /// Called after each start and now and then during it; false ends the search with the best so
  /// far.
  std::function<bool(const Progress&)> progress{};
  /// Points from which to start besides those of the design.
  std::vector<ParameterValues> guesses{};
  /// The agreed one among equivalent parameters (states in ascending order, b ≥ 0).
  std::function<ParameterValues(const ParameterValues&)> canonical{};
};

/// One number that was looked for.
struct Estimate {
  std::string name;
  std::string unit;
  int record = -1;  ///< whose it is; -1: of all
  double value = 0;
  /// Standard error; none when the data do not determine the number. A number that must be positive has
  /// one only if it is smaller than the number.
  std::optional<double> error{};
  std::optional<double> low{}, high{};  ///< 95 % interval, where it is not value ± 1.96 errors
  bool pinned = false;     ///< held, because it would change nothing that others do not
  bool at_limit = false;   ///< on the border of what is allowed
  bool runs_away = false;  ///< it grows or shrinks without end: the record sets it no limit
};

/// A direction in the logarithms (or relative sizes) of the numbers along which the force hardly
/// changes.
struct Combination {
  double sensitivity = 0;  ///< rms change of force / range for a change by a factor e
  std::vector<std::pair<std::string, double>> parts;  ///< the largest first
  bool determined = true;
};

struct Fit {
  std::string model;
  OptionValues options;
  Outcome outcome = Outcome::failed;
  std::string message;

  std::vector<ParameterValues> parameters;  ///< of each record
  std::vector<Estimate> estimates;
  Eigen::MatrixXd correlation;             ///< of the estimates; NaN where not determined
  std::vector<Combination> combinations;   ///< by falling sensitivity
  std::vector<std::vector<double>> force;  ///< what would be measured, by record
  std::vector<Beginning> beginnings;

  double rms = 0, rms_relative = 0;  ///< over the rows that count
  double energy_error = 0;           ///< |Σ energy of cycles − measured| / measured
  /// Amplitude and energy of the cycles of each record with the fitted force.
  std::vector<std::vector<std::pair<double, double>>> cycles;
  double aicc = 0, bic = 0;
  double row_correlation = 0;  ///< of the residual of a row with that of the next, if they show it
  double effective_rows = 0;   ///< independent ones that say as much
  std::optional<double> holdout_rms_relative{};

  /// The numbers of the measurement, held or fitted, as another record has them: means where each record
  /// has its own, no drift if drifts were fitted.
  ParameterValues recorder{};

  /// Parameters, and numbers of the measurement, one standard deviation away on both sides, along
  /// independent directions; those that the record does not determine by one unit, a factor e. And
  /// others that describe the record as well, at the ends of 95 % intervals.
  std::vector<std::pair<ParameterValues, ParameterValues>> axes{};
  std::vector<ParameterValues> alternatives{};

  std::vector<double> x;                       ///< the unknowns, to go on from
  std::size_t free = 0;                        ///< how many numbers were fitted
  std::size_t starts = 0, starts_at_best = 0;  ///< done; that found this minimum
  std::size_t evaluations = 0, jacobians = 0;
};

/// Throws for bad input as Problem does; what goes wrong later is an outcome.
Fit fit(const AnyModel& model, const std::vector<Data>& records, const Settings& settings = {});

/// A fit without the rows that are held out, from where a fit to all rows ended, and its error on
/// them: how well the law predicts what it has not seen.
double holdout_error(const AnyModel& model, const std::vector<Data>& records_with_gaps,
                     const Settings& settings, const Fit& from);

/// What a law misses on records that it has not seen, over the range of the answer and over the
/// energy that it says of a loop (rms; infinite where it says none).
struct Misfit {
  double rms_relative = 0, energy_relative = 0;
  std::size_t records = 0;  ///< that were predicted, each from all others; 0: rows of the only one
  double correlation = 0;   ///< of what is missed in a row with the next one
  double clock = 0;         ///< from row to row
};
/// Each record is left out once and predicted by a fit to the others that starts from `from`. One
/// record: its rows and cycles that are held out are predicted by a fit to the rest; without any, its
/// cycles as they were fitted.
Misfit misfit_of(const AnyModel& model, const std::vector<Data>& records, const Settings& settings,
                 const Fit& from);

/// How the sum of squares rises when one number is held and the others follow. Ends after
/// settings.seconds with the points so far.
struct Profile {
  std::string name;
  std::vector<double> value, rms_relative;
  std::optional<double> low{}, high{};  ///< 95 % by likelihood ratio; none: not within reach
};
Profile profile(const AnyModel& model, const std::vector<Data>& records, const Settings& settings,
                const Fit& best, const std::string& name, std::size_t points = 21);

/// Fits that mean something first, then by AICc.
bool better(const Fit& a, const Fit& b);

/// The order of a ranking, best first. AICc decides, but for laws that are equals: their errors differ
/// by less than as many independent rows as the residuals are worth can show. Of these the law that the
/// record determines comes first, then the one of fewer numbers. A search that was not finished
/// (`budget`, `stalled`) and is not the best stands behind those that were.
std::vector<std::size_t> ranking(const std::vector<const Fit*>& fits);

/// Whether so large an error (over the range), or of the energy, is no description of a record.
bool describes(const Fit& fit);

}  // namespace microslip::fit
