#pragma once

/// Matrices as finite-element codes write them: the Matrix Market exchange format, coordinate or
/// array, real or integer or pattern, general or symmetric or skew-symmetric.

#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <string_view>

namespace microslip::io {

/// Throws Error with the file and the line for anything else.
Eigen::SparseMatrix<double> parse_matrix_market(std::string_view text, std::string_view name);
Eigen::SparseMatrix<double> read_matrix_market(const std::filesystem::path& path);

/// The text of a file: coordinate, real, general; numbers read back as the same bits.
std::string matrix_market_text(const Eigen::SparseMatrix<double>& matrix);

}  // namespace microslip::io
