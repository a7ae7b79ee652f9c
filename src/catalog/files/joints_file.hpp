#pragma once

#include "catalog/files/places.hpp"
#include "microslip/catalog/files/structure_file.hpp"

namespace microslip::catalog {

/// Degrees of freedom of which all modes are computed at once; takes some seconds.
inline constexpr Eigen::Index most_by_dense_modes = 2000;

/// The joints of [[joint]] and of `joints`, a table with a row for each of them.
void read_joints(const TomlTable& root, const Places& places, StructureFile& file);

}  // namespace microslip::catalog
