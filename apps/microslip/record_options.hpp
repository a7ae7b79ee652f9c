#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/jobs/record.hpp"

/// What a person may say about a file of measured columns, the same in every command that reads
/// one: which columns, which rows.
namespace microslip::app {

/// Which rows, and the column of time.
struct RowOptions {
  std::string t;               ///< heading or number of the column; empty: found by name
  std::string rows, from, to;  ///< "100:900"; times
  std::string missing;         ///< what becomes of rows with a missing number

  void declare(OptionGroup& group);
  void choose(io::Wanted& wanted) const;
};

struct RecordOptions : RowOptions {
  std::string u, f;  ///< headings or numbers of columns; empty: found by name

  void declare(OptionGroup& group);
  bool given() const {
    for (const std::string* option : {&u, &f, &t, &rows, &from, &to, &missing})
      if (!option->empty()) return true;
    return false;
  }
  io::Wanted wanted() const;
  /// The columns and rows that are named, among those that are wanted.
  void name_columns(io::Wanted& wanted) const;
};

using jobs::record_of;
using jobs::taken_for;

}  // namespace microslip::app
