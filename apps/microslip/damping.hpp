#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/io/figure.hpp"
#include "microslip/loops/harmonic.hpp"
#include "simulation.hpp"

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
};

/// Throws Failure where the law fails.
loops::FirstHarmonic harmonic_of(const std::string& label, const AnyModel& model, double amplitude,
                                 double omega);

/// The columns that can be written, drawn and matched.
const std::vector<std::string>& damping_quantities();
double quantity_of(const loops::FirstHarmonic& point, const std::string& name);

/// What --match is to come near to.
struct MatchTarget {
  std::string name, quantity;
  std::vector<double> amplitude, value, weight;  ///< weight: ρ ΔA
  std::vector<double> scale;  ///< what differences are divided by: 1, or the target for --relative
  std::optional<double> stiffness{};  ///< of the loops, where the file tells it
};

MatchTarget match_target(const DampingSettings& settings, const std::vector<double>& amplitudes,
                         double omega);

struct MatchOutcome {
  std::vector<std::string> free;
  std::vector<double> before, after;
  double rms = 0;           ///< of the differences; relative to the target with --relative
  double rms_relative = 0;  ///< the same over the largest target, or relative as it is
  bool converged = false;
};

/// Tunes the free parameters of the job, which is changed.
MatchOutcome match(const DampingSettings& settings, const MatchTarget& target, double omega,
                   Job& job);

std::string damping_text(const std::vector<DampingCurve>& curves);
std::string damping_csv(const std::vector<DampingCurve>& curves, double omega,
                        const std::string& command_line);
std::string damping_json(const std::vector<DampingCurve>& curves,
                         const std::vector<MatchOutcome>& matches, const MatchTarget& target,
                         double omega, const std::string& command_line);
io::Figure damping_figure(const std::vector<DampingCurve>& curves, const MatchTarget& target,
                          bool log);

}  // namespace microslip::app
