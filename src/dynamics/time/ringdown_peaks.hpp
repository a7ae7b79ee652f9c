#pragma once

#include <vector>

#include "ringdown_window.hpp"

namespace microslip::dynamics {

/// Frequencies of the peaks of the spectrum, the highest first.
struct RingdownPeaks {
  std::vector<double> omegas;
  std::size_t high = 0;  ///< how many of them have a fiftieth of the highest: those that are modes
};

/// Of all motions together.
RingdownPeaks ringdown_peaks(double step, Motions motions);

}  // namespace microslip::dynamics
