// The steady response of a mass on a spring, a dashpot and a slipping joint: the structure of
// examples/structures/one-joint.toml, on which codes for harmonic balance are compared.

#include "microslip/dynamics/periodic/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "microslip/catalog/catalog.hpp"

int main() {
  namespace dynamics = microslip::dynamics;
  const auto matrix = [](double x) {
    dynamics::SparseMatrix one(1, 1);
    one.insert(0, 0) = x;
    return one;
  };
  dynamics::Structure structure;
  structure.M = matrix(1);
  structure.C = matrix(0.01);
  structure.K = matrix(0.75);
  structure.joints.push_back(
      {.model = microslip::catalog::make({"jenkins(k=0.25,phi=0.2)", {}, {}}),
       .w = dynamics::between(1, 0, 1)});
  structure.loads.push_back(
      {.direction = Eigen::VectorXd::Ones(1), .signal = dynamics::Tones{{{.amplitude = 0.2}}}});

  const dynamics::FrequencyResponse response =
      dynamics::frequency_response(structure, {.from = 0.7, .to = 1.2, .harmonics = 7});
  double peak = 0;
  for (const dynamics::ResponsePoint& point : response.branch) {
    peak = std::max(peak, point.first[0].amplitude);
    std::printf("omega %.5f  amplitude %.5f  energy in the joint %.5f  %s\n", point.omega,
                point.first[0].amplitude, point.energy[0],
                point.stability == dynamics::Stability::stable ? "stable" : "unstable");
  }
  std::printf("largest amplitude %.4f, energy balanced to %.1e\n", peak, response.energy_balance);
  return std::abs(peak - 2.5911) < 2e-3 ? 0 : 1;  // on which published codes agree
}
