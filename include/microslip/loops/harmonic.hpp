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
namespace microslip::loops {

struct FirstHarmonic {
  double amplitude = 0;
  double omega = 1;

  double a1 = 0;      ///< in phase with the velocity
  double b1 = 0;      ///< in phase with the displacement
  double mean = 0;    ///< mean force over θ
  double energy = 0;  ///< D = π A a1
  double secant = 0;  ///< (f at A − f at −A) / 2A
  double error = 0;   ///< estimated error of a1 and b1, relative to the largest force

  Status status = Status::ok;
  bool closed = false;       ///< the loop came back to where it began
  bool closed_form = false;  ///< from a formula, not from a computed loop
  std::size_t cycles = 0;    ///< computed until it was closed

  double zeta_eff() const { return a1 / (2 * amplitude); }
  /// D/(4π · ½ k A²) with the secant stiffness k.
  double damping() const { return a1 / (2 * secant * amplitude); }
};

struct HarmonicOptions {
  bool use_closed_form = true;
  bool energy_only = false;  ///< leave out b1, mean and error of rate-independent laws: faster
  double tolerance = 1e-10;  ///< of a1 and b1, relative to the largest force
  std::size_t most_cycles = 2000;  ///< before a loop counts as one that does not close
};

/// Of any law that is driven by displacement, along the exact steady loop.
///
/// Rate-independent laws are followed from reversal to reversal until force and energy of a cycle
/// repeat; then each branch is cut at its kinks and integrated by Gauss–Kronrod rules, with the law
/// evaluated at the nodes in one step each. Laws that see velocity are followed in equal steps, the
/// force taken in the middle of each; their number is doubled and the limit extrapolated.
///
/// Throws Error unless amplitude and omega are positive and finite, for laws in the plane and for
/// laws driven by force.
FirstHarmonic first_harmonic(const AnyModel& model, double amplitude, double omega = 1,
                             const HarmonicOptions& options = {});

/// By formula, for laws that bring one (core/first_harmonic.hpp) and for sums of them; nothing for
/// other laws.
std::optional<FirstHarmonic> closed_form(const AnyModel& model, double amplitude, double omega = 1);

}  // namespace microslip::loops
