#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "dynamics/support.hpp"

namespace microslip::dynamics {

/// The tangent of a slow step.
inline double stiffness_at_rest(const AnyModel& model) {
  const AnyState rest = model.rest();
  AnyState to = rest;
  return model.step(rest, 0, std::numeric_limits<double>::infinity(), to).tangent;
}

/// The limit of the force over the stiffness at rest; without a limit, where the tangent has
/// fallen by a tenth; 1 if it never does.
inline double slip_displacement(const AnyModel& model) {
  const double slowly = std::numeric_limits<double>::infinity();
  const AnyState rest = model.rest();
  AnyState to = rest;
  const double k = stiffness_at_rest(model);
  double bend = 1;
  for (double u = 1e-12; u < 1e12; u *= 1.1)
    if (model.step(rest, u, slowly, to).tangent < 0.9 * k) {
      bend = u;
      break;
    }
  if (model.description().claims.bounded.verdict != Verdict::holds) return bend;
  return std::abs(model.step(rest, 1e9 * bend, slowly, to).force) / k;
}

/// Laws that a structure can have as joints and that are not rigid at rest.
inline std::vector<AnyModel> laws_with_stiffness() {
  std::vector<AnyModel> found;
  for (const catalog::Law& entry : catalog::laws()) {
    const Description& law = entry.description;
    if (law.family == Family::planar) continue;
    AnyModel model = entry.make({}, {});
    if (model.description().driven == Driven::force || jumps(model)) continue;
    if (law.name == "bouc-wen-degrading") continue;  // has no steady loop, and says so
    const double k = stiffness_at_rest(model);
    if (k > 0 && std::isfinite(k)) found.push_back(std::move(model));
  }
  return found;
}

/// One mass on a spring that is as stiff as the joint.
inline Structure one_mass(const AnyModel& joint, double force = 0) {
  const double k = stiffness_at_rest(joint);
  return oscillator(joint, force, 1, 0, k);
}

}  // namespace microslip::dynamics
