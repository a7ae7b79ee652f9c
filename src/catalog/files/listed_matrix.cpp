#include "catalog/files/listed_matrix.hpp"

#include <cmath>

#include "microslip/core/text.hpp"

namespace microslip::catalog {

Eigen::Index row_number(const TomlTable& table, const std::string& key, double number,
                        Eigen::Index least, Eigen::Index most) {
  if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most)) ||
      number != std::floor(number))
    table.refuse(key, key + " has " + number_text(number) + "; there are rows from 1 to " +
                          std::to_string(most));
  return static_cast<Eigen::Index>(number) - 1;
}

Eigen::SparseMatrix<double> listed_matrix(const TomlTable& table) {
  table.allow({"name", "rows", "row", "column", "value"});
  const Eigen::Index rows = table.whole("rows");
  if (rows < 1) table.refuse("rows", "rows must be positive");
  const std::vector<double> row = table.numbers("row"), column = table.numbers("column"),
                            value = table.numbers("value");
  if (row.size() != value.size() || column.size() != value.size())
    table.refuse("value", "row, column and value must have the same length");
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < value.size(); ++i)
    entries.emplace_back(row_number(table, "row", row[i], 1, rows),
                         row_number(table, "column", column[i], 1, rows), value[i]);
  Eigen::SparseMatrix<double> matrix(rows, rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace microslip::catalog
