#include "catalog/files/number_list.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cstdlib>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/matrix_market.hpp"

namespace microslip::catalog {
namespace {

std::vector<double> numbers_in(const std::string& text, const std::string& file) {
  std::vector<double> numbers;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\n' || c == '\r') {
      line += c == '\n';
      ++i;
    } else {
      char* end = nullptr;
      numbers.push_back(std::strtod(text.c_str() + i, &end));
      const auto length = static_cast<std::size_t>(end - (text.c_str() + i));
      if (length == 0) throw Error::at(file, line, 1, "a number is expected here");
      i += length;
    }
  }
  return numbers;
}

}  // namespace

std::vector<double> read_number_list(const std::filesystem::path& file) {
  const std::string text = io::read_file(file), name = file.string();
  if (!text.starts_with("%%MatrixMarket")) return numbers_in(text, name);
  const auto column = io::parse_matrix_market(text, name);
  if (column.cols() != 1 && column.rows() != 1)
    throw Error(name + " must hold one column of numbers");
  const Eigen::MatrixXd dense(column);
  return {dense.data(), dense.data() + dense.size()};
}

}  // namespace microslip::catalog
