#pragma once

#include <cmath>
#include <vector>

#include "microslip/friction/builders.hpp"
#include "microslip/friction/solver.hpp"
#include "support/random.hpp"

namespace microslip::friction::testing {

using microslip::testing::base_seed;
using microslip::testing::Rng;

/// The load of the thesis, section 2.2.1, at `rows` rows a period of its first frequency.
inline std::vector<double> two_frequencies(int rows, double periods = 1, double amplitude = 1) {
  std::vector<double> f;
  const int n = static_cast<int>(std::lround(rows * periods));
  for (int i = 1; i <= n; ++i) {
    const double t = 2 * M_PI * i / rows;
    f.push_back(amplitude * (std::sin(t) + 0.4 * std::sin(4.16753 * t)));
  }
  return f;
}

inline std::vector<double> random_turns(Rng& rng, int n, double amplitude) {
  std::vector<double> f;
  for (int i = 0; i < n; ++i) f.push_back(rng.uniform(-amplitude, amplitude));
  return f;
}

/// How far a state is from being one: the largest |r_i|/μ_i − 1, at least zero.
inline double beyond_limits(const System& system, const State& state) {
  const Vector r = system.b() * state.f - system.times(state.x);
  return std::max(0.0, (r.cwiseAbs().cwiseQuotient(system.mu()).array() - 1).maxCoeff());
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline double range(const std::vector<double>& a) {
  const auto [lo, hi] = std::minmax_element(a.begin(), a.end());
  return *hi - *lo;
}

/// A spring network pulled one way: an M-matrix, b ≥ 0, some of them zero, some μ equal.
inline System random_network(Rng& rng, Index n) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    K(i, i) += rng.chance(0.3) ? rng.uniform(0, 0.3) : 0;
    for (Index j = 0; j < i; ++j) {
      if (!rng.chance(0.6)) continue;
      const double k = rng.uniform(0, 1);
      K(i, i) += k;
      K(j, j) += k;
      K(i, j) = K(j, i) = -k;
    }
  }
  K.diagonal().array() += 0.02;
  Vector mu(n), b(n);
  for (Index i = 0; i < n; ++i) {
    mu[i] = rng.chance(0.5) ? 0.5 : rng.uniform(0.1, 1);
    b[i] = rng.chance(0.3) ? 0 : rng.uniform(0, 1);
  }
  return System(K, mu, b);
}

}  // namespace microslip::friction::testing
