#include "microslip/jobs/aligned_text.hpp"

#include <algorithm>

namespace microslip::jobs {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

std::size_t width(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts_character));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::size_t used = indent;
  const auto new_line = [&] {
    result += '\n' + std::string(indent, ' ');
    used = indent;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (used > indent) {
      if (used + 1 + width(word) > columns) {
        new_line();
      } else if (!word.empty()) {
        result += ' ';
        ++used;
      }
    }
    result += word;
    used += width(word);
    if (end < text.size() && text[end] == '\n') new_line();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::size_t left_columns) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string result;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string air(widths[i] - width(row[i]), ' ');
      if (i + 1 == row.size() && i < left_columns)
        line += wrapped(row[i], width(line));
      else
        line += i < left_columns ? row[i] + air : air + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  }
  return result;
}

}  // namespace microslip::jobs
