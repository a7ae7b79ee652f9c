#pragma once

#include <cstddef>
#include <vector>

#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "ringdown_window.hpp"

/// One mode of a free decay in one band.
namespace microslip::dynamics {

/// Rank 1 combines the motions by the shape of the mode, a higher one separates so many modes in
/// the band by their shapes.
struct BandChoice {
  double omega;  ///< of the mode, somewhere on its ridge
  double band;
  std::size_t rank = 1;
};

/// The mode along its ridge: the window is always centred at the frequency that the mode has there.
/// No points if the shapes cannot be separated or nothing is twenty times louder than the noise.
RingdownMode mode_in_band(double step, Motions motions, const BandChoice& choice,
                          Quantity quantity);

/// Middle of the sizes; 0 if there are none.
double median_of(std::vector<double> values);

}  // namespace microslip::dynamics
