#pragma once

#include <algorithm>
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
/// changed by a tenth; 1 if it never does.
inline double slip_displacement(const AnyModel& model) {
  const double slowly = std::numeric_limits<double>::infinity();
  const AnyState rest = model.rest();
  AnyState to = rest;
  const double k = stiffness_at_rest(model);
  double bend = 1;
  for (double u = 1e-12; u < 1e12; u *= 1.1)
    if (std::abs(model.step(rest, u, slowly, to).tangent - k) > 0.1 * k) {
      bend = u;
      break;
    }
  if (model.description().claims.bounded.verdict != Verdict::holds) return bend;
  return std::abs(model.step(rest, 1e9 * bend, slowly, to).force) / k;
}

/// Whether the tangents at rest differ from side to side or from there to back: then no linear
/// structure is near, and the law is the same at any amplitude.
inline bool has_corner_at_rest(const AnyModel& model, double slip) {
  const double slowly = std::numeric_limits<double>::infinity(), k = stiffness_at_rest(model);
  const AnyState rest = model.rest();
  AnyState to = rest;
  const auto tangent = [&](const AnyState& from, double u) {
    return model.step(from, u * slip, slowly, to).tangent;
  };
  const double other_side = tangent(rest, -1e-9), there = tangent(rest, 1e-9);
  const double back = tangent(AnyState(to), 0.9e-9);
  return std::max({std::abs(other_side - k), std::abs(there - k), std::abs(back - k)}) > 1e-3 * k;
}

/// Laws that a structure can have as joints and that are not rigid at rest.
inline std::vector<AnyModel> laws_with_stiffness() {
  std::vector<AnyModel> found;
  for (const catalog::Law& entry : catalog::laws()) {
    const Description& law = entry.description;
    if (law.family == Family::planar) continue;
    AnyModel model = entry.make({}, {});
    if (model.description().driven == Driven::force || model.rigid()) continue;
    if (!model.repeats()) continue;  // has no steady loop, and says so
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
