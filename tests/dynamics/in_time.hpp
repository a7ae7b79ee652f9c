#pragma once

#include "microslip/dynamics/time/time_integration.hpp"
#include "support.hpp"

namespace microslip::dynamics {

inline Structure forced(const AnyModel& joint, double omega) {
  Structure s = oscillator(joint);
  s.loads[0].signal = Tones{{{0.2, 0, 1, omega}}};
  return s;
}

inline TimeOptions until(double end, double tolerance = 1e-9) {
  TimeOptions options;
  options.until = end;
  options.tolerance = tolerance;
  options.every_step = false;
  return options;
}

inline double last(const TimeResult& result) { return result.x.back()[0]; }

}  // namespace microslip::dynamics
