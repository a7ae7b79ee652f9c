#pragma once

#include <Eigen/Core>

#include "dynamics/continuation/continuation.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// How many harmonics a balance has whose solution estimates what H harmonics leave out.
inline int finer_harmonics(int harmonics) { return 2 * harmonics + 1; }

/// What the harmonics left out change: one step of Newton's method with twice the harmonics, from a point
/// of a curve and its tangent, both with zeros for the further harmonics. The harmonics of force that
/// were left out meet the joints as well as the structure there: a stiff slider that sticks answers
/// a small motion by a large force, which an impedance of the structure alone does not know.
///
/// The change is that at the same parameter (ω, level, amplitude). Near a turning point there is none, and
/// it counts as at most 1000 times the distance of the curves. Empty if the step fails.
Eigen::VectorXd change_by_harmonics(Equations& finer, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& tangent);

/// Displacements as Fourier coefficients of so many unknowns each, and their highest harmonic that counts.
struct Vibration {
  const Eigen::VectorXd& coefficients;
  int harmonics;
};

/// What part a change is of a vibration: by kinetic energy, in any coordinates, or by the largest displacement of
/// what has no mass. Units by stiffnesses would count many times over what a body moves in a stiff direction as a
/// whole.
double part_of_vibration(const SparseMatrix& M, Eigen::Index dofs, const Vibration& change,
                         const Vibration& motion);

/// An error that falls at least like 1/H is at most twice what doubling H changes.
inline constexpr double of_all_harmonics = 2;

}  // namespace microslip::dynamics
