#pragma once

/// Rows of a record in which a number is missing: an empty cell, NaN, infinity, NA.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace microslip::io {

/// What becomes of a row with a missing number.
enum class Missing {
  refuse,
  drop,         ///< the row is left out
  interpolate,  ///< a straight line in time, or in the number of the row, from neighbour to neighbour
  keep,         ///< it stays, with NaN: for callers who settle it themselves
};

/// Columns of a record by their names; a missing number is not finite.
using NamedColumns = std::vector<std::pair<std::string, std::vector<double>*>>;

/// What was found; rows count from 0.
struct MissingRows {
  std::size_t rows = 0;             ///< with a missing number
  std::size_t first = 0;            ///< of them
  std::size_t gap = 0, gap_at = 0;  ///< most of them one after the other, and where
  std::vector<std::string> columns;
  std::vector<std::size_t> kept;  ///< rows that the columns still have, if `rows` > 0
};

/// Leaves rows out or fills them. A row without its time `t`, and rows before the first or behind the last
/// number of a column, are left out in any case. With `refuse` and `keep` nothing is changed.
MissingRows settle_missing(const NamedColumns& columns, Missing how);

/// A sentence about it: what was done with how many rows, `place` being that of the first, "row 7".
std::string missing_text(const MissingRows& missing, Missing how, std::size_t all_rows,
                         const std::string& place);

}  // namespace microslip::io
