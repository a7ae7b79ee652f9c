#pragma once

/// Tables whose cells are words: a heading, then rows. The separator is the comma, the semicolon or
/// the tab, whichever the heading contains; separators inside quotes or brackets are part of their
/// cell, so that `jenkins(k=1,phi=2)` is one. `#` at the beginning of a line makes it a comment.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace microslip::io {

struct TextTable {
  struct Row {
    std::size_t line;  ///< of the file, from 1
    std::vector<std::string> cells;
  };

  std::string source;                 ///< the file name, for messages
  std::vector<std::string> headings;  ///< without units in brackets
  std::vector<Row> rows;              ///< each as long as the heading

  /// Throws Error at a cell; columns count from 0 here.
  [[noreturn]] void refuse(const Row& row, std::size_t column, const std::string& sentence) const;
};

TextTable parse_text_table(std::string_view text, std::string_view name);
TextTable read_text_table(const std::filesystem::path& path);

}  // namespace microslip::io
