#include "io/table/csv_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "microslip/core/text.hpp"

namespace microslip::io::csv {
namespace {

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

// read_number does not say on which side of the range a number lies. One that is too small to be
// told from zero is zero; one that is too large is refused. The order of magnitude is the
// exponent plus the place of the first digit that is not zero.
Reading nearest_in_range(const std::string& text, double& value) {
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

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

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

namespace {

/// Errors of spreadsheets, which begin with the sign of a comment.
constexpr std::array<std::string_view, 7> spreadsheet_errors{"#N/A",  "#DIV/0!", "#VALUE!", "#REF!",
                                                             "#NUM!", "#NAME?",  "#NULL!"};

bool begins_with_error(std::string_view text) {
  return std::any_of(spreadsheet_errors.begin(), spreadsheet_errors.end(),
                     [&](std::string_view error) { return text.substr(0, error.size()) == error; });
}

}  // namespace

std::string_view without_comment(std::string_view line) {
  if (line.find('#') == none) return line;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted && !begins_with_error(line.substr(i))) return line.substr(0, i);
  }
  return line;
}

std::string_view without_mark(std::string_view line) {
  const std::string_view text = trim(line);
  for (const std::string_view mark : {"%", "//"})
    if (text.substr(0, mark.size()) == mark) return trim(text.substr(mark.size()));
  return line;
}

bool says_missing(std::string_view cell) {
  static constexpr std::array<std::string_view, 9> words{"na", "n/a",  "n.a.", "nan", "null",
                                                         "-",  "none", "--",   "nd"};
  const std::string text = lower(unquoted(cell));
  return std::find(words.begin(), words.end(), text) != words.end() ||
         begins_with_error(unquoted(cell));
}

std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string result;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    result += cell[i];
    if (cell[i] == '"' && cell[i + 1] == '"' && i + 2 < cell.size()) ++i;
  }
  return std::string(trim(result));
}

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

std::string unit_text(std::string_view cell) {
  const std::string text = to_utf8(unquoted(cell));
  const bool brackets = text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                                             (text.front() == '(' && text.back() == ')'));
  return brackets ? std::string(trim(std::string_view(text).substr(1, text.size() - 2))) : text;
}

bool contains_word(std::string_view heading, const std::vector<std::string>& words) {
  std::string word;
  for (const char c : lower(heading) + " ") {
    if ((c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80) != 0) {
      word += c;
      continue;
    }
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    word.clear();
  }
  return false;
}

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
      {"t", {"time"}},
      {"u", {"displacement", "disp", "deflection", "deformation", "stroke"}},
      {"f", {"force", "load"}},
      {"ux", {"u_x"}},
      {"uy", {"u_y"}},
      {"fx", {"f_x"}},
      {"fy", {"f_y"}}};
  static const std::vector<std::string> no_names;
  const auto found = names.find(name);
  return found == names.end() ? no_names : found->second;
}

const std::vector<std::string>& words_of_other_devices(std::string_view name) {
  static const std::vector<std::string> of_u{"strain", "rotation", "angle"},
      of_f{"stress", "torque", "moment", "shear"}, none_known;
  return name == "u" ? of_u : name == "f" ? of_f : none_known;
}

bool has_unit_of(std::string_view name, std::string_view unit) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> units{
      {"t", {"s", "sec", "ms", "us", "µs", "μs", "min"}},
      {"u",
       {"m", "cm", "mm", "um", "µm", "μm", "nm", "in", "inch", "ft", "rad", "mrad", "deg", "°"}},
      {"f",
       {"N", "kN", "MN", "mN", "lb", "lbs", "lbf", "kip", "kips", "Nm", "kNm", "N m", "kN m", "Pa",
        "kPa", "MPa", "GPa", "psi", "ksi"}}};
  const auto found = units.find(name);
  return found != units.end() &&
         std::find(found->second.begin(), found->second.end(), unit) != found->second.end();
}

bool contains_misspelt(std::string_view heading, const std::vector<std::string>& words) {
  std::string word;
  for (const char c : lower(heading) + " ") {
    if ((c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80) != 0) {
      word += c;
      continue;
    }
    for (const std::string& right : words)
      if (4 * edit_distance(word, right) < right.size()) return true;
    word.clear();
  }
  return false;
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + shown(word);
  return result;
}

// Quotes, a plus sign, a decimal comma, a Fortran exponent, numbers outside the range.
namespace {

/// 10:31:07.25, in seconds from midnight.
bool is_time_of_day(std::string_view text, double& value) {
  double sum = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t end = part < 2 ? text.find(':') : text.size();
    if (end == none || end == 0) return false;
    const std::string_view digits = text.substr(0, end);
    if (digits.find_first_not_of(part < 2 ? "0123456789" : "0123456789.") != none) return false;
    double number = 0;
    const auto [length, error] = read_number(digits, number);
    if (length != digits.size() || error != std::errc{} || number >= (part == 0 ? 1000 : 60))
      return false;
    sum = 60 * sum + number;
    text.remove_prefix(part < 2 ? end + 1 : end);
  }
  value = sum;
  return true;
}

}  // namespace

Reading Numbers::read_unusual(std::string_view cell, double& value) {
  std::string text = unquoted(cell);
  if (text.empty()) return Reading::empty;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.erase(0, 1);
  const auto commas = std::count(text.begin(), text.end(), ',');
  const bool point = text.find('.') != std::string::npos;
  const bool decimal_comma = comma_is_free && commas == 1 && !point;
  if (decimal_comma) std::replace(text.begin(), text.end(), ',', '.');
  if (text.size() > 1 && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) {
    for (char& c : text) c = c == 'D' || c == 'd' ? 'e' : c;
  }
  const auto [length, error] = read_number(text, value);
  if (length != text.size()) return is_time_of_day(text, value) ? Reading::number : Reading::text;
  if (error == std::errc::result_out_of_range) return nearest_in_range(text, value);
  if (error != std::errc{}) return Reading::text;
  if (!std::isfinite(value)) return Reading::not_finite;
  if (decimal_comma) return agree_on(',');
  return comma_is_free && point ? agree_on('.') : Reading::number;
}

}  // namespace microslip::io::csv
