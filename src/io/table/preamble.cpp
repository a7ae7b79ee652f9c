#include "io/table/preamble.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "io/table/csv_words.hpp"

namespace microslip::io::csv {
namespace {

struct Line {
  std::size_t number = 0;  ///< in the file, from 1
  std::string_view text;
};

std::vector<Line> first_lines(std::string_view text) {
  constexpr std::size_t most = 300;
  std::vector<Line> found;
  Lines lines(text);
  for (std::string_view line; found.size() < most && lines.next(line);) {
    line = without_mark(without_comment(line));
    if (!trim(line).empty()) found.push_back({lines.number(), line});
  }
  return found;
}

/// How many cells a line has, and what is in them.
struct Row {
  std::size_t cells = 0, numbers = 0;
  bool comment =
      false;  ///< the last heading is that of remarks, for which rows have a cell or none

  bool only_numbers() const { return cells > 1 && numbers == cells; }
};

Row row_of(std::string_view line, char separator) {
  std::vector<std::string> cells = cells_of(line, separator);
  if (separator == ' ') cells = join_units(cells);
  if (cells.size() > 1 && trim(cells.back()).empty()) cells.pop_back();
  Row row;
  row.cells = cells.size();
  for (const std::string& cell : cells) {
    double ignored = 0;
    const Reading reading = Numbers(separator).read(cell, ignored);
    row.numbers += reading == Reading::number || says_missing(cell) ? 1 : 0;
  }
  row.comment = row.cells > 2 && contains_word(cells.back(), {"comment", "remark", "kommentar"});
  return row;
}

/// Whether this line can stand above such rows as a heading, or as units below one.
bool is_heading(const Row& row, std::size_t cells) {
  return row.numbers == 0 && (row.cells == cells || (row.comment && row.cells == cells + 1));
}

/// Lines above the headings, where a table with this separator begins below the first line; 0: none does.
std::size_t lines_above(const std::vector<Line>& lines, char separator) {
  std::vector<Row> rows;
  for (const Line& line : lines) rows.push_back(row_of(line.text, separator));
  if (rows.front().only_numbers()) return 0;
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    if (!rows[i].only_numbers() || rows[i + 1].cells != rows[i].cells) continue;
    std::size_t heading = i;
    while (heading > 0 && heading + 2 > i && is_heading(rows[heading - 1], rows[i].cells))
      --heading;
    // What begins with the first line is an ordinary table, and so may be one with a broken row.
    if (heading < i) return heading == 0 ? 0 : lines[heading].number - 1;
  }
  return 0;
}

}  // namespace

Preamble find_preamble(std::string_view text, char separator) {
  const std::vector<Line> lines = first_lines(text);
  if (lines.size() < 3) return {0, separator};
  for (const char candidate : {separator, ';', '\t', ',', ' '})
    if (const std::size_t above = lines_above(lines, candidate); above > 0)
      return {above, candidate};
  return {0, separator};
}

}  // namespace microslip::io::csv
