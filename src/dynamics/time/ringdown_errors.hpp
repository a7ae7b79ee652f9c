#pragma once

#include <vector>

#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "ringdown_window.hpp"

/// How far the frequency and damping of a decay may be wrong.
namespace microslip::dynamics {

/// λ at places of the window as it was found, the standard deviation of its parts by noise, and how
/// the window weighs the time there.
struct DecayRates {
  std::size_t in_window = 8;  ///< places in one length of the window
  double spacing = 1;         ///< time between places
  std::vector<Complex> lambda;
  std::vector<double> noise;
  std::vector<Gain> gain;
};

/// Amplitude, frequency and damping of the displacement with their errors, from those of the record;
/// whether the mode is resolved.
void set_motion(const DecayRates& rates, Quantity quantity, RingdownMode& mode);

/// Errors that contain what a narrower band finds of the same mode: another mode passes it less, so
/// that both agree only where there is none.
void widen_to_reach(const RingdownMode& narrower, RingdownMode& mode);

/// The ζ of a decay to 1/e in all the time that the points see: less hardly decays there.
double smallest_damping(const RingdownMode& mode);

/// The values of the curve with at most one extremum that is nearest to y in weighted squares.
std::vector<double> with_one_extremum(const std::vector<double>& y,
                                      const std::vector<double>& weight);

}  // namespace microslip::dynamics
