#pragma once

#include <cstddef>
#include <string_view>

namespace microslip::io::csv {

/// What recorders write above a table: who measured, when, with which rate.
struct Preamble {
  std::size_t lines = 0;  ///< of the file that stand above the headings
  char separator;         ///< of the table
};

/// None unless the first line is not one of the table: above two rows of numbers there are headings, without a
/// number and as many as the rows have cells, and above those something else.
Preamble find_preamble(std::string_view text, char separator);

}  // namespace microslip::io::csv
