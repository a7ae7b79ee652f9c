#pragma once

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/loops/loops.hpp"

/// Records made by laws, for tests that know what must come out.
namespace microslip::loops {

struct TestRecord {
  std::vector<double> t, u, f;
  Loops analyse(const Options& options = {}) const { return loops::analyse(t, u, f, options); }
};

template <class Law>
std::vector<double> forces(const Law& law, std::span<const double> u) {
  auto state = law.rest();
  std::vector<double> f;
  for (const double at : u) f.push_back(law.step(state, at, state).force);
  return f;
}

/// Whole swings from rest, `rows` a period: amplitudes[i] sin 2πt over the i-th period. With four
/// quarters a period the turning points are rows.
template <class Law>
TestRecord swings(const Law& law, const std::vector<double>& amplitudes, int rows = 400) {
  TestRecord record;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    for (int k = 0; k < rows; ++k) {
      const double phase = static_cast<double>(k) / rows;
      record.t.push_back(static_cast<double>(i) + phase);
      record.u.push_back(amplitudes[i] * std::sin(2 * pi * phase));
    }
  }
  record.t.push_back(static_cast<double>(amplitudes.size()));
  record.u.push_back(0);
  record.f = forces(law, record.u);
  return record;
}

inline void add_noise(std::vector<double>& column, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;  // scaled outside: a deviation may be zero
  for (double& value : column) value += deviation * normal(random);
}

}  // namespace microslip::loops
