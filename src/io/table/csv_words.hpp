#pragma once

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/read_number.hpp"

/// The words of a table: lines, cells, numbers, headings.
namespace microslip::io::csv {

inline constexpr std::size_t none = std::string_view::npos;

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
/// Without blanks at its ends.
std::string_view trim(std::string_view text);
/// ASCII only, so that the result does not depend on the locale.
std::string lower(std::string_view text);
/// Instruments that do not write UTF-8 mostly write Latin-1 (µ and ° in units).
std::string to_utf8(std::string_view text);
/// A piece of somebody's file inside a message: short, on one line, and safe for a terminal.
std::string shown(std::string_view text);
std::string quoted_list(const std::vector<std::string>& words);

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

/// `#` begins a comment, but for the errors of spreadsheets: #N/A, #DIV/0!, …
std::string_view without_comment(std::string_view line);
/// Without the sign by which other programs mark lines above their numbers: "% t u f", "// t,u,f".
std::string_view without_mark(std::string_view line);
/// What people and programs write where there is no number: "NA", "N/A", "null", "-", "#N/A".
bool says_missing(std::string_view cell);

/// Cuts one line into cells. Quoted cells keep their quotes until `unquoted`.
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

std::string unquoted(std::string_view cell);
std::vector<std::string> cells_of(std::string_view line, char separator);

/// What most of the first lines contain, outside quotes. Semicolon and tab go before comma, which
/// may be the decimal sign beside them.
char detect_separator(std::string_view text);

enum class Reading { number, empty, text, not_finite, too_large, mixed_decimals };
std::string_view complaint(Reading reading);

/// Reads numbers and remembers which decimal sign they use.
class Numbers {
 public:
  explicit Numbers(char separator) : comma_is_free(separator != ',') {}

  Reading read(std::string_view cell, double& value) {
    const auto [length, error] = read_number(cell, value);
    if (length != cell.size() || error != std::errc{} || cell.empty())
      return read_unusual(cell, value);
    if (!std::isfinite(value)) return Reading::not_finite;
    if (comma_is_free && decimal != '.' && cell.find('.') != none) return agree_on('.');
    return Reading::number;
  }

 private:
  Reading agree_on(char sign) {
    if (decimal == '\0') decimal = sign;
    return decimal == sign ? Reading::number : Reading::mixed_decimals;
  }

  Reading read_unusual(std::string_view cell, double& value);

  bool comma_is_free;
  char decimal = '\0';
};

struct Heading {
  std::string text;  ///< as it stands in the file
  std::string name;
  std::string unit;
};

Heading parse_heading(std::string_view cell);
/// Blanks also stand between a name and its unit: `t [s] u [mm]` is two headings.
std::vector<std::string> join_units(const std::vector<std::string>& words);
/// `[mm]`, `(mm)` and `mm` in a row of units.
std::string unit_text(std::string_view cell);
/// Whether one of the words of a heading is among these, which are in lower case.
bool contains_word(std::string_view heading, const std::vector<std::string>& words);
/// What else people call the columns t, u, f, …
const std::vector<std::string>& other_names(std::string_view name);
/// Words of other devices for the same quantity, which count where no better one is there.
const std::vector<std::string>& words_of_other_devices(std::string_view name);
/// Whether one of the words of a heading is one of these with a letter wrong in four.
bool contains_misspelt(std::string_view heading, const std::vector<std::string>& words);
/// Whether a unit is one of time for t, of a length or an angle for u, of a force, moment or stress for f.
bool has_unit_of(std::string_view name, std::string_view unit);

}  // namespace microslip::io::csv
