#pragma once

#include <Eigen/SparseCore>

#include "catalog/files/toml_table.hpp"

namespace microslip::catalog {

/// A whole number from `least` to `most`; what is counted from 1 in the text counts from 0 in the result.
Eigen::Index row_number(const TomlTable& table, const std::string& key, double number,
                        Eigen::Index least, Eigen::Index most);

/// A square matrix by its entries: { rows, row, column, value }, counted from 1, and perhaps a name.
Eigen::SparseMatrix<double> listed_matrix(const TomlTable& table);

}  // namespace microslip::catalog
