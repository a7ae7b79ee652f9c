#pragma once

#include <vector>

/// How the force of a joint is found over a period.
namespace microslip::dynamics {

/// How the Fourier integrals of the joints' forces are taken: piece by piece between reversals and
/// kinks, or from equal samples.
enum class Rule { event_exact, sampled };

struct PeriodicOptions {
  Rule rule = Rule::event_exact;
  int samples = 1024;  ///< of the sampled rule
  int level = 0;       ///< of refinement: 0 aims at 1e-9; from 1 on pieces are halved as needed
  /// Amplitudes are asked for, as of free motions: bodies that joints slide on are off resonance.
  bool given_amplitude = false;
  /// Frequency about which a response is looked for; 0: not known. Bodies are chosen for it.
  double reference_omega = 0;
  double closure = 1e-13;  ///< largest change of force over a round, relative to the largest force
  int most_rounds = 2000;  ///< slow memories (small loops of smooth laws) fade over hundreds
};

/// One period of a joint: angle, displacement, force, its slope, and the weight in Fourier integrals.
struct JointLoop {
  std::vector<double> theta, u, f, tangent, weight;
};

}  // namespace microslip::dynamics
