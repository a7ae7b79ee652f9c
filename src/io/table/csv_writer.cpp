#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

void append_number(std::string& to, double value) {
  if (!std::isfinite(value)) return;
#ifdef __cpp_lib_to_chars
  std::array<char, 32> digits;  // the longest has 24 characters: -1.2345678901234567e-308
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  to.append(digits.data(), error == std::errc{} ? end : digits.data());
#else  // Emscripten's library: slower, and read back as the same number too
  to += number_text(value);
#endif
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

CsvWriter::CsvWriter(Sink to, const Comments& comments, std::span<const std::string> headings)
    : sink(std::move(to)), width(headings.size()) {
  // The headings come first: that is where other readers look for them (numpy.genfromtxt).
  for (std::size_t i = 0; i < width; ++i) {
    if (i > 0) buffer += ',';
    buffer += heading_cell(headings[i]);
  }
  if (width > 0) buffer += '\n';
  for (const auto& [key, value] : comments) {
    buffer += "# " + on_one_line(key) + ": " + on_one_line(value) + '\n';
  }
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
