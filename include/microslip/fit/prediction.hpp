#pragma once

#include <cmath>
#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// A record that was not fitted, predicted by a fit from rest, and how sure that is. `deviation` is
/// what the parameters leave open, those that the record does not determine included: the answer is
/// looked at one standard deviation away along each axis of the fit, and at its alternatives. What the
/// law itself misses stands beside it.
struct Prediction {
  std::vector<double> force, deviation;
  double rms_relative = 0;        ///< of force − measured, over the range of the measured force
  double deviation_relative = 0;  ///< rms of the standard deviations, over the same
  double energy = 0, energy_deviation = 0, measured_energy = 0;  ///< of the largest loop
  double misfit_relative = 0, energy_misfit = 0;  ///< what the law misses on records not seen

  double energy_total() const { return std::hypot(energy_deviation, energy_misfit); }
};

/// Throws Error when the law has no answer on the record.
Prediction predict(const AnyModel& model, const Fit& fit, const Misfit& misfit, const Data& record);

}  // namespace microslip::fit
