#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace microslip::catalog {

/// A history of one quantity that a file gives: rows of a table, or a signal.
struct DriveHistory {
  std::vector<double> t;  ///< empty if the table has no such column
  std::vector<double> values;
  std::string t_unit, unit;
  std::string source{};              ///< name of the table; empty for a signal
  std::vector<std::size_t> lines{};  ///< of the table, for messages
  std::vector<std::string> notes{};  ///< sentences on its rows, as on those without a number

  /// "row 12, t = 0.3, load.csv line 14"
  std::string place(std::size_t row) const;
};

}  // namespace microslip::catalog
