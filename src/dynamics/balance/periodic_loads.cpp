#include "dynamics/balance/periodic_loads.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/core/error.hpp"

namespace microslip::dynamics {
namespace {

void add_tone(const Tone& tone, const Eigen::VectorXd& direction, int harmonics,
              Eigen::VectorXd& force) {
  if (tone.harmonic < 0 || tone.harmonic > harmonics)
    throw Error("a load has harmonic " + std::to_string(tone.harmonic) + "; the analysis has " +
                std::to_string(harmonics));
  const Eigen::Index n = direction.size();
  const Eigen::Index dofs = force.size() / fourier_size(harmonics);
  const double in_phase = tone.amplitude * std::cos(tone.phase);
  if (tone.harmonic == 0) {
    force.head(n) += in_phase * direction;
    return;
  }
  force.segment((2 * tone.harmonic - 1) * dofs, n) += in_phase * direction;
  force.segment(2 * tone.harmonic * dofs, n) -= tone.amplitude * std::sin(tone.phase) * direction;
}

}  // namespace

int highest_harmonic(const Structure& structure) {
  int highest = 0;
  for (const Load& load : structure.loads)
    if (const auto* tones = std::get_if<Tones>(&load.signal))
      for (const Tone& tone : tones->list) highest = std::max(highest, tone.harmonic);
  return highest;
}

Eigen::VectorXd periodic_loads(const Structure& structure, Eigen::Index dofs, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs * fourier_size(harmonics));
  for (const Load& load : structure.loads) {
    if (const auto* tones = std::get_if<Tones>(&load.signal)) {
      for (const Tone& tone : tones->list) add_tone(tone, load.direction, harmonics, force);
    } else if (!std::holds_alternative<Constant>(load.signal)) {
      throw Error(
          "a periodic analysis takes loads of kind harmonic, multisine, base and static; sweeps, "
          "stepped sines, impulses and records belong to kind = \"time\"");
    }
  }
  return force;
}

Eigen::VectorXd static_loads(const Structure& structure, Eigen::Index dofs, int harmonics) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dofs * fourier_size(harmonics));
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      force.head(structure.size()) += constant->value * load.direction;
  return force;
}

}  // namespace microslip::dynamics
