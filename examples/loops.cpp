// A record of displacement and force: its loops, and what a law of the same kind dissipates.

#include "microslip/loops/loops.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "microslip/models/iwan4.hpp"

int main() {
  // In place of a measurement: a bolted joint at three amplitudes, two periods each.
  const microslip::Iwan4<double> joint({.Fs = 1, .KT = 4, .chi = -0.5, .beta = 0.5});
  auto state = joint.rest();
  std::vector<double> t, u, f;
  for (const double amplitude : {0.05, 0.1, 0.2}) {
    for (int i = 0; i < 800; ++i) {
      t.push_back(static_cast<double>(t.size()) / 400);
      u.push_back(amplitude * std::sin(2 * std::numbers::pi * i / 400));
      f.push_back(joint.step(state, u.back(), state).force);
    }
  }

  const auto found = microslip::loops::analyse(t, u, f);
  for (const auto& cycle : found.cycles)
    std::printf("amplitude %.3f  energy %.6f (exact %.6f)  stiffness %.3f  damping %.4f\n",
                cycle.amplitude, cycle.energy, joint.energy_per_cycle(cycle.amplitude),
                cycle.secant, cycle.damping);
  std::printf("energy grows as amplitude to the power %.3f; initial stiffness %.2f\n",
              found.dissipation.exponent, found.initial_stiffness);
  return found.cycles.empty() ? 1 : 0;
}
