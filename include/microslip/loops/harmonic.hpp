#pragma once

#include <cstddef>
#include <optional>

#include "microslip/core/any_model.hpp"

/// The first harmonic of a law under a steady sinusoidal motion u = A sin θ, θ = ωt:
///
///     f ≈ mean + b1 sin θ + a1 cos θ,
///     a1 = (1/π) ∮ f cos θ dθ = D/(πA),   b1 = (1/π) ∮ f sin θ dθ,   ζ_eff = a1/(2A)
///
/// (Mathis et al., Applied Mechanics Reviews 72 (2020) 040802, section 6; their oscillator has unit
/// mass and stiffness.) D is the energy lost in a cycle. This is what averaging and describing
/// functions need of a joint.
///
/// A law driven by force follows f = A sin θ, and its displacement lags behind:
///
///     u ≈ mean + b1 sin θ − a1 cos θ,   a1 = D/(πA).
///
/// Either way the law is, to the first harmonic, the complex stiffness (force over displacement)
///
///     K = (b1 + i a1)/A    or, driven by force,    K = A/(b1 − i a1),
///
/// and ζ_eff = Im K/2, which is D/(2πU²) with the amplitude U of the first harmonic of u.
namespace microslip::loops {

struct FirstHarmonic {
  double amplitude = 0;  ///< of the displacement, or of the force for a law driven by force
  double omega = 1;

  double a1 = 0;      ///< of the force in phase with the velocity; of u, behind the force
  double b1 = 0;      ///< of the force in phase with the displacement; of u, with the force
  double mean = 0;    ///< of the answer over θ
  double energy = 0;  ///< D = π A a1
  double secant = 0;  ///< stiffness between the tips; infinite if a force moves nothing
  double error = 0;   ///< estimated error of a1 and b1, relative to the largest answer

  Status status = Status::ok;
  bool closed = false;       ///< the loop returned to its starting point
  bool closed_form = false;  ///< from a formula, not from a computed loop
  std::size_t cycles = 0;    ///< computed until it was closed
  Driven driven = Driven::displacement;

  double zeta_eff() const {
    if (driven == Driven::displacement) return a1 / (2 * amplitude);
    return 0.5 * amplitude * a1 / (a1 * a1 + b1 * b1);
  }
  /// Re K.
  double stiffness() const {
    if (driven == Driven::displacement) return b1 / amplitude;
    return amplitude * b1 / (a1 * a1 + b1 * b1);
  }
  /// D/(4π · ½ k u₀²) with the secant stiffness k and the displacement u₀ at the tips.
  double damping() const {
    if (driven == Driven::displacement) return a1 / (2 * secant * amplitude);
    return 0.5 * a1 * secant / amplitude;
  }
};

struct HarmonicOptions {
  bool use_closed_form = true;
  bool energy_only = false;  ///< leave out b1, mean and error of rate-independent laws: faster
  double tolerance = 1e-10;  ///< of a1 and b1, relative to the largest answer
  std::size_t most_cycles = 2000;  ///< before a loop counts as one that does not close
};

/// Of any scalar law, along the exact steady loop.
///
/// Rate-independent laws are followed from reversal to reversal until force and energy of a cycle
/// repeat; then each branch is cut at its kinks and integrated by Gauss–Kronrod rules, with the law
/// evaluated at the nodes in one step each. Laws that see velocity are followed in equal steps, the
/// force taken in the middle of each; their number is doubled and the limit extrapolated.
///
/// Throws Error unless amplitude and omega are positive and finite, and for laws in the plane.
FirstHarmonic first_harmonic(const AnyModel& model, double amplitude, double omega = 1,
                             const HarmonicOptions& options = {});

/// By formula, for laws that bring one (core/first_harmonic.hpp) and for sums of them; nothing for
/// other laws.
std::optional<FirstHarmonic> closed_form(const AnyModel& model, double amplitude, double omega = 1);

}  // namespace microslip::loops
