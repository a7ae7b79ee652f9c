#pragma once

#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"

/// Matrices in the text formats of Nastran and Ansys.
namespace microslip::io {

/// Lines of DMIG in bulk data and punch files, in small, large and free fields.
bool is_dmig(std::string_view text);
/// OUTPUT4 as text: the heading `columns rows form type NAME 1P,3E23.16`.
bool is_op4(std::string_view text);
/// The Harwell–Boeing format, as HBMAT writes it: the third line begins with a type such as RSA.
bool is_harwell_boeing(std::string_view text);

/// The matrix `wanted` of a file that may hold several. Without that name: the only one, or the only one whose name begins
/// with it, as KAAX for K.
MatrixFile parse_dmig(std::string_view text, std::string_view name, const std::string& wanted);
MatrixFile parse_op4(std::string_view text, std::string_view name, const std::string& wanted);
MatrixFile parse_harwell_boeing(std::string_view text, std::string_view name);
/// The file .mapping that Ansys writes beside: lines `equation node label` after headings.
std::vector<NodeDof> parse_ansys_mapping(std::string_view text, std::string_view name);

/// The other triangle, if only one is there.
void mirror(Eigen::SparseMatrix<double>& matrix);

}  // namespace microslip::io
