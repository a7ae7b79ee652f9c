#include "microslip/io/text_table.hpp"

#include <algorithm>

#include "io/table/csv_words.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

/// Cells, where a separator inside brackets or quotes separates nothing.
std::vector<std::string> cells_with_brackets(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      continue;
    }
    if (!quoted) depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == separator && !quoted && depth <= 0)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  for (std::string& cell : cells) cell = csv::trim(cell);
  return cells;
}

std::string without_unit(const std::string& heading) {
  const std::size_t bracket = heading.find('[');
  return std::string(csv::trim(std::string_view(heading).substr(0, bracket)));
}

}  // namespace

void TextTable::refuse(const Row& row, std::size_t column, const std::string& sentence) const {
  throw Error::at(source, row.line, column + 1, sentence);
}

TextTable parse_text_table(std::string_view text, std::string_view name) {
  TextTable table{std::string(name), {}, {}};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  csv::Lines lines(text);
  char separator = ',';
  for (std::string_view line; lines.next(line);) {
    const std::string_view content = csv::trim(line);
    if (content.empty() || content.front() == '#') continue;
    if (table.headings.empty()) {
      for (const char candidate : {'\t', ';', ','})
        if (content.find(candidate) != std::string_view::npos) separator = candidate;
      for (const std::string& cell : cells_with_brackets(line, separator))
        table.headings.push_back(without_unit(cell));
      for (std::size_t i = 0; i < table.headings.size(); ++i)
        if (std::count(table.headings.begin(), table.headings.end(), table.headings[i]) > 1)
          throw Error::at(name, lines.number(), i + 1,
                          "the heading '" + table.headings[i] + "' stands there twice");
      continue;
    }
    TextTable::Row row{lines.number(), cells_with_brackets(line, separator)};
    if (row.cells.size() > table.headings.size())
      table.refuse(row, table.headings.size(),
                   "this row has " + std::to_string(row.cells.size()) + " cells; there are " +
                       std::to_string(table.headings.size()) + " headings");
    row.cells.resize(table.headings.size());
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw Error(std::string(name) + " has no row below a heading");
  return table;
}

TextTable read_text_table(const std::filesystem::path& path) {
  return parse_text_table(read_file(path), path.string());
}

}  // namespace microslip::io
