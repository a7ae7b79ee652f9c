#pragma once

/// Matrices as finite-element codes and laboratories deliver them:
///
///   Matrix Market   .mtx with its banner, see matrix_market.hpp
///   CalculiX        .sti, .mas and others of *FREQUENCY, SOLVER=MATRIXSTORAGE: lines `row column
///                   value` of one triangle; the file .dof beside them names the rows, `node.direction`
///   Abaqus          .mtx of *MATRIX OUTPUT, a text without banner: lines `node, direction, node,
///                   direction, value` (FORMAT=MATRIX INPUT or LABELS) or `row, column, value`
///                   (COORDINATE); `**` starts a comment, lines with one `*` are skipped
///   Nastran         DMIG of bulk data and punch files in any width of fields, and OUTPUT4 as text; a file with
///                   several matrices takes the name behind a colon, `model.pch:KAAX`
///   Ansys           Harwell–Boeing as of HBMAT; the file .mapping beside it names the rows
///   MAT             .mat, a variable of it: `model.mat:K`, `model.mat:model.K`; see mat_file.hpp
///
/// Text matrices of which only one triangle is given are symmetric. Entries given twice are added.

#include <Eigen/SparseCore>
#include <compare>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace microslip::io {

/// A degree of freedom as a finite-element code names it.
struct NodeDof {
  long node = 0;
  long direction = 0;  ///< 1, 2, 3 translations, 4, 5, 6 rotations in most codes
  auto operator<=>(const NodeDof&) const = default;

  std::string text() const;  ///< "12.3"
};

struct MatrixFile {
  Eigen::SparseMatrix<double> matrix;
  std::vector<NodeDof> labels{};  ///< of rows and columns; empty where the file has none
  bool sized = true;  ///< false: the file does not say how many rows there are; zeros may follow
};

/// `name` may end in `:VARIABLE` for files that hold several; without, the variable `otherwise` is read. Throws
/// Error with the file and the line where something else stands there.
MatrixFile read_matrix_file(const std::filesystem::path& name, const std::string& otherwise);

/// The triplets of CalculiX and Abaqus.
MatrixFile parse_matrix_triplets(std::string_view text, std::string_view name);

/// The lines `node.direction` of CalculiX' file .dof.
std::vector<NodeDof> parse_dof_list(std::string_view text, std::string_view name);

/// The file alone, without the variable.
std::filesystem::path file_of(const std::filesystem::path& name);

}  // namespace microslip::io
