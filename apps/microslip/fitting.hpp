#pragma once

#include <string>
#include <vector>

#include "microslip/fit/fit.hpp"
#include "microslip/loops/loops.hpp"

/// The parts of `microslip fit`: what is asked, the records, the laws, the results.
namespace microslip::app {

struct FitCommand {
  std::vector<std::string> words;  ///< files, and laws behind the first --model
  std::vector<std::string> models, fixes, bounds, free, separate, share, profiles;
  std::string u, f, t, weight, start = "auto", holdout = "auto";
  std::string starts, seed, budget, threads, elements;
  std::string output, report, plot;
  bool robust = false, json = false, quiet = false;
};

struct FitRecord {
  fit::Data data;
  std::string u_unit, f_unit, t_unit, weight_column;
  bool flipped = false;
  loops::Loops loops;
  std::vector<bool> held_out;  ///< rows for the prediction; empty: none

  std::size_t held_out_rows() const;
  std::size_t weightless_rows() const;
};

/// A law as it is asked for.
struct FitJob {
  std::string text;  ///< "jenkins", "backlash(jenkins+linear)"
  AnyModel model;
};

struct FitResult {
  FitJob job;
  fit::Fit fit;
  std::vector<fit::Profile> profiles;
};

struct FitAnswer {
  std::vector<FitRecord> records;
  std::vector<FitResult> results;     ///< best first
  std::vector<std::string> notes;     ///< whole sentences
  std::vector<std::string> left_out;  ///< laws that --model all did not try, and why
  std::string command_line;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool interrupted = false;  ///< by Ctrl-C: the results are the best so far
};

std::vector<FitRecord> read_records(FitCommand& command, std::vector<std::string>& notes);
/// Laws by name, composed with spring and backlash where they are freed.
std::vector<FitJob> make_fit_jobs(const FitCommand& command, const std::vector<FitRecord>& records,
                                  std::vector<std::string>& left_out);
/// What applies to this law out of --fix, --bounds, --free, --separate.
fit::Settings settings_for(const FitCommand& command, const FitJob& job,
                           const std::vector<FitRecord>& records);
/// Throws unless every name of --fix, --bounds, --separate and --profile belongs to some law.
void check_names(const FitCommand& command, const std::vector<FitJob>& jobs);
/// The parameter of a law that a person means by a short name; "" if it has none.
std::string full_name(const FitJob& job, const std::string& name);

std::string fit_json(const FitAnswer& answer);
std::string fit_text(const FitAnswer& answer);
std::string fit_report(const FitAnswer& answer);
void draw_fits(const FitAnswer& answer, const std::string& file);

/// Smallest and largest force of the rows that count.
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
