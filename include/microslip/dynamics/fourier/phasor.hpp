#pragma once

namespace microslip::dynamics {

/// Of a first harmonic: √(a₁² + b₁²), and the phase φ of  amplitude · cos(ωt + φ).
struct Phasor {
  double amplitude, phase;
};

}  // namespace microslip::dynamics
