#pragma once

/// MAT files of MATLAB and Octave, versions 4, 5, 7 and 7.3, through libmatio.
///
/// A variable goes by its name; a field of a 1×1 struct by the names joined with dots: `model.K`.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace microslip::io {

struct MatVariable {
  std::string name;
  std::vector<std::size_t> size;  ///< at least two numbers: rows and columns
  bool numeric = false;           ///< real numbers, full or sparse, in a matrix
  bool sparse = false;
};

/// What a file holds, fields of structs included, in its order. Throws Error if it is no MAT file.
std::vector<MatVariable> mat_variables(const std::filesystem::path& path);

/// A matrix of real numbers. Throws Error with the names that there are if there is no such
/// variable, and where it is no matrix of real numbers.
Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& path, const std::string& name);
Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& path,
                                            const std::string& name);

}  // namespace microslip::io
