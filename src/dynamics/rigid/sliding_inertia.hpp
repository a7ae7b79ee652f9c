#pragma once

#include <vector>

#include "microslip/dynamics/periodic/periodic_joint.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// Joints with rigid friction that get a mass to slide on. Equal samples take them as they are.
std::vector<std::size_t> sliding_joints(const Structure& structure, const PeriodicOptions& options);

/// Joints of which some move only as the others do.
struct TiedJoints {
  std::vector<std::size_t> members;
  std::vector<std::size_t> leaders;  ///< those of them that tell the motion of all
};
/// A joint that moves on its own is its own leader.
std::vector<TiedJoints> tied_joints(const Structure& structure,
                                    const std::vector<std::size_t>& sliding);

/// Whether there are such joints with rigid friction.
bool has_tied_joints(const Structure& structure);

/// Whether a matrix is full, as those of reduced structures are.
bool is_filled(const SparseMatrix& matrix);
/// Large full structures are condensed; then joints are kept one by one.
bool is_large(const Structure& structure);

/// Whether one push may have several motions: friction depends on velocity, or static loads may
/// leave several joints at rest in several places.
bool starts_are_unknown(const Structure& structure, const std::vector<std::size_t>& sliding);

/// Tied joints, and a few that move each other at once because they share a mass: a stop of one
/// jerks the others, which a push on their common body need not follow.
std::vector<TiedJoints> joints_together(const Structure& structure,
                                        const std::vector<std::size_t>& sliding,
                                        const PeriodicOptions& options);

/// Masses, dashpots and springs for these joints to slide on, such that what pushes them needs few
/// harmonics: to the friction they are what the structure is.
std::vector<Inertia> sliding_inertias(const Structure& structure,
                                      const std::vector<std::size_t>& sliding,
                                      const PeriodicOptions& options);

/// The same for joints that are tied: one body with coordinates q = Bᵀx in units of mass 1.
struct BodyInertia {
  Eigen::MatrixXd directions;  ///< B
  Eigen::MatrixXd along;       ///< the motion of a member is along.col(member)ᵀ q
  Eigen::MatrixXd damping, stiffness;
};
BodyInertia body_inertia(const Structure& structure, const TiedJoints& joints,
                         const PeriodicOptions& options);

}  // namespace microslip::dynamics
