#pragma once

#include <functional>

#include "microslip/dynamics/time/time_integration.hpp"

/// Periodic motions by shooting: a check of harmonic balance. The motion comes from integration in time, which
/// shares with harmonic balance the laws, the static equilibrium that it begins with, and, for rigid friction, the
/// decision which contacts stick (ContactSet, which has tests of its own).
namespace microslip::dynamics {

struct ShootingOptions {
  double tolerance = 1e-11;  ///< of the time integration
  double closure = 1e-9;     ///< of the motion over a period, relative
  int most_iterations = 40;
  int warm_up = 5;  ///< periods before the first Newton step
};

struct ShootingResult {
  Eigen::VectorXd x0, v0;
  TimeResult period;  ///< one period from there
  double error = 0;   ///< relative change over a period, joints' forces included
  int iterations = 0;
  bool converged = false;
};

/// The steady motion of period 2π/ω under loads that repeat with it (tones get their frequency from
/// ω). Newton's method on position and velocity with a Jacobian by differences; the joints keep the
/// memory with which they came out of the period before, until that repeats too.
ShootingResult shoot(const Structure& structure, double omega, const ShootingOptions& options = {});

/// Fourier coefficients of the motion over a period after some of them from rest, and of the forces
/// of the joints: a row for each degree of freedom and each joint, a column for each function.
/// Empty if the motion cannot be followed or `go_on` says no.
struct SettledMotion {
  Eigen::MatrixXd x, f;
};
SettledMotion settle(const Structure& structure, double omega, int harmonics, int periods,
                     const std::function<bool()>& go_on);

/// Coefficients of a harmonic of a degree of freedom over the period found: cosine and sine.
Eigen::Vector2d harmonic_of(const Structure& structure, const ShootingResult& result, double omega,
                            Eigen::Index dof, int harmonic, const ShootingOptions& options = {});

}  // namespace microslip::dynamics
