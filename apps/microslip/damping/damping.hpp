#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/damping.hpp"
#include "simulate/jobs.hpp"

/// The parts of `microslip damping`.
namespace microslip::app {

/// The call, as read from the command line.
struct DampingSettings {
  SimulateSettings laws;  ///< MODEL…, --set, --params, --fit, --method
  std::string amplitudes, omega, ratio, angle, normal, normal_phase, normal_mean;
  std::string match, quantity, at, weight;
  std::vector<std::string> free, bounds;
  std::string output, save_params, plot;
  bool log = false, relative = false, json = false, quiet = false;
};

/// a:b:n, equally spaced or in equal ratios.
std::vector<double> amplitude_list(const std::string& text, bool log);

/// What the options of --match say, its file read. Throws Error for options that cannot be combined.
jobs::MatchRequest match_request(const DampingSettings& settings, Driven driven);

}  // namespace microslip::app
