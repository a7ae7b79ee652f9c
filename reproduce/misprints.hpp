#pragma once

#include <vector>

#include "support.hpp"

/// Misprints and open points of the sources, one file for each source.
namespace microslip::reproduce {

/// Two comparisons for each: as printed, which must fail, and as meant, which must hold.
Outcome decided(std::vector<Misprint> misprints);

/// One step of the classical Runge–Kutta method: y' = f(y).
template <class State, class Slope>
State runge_kutta(const Slope& f, const State& y, double h) {
  const auto moved = [&](const State& k, double part) {
    State z = y;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += part * h * k[i];
    return z;
  };
  const State k1 = f(y), k2 = f(moved(k1, 0.5)), k3 = f(moved(k2, 0.5)), k4 = f(moved(k3, 1));
  State z = y;
  for (std::size_t i = 0; i < z.size(); ++i)
    z[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return z;
}

}  // namespace microslip::reproduce
