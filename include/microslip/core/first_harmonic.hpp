#pragma once

#include <complex>
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

inline HarmonicForce harmonic_force(std::complex<double> stiffness, double amplitude) {
  return {stiffness.real() * amplitude, stiffness.imag() * amplitude, stiffness.real() * amplitude};
}

/// A law that has a formula for it brings `first_harmonic`; it returns nothing for parameters and
/// options that the formula does not cover.
template <class M>
concept ClosedFirstHarmonic = requires(const M& law, double amplitude, double omega) {
  { law.first_harmonic(amplitude, omega) } -> std::same_as<std::optional<HarmonicForce>>;
};

/// A law that is linear and forgets its start brings its dynamic stiffness K(ω): the force is
/// K e^{iωt} under u = e^{iωt}. Its first harmonic and its periodic motions follow from that.
template <class M>
concept LinearLaw = requires(const M& law, double omega) {
  { law.dynamic_stiffness(omega) } -> std::same_as<std::complex<double>>;
};

}  // namespace microslip
