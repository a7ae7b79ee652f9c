#pragma once

#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/joint_file.hpp"

namespace microslip::catalog {

/// The tables [matrices], [contact] and [load] of a joint by matrices.
MatrixJointFile matrix_joint_of(const TomlTable& matrices, const TomlTable& contact,
                                const TomlTable& load);

}  // namespace microslip::catalog
