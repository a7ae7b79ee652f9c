#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

/// Linear modes of a structure with joints: what its small vibrations are.
namespace microslip::dynamics {

/// What stands for a joint in small vibrations: nothing; its stiffness at rest; or that of a small loop
/// about the state under the static loads.
enum class JointTangents { free, stuck, preloaded };

/// x(t) = Re X exp(λt), with |λ| = ω, Re λ = −ζω and XᴴMX = 1; the largest element of X is real and positive.
/// A mode that does not vibrate (two real λ of a coupled system) has ζ = 1 or −1 and ω = |λ|.
struct SmallVibration {
  double omega = 0, zeta = 0;
  Eigen::VectorXcd shape;
};

/// The first `count` modes by ω, or all of them if these are fewer. Rigid friction that is stuck is a stiff
/// link (six digits). Up to 600 degrees of freedom damping couples all modes; of larger structures the
/// lowest, twice as many as asked for.
std::vector<SmallVibration> small_vibrations(const Structure& structure, JointTangents joints,
                                             int count);

}  // namespace microslip::dynamics
