#include "microslip/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/table/columns.hpp"
#include "io/table/csv_words.hpp"
#include "io/table/preamble.hpp"
#include "io/table/settle.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

using namespace csv;

class Reader {
 public:
  Reader(std::string_view content, std::string_view name, const Wanted& wanted_)
      : text(content), wanted(wanted_) {
    table.source = name;
  }

  Table read() {
    refuse_what_is_no_text();
    const Preamble preamble = find_preamble(text, detect_separator(text));
    separator = preamble.separator;
    Lines lines(text);
    std::string_view line;
    while (lines.number() < preamble.lines) lines.next(line);
    if (preamble.lines > 0)
      table.notes.push_back(
          preamble.lines == 1
              ? "the first line stands above the table and is not read"
              : fmt::format("the first {} lines stand above the table and are not read",
                            preamble.lines));
    if (!next_content(lines, line)) {
      throw Error(fmt::format("{} has no data{}", table.source,
                              text.empty() ? ": it is empty" : ", only comments or blank lines"));
    }
    Numbers numbers(separator);
    const bool has_header = read_header(line);
    const std::size_t header_line = lines.number();
    bool more = !has_header || next_content(lines, line);
    if (has_header && more && read_units(line)) more = next_content(lines, line);
    if (more && preamble.lines > 0) drop_heading_of_remarks(line);
    choose_columns(header_line);
    reserve();
    for (; more; more = next_content(lines, line)) {
      ++seen;
      if (seen >= wanted.rows.first && seen <= wanted.rows.last) read_row(line, lines, numbers);
    }
    if (seen == 0) throw Error(fmt::format("{} has a header, but no rows", table.source));
    if (row == 0) throw no_rows();
    settle();
    return std::move(table);
  }

 private:
  void refuse_what_is_no_text() {
    const auto starts_with = [this](std::string_view mark) {
      return text.substr(0, mark.size()) == mark;
    };
    if (starts_with("\xff\xfe") || starts_with("\xfe\xff")) {
      throw Error(
          fmt::format("{} is encoded as UTF-16; save it as UTF-8 or plain text", table.source));
    }
    if (starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t zero = text.find('\0');
    if (zero == none) return;
    // Every second byte of Latin letters and digits is zero in UTF-16.
    const std::string_view head = text.substr(0, 200);
    if (3 * std::count(head.begin(), head.end(), '\0') >= static_cast<std::ptrdiff_t>(head.size()))
      throw Error(fmt::format("{} seems to be encoded as UTF-16; save it as UTF-8 or plain text",
                              table.source));
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw Error(
        fmt::format("{} is not a text file: line {} contains a zero byte", table.source, line + 1));
  }

  /// The next line that is not a comment. Notes stand above the first row: above the headings or below.
  bool next_content(Lines& lines, std::string_view& line) {
    while (lines.next(line)) {
      if (seen == 0) {
        const std::string_view content = trim(line);
        if (!content.empty() && content[0] == '#') keep_metadata(content.substr(1));
      }
      line = without_comment(line);
      if (seen == 0) line = without_mark(line);
      if (!trim(line).empty()) return true;
    }
    return false;
  }

  // A colon without a blank after it is a time of day or an address, not the end of a key.
  void keep_metadata(std::string_view comment) {
    const std::size_t colon = comment.find(':');
    if (colon == none || (colon + 1 < comment.size() && !is_blank(comment[colon + 1]))) return;
    const std::string_view key = trim(comment.substr(0, colon));
    if (key.empty() || key.size() > 64) return;
    table.metadata.emplace(lower(to_utf8(key)), to_utf8(trim(comment.substr(colon + 1))));
  }

  // The first line is data if it is all numbers. It is also data, with a bad cell in it, if it has
  // a number and no name that anybody knows.
  bool read_header(std::string_view line) {
    std::vector<std::string> cells = cells_of(line, separator);
    std::size_t number_count = 0;
    std::size_t text_count = 0;
    bool known = false;
    for (const std::string& cell : cells) {
      double ignored = 0;
      const Reading reading = Numbers(separator).read(cell, ignored);
      number_count += reading != Reading::text && reading != Reading::empty ? 1 : 0;
      text_count += reading == Reading::text ? 1 : 0;
      known = known || (reading == Reading::text && is_known(parse_heading(cell)));
    }
    const bool header = text_count > 0 && (number_count == 0 || known);
    if (header && separator == ' ') cells = join_units(cells);
    // A separator at the end of a line does not make a column, but the rows may have a cell there.
    unnamed_last = cells.size() > 1 && cells.back().empty();
    if (unnamed_last) cells.pop_back();
    for (const std::string& cell : cells) {
      headings.push_back(header ? parse_heading(cell) : Heading{});
    }
    if (!header) ColumnChoice::name_by_position(headings, wanted);
    return header;
  }

  /// Recorders write a heading of remarks above rows that have no cell for them.
  void drop_heading_of_remarks(std::string_view line) {
    std::vector<std::string> cells = cells_of(line, separator);
    if (headings.size() == cells.size() + 1) headings.pop_back();
  }

  /// A row without any number right below the header holds the units.
  bool read_units(std::string_view line) {
    std::vector<std::string> cells = cells_of(line, separator);
    if (cells.size() > headings.size() && cells.back().empty()) cells.pop_back();
    if (cells.size() != headings.size()) return false;
    bool any = false;
    for (const std::string& cell : cells) {
      double ignored = 0;
      const Reading reading = Numbers(separator).read(cell, ignored);
      if (reading != Reading::text && reading != Reading::empty) return false;
      any = any || (reading == Reading::text && !says_missing(cell));
    }
    if (!any) return false;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (headings[i].unit.empty()) headings[i].unit = unit_text(cells[i]);
    return true;
  }

  bool is_known(const Heading& heading) const {
    const auto matches = [&](const std::string& name) {
      const std::string written = lower(heading.name);
      const auto& others = other_names(name);
      return written == lower(name) ||
             std::find(others.begin(), others.end(), written) != others.end();
    };
    const auto is_named = [&](const auto& entry) {
      return heading.name == entry.second || heading.text == entry.second;
    };
    return std::any_of(wanted.required.begin(), wanted.required.end(), matches) ||
           std::any_of(wanted.optional.begin(), wanted.optional.end(), matches) ||
           std::any_of(wanted.named.begin(), wanted.named.end(), is_named);
  }

  void choose_columns(std::size_t line_number) {
    const std::vector<std::string> names =
        ColumnChoice(headings, wanted, table.source, line_number).names();
    slots.assign(headings.size(), none);
    for (std::size_t i = 0; i < headings.size(); ++i) {
      if (names[i].empty()) continue;
      slots[i] = table.columns.size();
      if (names[i] == "t") time_slot = slots[i];
      table.columns.push_back({names[i], headings[i].unit, {}, i + 1, headings[i].text});
    }
  }

  void reserve() {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (Column& column : table.columns) column.values.reserve(lines);
  }

  void read_row(std::string_view line, const Lines& lines, Numbers& numbers) {
    if (row == 0 || lines.number() != last_line + 1) table.jumps.push_back({row, lines.number()});
    last_line = lines.number();
    Cells cells(line, separator);
    std::size_t position = 0;
    bool last_is_empty = false;
    for (std::string_view cell; cells.next(cell); ++position) {
      last_is_empty = cell.empty();
      if (position >= slots.size() || slots[position] == none) continue;
      double value = 0;
      const Reading reading = numbers.read(cell, value);
      if (reading != Reading::number) {
        if (wanted.missing == Missing::refuse || !is_missing(reading, cell))
          throw bad_cell(cell, reading, position, lines);
        value = std::numeric_limits<double>::quiet_NaN();
        any_missing = true;
      }
      table.columns[slots[position]].values.push_back(value);
    }
    const bool extra = position == slots.size() + 1 && (last_is_empty || unnamed_last);
    if (position != slots.size() && !extra) throw wrong_count(position, lines);
    if (time_slot != none) check_time(lines);
    ++row;
    if (wanted.rows.from || wanted.rows.to) drop_outside();
  }

  static bool is_missing(Reading reading, std::string_view cell) {
    return reading == Reading::empty || reading == Reading::not_finite ||
           (reading == Reading::text && says_missing(cell));
  }

  /// Rows with a missing number are left out or filled.
  void settle() {
    if (!any_missing || wanted.missing == Missing::keep) return;
    const auto line_of = [this](std::size_t i) { return fmt::format("line {}", table.line(i)); };
    std::vector<Table::Jump> jumps = table.jumps;
    settle_missing_rows(table, wanted.missing, line_of, [&](const MissingRows& missing) {
      jumps.clear();
      for (std::size_t i = 0; i < missing.kept.size(); ++i) {
        const std::size_t line = table.line(missing.kept[i]);
        if (i == 0 || line != jumps.back().line + (i - jumps.back().row))
          jumps.push_back({i, line});
      }
    });
    table.jumps = std::move(jumps);
  }

  /// Takes the last row back if it lies outside the times asked for.
  void drop_outside() {
    if (time_slot == none)
      throw Error(
          fmt::format("{} has no column t, so rows cannot be chosen by time", table.source));
    const double t = last_time;
    if (std::isnan(table.columns[time_slot].values[row - 1])) return;  // it is left out anyway
    if (t >= wanted.rows.from.value_or(t) && t <= wanted.rows.to.value_or(t)) return;
    for (Column& column : table.columns) column.values.pop_back();
    --row;
    while (!table.jumps.empty() && table.jumps.back().row >= row) table.jumps.pop_back();
    last_line = none - 1;  // the next row that is kept does not follow this one
  }

  Error no_rows() const {
    const RowRange& range = wanted.rows;
    if (range.from || range.to)
      return Error(fmt::format(
          "{} has no rows between t = {} and t = {}; its last row has t = {}", table.source,
          range.from ? exact_text(*range.from) : std::string("its first"),
          range.to ? exact_text(*range.to) : std::string("its last"), exact_text(last_time)));
    return Error(fmt::format("{} has {} rows; there is none from row {} on", table.source, seen,
                             range.first));
  }

  void check_time(const Lines& lines) {
    const Column& time = table.columns[time_slot];
    if (std::isnan(time.values[row])) return;
    const double before = std::exchange(last_time, time.values[row]);
    if (!(time.values[row] <= before)) return;
    throw Error::at(table.source, lines.number(), time.position,
                    fmt::format("t = {} must be larger than {} in the row before",
                                exact_text(time.values[row]), exact_text(before)));
  }

  static std::string_view hint(const Lines& lines) {
    return lines.ends_abruptly() ? "; the file does not end with a line break and may be cut off"
                                 : "";
  }

  /// 1.142,4 or 1,142.4
  static bool has_thousands(std::string_view cell) {
    return cell.find('.') != none && cell.find(',') != none &&
           cell.find_first_not_of("+-.,0123456789") == none;
  }

  Error bad_cell(std::string_view cell, Reading reading, std::size_t position,
                 const Lines& lines) const {
    const Column& column = table.columns[slots[position]];
    const bool unclosed =
        !cell.empty() && cell[0] == '"' && (cell.size() == 1 || cell.back() != '"');
    return Error::at(
        table.source, lines.number(), position + 1,
        fmt::format(
            "{} = {} {}{}", column.name, shown(cell),
            unclosed ? "has a quote that is not closed on its line"
            : has_thousands(cell)
                ? "is not a number: it has points and commas; write thousands without a sign"
                : complaint(reading),
            hint(lines)));
  }

  Error wrong_count(std::size_t count, const Lines& lines) const {
    return Error::at(table.source, lines.number(), std::min(count, slots.size()) + 1,
                     fmt::format("the row has {} cell{}, but the first line has {}{}", count,
                                 count == 1 ? "" : "s", slots.size(), hint(lines)));
  }

  std::string_view text;
  const Wanted& wanted;
  Table table;
  char separator = ',';
  std::vector<Heading> headings;
  std::vector<std::size_t> slots;  // by position in the file: which column of the table, or none
  bool unnamed_last = false;
  std::size_t time_slot = none;
  std::size_t row = 0;                                          // of the table
  std::size_t seen = 0;                                         // in the file
  double last_time = std::numeric_limits<double>::quiet_NaN();  // in the file
  std::size_t last_line = 0;
  bool any_missing = false;
};

}  // namespace

const Column* Table::find(std::string_view name) const noexcept {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [name](const Column& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

const Column& Table::at(std::string_view name) const {
  if (const Column* column = find(name)) return *column;
  throw Error(fmt::format("{} has no column '{}'", source, name));
}

std::size_t Table::line(std::size_t row) const noexcept {
  const auto after =
      std::upper_bound(jumps.begin(), jumps.end(), row,
                       [](std::size_t wanted, const Jump& jump) { return wanted < jump.row; });
  if (after == jumps.begin()) return 0;
  const Jump& last = *std::prev(after);
  return last.line + (row - last.row);
}

Table read_table(std::string_view text, std::string_view name, const Wanted& wanted) {
  return Reader(text, name, wanted).read();
}

Table read_csv(const std::filesystem::path& path, const Wanted& wanted) {
  return read_table(read_file(path), source_name(path), wanted);
}

}  // namespace microslip::io
