#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/dynamics/structure/direction.hpp"

/// Linear modes.
namespace microslip::dynamics {

struct Structure;

/// C such that the modes of (M, K) have these damping ratios, first modes first; modes beyond the
/// list have none.
SparseMatrix modal_damping(const SparseMatrix& M, const SparseMatrix& K,
                           const std::vector<double>& ratios);

/// ω² ascending and mass-normalised shapes of a dense pencil.
struct Modes {
  Eigen::VectorXd omega;
  Eigen::MatrixXd shapes;
};
Modes linear_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K);
/// Mode of M and K with the joints' tangents at rest; of joints with several directions those about a
/// static displacement x, if it is given.
Modes modes_at_rest(const Structure& structure, const Eigen::VectorXd& x = {});

}  // namespace microslip::dynamics
