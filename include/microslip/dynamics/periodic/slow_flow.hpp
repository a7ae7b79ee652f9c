#pragma once

/// Slow flow of an oscillator with one degree of freedom: amplitude and phase against time,
///
///     m x″ + c x′ + k x + Σ f = F cos(ωt + ψ),   x ≈ A cos(ωt + φ),
///
/// by multiple scales (Mathis et al., Applied Mechanics Reviews 72 (2020) 040802, eqs (100), (108)).
/// With ω₀² = k/m and the first harmonic a1(A), b1(A) of the joint and damper forces,
///
///     A′ = −(a1 + F sin(φ − ψ))/(2mω₀),   A φ′ = A (ω₀ − ω) + (b1 − F cos(φ − ψ))/(2mω₀).
///
/// Without a load ω = ω₀. The equations are integrated for A cos φ and A sin φ, in which they are
/// regular at A = 0. First order: good where joints, dampers and load are weak against k.

#include <functional>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

struct SlowFlowOptions {
  double until = 0;
  double step = 0;  ///< distance of rows; 0: a twentieth of a period
  double tolerance = 1e-6;
  double x0 = 0, v0 = 0;
  std::function<bool(double)> progress{};  ///< part of the way done; false stops
};

struct SlowFlow {
  double omega = 0;  ///< of the load, or ω₀
  std::vector<double> t, amplitude, phase;
  std::vector<double> x;  ///< A cos(ωt + φ)
  bool at_rest = false;   ///< the amplitude came to 0: friction ended the motion
};

/// Throws Error unless the structure has one degree of freedom, k > 0 and at most one load, a tone.
SlowFlow slow_flow(const Structure& structure, const SlowFlowOptions& options);

}  // namespace microslip::dynamics
