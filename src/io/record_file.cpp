#include "microslip/io/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/table/columns.hpp"
#include "io/table/settle.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/uff_file.hpp"

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

void check_lengths(const Table& table) {
  const Column& first = table.columns.front();
  for (const Column& column : table.columns)
    if (column.values.size() != first.values.size())
      throw Error(fmt::format("{}: {} has {} rows, but {} has {}", table.source,
                              csv::shown(column.heading), column.values.size(),
                              csv::shown(first.heading), first.values.size()));
}

/// The place of the first row that is left.
std::size_t choose_rows(const RowRange& range, Table& table) {
  if (range.everything()) return 0;
  const std::size_t rows = table.rows();
  std::size_t begin = std::min(range.first - 1, rows), end = std::min(range.last, rows);
  if (range.from || range.to) {
    const Column* t = table.find("t");
    if (!t) throw Error(table.source + " has no variable t, so rows cannot be chosen by time");
    while (begin < end && range.from && !(t->values[begin] >= *range.from)) ++begin;
    while (end > begin && range.to && !(t->values[end - 1] <= *range.to)) --end;
  }
  if (begin >= end)
    throw Error(fmt::format("{} has {} rows; none of them was chosen", table.source, rows));
  for (Column& column : table.columns)
    column.values = std::vector<double>(column.values.begin() + static_cast<std::ptrdiff_t>(begin),
                                        column.values.begin() + static_cast<std::ptrdiff_t>(end));
  return begin;
}

/// Finite numbers, and time that runs. `first` is the place of the first row in the file.
void check_numbers(std::size_t first, Missing missing, Table& table) {
  bool finite = true;
  for (const Column& column : table.columns) {
    double before = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const double value = column.values[i];
      finite = finite && std::isfinite(value);
      if (!std::isfinite(value) && missing == Missing::refuse)
        throw Error(
            fmt::format("{}: row {} of {} is not finite, but only finite numbers are "
                        "allowed",
                        table.source, first + i + 1, csv::shown(column.heading)));
      if (column.name != "t" || !std::isfinite(value)) continue;
      if (value <= before)
        throw Error(fmt::format("{}: row {} of {}: t = {} must be larger than {} in the row before",
                                table.source, first + i + 1, csv::shown(column.heading),
                                exact_text(value), exact_text(before)));
      before = value;
    }
  }
  if (!finite && missing != Missing::keep)
    settle_missing_rows(table, missing,
                        [&](std::size_t i) { return fmt::format("row {}", first + i + 1); });
}

/// What all kinds of files have in common, once the columns are there.
void choose_and_check(const Wanted& wanted, Table& table) {
  check_lengths(table);
  const std::size_t first = choose_rows(wanted.rows, table);
  check_numbers(first, wanted.missing, table);
}

/// One column of numbers in a MAT file.
struct Place {
  std::string variable;
  Eigen::Index number = 0;  ///< of a column, or of a row
  bool lies = false;        ///< in a row
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
      // Measurements have more samples than channels.
      const bool lies = columns > rows;
      const std::size_t channels = std::min(rows, columns);
      ++(channels == 1 ? others : matrices);
      const std::string short_name = v.name.substr(v.name.rfind('.') + 1);
      for (std::size_t j = 0; j < std::min(channels, most); ++j) {
        const std::string index = channels == 1 ? ""
                                  : lies        ? fmt::format("({},:)", j + 1)
                                                : fmt::format("(:,{})", j + 1);
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
      const Eigen::VectorXd values =
          places_[i].lies ? Eigen::VectorXd(matrix.row(places_[i].number).transpose())
                          : Eigen::VectorXd(matrix.col(places_[i].number));
      table_.columns.push_back({names[i], "",
                                std::vector<double>(values.data(), values.data() + values.size()),
                                0, headings_[i].text});
    }
    choose_and_check(wanted_, table_);
    return std::move(table_);
  }

 private:
  static constexpr std::size_t most = 100;  ///< columns of a matrix that are looked at

  const std::filesystem::path& path_;
  const Wanted& wanted_;
  std::vector<csv::Heading> headings_;
  std::vector<Place> places_;
  Table table_;
};

/// JSON begins with a brace, which no table of numbers does.
bool is_json_file(const std::filesystem::path& path) {
  if (is_standard_stream(path)) return false;
  if (csv::lower(path.extension().string()) == ".json") return true;
  std::ifstream stream(path, std::ios::binary);
  char first = 0;
  return stream >> first && first == '{';
}

/// An object whose lists of numbers are columns, or one whose member `columns` is such an object.
Table read_json_columns(const std::filesystem::path& path, const Wanted& wanted) {
  using Json = nlohmann::ordered_json;
  Table table;
  table.source = path.string();
  Json document;
  try {
    document = Json::parse(read_file(path));
  } catch (const Json::exception&) {
    throw Error(table.source + " is not JSON");
  }
  const Json& object =
      document.is_object() && document.contains("columns") && document.at("columns").is_object()
          ? document.at("columns")
          : document;
  std::vector<csv::Heading> headings;
  std::vector<const Json*> lists;
  if (object.is_object())
    for (const auto& [name, list] : object.items())
      if (list.is_array() && std::any_of(list.begin(), list.end(),
                                         [](const Json& entry) { return entry.is_number(); })) {
        headings.push_back(csv::parse_heading(name));
        lists.push_back(&list);
      }
  if (headings.empty())
    throw Error(
        table.source +
        " holds no lists of numbers; columns are lists by name: {\"t\": [0, 0.1], \"u\": [0, 1]}");
  const auto names = ColumnChoice(headings, wanted, table.source, 0, "list").names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    std::vector<double> values;
    for (const Json& number : *lists[i]) {
      if (number.is_null()) {  // as NaN is written
        values.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      if (!number.is_number())
        throw Error(fmt::format("{}: entry {} of {} must be a number", table.source,
                                values.size() + 1, csv::shown(headings[i].text)));
      values.push_back(number.get<double>());
    }
    table.columns.push_back({names[i], headings[i].unit, std::move(values), 0, headings[i].text});
  }
  choose_and_check(wanted, table);
  return table;
}

bool is_uff_file(const std::filesystem::path& path) {
  if (is_standard_stream(path)) return false;
  std::string head(200, ' ');
  std::ifstream stream(path, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  return looks_like_uff(head);
}

/// The functions of time of a universal file are columns; those that are chosen share one time.
Table read_uff_columns(const std::filesystem::path& path, const Wanted& wanted) {
  const UffFile file = read_uff(path);
  Table table;
  table.source = path.string();
  std::vector<const UffFunction*> columns{nullptr};  // the time, then its functions
  std::string others;
  for (const UffFunction& f : file.functions) {
    const bool of_time = (f.type == 1 || f.type == 0) && f.abscissa.quantity != 18 && !f.complex;
    if (of_time)
      columns.push_back(&f);
    else
      others = fmt::format("; its {} functions are spectra or frequency responses",
                           file.functions.size());
  }
  if (columns.size() == 1) throw Error(table.source + " holds no record in time" + others);
  std::vector<csv::Heading> headings{csv::parse_heading(
      columns[1]->abscissa.unit.empty() ? "t" : "t [" + columns[1]->abscissa.unit + "]")};
  for (std::size_t i = 1; i < columns.size(); ++i)
    headings.push_back(csv::parse_heading(columns[i]->heading()));
  const auto names = ColumnChoice(headings, wanted, table.source, 0, "channel").names();
  const UffFunction* first = nullptr;
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const UffFunction& f = *columns[i];
    if (first && f.x != first->x)
      throw Error(fmt::format("{}: {} (line {}) and {} (line {}) have different times",
                              table.source, csv::shown(f.heading()), f.line,
                              csv::shown(first->heading()), first->line));
    if (!first) first = &f;
    std::vector<double> values;
    for (const std::complex<double>& value : f.values) values.push_back(value.real());
    table.columns.push_back(
        {names[i], headings[i].unit, std::move(values), i + 1, headings[i].text});
  }
  if (!names[0].empty())
    table.columns.insert(
        table.columns.begin(),
        {names[0], headings[0].unit, first ? first->x : columns[1]->x, 1, headings[0].text});
  choose_and_check(wanted, table);
  return table;
}

}  // namespace

Table read_record(const std::filesystem::path& path, const Wanted& wanted) {
  if (is_mat_file(path)) return MatRecord(path, wanted).read();
  if (is_uff_file(path)) return read_uff_columns(path, wanted);
  return is_json_file(path) ? read_json_columns(path, wanted) : read_csv(path, wanted);
}

}  // namespace microslip::io
