#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/files/places.hpp"
#include "microslip/io/text_table.hpp"

namespace microslip::catalog {

/// A table with a row for each joint or spring: columns `from` and `to`, or rows of a matrix of directions,
/// which a column `row` may name.
class ElementTable {
 public:
  using Row = io::TextTable::Row;

  /// `what` stands in messages: "joints". `directions` may be empty; `places` outlives the table.
  ElementTable(const std::filesystem::path& path, std::string what, const Places& places,
               std::vector<dynamics::Direction> directions);

  const std::string& source() const { return table_.source; }
  const std::vector<std::string>& headings() const { return table_.headings; }
  const std::vector<Row>& rows() const { return table_.rows; }
  std::optional<std::size_t> column(const std::string& heading) const;
  /// Empty if there is no such column.
  std::string cell(const Row& row, const std::string& heading) const;
  [[noreturn]] void refuse(const Row& row, std::size_t column, const std::string& why) const {
    table_.refuse(row, column, why);
  }
  [[noreturn]] void refuse_heading(const std::string& heading, const std::string& why) const;

  /// Of the element in row i. Throws an Error without a place; `at` is then the column it is about.
  dynamics::Direction direction(std::size_t i, std::size_t& at) const;
  /// The same of one with several directions, of these names: `from` and `to` are nodes whose `components` it
  /// takes, or so many consecutive rows of the matrix are its own, `row` being the first.
  std::vector<dynamics::Direction> directions(std::size_t i, const std::vector<std::string>& names,
                                              std::size_t& at);
  /// Whether all rows of the matrix were used, where no column `row` chooses among them.
  void check_rows() const;

 private:
  std::size_t first_row(std::size_t i, std::size_t& at) const;
  const Places& places_;
  std::vector<dynamics::Direction> directions_;
  std::string what_;
  std::size_t used_ = 0;  ///< rows of the matrix beyond one for each element so far
  io::TextTable table_;
};

}  // namespace microslip::catalog
