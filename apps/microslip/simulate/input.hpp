#pragma once

#include <string>
#include <vector>

#include "microslip/io/csv.hpp"
#include "simulate/jobs.hpp"

/// The history that `microslip simulate` follows.
namespace microslip::app {

struct Input {
  Path path;
  Drive drive = Drive::displacement;
  std::vector<double> measured_force;  ///< column f of an input that is driven by u
  std::vector<double> mu;              ///< column mu: a factor on the friction of sliders
  std::string t_unit, u_unit, f_unit;
  std::string source;  ///< name of the file, empty for a signal
  io::Table table{};   ///< without its numbers: tells lines

  /// "row 12, t = 3, load.csv line 14"; the times may have gone to a request.
  std::string place(std::size_t row, const std::vector<double>& t) const;
};

/// The history to follow: --input, or --signal with --until and --step.
Input make_input(const SimulateSettings& settings, const std::vector<Job>& jobs);

}  // namespace microslip::app
