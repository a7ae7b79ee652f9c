#include "microslip/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "csv_words.hpp"
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
    separator = detect_separator(text);
    Lines lines(text);
    std::string_view line;
    if (!skip_to_table(lines, line)) {
      throw Error(fmt::format("{} has no data{}", table.source,
                              text.empty() ? ": it is empty" : ", only comments or blank lines"));
    }
    Numbers numbers(separator);
    const bool has_header = read_header(line);
    const std::size_t header_line = lines.number();
    bool more = !has_header || next_content(lines, line);
    if (has_header && more && read_units(line)) more = next_content(lines, line);
    choose_columns(has_header, header_line);
    reserve();
    for (; more; more = next_content(lines, line)) {
      ++seen;
      if (seen >= wanted.rows.first && seen <= wanted.rows.last) read_row(line, lines, numbers);
    }
    if (seen == 0) throw Error(fmt::format("{} has a header, but no rows", table.source));
    if (row == 0) throw no_rows();
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

  bool skip_to_table(Lines& lines, std::string_view& line) {
    while (lines.next(line)) {
      const std::string_view content = trim(line);
      if (!content.empty() && content[0] == '#') keep_metadata(content.substr(1));
      line = without_comment(line);
      if (!trim(line).empty()) return true;
    }
    return false;
  }

  static bool next_content(Lines& lines, std::string_view& line) {
    while (lines.next(line)) {
      line = without_comment(line);
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
    if (!header) name_by_position();
    return header;
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
      any = any || reading == Reading::text;
    }
    if (!any) return false;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (headings[i].unit.empty()) headings[i].unit = unit_text(cells[i]);
    return true;
  }

  void name_by_position() {
    static const std::array<std::vector<std::string>, 2> usual{{{"u", "f"}, {"t", "u", "f"}}};
    if (headings.size() == 1) {
      headings[0].name = wanted.required.size() == 1 ? wanted.required[0] : "u";
    } else if (headings.size() <= 3) {
      for (std::size_t i = 0; i < headings.size(); ++i) {
        headings[i].name = usual[headings.size() - 2][i];
      }
    }
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

  void choose_columns(bool has_header, std::size_t line_number) {
    std::vector<std::string> names(headings.size());  // by position; empty if nobody asked for it
    const auto claim = [&names](std::size_t position, const std::string& name) {
      if (position != none) names[position] = name;
      return position != none;
    };
    for (const auto& [name, given] : wanted.named) {
      const std::size_t position = locate_given(given, name, line_number);
      if (!names[position].empty()) {
        throw both(given, names[position], name);
      }
      claim(position, name);
    }
    for (const std::string& name : wanted.required) {
      if (wanted.named.count(name) != 0) continue;
      if (claim(locate(name, names, line_number), name)) continue;
      // Claimed for something else, or not there at all.
      const std::size_t taken = locate(name, std::vector<std::string>(names.size()), line_number);
      if (taken == none) throw missing(name, has_header);
      const std::string& heading = headings[taken].text;
      throw both(heading.empty() ? std::to_string(taken + 1) : heading, names[taken], name);
    }
    for (const std::string& name : wanted.optional) {
      if (wanted.named.count(name) == 0) claim(locate(name, names, line_number), name);
    }
    slots.assign(headings.size(), none);
    for (std::size_t i = 0; i < headings.size(); ++i) {
      if (names[i].empty()) continue;
      slots[i] = table.columns.size();
      if (names[i] == "t") time_slot = slots[i];
      table.columns.push_back({names[i], headings[i].unit, {}, i + 1, headings[i].text});
    }
  }

  template <class Matches>
  std::size_t only(Matches&& matches, std::string_view name, std::size_t line_number) const {
    std::size_t found = none;
    for (std::size_t i = 0; i < headings.size(); ++i) {
      if (!matches(i)) continue;
      if (found != none) {
        throw Error::at(
            table.source, line_number, i + 1,
            fmt::format("{} could be {} as well as {} in column {}; {}", shown(headings[i].text),
                        name, shown(headings[found].text), found + 1,
                        wanted.option_prefix.empty() ? std::string("only one may")
                                                     : fmt::format("{}{} NAME says which one it is",
                                                                   wanted.option_prefix, name)));
      }
      found = i;
    }
    return found;
  }

  std::size_t locate(const std::string& name, const std::vector<std::string>& taken,
                     std::size_t line_number) const {
    const auto free = [&](std::size_t i) { return taken[i].empty(); };
    std::size_t found =
        only([&](std::size_t i) { return free(i) && headings[i].name == name; }, name, line_number);
    if (found != none) return found;
    const std::string folded = lower(name);
    found = only([&](std::size_t i) { return free(i) && lower(headings[i].name) == folded; }, name,
                 line_number);
    if (found != none) return found;
    const auto& others = other_names(name);
    found = only(
        [&](std::size_t i) {
          return free(i) &&
                 std::find(others.begin(), others.end(), lower(headings[i].name)) != others.end();
        },
        name, line_number);
    if (found != none) return found;
    return only([&](std::size_t i) { return free(i) && contains_word(headings[i].name, others); },
                name, line_number);
  }

  std::size_t locate_given(const std::string& given, const std::string& name,
                           std::size_t line_number) const {
    std::size_t found =
        only([&](std::size_t i) { return headings[i].name == given || headings[i].text == given; },
             name, line_number);
    const std::string folded = lower(given);
    if (found == none) {
      found =
          only([&](std::size_t i) { return !folded.empty() && lower(headings[i].name) == folded; },
               name, line_number);
    }
    if (found != none) return found;
    std::size_t number = 0;
    const char* const end = given.data() + given.size();
    const auto [stop, error] = std::from_chars(given.data(), end, number);
    if (stop == end && error == std::errc{} && number >= 1 && number <= headings.size())
      return number - 1;
    throw Error(fmt::format("{} has no column {}, which was to be {}; {}", table.source,
                            shown(given), name, what_there_is()));
  }

  std::string what_there_is() const {
    constexpr std::size_t most = 20;
    std::vector<std::string> texts;
    for (const Heading& heading : headings) {
      if (!heading.text.empty() && texts.size() < most) texts.push_back(heading.text);
    }
    const std::string count =
        fmt::format("it has {} column{}", headings.size(), headings.size() == 1 ? "" : "s");
    if (texts.empty()) return count + " and no header";
    return count + ": " + quoted_list(texts) + (texts.size() < headings.size() ? ", ..." : "");
  }

  Error both(const std::string& column, const std::string& one, const std::string& other) const {
    return Error(fmt::format("column {} of {} cannot be both {} and {}", shown(column),
                             table.source, one, other));
  }

  Error missing(const std::string& name, bool has_header) const {
    std::string also;
    for (const std::string& other : other_names(name)) also += (also.empty() ? "" : ", ") + other;
    if (!also.empty()) also = " (also read: " + also + ")";
    const std::string_view rule =
        has_header ? "" : "; without a header, one column is u, two are u,f and three are t,u,f";
    const std::string option =
        wanted.option_prefix.empty()
            ? ""
            : fmt::format("; {}{} NAME says which one it is", wanted.option_prefix, name);
    return Error(fmt::format("{} has no column '{}'{}; {}{}{}", table.source, name, also,
                             what_there_is(), rule, option));
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
      if (reading != Reading::number) throw bad_cell(cell, reading, position, lines);
      table.columns[slots[position]].values.push_back(value);
    }
    const bool extra = position == slots.size() + 1 && (last_is_empty || unnamed_last);
    if (position != slots.size() && !extra) throw wrong_count(position, lines);
    if (time_slot != none) check_time(lines);
    ++row;
    if (wanted.rows.from || wanted.rows.to) drop_outside();
  }

  /// Takes the last row back if it lies outside the times asked for.
  void drop_outside() {
    if (time_slot == none)
      throw Error(
          fmt::format("{} has no column t, so rows cannot be chosen by time", table.source));
    const double t = last_time;
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

  Error bad_cell(std::string_view cell, Reading reading, std::size_t position,
                 const Lines& lines) const {
    const Column& column = table.columns[slots[position]];
    const bool unclosed =
        !cell.empty() && cell[0] == '"' && (cell.size() == 1 || cell.back() != '"');
    return Error::at(
        table.source, lines.number(), position + 1,
        fmt::format("{} = {} {}{}", column.name, shown(cell),
                    unclosed ? "has a quote that is not closed on its line" : complaint(reading),
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
