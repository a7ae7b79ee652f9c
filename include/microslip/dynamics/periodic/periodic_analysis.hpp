#pragma once

#include "microslip/dynamics/continuation/curve_end.hpp"
#include "microslip/dynamics/joint/periodic_options.hpp"

/// What the analyses of periodic motions (frequency responses, nonlinear modes) have in common.
namespace microslip::dynamics {

/// Of a first harmonic: √(a₁² + b₁²), and the phase φ of  amplitude · cos(ωt + φ).
struct Phasor {
  double amplitude, phase;
};

}  // namespace microslip::dynamics
