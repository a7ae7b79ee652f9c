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
  /// Standard deviations of the answer (f, or u under force) and of the energy, where they are
  /// wanted.
  std::vector<double> answer_sd{}, energy_sd{};
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
  std::vector<double> per_period{};       ///< energy of each full period
  std::optional<double> dissipated_sd{};  ///< standard deviation, where it is wanted
};

/// Takes the rows of a law as they come.
class Summing {
 public:
  Summing(const Job& job, const Input& input, std::optional<double> period);
  void add(const Path& rows, const History& part);
  const Summary& summary() const { return summary_; }

 private:
  void add_period_ends(double t, double energy);

  std::size_t all_rows_;
  std::optional<double> period_;
  bool goes_on_ = false;
  double begin_ = 0;                     ///< of the first period
  double before_ = 0;                    ///< energy at the beginning of the present period
  double last_t_ = 0, last_energy_ = 0;  ///< of the row before
  Summary summary_;
};
std::string summary_text(const std::vector<Summary>& summaries);

std::string result_json(const std::vector<Job>& jobs, const std::vector<Result>& results,
                        const std::vector<Summary>& summaries, const Input& input,
                        const std::string& command_line, bool with_columns);

/// `rows` are those of the results: they may be more than those of the input.
void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Result>& results, const Path& rows, const Input& input);

}  // namespace microslip::app
