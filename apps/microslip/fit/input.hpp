#pragma once

#include <string>
#include <vector>

#include "microslip/catalog/files/covariates.hpp"
#include "microslip/fit/fit.hpp"
#include "microslip/loops/loops.hpp"
#include "record_options.hpp"

/// What `microslip fit` is asked: the records and the laws.
namespace microslip::app {

struct FitCommand {
  std::vector<std::string> words;  ///< files, and laws behind the first --model
  std::vector<std::string> models, fixes, bounds, free, separate, share, profiles;
  std::vector<std::string> covariates, predicted;
  RecordOptions record;
  std::string weight, start = "auto", holdout = "auto";
  std::string starts, seed, budget, threads, elements;
  std::string output, report, plot;
  bool robust = false, json = false, quiet = false;
};

struct FitRecord {
  fit::Data data;
  std::string u_unit, f_unit, t_unit, weight_column;
  std::string taken;  ///< which columns were taken for what, in words
  bool flipped = false;
  catalog::Covariates covariates{};  ///< of the record
  double scale = 1;                  ///< by which its displacement and force were divided
  std::vector<bool> held_out;        ///< rows for the prediction; empty: none

  const loops::Loops& loops() const { return *data.loops; }
  /// The law is driven by force: u holds the force and f the displacement.
  bool by_force() const { return data.driven == Driven::force; }
  const std::string& force_unit() const { return by_force() ? u_unit : f_unit; }
  const std::string& length_unit() const { return by_force() ? f_unit : u_unit; }
  std::size_t held_out_rows() const;
  std::size_t weightless_rows() const;
};

/// A law as it is asked for.
struct FitJob {
  std::string text;  ///< "jenkins", "backlash(jenkins+linear)"
  AnyModel model;
};

/// Records to be fitted. With covariates they are divided by their scale against the first one.
std::vector<FitRecord> read_records(FitCommand& command, std::vector<std::string>& notes);
/// Records of --predict, divided by their scale against `first`.
std::vector<FitRecord> read_predicted(const FitCommand& command, const FitRecord& first,
                                      std::size_t fitted);
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

}  // namespace microslip::app
