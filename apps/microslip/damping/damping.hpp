#pragma once

#include <string>
#include <vector>

#include "microslip/loops/harmonic.hpp"
#include "simulate/jobs.hpp"

/// The parts of `microslip damping`.
namespace microslip::app {

/// The call, as read from the command line.
struct DampingSettings {
  SimulateSettings laws;  ///< MODEL…, --set, --params, --fit, --method
  std::string amplitudes, omega;
  std::string match, quantity, at, weight;
  std::vector<std::string> free, bounds;
  std::string output, save_params, plot;
  bool log = false, relative = false, json = false, quiet = false;
};

/// a:b:n, equally spaced or in equal ratios.
std::vector<double> amplitude_list(const std::string& text, bool log);

/// One law over all amplitudes.
struct DampingCurve {
  std::string label;
  ModelSpec spec;
  std::vector<loops::FirstHarmonic> points;
  /// Standard deviations of the quantities of each point, in the order of damping_quantities();
  /// empty unless they are wanted.
  std::vector<std::vector<double>> deviations{};
  Driven driven = Driven::displacement;

  /// The heading of its amplitudes.
  std::string amplitude() const {
    return driven == Driven::force ? "force_amplitude" : "amplitude";
  }
};

/// Throws Failure where the law fails.
loops::FirstHarmonic harmonic_of(const std::string& label, const AnyModel& model, double amplitude,
                                 double omega);

}  // namespace microslip::app
