#include "microslip/io/matrix_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "io/table/finite_element_matrices.hpp"
#include "io/table/limits.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/matrix_market.hpp"

namespace microslip::io {
namespace {

constexpr long largest_number = 1L << 30;  // of a row or a node

/// Numbers line by line, separated by commas or blanks.
class NumberLines {
 public:
  NumberLines(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// The next line that is neither empty nor a comment; false at the end.
  bool next(std::vector<double>& numbers) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_text_.assign(text_.substr(at_, end - at_));
      at_ = end + 1;
      ++line_;
      if (line_text_.empty() || line_text_.front() == '*') continue;
      read(numbers);
      if (!numbers.empty()) return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& why) const { fail_at(name_, line_, why); }
  long whole(double number, long least, const std::string& what) const {
    if (number != std::floor(number) || number < static_cast<double>(least) ||
        number > static_cast<double>(largest_number))
      fail("the " + what + " must be a whole number from " + std::to_string(least));
    return static_cast<long>(number);
  }

 private:
  void read(std::vector<double>& numbers) {
    numbers.clear();
    for (char& c : line_text_)
      if (c == 'd' || c == 'D') c = 'e';
    const char* p = line_text_.c_str();
    while (true) {
      while (std::isspace(static_cast<unsigned char>(*p)) || *p == ',') ++p;
      if (*p == 0) return;
      char* end = nullptr;
      const double number = std::strtod(p, &end);
      const bool complete =
          end != p && (*end == 0 || *end == ',' || std::isspace(static_cast<unsigned char>(*end)));
      if (!complete || !std::isfinite(number))
        fail("'" + std::string(p).substr(0, 20) + "' must be a number");
      numbers.push_back(number);
      p = end;
    }
  }

  std::string_view text_, name_;
  std::string line_text_;
  std::size_t at_ = 0, line_ = 0;
};

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Where `:VARIABLE` begins, or npos.
std::size_t colon_of(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos || colon < 4) return std::string::npos;
  const std::string end = ending(name.substr(0, colon));
  for (const char* several : {".mat", ".pch", ".bdf", ".dat", ".op4"})
    if (end == several) return colon;
  return std::string::npos;
}

}  // namespace

/// The other triangle, if only one is there.
void mirror(Eigen::SparseMatrix<double>& matrix) {
  const Eigen::SparseMatrix<double> transposed = matrix.transpose();
  Eigen::Index pairs = 0;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    Eigen::SparseMatrix<double>::InnerIterator a(matrix, j), b(transposed, j);
    while (a && b) {
      if (a.row() == b.row() && a.row() != j) ++pairs;
      if (a.row() <= b.row())
        ++a;
      else
        ++b;
    }
  }
  if (pairs > 0) return;
  const Eigen::VectorXd diagonal = matrix.diagonal();
  matrix += transposed;
  for (Eigen::Index i = 0; i < diagonal.size(); ++i)
    if (diagonal[i] != 0) matrix.coeffRef(i, i) = diagonal[i];
}

std::string NodeDof::text() const { return std::to_string(node) + "." + std::to_string(direction); }

std::vector<NodeDof> parse_dof_list(std::string_view text, std::string_view name) {
  std::vector<NodeDof> list;
  std::size_t at = 0, line = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string word(text.substr(at, end - at));
    at = end + 1;
    ++line;
    word.erase(std::remove_if(word.begin(), word.end(),
                              [](unsigned char c) { return std::isspace(c) != 0; }),
               word.end());
    if (word.empty()) continue;
    char* stop = nullptr;
    NodeDof dof;
    dof.node = std::strtol(word.c_str(), &stop, 10);
    const bool dot = stop != word.c_str() && *stop == '.';
    const char* second = dot ? stop + 1 : stop;
    dof.direction = std::strtol(second, &stop, 10);
    if (!dot || stop == second || *stop != 0)
      fail_at(name, line, "'" + word + "' must be written node.direction, as 12.3");
    list.push_back(dof);
  }
  return list;
}

MatrixFile parse_matrix_triplets(std::string_view text, std::string_view name) {
  NumberLines lines(text, name);
  std::vector<double> numbers;
  MatrixFile file;
  std::size_t width = 0;
  std::vector<std::pair<NodeDof, NodeDof>> places;
  std::vector<double> values;
  std::vector<Eigen::Triplet<double>> entries;
  long size = 0;
  while (lines.next(numbers)) {
    if (width == 0) width = numbers.size();
    if (width != 3 && width != 5)
      lines.fail(
          "a matrix must be given by lines of 'row column value' or of 'node direction node "
          "direction value'");
    if (numbers.size() != width)
      lines.fail("this line has " + std::to_string(numbers.size()) +
                 " numbers; those before it have " + std::to_string(width));
    if (width == 3) {
      const long row = lines.whole(numbers[0], 1, "row");
      const long column = lines.whole(numbers[1], 1, "column");
      if (std::max(row, column) > most_rows(text))
        lines.fail("the file is too short for so large a matrix");
      size = std::max({size, row, column});
      entries.emplace_back(static_cast<int>(row - 1), static_cast<int>(column - 1), numbers[2]);
    } else {
      const auto label = [&](std::size_t i) -> NodeDof {
        return {lines.whole(numbers[i], -largest_number, "node"),
                lines.whole(numbers[i + 1], 0, "direction")};
      };
      places.emplace_back(label(0), label(2));
      values.push_back(numbers[4]);
    }
  }
  if (width == 0) throw Error(std::string(name) + " holds no entry of a matrix");
  if (width == 5) {
    for (const auto& [row, column] : places) {
      file.labels.push_back(row);
      file.labels.push_back(column);
    }
    std::sort(file.labels.begin(), file.labels.end());
    file.labels.erase(std::unique(file.labels.begin(), file.labels.end()), file.labels.end());
    const auto place = [&](const NodeDof& dof) {
      return static_cast<int>(std::lower_bound(file.labels.begin(), file.labels.end(), dof) -
                              file.labels.begin());
    };
    for (std::size_t i = 0; i < values.size(); ++i)
      entries.emplace_back(place(places[i].first), place(places[i].second), values[i]);
    size = static_cast<long>(file.labels.size());
  }
  file.sized = false;
  file.matrix.resize(size, size);
  file.matrix.setFromTriplets(entries.begin(), entries.end());
  mirror(file.matrix);
  return file;
}

std::filesystem::path file_of(const std::filesystem::path& name) {
  const std::string text = name.string();
  const std::size_t colon = colon_of(text);
  return colon == std::string::npos ? name : std::filesystem::path(text.substr(0, colon));
}

namespace {

/// The rows of a matrix of Ansys have their names in a file beside it.
MatrixFile with_mapping(MatrixFile file, const std::filesystem::path& path) {
  std::filesystem::path beside = path;
  beside.replace_extension(".mapping");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(beside, ignored)) return file;
  file.labels = parse_ansys_mapping(read_file(beside), beside.string());
  if (static_cast<Eigen::Index>(file.labels.size()) != file.matrix.rows())
    throw Error(beside.string() + " names " + std::to_string(file.labels.size()) +
                " degrees of freedom; " + path.string() + " has " +
                std::to_string(file.matrix.rows()) + " rows");
  return file;
}

}  // namespace

MatrixFile read_matrix_file(const std::filesystem::path& name, const std::string& otherwise) {
  const std::filesystem::path path = file_of(name);
  const std::size_t colon = colon_of(name.string());
  const std::string wanted =
      colon == std::string::npos ? otherwise : name.string().substr(colon + 1);
  if (ending(path) == ".mat") return {read_mat_sparse(path, wanted)};
  const std::string text = read_file(path);
  if (is_dmig(text)) return parse_dmig(text, path.string(), wanted);
  if (is_op4(text)) return parse_op4(text, path.string(), wanted);
  if (is_harwell_boeing(text)) return with_mapping(parse_harwell_boeing(text, path.string()), path);
  if (text.starts_with("%%") || text.starts_with("\xEF\xBB\xBF%%"))
    return {parse_matrix_market(text, path.string())};
  MatrixFile file = parse_matrix_triplets(text, path.string());
  std::filesystem::path dofs = path;
  dofs.replace_extension(".dof");
  std::error_code ignored;
  if (!file.labels.empty() || ending(path) == ".mtx" ||
      !std::filesystem::is_regular_file(dofs, ignored))
    return file;
  file.labels = parse_dof_list(read_file(dofs), dofs.string());
  const auto count = static_cast<Eigen::Index>(file.labels.size());
  if (count < file.matrix.rows())
    throw Error(dofs.string() + " names " + std::to_string(count) + " degrees of freedom; " +
                path.string() + " has " + std::to_string(file.matrix.rows()) + " rows");
  file.matrix.conservativeResize(count, count);
  return file;
}

}  // namespace microslip::io
