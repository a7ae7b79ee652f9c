#include "microslip/io/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "columns.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/mat_file.hpp"

namespace microslip::io {
namespace {

/// Versions 5 to 7.3 begin with their name; version 4 goes by the ending.
bool is_mat_file(const std::filesystem::path& path) {
  if (is_standard_stream(path)) return false;
  if (csv::lower(path.extension().string()) == ".mat") return true;
  std::array<char, 7> head{};
  std::ifstream stream(path, std::ios::binary);
  return stream.read(head.data(), 7) && std::string_view(head.data(), 7) == "MATLAB ";
}

/// One column of numbers in a MAT file.
struct Place {
  std::string variable;
  Eigen::Index column = 0;
  bool lies = false;  ///< a row vector
};

class MatRecord {
 public:
  MatRecord(const std::filesystem::path& path, const Wanted& wanted)
      : path_(path), wanted_(wanted) {
    table_.source = path.string();
    std::size_t matrices = 0, others = 0;
    for (const MatVariable& v : mat_variables(path)) {
      if (!v.numeric || v.sparse || v.size.size() != 2) continue;
      const std::size_t rows = v.size[0], columns = v.size[1];
      if (rows * columns < 2) continue;  // a scalar is no column
      const bool lies = rows == 1;
      const bool vector = lies || columns == 1;
      ++(vector ? others : matrices);
      const std::string short_name = v.name.substr(v.name.rfind('.') + 1);
      for (std::size_t j = 0; j < (vector ? 1 : std::min(columns, most)); ++j) {
        const std::string index = vector ? "" : fmt::format("(:,{})", j + 1);
        headings_.push_back({v.name + index, short_name + index, ""});
        places_.push_back({v.name, static_cast<Eigen::Index>(j), lies});
      }
    }
    if (headings_.empty())
      throw Error(table_.source + " holds no vector or matrix of real numbers");
    if (others == 0 && matrices == 1) ColumnChoice::name_by_position(headings_, wanted);
  }

  Table read() {
    const auto names = ColumnChoice(headings_, wanted_, table_.source, 0, "variable").names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      const Eigen::MatrixXd matrix = read_mat_matrix(path_, places_[i].variable);
      const Eigen::VectorXd values = places_[i].lies
                                         ? Eigen::VectorXd(matrix.row(0).transpose())
                                         : Eigen::VectorXd(matrix.col(places_[i].column));
      table_.columns.push_back({names[i], "",
                                std::vector<double>(values.data(), values.data() + values.size()),
                                0, headings_[i].text});
    }
    check();
    choose_rows();
    return std::move(table_);
  }

 private:
  static constexpr std::size_t most = 100;  ///< columns of a matrix that are looked at

  void check() const {
    const Column& first = table_.columns.front();
    for (const Column& column : table_.columns) {
      if (column.values.size() != first.values.size())
        throw Error(fmt::format("{}: {} has {} rows, but {} has {}", table_.source,
                                csv::shown(column.heading), column.values.size(),
                                csv::shown(first.heading), first.values.size()));
      for (std::size_t i = 0; i < column.values.size(); ++i) {
        const double value = column.values[i];
        if (!std::isfinite(value))
          throw Error(
              fmt::format("{}: row {} of {} is not finite, but only finite numbers are "
                          "allowed",
                          table_.source, i + 1, csv::shown(column.heading)));
        if (column.name == "t" && i > 0 && !(value > column.values[i - 1]))
          throw Error(
              fmt::format("{}: row {} of {}: t = {} must be larger than {} in the row before",
                          table_.source, i + 1, csv::shown(column.heading), exact_text(value),
                          exact_text(column.values[i - 1])));
      }
    }
  }

  void choose_rows() {
    const RowRange& range = wanted_.rows;
    if (range.everything()) return;
    const std::size_t rows = table_.rows();
    std::size_t begin = std::min(range.first - 1, rows), end = std::min(range.last, rows);
    if (range.from || range.to) {
      const Column* t = table_.find("t");
      if (!t) throw Error(table_.source + " has no variable t, so rows cannot be chosen by time");
      while (begin < end && range.from && t->values[begin] < *range.from) ++begin;
      while (end > begin && range.to && t->values[end - 1] > *range.to) --end;
    }
    if (begin >= end)
      throw Error(fmt::format("{} has {} rows; none of them was chosen", table_.source, rows));
    for (Column& column : table_.columns)
      column.values =
          std::vector<double>(column.values.begin() + static_cast<std::ptrdiff_t>(begin),
                              column.values.begin() + static_cast<std::ptrdiff_t>(end));
  }

  const std::filesystem::path& path_;
  const Wanted& wanted_;
  std::vector<csv::Heading> headings_;
  std::vector<Place> places_;
  Table table_;
};

}  // namespace

Table read_record(const std::filesystem::path& path, const Wanted& wanted) {
  return is_mat_file(path) ? MatRecord(path, wanted).read() : read_csv(path, wanted);
}

}  // namespace microslip::io
