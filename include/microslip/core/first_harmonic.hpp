#pragma once

#include <concepts>
#include <optional>

namespace microslip {

/// First harmonic of a law's force under the steady motion u = A sin ωt, where the law is odd:
///
///     f ≈ b1 sin ωt + a1 cos ωt,   energy lost in a cycle = π A a1.
struct HarmonicForce {
  double b1;   ///< in phase with the displacement
  double a1;   ///< in phase with the velocity
  double tip;  ///< force at u = A, at the end of the way up
};

/// A law that has a formula for it brings `first_harmonic`; it returns nothing for parameters and
/// options that the formula does not cover.
template <class M>
concept ClosedFirstHarmonic = requires(const M& law, double amplitude, double omega) {
  { law.first_harmonic(amplitude, omega) } -> std::same_as<std::optional<HarmonicForce>>;
};

}  // namespace microslip
