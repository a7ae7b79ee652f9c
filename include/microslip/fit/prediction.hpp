#pragma once

#include <vector>

#include "microslip/fit/fit.hpp"

namespace microslip::fit {

/// A record that was not fitted, predicted by a fit from rest, and how sure that is: standard
/// deviations follow from those of the parameters and their correlations, to first order. They do
/// not contain that the law itself is wrong.
struct Prediction {
  std::vector<double> force, deviation;
  double rms_relative = 0;        ///< of force − measured, over the range of the measured force
  double deviation_relative = 0;  ///< rms of the standard deviations, over the same
  double energy = 0, energy_deviation = 0, measured_energy = 0;  ///< of the largest loop
};

/// Throws Error when the law has no answer on the record.
Prediction predict(const AnyModel& model, const Fit& fit, const Data& record);

}  // namespace microslip::fit
