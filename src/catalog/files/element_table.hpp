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

 private:
  const Places& places_;
  std::vector<dynamics::Direction> directions_;
  io::TextTable table_;
};

}  // namespace microslip::catalog
