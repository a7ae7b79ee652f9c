#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "microslip/catalog/two_sided.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/friction/builders.hpp"

/// The rod of Miller and Quinn, section 4, with an interface in the place of its sixth mass.
namespace microslip::reproduce {

/// r of the paper.
inline constexpr int rod_elements = 10;

/// Masses 1/r and springs r, fixed at the left; mass 6 is left out where an interface replaces it.
inline dynamics::Structure rod(const std::string& force, int sliders, bool reduced, double mu,
                               int modes = 4, bool static_correction = false) {
  constexpr int r = rod_elements;
  const Eigen::Index size = sliders > 0 ? r - 1 : r;
  dynamics::Structure s{dynamics::SparseMatrix(size, size),
                        dynamics::SparseMatrix(size, size),
                        dynamics::SparseMatrix(size, size),
                        {},
                        {}};
  s.M.setIdentity();
  s.M *= 1.0 / r;
  for (Eigen::Index i = 1; i <= size; ++i)
    if (sliders == 0 || i != 6) dynamics::add_along(s.K, dynamics::between(size, i - 1, i), r);
  Eigen::VectorXd tip = Eigen::VectorXd::Zero(size);
  tip[size - 1] = 1;
  s.loads.push_back({tip, dynamics::Formula{Expression::parse(force, {"t"})}});
  s.sensors.push_back({"tip", dynamics::Direction(tip)});
  if (sliders > 0)
    catalog::add_two_sided(
        s,
        {.K_eq = r,
         .M_eq = 1.0 / r,
         .mu = friction::friction_limits(sliders, mu, friction::Distribution::uniform),
         .reduced = reduced,
         .modes = modes,
         .static_correction = static_correction},
        5, 6);
  return s;
}

/// Free end and energy lost, in steps.
struct Motion {
  std::vector<double> t, x, v, lost;
};
inline Motion motion_of(const dynamics::Structure& s, double until, double step,
                        dynamics::Method method = dynamics::Method::midpoint) {
  dynamics::TimeOptions options;
  options.method = method;
  options.until = until;
  options.step = step;
  Motion motion;
  options.row = [&](const dynamics::TimeRow& row) {
    motion.t.push_back(row.t);
    motion.x.push_back(s.sensors[0].w.dot(row.x));
    motion.v.push_back(s.sensors[0].w.dot(row.v));
    motion.lost.push_back(row.energy);
  };
  const auto result = dynamics::integrate(s, options);
  if (!result.message.empty()) throw Error(result.message);
  return motion;
}

/// Largest values of the free end and their times, by parabolas through values and velocities.
struct Peaks {
  std::vector<double> t, A;
};
inline Peaks peaks_of(const Motion& m, double from) {
  Peaks peaks;
  for (std::size_t i = 1; i < m.t.size(); ++i) {
    if (m.t[i] < from || !(m.v[i - 1] > 0 && m.v[i] <= 0)) continue;
    const double part = m.v[i - 1] / (m.v[i - 1] - m.v[i]), h = m.t[i] - m.t[i - 1];
    const double A = m.x[i - 1] + 0.5 * part * h * m.v[i - 1];
    if (!(A > 0)) continue;
    peaks.t.push_back(m.t[i - 1] + part * h);
    peaks.A.push_back(A);
  }
  return peaks;
}

/// Eq. (30) with δ = 0.25 and T = 4.
inline constexpr const char* rod_burst = "0.25*(t/3)*(1-t/12)*sin(pi*t/2)*step(12-t)";

/// Eq. (32), second branch τ ≥.
inline std::string ramped(double delta, double omega) {
  const double ramp = 10 * 2 * std::numbers::pi / omega;
  const std::string part = "(t/" + std::to_string(ramp) + ")";
  return std::to_string(delta) + "*sin(" + std::to_string(omega) + "*t)*(step(" +
         std::to_string(ramp) + "-t)*" + part + "*(2-" + part + ")+step(t-" + std::to_string(ramp) +
         "))";
}

}  // namespace microslip::reproduce
