#pragma once

#include <utility>

#include "microslip/catalog/catalog.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

inline AnyModel law(std::string name, ParameterValues parameters = {}) {
  return catalog::make({std::move(name), std::move(parameters), {}});
}

inline AnyModel jenkins(double k, double phi) { return law("jenkins", {{"k", k}, {"phi", phi}}); }

inline SparseMatrix diagonal(const std::vector<double>& values) {
  const auto n = static_cast<Eigen::Index>(values.size());
  SparseMatrix matrix(n, n);
  for (Eigen::Index i = 0; i < n; ++i) matrix.insert(i, i) = values[static_cast<std::size_t>(i)];
  matrix.makeCompressed();
  return matrix;
}

/// A mass on a spring, a dashpot and a joint, under force · cos ωt.
inline Structure oscillator(const AnyModel& joint, double force = 0.2, double m = 1,
                            double c = 0.01, double k = 0.75) {
  Structure s{diagonal({m}), diagonal({c}), diagonal({k}), {}, {}};
  s.joints.push_back({joint, Eigen::VectorXd::Ones(1)});
  s.loads.push_back({Eigen::VectorXd::Ones(1), Tones{{{force, 0, 1, 0}}}});
  return s;
}

/// The common problem of the literature on harmonic balance with friction.
inline Structure problem_a() { return oscillator(jenkins(0.25, 0.2)); }

/// Amplitude of the linear oscillator.
inline double linear_amplitude(double force, double m, double c, double k, double omega) {
  return force / std::hypot(k - m * omega * omega, c * omega);
}

}  // namespace microslip::dynamics
