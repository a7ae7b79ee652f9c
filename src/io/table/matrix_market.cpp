#include "microslip/io/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "io/table/limits.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

/// Of a sparse matrix, whose indices are int; a long has 32 or 64 bits.
constexpr long largest_index = std::numeric_limits<int>::max();
constexpr long most_entries = static_cast<long>(
    std::min<std::int64_t>(std::numeric_limits<long>::max(), std::int64_t{1} << 40));

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

class MatrixReader {
 public:
  MatrixReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Eigen::SparseMatrix<double> read() {
    read_banner();
    const std::vector<std::string> sizes = next_line("the line with the sizes");
    const std::size_t expected = coordinate_ ? 3 : 2;
    if (sizes.size() != expected)
      fail("the sizes must be " + std::to_string(expected) + " whole numbers");
    const long most = std::min(largest_index, most_rows(text_));
    const long rows = index(sizes[0], 1, most, "number of rows");
    const long columns = index(sizes[1], 1, most, "number of columns");
    if (mirrored_ && rows != columns) fail("a symmetric matrix must be square");
    Eigen::SparseMatrix<double> matrix(rows, columns);
    if (coordinate_)
      read_entries(rows, columns, index(sizes[2], 0, most_entries, "number of entries"));
    else
      read_columns(rows, columns);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    return matrix;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { fail_at(name_, line_, why); }

  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }

  /// The words of the next line that is neither blank nor a comment.
  std::vector<std::string> next_line(const std::string& what) {
    std::string_view line;
    while (next(line)) {
      if (line.substr(0, 1) == "%") continue;
      std::vector<std::string> words = words_of(line);
      if (!words.empty()) return words;
    }
    fail("the file ends before " + what);
  }

  void read_banner() {
    std::string_view line;
    const auto words = next(line) ? words_of(line) : std::vector<std::string>{};
    if (words.size() != 5 || lower(words[0]) != "%%matrixmarket" || lower(words[1]) != "matrix")
      fail(
          "the first line must be '%%MatrixMarket matrix coordinate|array real general|symmetric'");
    const std::string format = lower(words[2]);
    const std::string field = lower(words[3]);
    const std::string symmetry = lower(words[4]);
    if (format != "coordinate" && format != "array")
      fail("the format '" + format + "' must be coordinate or array");
    if (field != "real" && field != "double" && field != "integer" && field != "pattern")
      fail("the field '" + field + "' must be real, integer or pattern");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
      fail("the symmetry '" + symmetry + "' must be general, symmetric or skew-symmetric");
    coordinate_ = format == "coordinate";
    pattern_ = field == "pattern";
    if (pattern_ && !coordinate_) fail("an array cannot be a pattern");
    mirrored_ = symmetry != "general";
    sign_ = symmetry == "skew-symmetric" ? -1 : 1;
  }

  long index(const std::string& word, long least, long most, const std::string& what) const {
    char* end = nullptr;
    const long value = std::strtol(word.c_str(), &end, 10);
    if (*end != 0 || end == word.c_str() || value < least || value > most)
      fail("the " + what + " '" + word + "' must be a whole number from " + std::to_string(least) +
           " to " + std::to_string(most));
    return value;
  }

  double number(const std::string& word) const {
    std::string text = word;
    for (char& c : text)
      if (c == 'd' || c == 'D') c = 'e';
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != 0 || end == text.c_str() || !std::isfinite(value))
      fail("'" + word + "' must be a number");
    return value;
  }

  void add(long row, long column, double value) {
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    if (mirrored_ && row != column)
      entries_.emplace_back(static_cast<int>(column), static_cast<int>(row), sign_ * value);
  }

  void read_entries(long rows, long columns, long count) {
    for (long i = 0; i < count; ++i) {
      const auto words =
          next_line("entry " + std::to_string(i + 1) + " of " + std::to_string(count));
      if (words.size() != (pattern_ ? 2u : 3u))
        fail(pattern_ ? "an entry must be: row column" : "an entry must be: row column value");
      add(index(words[0], 1, rows, "row") - 1, index(words[1], 1, columns, "column") - 1,
          pattern_ ? 1 : number(words[2]));
    }
  }

  void read_columns(long rows, long columns) {
    std::vector<std::string> words;
    std::size_t used = 0;
    for (long column = 0; column < columns; ++column)
      for (long row = mirrored_ ? column : 0; row < rows; ++row) {
        if (used == words.size()) {
          words = next_line("the last column");
          used = 0;
        }
        const double value = number(words[used++]);
        if (value != 0) add(row, column, value);
      }
  }

  std::string_view text_, name_;
  std::size_t at_ = 0, line_ = 0;
  bool coordinate_ = true, pattern_ = false, mirrored_ = false;
  double sign_ = 1;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Eigen::SparseMatrix<double> parse_matrix_market(std::string_view text, std::string_view name) {
  return MatrixReader(text, name).read();
}

Eigen::SparseMatrix<double> read_matrix_market(const std::filesystem::path& path) {
  return parse_matrix_market(read_file(path), path.string());
}

std::string matrix_market_text(const Eigen::SparseMatrix<double>& matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" +
                     std::to_string(matrix.rows()) + " " + std::to_string(matrix.cols()) + " " +
                     std::to_string(matrix.nonZeros()) + "\n";
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
      text += std::to_string(entry.row() + 1) + " " + std::to_string(entry.col() + 1) + " " +
              number_text(entry.value()) + "\n";
  return text;
}

}  // namespace microslip::io
