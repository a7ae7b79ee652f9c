#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"

/// Printed parameter sets of the two-state law and loops made with them.
namespace microslip::fit {

struct TwoStateCase {
  const char* name;
  double mu, sigma, alpha, b1, b2, ks;
};

/// S. Biswas, thesis (2018), Tables E.1 and E.2.
inline const std::vector<TwoStateCase>& thesis_cases() {
  static const std::vector<TwoStateCase> cases = {
      {"E.1-1", 0.0176, 0.1425, 0.2222, 0.2047, 0.2458, -0.2481},
      {"E.1-2", 0.1164, 0.0047, 0.1879, 0.0175, 0.3734, 0.1515},
      {"E.1-3", 0.1506, 0.9925, 1.4728, -1.7047, -1.4578, 2.5444},
      {"E.2-1", 0.2039, 0.0707, 2.4733, 0.6868, -1.0032, -0.0319},
      {"E.2-2", 0.0503, 0.0152, 0.3736, 1.2695, -0.2733, 3.8860},
  };
  return cases;
}

inline AnyModel law_of(const TwoStateCase& c) {
  return catalog::make({"two-state",
                        {{"mu", c.mu},
                         {"sigma", c.sigma},
                         {"alpha", c.alpha},
                         {"b1", c.b1},
                         {"b2", c.b2},
                         {"ks", c.ks}},
                        {}});
}

/// Three periods of sin 2πt + ½ sin 8πt: large loops with smaller ones inside.
inline std::vector<double> two_frequencies(int rows = 600, double amplitude = 1) {
  std::vector<double> u;
  for (int i = 0; i < rows; ++i) {
    const double t = 3.0 * i / rows * 2 * std::numbers::pi;
    u.push_back(amplitude * (std::sin(t) + 0.5 * std::sin(4 * t)));
  }
  return u;
}

inline Data record_of(const AnyModel& law, std::vector<double> u) {
  Data data{"record", {}, std::move(u), {}};
  data.f = law.run({{}, data.u, {}}).f;
  return data;
}

}  // namespace microslip::fit
