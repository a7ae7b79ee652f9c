#pragma once

#include "catalog/files/places.hpp"
#include "microslip/catalog/files/structure_file.hpp"

/// The parts of a structure file, each read by a file of its own.
namespace microslip::catalog {

/// Of [[load]]; rows of its file without a number become a note of the structure.
dynamics::Load load_of(const TomlTable& table, const Places& places, StructureFile& file);

/// Of [[analysis]].
Analysis analysis_of(const TomlTable& table, const Places& places, const StructureFile& file);

/// The structure of a document; [unknown] and [[data]] are for identification alone. `places` becomes those of the
/// file.
StructureFile structure_of(const TomlTable& root, Places& places);

/// Damping by ratios of modes: those of (M, K) by `damping`, those with the joints stuck, at their stiffness at rest,
/// by `stuck_damping`.
void add_modal_damping(const StructureParts& parts, dynamics::Structure& structure);

/// The interfaces of [[interface]]; they add degrees of freedom behind those of M.
void read_interfaces(const TomlTable& root, const Places& places, dynamics::Structure& structure);

}  // namespace microslip::catalog
