#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/json.hpp"

/// The parts of `microslip simulate`: which laws, under which history, and what is left of it.
namespace microslip::app {

/// The call, as read from the command line.
struct SimulateSettings {
  std::vector<std::string> models, sets, parameter_files, fits, columns;
  std::string input, signal, until, step, start, drive, method, period;
  std::string output, save_state, resume, plot, slip_map;
  bool json = false, quiet = false;
};

/// One law of the call.
struct Job {
  std::string label;  ///< in tables, legends and file names; no two jobs have the same
  ModelSpec spec;     ///< with all values, so that it can be built again
  AnyModel model;
  std::optional<io::SavedHistory> resumed{};
  std::string fit_file{};      ///< the result of a fit that it comes from
  double origin = 0;           ///< displacement at which the law is at rest
  std::vector<double> lead{};  ///< where it is driven before the first row
};

/// Files that values of a law name: matrices of sliders.
std::vector<std::filesystem::path> files_of(const ModelSpec& spec);

/// The laws with their values: MODEL…, --params, --fit, --set, --method, --resume.
std::vector<Job> make_jobs(const SimulateSettings& settings);

struct Input {
  Path path;
  Drive drive = Drive::displacement;
  std::vector<double> measured_force;  ///< column f of an input that is driven by u
  std::string t_unit, u_unit, f_unit;
  std::string source;  ///< name of the file, empty for a signal
  io::Table table{};   ///< without its numbers: tells lines

  /// "row 12 (load.csv, line 14)"
  std::string place(std::size_t row) const;
};

/// The history to follow: --input, or --signal with --until and --step.
Input make_input(const SimulateSettings& settings, const std::vector<Job>& jobs);

/// Laws from the result of a fit answer as the fit did: with the offset and gain of the recorder,
/// the displacement of rest, and, when the input is the record that was fitted, its start and the
/// numbers of that file. Gives what should be said.
std::vector<std::string> complete_fits(std::vector<Job>& jobs, Input& input,
                                       const SimulateSettings& settings);

/// What a law answered.
struct Result {
  std::string label;
  History history;
  Checkpoint end;
};

/// A table whose numbers belong to somebody else.
struct Sheet {
  io::Comments comments;
  std::vector<io::ColumnView> columns;
};

/// One law alone, or (`t,u,f_NAME,energy_NAME,…`) all of them side by side.
Sheet sheet_of(const Job& job, const Result& result, const Input& input,
               const std::string& command_line);
Sheet sheet_of(const std::vector<Job>& jobs, const std::vector<Result>& results, const Input& input,
               const std::string& command_line);

/// What each law did in a few numbers.
struct Summary {
  std::string label;
  std::size_t rows = 0;
  double u_min = 0, u_max = 0, f_min = 0, f_max = 0;  ///< in the plane those of the x components
  double dissipated = 0;
  std::vector<double> per_period;  ///< energy of each full period
};
Summary summary_of(const Job& job, const Result& result, const Input& input,
                   std::optional<double> period);
std::string summary_text(const std::vector<Summary>& summaries);

std::string result_json(const std::vector<Job>& jobs, const std::vector<Result>& results,
                        const std::vector<Summary>& summaries, const Input& input,
                        const std::string& command_line, bool with_columns);

void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Result>& results, const Input& input);

/// Which slider slips when: for the law `sliders` alone, from rest. Throws Error otherwise.
void refuse_slip_map(const std::vector<Job>& jobs);
void draw_slip_map(const std::filesystem::path& path, const Job& job, const Input& input,
                   bool from_first_row);

}  // namespace microslip::app
