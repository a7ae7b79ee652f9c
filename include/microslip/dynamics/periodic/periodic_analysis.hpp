#pragma once

/// What the analyses of periodic motions (frequency responses, nonlinear modes) have in common.

#include "microslip/dynamics/continuation/curve_end.hpp"
#include "microslip/dynamics/fourier/phasor.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"

namespace microslip::dynamics {

/// What the harmonics that are left out may change of the first harmonic and of damping, relative to them, where
/// no tolerance is given: less than a picture shows or a test can tell. Where stiff joints stick and slip, the
/// error falls slowly with the number of harmonics: from `enough_for_more` on the second is enough, and for damping
/// the third; more than `most_usual_harmonics` are not taken. A tolerance that is given counts for the whole
/// motion, and up to `most_harmonics` are tried for it.
inline constexpr double usual_truncation = 1e-4, most_usual_truncation = 1e-3,
                        most_usual_of_damping = 1e-2;
inline constexpr int enough_for_more = 15, most_usual_harmonics = 31, most_harmonics = 63;

}  // namespace microslip::dynamics
