#pragma once

/// Averaging of an oscillator with one degree of freedom,
///     m x″ + c x′ + k x + Σ f = F sin ωt,   x ≈ A sin(ωt + φ),
/// by multiple scales (Mathis et al., Applied Mechanics Reviews 72 (2020) 040802, section 6). With
/// ω₀² = k/m, ω = ω₀(1 + α), and the first harmonic a1, b1 of the joint and damper forces,
///     (a1/2)² + (α k A − b1/2)² = (F/2)²                                           (102)
/// gives α for each amplitude; the resonance curve is α = b1/(2kA), F = a1 (104), and
/// ζ_eff = a1/(2kA) (112). First order: good where the joints are weak against k.

#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

struct AveragedPoint {
  double amplitude = 0;
  double a1 = 0, b1 = 0;  ///< forces in phase with velocity and with displacement
  double omega = 0;       ///< of resonance
  double zeta = 0;
  double force = 0;  ///< that reaches this amplitude at resonance
};

/// Throws Error unless the structure has one degree of freedom and k > 0.
AveragedPoint averaged(const Structure& structure, double amplitude);

struct AveragedResponse {
  std::vector<double> omega, amplitude, phase;  ///< phase as in x ≈ A cos(ωt + φ) under F cos ωt
  double peak_omega = 0, peak_amplitude = 0;
};

/// The response to a harmonic force between two frequencies, along its curve from the lower one.
AveragedResponse averaged_response(const Structure& structure, double force, double omega_from,
                                   double omega_to, int points = 200);

/// Force of the first tone of the load.
double harmonic_force(const Structure& structure);

}  // namespace microslip::dynamics
