#pragma once

#include <vector>

#include "catalog/composition/wrapped.hpp"

/// Laws with several directions around another law: `scaled`, `rotated`, `axis`.
///
///     v = A u,   f = c Aᵀ g,   g = law[v]
///
/// so that the work of f on u is c times that of g on v. A is a multiple of the identity (scaled), a
/// rotation in the plane, or a row that picks one direction of a scalar law (axis).
namespace microslip::catalog {

enum class Mapping { scaled, rotated, axis };

/// `own` are the numbers of the wrapper, checked and complete.
AnyModel make_mapped(const Wrapper& wrapper, Mapping mapping, const std::vector<double>& own,
                     Inside inside);

}  // namespace microslip::catalog
