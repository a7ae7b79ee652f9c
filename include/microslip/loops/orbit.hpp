#pragma once

#include <string>

#include "microslip/core/any_model.hpp"
#include "microslip/loops/harmonic.hpp"

/// Damping of laws with several directions under a steady periodic motion.
namespace microslip::loops {

/// An ellipse with the larger half axis A, and a normal motion beside it:
///
///     (ux, uy) = A R(angle) (sin θ, ratio cos θ),   un = normal_mean + normal A sin(θ + phase)
///
/// A law with directions t and n moves on a line, ut = A sin θ. Angles in degrees.
struct Orbit {
  double ratio = 0;   ///< smaller over larger axis: 0 a line, 1 a circle
  double angle = 0;   ///< of the larger axis, from x towards y
  double normal = 0;  ///< amplitude of un over A
  double normal_phase = 0;
  double normal_mean = 0;  ///< a length
};

/// Energy D of a cycle and first harmonic of the tangential forces f on the tangential motion u,
///
///     a1 = D/(πA (1 + ratio²)),   b1 = ∮ f·u dθ/(πA (1 + ratio²)),
///
/// so that zeta_eff, stiffness and damping are those of an oscillator that moves so in the plane. secant
/// is that of f on the larger axis, between θ = ±90°. The cycle is followed in straight steps, on each of
/// which the law is exact; their number is doubled and the limit extrapolated. What has not settled after
/// 200 cycles is not closed, and the numbers are those of the last cycle.
///
/// Throws Error for scalar laws, and for motions that the law has no direction for.
FirstHarmonic first_harmonic(const AnyModel& model, const Orbit& orbit, double amplitude,
                             const HarmonicOptions& options = {.tolerance = 1e-6});

}  // namespace microslip::loops
