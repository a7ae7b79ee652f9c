#include "microslip/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// ASCII only, so that the result does not depend on the locale.
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Length of the UTF-8 character at the front of the text, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// Instruments that do not write UTF-8 mostly write Latin-1 (µ and ° in units).
std::string to_utf8(std::string_view text) {
  std::string result;
  std::string_view rest = text;
  bool valid = true;
  while (valid && !rest.empty()) {
    const std::size_t length = utf8_length(rest);
    valid = length > 0;
    rest.remove_prefix(length);
  }
  if (valid) return std::string(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xc0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return result;
}

// A piece of somebody's file inside a message: short, on one line, and safe for a terminal.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  while (!text.empty()) {
    if (result.size() > longest) {
      result += "...";
      break;
    }
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    // 0xc2 leads the control characters U+0080 to U+009f (and harmless signs up to U+00bf).
    const bool control =
        byte < 0x20 || byte == 0x7f ||
        (byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (length == 0 || control) {
      result += fmt::format("\\x{:02x}", byte);
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result + "'";
}

class Lines {
 public:
  // A file of the time before LF has CR alone.
  explicit Lines(std::string_view text)
      : rest(text), end(text.find('\n') == none && text.find('\r') != none ? '\r' : '\n') {}

  bool next(std::string_view& line) {
    if (rest.empty()) return false;
    ++count;
    const std::size_t length = rest.find(end);
    cut_off = length == none;
    line = rest.substr(0, length);
    rest.remove_prefix(cut_off ? rest.size() : length + 1);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
  }
  std::size_t number() const { return count; }
  bool ends_abruptly() const { return cut_off; }

 private:
  std::string_view rest;
  char end;
  std::size_t count = 0;
  bool cut_off = false;
};

std::string_view without_comment(std::string_view line) {
  const std::size_t hash = line.find('#');
  if (hash == none) return line;
  if (line.find('"') > hash) return line.substr(0, hash);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

// Cuts one line into cells. Quoted cells keep their quotes until `unquoted`.
class Cells {
 public:
  Cells(std::string_view line, char separator_) : rest(line), separator(separator_) {
    if (separator == ' ') rest = trim(rest);
    more = !rest.empty();
  }

  bool next(std::string_view& cell) {
    if (!more) return false;
    // In a file with tabs an empty cell is two tabs, so only spaces may be skipped.
    while (!rest.empty() && (rest[0] == ' ' || (rest[0] == '\t' && separator != '\t'))) {
      rest.remove_prefix(1);
    }
    std::size_t from = 0;
    if (!rest.empty() && rest[0] == '"') from = end_of_quotes();
    const std::size_t length =
        separator == ' ' ? rest.find_first_of(" \t", from) : rest.find(separator, from);
    cell = trim(rest.substr(0, length));
    more = length != none;
    rest.remove_prefix(more ? length + 1 : rest.size());
    return true;
  }

 private:
  // An unclosed quote ends nothing; the number parser then reports the whole cell.
  std::size_t end_of_quotes() const {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] != '"') continue;
      if (i + 1 == rest.size() || rest[i + 1] != '"') return i + 1;
      ++i;
    }
    return 0;
  }

  std::string_view rest;
  char separator;
  bool more;
};

std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string result;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    result += cell[i];
    if (cell[i] == '"' && cell[i + 1] == '"' && i + 2 < cell.size()) ++i;
  }
  return std::string(trim(result));
}

// What most of the first lines contain, outside quotes. Semicolon and tab go before comma, which
// may be the decimal sign beside them.
char detect_separator(std::string_view text) {
  constexpr std::size_t most_lines = 20;
  constexpr std::array<char, 3> candidates{';', '\t', ','};
  std::array<std::size_t, 3> found{};
  std::size_t lines = 0;
  Lines source(text);
  for (std::string_view line; lines < most_lines && source.next(line);) {
    line = without_comment(line);
    if (trim(line).empty()) continue;
    ++lines;
    std::array<bool, 3> here{};
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      for (std::size_t i = 0; i < 3; ++i) here[i] = here[i] || (!quoted && c == candidates[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) found[i] += here[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (2 * found[i] > lines) return candidates[i];
  }
  return ' ';
}

enum class Reading { number, empty, text, not_finite, too_large, mixed_decimals };

class Numbers {
 public:
  explicit Numbers(char separator) : comma_is_free(separator != ',') {}

  Reading read(std::string_view cell, double& value) {
    const char* const end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, value);
    if (stop != end || error != std::errc{} || cell.empty()) return read_unusual(cell, value);
    if (!std::isfinite(value)) return Reading::not_finite;
    if (comma_is_free && decimal != '.' && cell.find('.') != none) return agree_on('.');
    return Reading::number;
  }

 private:
  Reading agree_on(char sign) {
    if (decimal == '\0') decimal = sign;
    return decimal == sign ? Reading::number : Reading::mixed_decimals;
  }

  // Quotes, a plus sign, a decimal comma, a Fortran exponent, numbers outside the range.
  Reading read_unusual(std::string_view cell, double& value) {
    std::string text = unquoted(cell);
    if (text.empty()) return Reading::empty;
    if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.erase(0, 1);
    const auto commas = std::count(text.begin(), text.end(), ',');
    const bool point = text.find('.') != std::string::npos;
    const bool decimal_comma = comma_is_free && commas == 1 && !point;
    if (decimal_comma) std::replace(text.begin(), text.end(), ',', '.');
    if (text.size() > 1 &&
        (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) {
      for (char& c : text) c = c == 'D' || c == 'd' ? 'e' : c;
    }
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end) return Reading::text;
    if (error == std::errc::result_out_of_range) return nearest_in_range(text, value);
    if (error != std::errc{}) return Reading::text;
    if (!std::isfinite(value)) return Reading::not_finite;
    if (decimal_comma) return agree_on(',');
    return comma_is_free && point ? agree_on('.') : Reading::number;
  }

  // from_chars does not say on which side of the range a number lies. One that is too small to be
  // told from zero is zero; one that is too large is refused. The order of magnitude is the
  // exponent plus the place of the first digit that is not zero.
  static Reading nearest_in_range(const std::string& text, double& value) {
    const std::size_t mantissa_end = std::min(text.find_first_of("eE"), text.size());
    const std::size_t point = std::min(text.find('.'), mantissa_end);
    const std::size_t lead = text.find_first_of("123456789");
    double magnitude = static_cast<double>(point) - static_cast<double>(lead);
    if (mantissa_end < text.size()) {
      std::size_t digit = mantissa_end + 1;
      const bool negative = text[digit] == '-';
      if (negative || text[digit] == '+') ++digit;
      double exponent = 0;
      for (; digit < text.size(); ++digit) exponent = 10 * exponent + (text[digit] - '0');
      magnitude += negative ? -exponent : exponent;
    }
    value = text[0] == '-' ? -0.0 : 0.0;
    return magnitude < 0 ? Reading::number : Reading::too_large;
  }

  bool comma_is_free;
  char decimal = '\0';
};

std::string_view complaint(Reading reading) {
  switch (reading) {
    case Reading::empty:
      return "is empty, but a number is needed";
    case Reading::not_finite:
      return "is not finite, but only finite numbers are allowed";
    case Reading::too_large:
      return "is beyond the range of double precision (about 1.8e308)";
    case Reading::mixed_decimals:
      return "has another decimal sign than the numbers before it: use only points or only commas";
    default:
      return "is not a number (allowed are numbers like 1, -0.5 or 2.5e-3)";
  }
}

struct Heading {
  std::string text;  // as it stands in the file
  std::string name;
  std::string unit;
};

Heading parse_heading(std::string_view cell) {
  Heading heading;
  heading.text = to_utf8(unquoted(cell));
  heading.name = heading.text;
  if (heading.text.empty()) return heading;
  const char close = heading.text.back();
  if (close != ']' && close != ')') return heading;
  const std::size_t open = heading.text.rfind(close == ']' ? '[' : '(');
  if (open == none) return heading;
  const std::string_view text = heading.text;
  heading.name = trim(text.substr(0, open));
  heading.unit = trim(text.substr(open + 1, text.size() - open - 2));
  return heading;
}

// Blanks also stand between a name and its unit: `t [s] u [mm]` is two headings.
std::vector<std::string> join_units(const std::vector<std::string>& words) {
  std::vector<std::string> cells;
  char awaited = '\0';
  for (const std::string& word : words) {
    const bool opens = !word.empty() && (word[0] == '[' || word[0] == '(');
    if (awaited == '\0' && opens) awaited = word[0] == '[' ? ']' : ')';
    if (awaited != '\0' && !cells.empty()) {
      cells.back() += ' ' + word;
    } else {
      cells.push_back(word);
    }
    if (awaited != '\0' && word.back() == awaited) awaited = '\0';
  }
  return cells;
}

std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells;
  Cells source(line, separator);
  for (std::string_view cell; source.next(cell);) cells.emplace_back(cell);
  return cells;
}

const std::vector<std::string>& other_names(std::string_view name) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> names{
      {"t", {"time"}},          {"u", {"displacement", "disp"}},
      {"f", {"force", "load"}}, {"ux", {"u_x"}},
      {"uy", {"u_y"}},          {"fx", {"f_x"}},
      {"fy", {"f_y"}}};
  static const std::vector<std::string> no_names;
  const auto found = names.find(name);
  return found == names.end() ? no_names : found->second;
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + shown(word);
  return result;
}

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
    choose_columns(has_header, lines.number());
    reserve();
    if (!has_header) read_row(line, lines, numbers);
    while (lines.next(line)) {
      line = without_comment(line);
      if (!trim(line).empty()) read_row(line, lines, numbers);
    }
    if (row == 0) throw Error(fmt::format("{} has a header, but no rows", table.source));
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
        throw Error(fmt::format("column {} of {} cannot be both {} and {}", shown(given),
                                table.source, names[position], name));
      }
      claim(position, name);
    }
    for (const std::string& name : wanted.required) {
      if (wanted.named.count(name) != 0) continue;
      if (!claim(locate(name, names, line_number), name)) throw missing(name, has_header);
    }
    for (const std::string& name : wanted.optional) {
      if (wanted.named.count(name) == 0) claim(locate(name, names, line_number), name);
    }
    slots.assign(headings.size(), none);
    for (std::size_t i = 0; i < headings.size(); ++i) {
      if (names[i].empty()) continue;
      slots[i] = table.columns.size();
      if (names[i] == "t") time_slot = slots[i];
      table.columns.push_back({names[i], headings[i].unit, {}, i + 1});
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
            fmt::format("{} could be {} as well as {} in column {}; only one may",
                        shown(headings[i].text), name, shown(headings[found].text), found + 1));
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
    return only(
        [&](std::size_t i) {
          return free(i) &&
                 std::find(others.begin(), others.end(), lower(headings[i].name)) != others.end();
        },
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

  Error missing(const std::string& name, bool has_header) const {
    std::string also;
    for (const std::string& other : other_names(name)) also += (also.empty() ? "" : ", ") + other;
    if (!also.empty()) also = " (also read: " + also + ")";
    const std::string_view rule =
        has_header ? "" : "; without a header, one column is u, two are u,f and three are t,u,f";
    return Error(fmt::format("{} has no column '{}'{}; {}{}", table.source, name, also,
                             what_there_is(), rule));
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
  }

  void check_time(const Lines& lines) const {
    const Column& time = table.columns[time_slot];
    if (row == 0 || time.values[row] > time.values[row - 1]) return;
    throw Error::at(table.source, lines.number(), time.position,
                    fmt::format("t = {} must be larger than {} in the row before",
                                exact_text(time.values[row]), exact_text(time.values[row - 1])));
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
  std::size_t row = 0;
  std::size_t last_line = 0;
};

// The longest text of a double has 24 characters: -1.2345678901234567e-308.
constexpr std::size_t longest_number = 32;

void append_number(std::string& to, double value) {
  std::array<char, longest_number> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  to.append(digits.data(), error == std::errc{} ? end : digits.data());
}

// A line break inside a comment would turn its rest into data.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return text;
}

std::string heading_cell(const std::string& heading) {
  std::string text = on_one_line(heading);
  if (text.find_first_of(",;\"#\t") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

void write_columns(CsvWriter::Sink sink, const Comments& comments,
                   std::span<const ColumnView> columns) {
  std::vector<std::string> headings;
  for (const ColumnView& column : columns) {
    headings.push_back(column.unit.empty() ? column.name : column.name + " [" + column.unit + "]");
    if (column.values.size() != columns.front().values.size()) {
      throw Error(fmt::format("column '{}' has {} rows, but column '{}' has {}", column.name,
                              column.values.size(), columns.front().name,
                              columns.front().values.size()));
    }
  }
  CsvWriter writer(std::move(sink), comments, headings);
  std::vector<double> cells(columns.size());
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = columns[i].values[row];
    writer.row(cells);
  }
  writer.finish();
}

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
  return read_table(read_file(path), path.string(), wanted);
}

CsvWriter::CsvWriter(Sink to, const Comments& comments, std::span<const std::string> headings)
    : sink(std::move(to)), width(headings.size()) {
  for (const auto& [key, value] : comments) {
    buffer += "# " + on_one_line(key) + ": " + on_one_line(value) + '\n';
  }
  for (std::size_t i = 0; i < width; ++i) {
    if (i > 0) buffer += ',';
    buffer += heading_cell(headings[i]);
  }
  if (width > 0) buffer += '\n';
}

void CsvWriter::row(std::span<const double> cells) {
  if (cells.size() != width) {
    throw Error(
        fmt::format("a row of {} cells does not fit a table of {} columns", cells.size(), width));
  }
  for (std::size_t i = 0; i < width; ++i) {
    if (i > 0) buffer += ',';
    append_number(buffer, cells[i]);
  }
  buffer += '\n';
  constexpr std::size_t piece = std::size_t{1} << 16;
  if (buffer.size() >= piece) finish();
}

void CsvWriter::finish() {
  sink(buffer);
  buffer.clear();
}

void write_csv(const std::filesystem::path& path, const Comments& comments,
               std::span<const ColumnView> columns) {
  AtomicFile file(path);
  write_columns([&file](std::string_view bytes) { file.write(bytes); }, comments, columns);
  file.commit();
}

std::string csv_text(const Comments& comments, std::span<const ColumnView> columns) {
  std::string text;
  write_columns([&text](std::string_view bytes) { text += bytes; }, comments, columns);
  return text;
}

std::string exact_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace microslip::io
