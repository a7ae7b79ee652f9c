#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace microslip {

/// The one exception of the library: bad input, found at set-up.
/// Its message is a whole sentence that names the thing, its value and what is allowed,
/// so that a front end can print it as it is.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}

  /// For files: "data.csv, line 12, column 3: sentence". Lines and columns count from 1.
  static Error at(std::string_view file, std::size_t line, std::size_t column,
                  std::string_view sentence) {
    return Error(std::string(file) + ", line " + std::to_string(line) + ", column " +
                 std::to_string(column) + ": " + std::string(sentence));
  }
};

}  // namespace microslip
