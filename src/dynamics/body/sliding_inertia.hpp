#pragma once

#include <vector>

#include "dynamics/joint/periodic_joint.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// Joints with rigid friction that get a mass to slide on. Equal samples take them as they are.
std::vector<std::size_t> sliding_joints(const Structure& structure, const PeriodicOptions& options);

/// Joints of which some move only as the others do.
struct TiedJoints {
  std::vector<std::size_t> members;
  std::vector<std::size_t> leaders;  ///< those of them that tell the motion of all
  bool apart = false;  ///< from joints that they share masses with, because these are too many
};
/// A joint that moves on its own is its own leader.
std::vector<TiedJoints> tied_joints(const Structure& structure,
                                    const std::vector<std::size_t>& sliding);

/// Whether a matrix is full, as those of reduced structures are.
bool is_filled(const SparseMatrix& matrix);

/// Tied joints, and a few that move each other at once because they share a mass: a stop of one
/// jerks the others, which an excitation on their common body need not follow.
std::vector<TiedJoints> joints_together(const Structure& structure,
                                        const std::vector<std::size_t>& sliding,
                                        const PeriodicOptions& options);

/// A body for joints to slide on, with coordinates q = Bᵀx in units of mass 1: mass, dashpots and
/// springs such that the force on it needs few harmonics. To the friction it is what the structure is.
struct BodyInertia {
  Eigen::MatrixXd directions;  ///< B
  Eigen::MatrixXd along;       ///< the motion of a member is along.col(member)ᵀ q
  Eigen::MatrixXd damping, stiffness;
  Eigen::VectorXd units;  ///< q of a motion of 1 of the leaders

  /// (K − h²ω² + ihωC) q of Fourier coefficients, function by function.
  Eigen::MatrixXd through(const Eigen::MatrixXd& q, double omega) const;
};
std::vector<BodyInertia> body_inertias(const Structure& structure,
                                       const std::vector<TiedJoints>& groups,
                                       const PeriodicOptions& options);

}  // namespace microslip::dynamics
