#pragma once

#include "catalog/files/places.hpp"
#include "microslip/catalog/files/structure_file.hpp"

namespace microslip::catalog {

/// Takes degrees of freedom without mass out of a structure, which is exact. With m the massless ones
/// and b the others, x_m = K_mm⁻¹ (F_m − K_mb x_b − W_m f), so that
///
///     K → K_bb − K_bm K_mm⁻¹ K_mb,   w → w_b − K_bm K_mm⁻¹ w_m,   u_j = wᵀx_b − Σ_l G_jl f_l,
///
/// G = W_mᵀ K_mm⁻¹ W_m. A joint that touches massless points thus gets a spring of compliance G_jj in
/// series; joints that share such points are solved together. Throws Error where a point is held by no
/// spring, a damper touches it, or a load or sensor needs the motion that joints give to it.
/// `kept` are the degrees of freedom left, from 0.
void condense_massless(const TomlTable& root, const Places& places, StructureFile& file,
                       std::vector<Eigen::Index>& kept);

}  // namespace microslip::catalog
