#pragma once

#include <span>
#include <vector>

/// Frequency and damping against amplitude from a free decay.
namespace microslip::dynamics {

struct RingdownPoint {
  double t, amplitude, omega, zeta;
  double omega_error = 0, zeta_error = 0;  ///< standard deviations, where noise was measured
};

/// From the turning points of the motion, which are found by the cubic through values and
/// velocities of neighbouring rows. Each peak is compared with its two neighbours: amplitude is
/// half the distance to their mean, frequency their distance in time, damping the logarithmic
/// decrement of the amplitudes before and after.
std::vector<RingdownPoint> ringdown_from_peaks(std::span<const double> t, std::span<const double> x,
                                               std::span<const double> v);

/// From the analytic signal of the strongest mode (ringdown_modes.hpp), without the ends that the
/// filter does not reach.
std::vector<RingdownPoint> ringdown_from_hilbert(std::span<const double> t,
                                                 std::span<const double> x,
                                                 std::span<const double> v);

}  // namespace microslip::dynamics
