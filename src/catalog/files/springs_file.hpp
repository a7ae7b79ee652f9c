#pragma once

#include "catalog/files/places.hpp"
#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/structure_file.hpp"

namespace microslip::catalog {

/// Products of larger numbers would be infinite somewhere on the way.
inline constexpr double most_coefficient = 1e150;

/// Adds the springs and dampers of [[spring]], [[damper]] and of `springs`, a table with a row for each of
/// them: from, to (or a row of directions), k, c, name. Each is listed in `parts`, too.
void read_springs(const TomlTable& root, const Places& places, StructureParts& parts,
                  dynamics::Structure& structure);

}  // namespace microslip::catalog
