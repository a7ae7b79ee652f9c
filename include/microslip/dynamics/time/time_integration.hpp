#pragma once

/// Motion of a structure with joints in time.
///
/// events      Runge–Kutta of order five (Dormand–Prince), error-controlled. Between a reversal or
///             a kink of a joint and the next one the equation is smooth, so steps end exactly
///             there; without that every method falls back to an erratic order two.
/// midpoint    implicit midpoint rule with the joint force averaged along its path, ∫f du/Δu, so
///             that energy balances to rounding at any step; order two, for large models and for
///             rate-dependent laws (for those `events` means this rule with halved steps,
///             extrapolated, until the motion changes by less than the tolerance, at best 1e-7).
/// cvode       Adams methods of SUNDIALS, error-controlled; turns and kinks are its roots. For
///             rate-independent laws without rigid friction; an independent check of `events`.
/// newmark, hht, generalized-alpha    with Newton's method on trial states and consistent tangents.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

enum class Method { events, midpoint, newmark, hht, generalized_alpha, cvode };

/// One row of a motion.
struct TimeRow {
  double t;
  const Eigen::VectorXd &x, &v;
  const std::vector<double>&
      f;          ///< of the joints, then of those with several directions, one by one
  double energy;  ///< dissipated in the joints so far
};

struct TimeOptions {
  Method method = Method::events;
  double until = 0;
  double step = 0;           ///< of implicit methods; for events the largest distance of rows
  double tolerance = 1e-9;   ///< of a step, relative to the largest motion so far
  std::vector<double> at{};  ///< further times that become rows
  Eigen::VectorXd x0{}, v0{};
  double spectral_radius = 0.9;  ///< of generalized-alpha at infinite frequency
  /// Whether rows are wanted at every step; otherwise only at `at`, at multiples of `step` if that
  /// is given, and at the end.
  bool every_step = true;
  /// After every step: part of the way done; false stops.
  std::function<bool(double)> progress{};
  /// Takes the rows one by one; the result then keeps none of them.
  std::function<void(const TimeRow&)> row{};
};

/// Where the energy went. Input = change of stored + viscous + joints, up to the error.
struct EnergyAudit {
  double input = 0;                                    ///< work of the loads
  double kinetic = 0, elastic = 0, joints_stored = 0;  ///< at the end minus at the beginning
  double viscous = 0, joints = 0;                      ///< lost

  double error() const { return input - kinetic - elastic - joints_stored - viscous - joints; }
};

struct TimeResult {
  std::vector<double> t;
  std::vector<Eigen::VectorXd> x, v;
  std::vector<Eigen::VectorXd> f;  ///< of the joints
  std::vector<double> energy;      ///< dissipated in the joints so far
  EnergyAudit audit{};
  double largest_energy = 0;         ///< kinetic + elastic, for relating the error of the audit
  std::vector<double> joint_energy;  ///< of joints, then of interfaces
  std::vector<AnyState> states;      ///< of the joints at the end
  long rows = 0, steps = 0, events = 0;
  Status status = Status::ok;
  std::string message{};  ///< why it stopped early; empty if it did not
};

/// Throws Error for bad input.
TimeResult integrate(const Structure& structure, const TimeOptions& options);

/// The same, going on from given joint states.
TimeResult integrate(const Structure& structure, const TimeOptions& options, double t0,
                     std::vector<AnyState> joints);

/// Static equilibrium under the constant loads, with the joints driven there from rest.
struct StaticState {
  Eigen::VectorXd x;
  std::vector<AnyState> joints;
  bool converged = false;
};
StaticState static_equilibrium(const Structure& structure, int increments = 20);

}  // namespace microslip::dynamics
