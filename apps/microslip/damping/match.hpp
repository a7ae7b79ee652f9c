#pragma once

#include <optional>
#include <string>
#include <vector>

#include "damping/damping.hpp"

/// `microslip damping --match`: parameters tuned to a damping curve.
namespace microslip::app {

/// What --match is to come near to.
struct MatchTarget {
  std::string name, quantity;
  std::vector<double> amplitude, value, weight;  ///< weight: ρ ΔA
  std::vector<double> scale;  ///< what differences are divided by: 1, or the target for --relative
  std::optional<double> stiffness{};     ///< of the loops, where the file gives it
  Driven driven = Driven::displacement;  ///< by what the laws to be tuned are driven
  std::vector<MatchTarget> also{};       ///< further quantities, matched together with this one

  /// "zeta_eff" or "zeta_eff and b1"
  std::string quantities() const;
};

MatchTarget match_target(const DampingSettings& settings, const std::vector<double>& amplitudes,
                         double omega, Driven driven);

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

}  // namespace microslip::app
