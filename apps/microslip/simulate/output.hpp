#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulate/input.hpp"

/// What `microslip simulate` writes, prints and draws.
namespace microslip::app {

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

/// `rows` are those of the results: they may be more than those of the input.
void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Result>& results, const Path& rows, const Input& input);

}  // namespace microslip::app
