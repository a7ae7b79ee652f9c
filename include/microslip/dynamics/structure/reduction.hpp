#pragma once

#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/structure/structure.hpp"

/// Large linear parts made small: the degrees of freedom at joints and loads are kept, the others
/// follow them statically and move in their lowest modes with the kept ones held (Craig and
/// Bampton, AIAA Journal 6 (1968) 1313–1319).
namespace microslip::dynamics {

struct Reduced {
  Structure structure;
  std::vector<Eigen::Index> kept;  ///< first unknowns of the reduced structure, counted from 0
  Eigen::VectorXd frequencies;     ///< of the fixed-interface modes, which follow
  double left_out = infinity;      ///< the lowest frequency of those that are left out
  Eigen::MatrixXd basis;           ///< full motion = basis · reduced motion
};

/// The modes that are left out follow a load on several degrees of freedom statically: what its static
/// displacement lacks is one more coordinate (modal truncation augmentation; Dickens, Nakagawa and
/// Wittbrodt, Computers & Structures 62 (1997) 985–998).
///
/// Keeps what joints touch, single degrees of freedom that loads act on, and `keep`; all other
/// loads are projected.
Reduced craig_bampton(const Structure& structure, int modes,
                      const std::vector<Eigen::Index>& keep = {});

/// The lowest modes, of unit modal mass; of large structures by Lanczos's method. M is positive definite, K
/// may leave rigid-body motions free.
Modes lowest_modes(const SparseMatrix& M, const SparseMatrix& K, int count);

/// Decoupled modal joints (Mathis et al., section 7, eq. 119): the structure in coordinates of its
/// first modes at rest, where each joint acts on one mode at a time, as if the others were still.
/// Next to it the coupled modal form (120) with the same modes, where joints see the whole motion.
struct Modal {
  Structure coupled, decoupled;
  Eigen::MatrixXd shapes;
};
Modal modal_joints(const Structure& structure, int modes);

}  // namespace microslip::dynamics
