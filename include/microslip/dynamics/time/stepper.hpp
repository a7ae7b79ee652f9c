#pragma once

/// Motion of a structure step by step, for host programs and co-simulation.
///
/// A Stepper is a value: a copy is a snapshot of everything, and assigning it back restores it.
///
///     Stepper stepper(structure, {.method = Method::midpoint, .step = 1e-3});
///     const Stepper before = stepper;
///     stepper.set_force(f);            // of the other program, held over the interval
///     if (!stepper.advance(0.01)) report(stepper.message());
///     stepper = before;                // once more, with another force
///
/// Going on from a restored copy gives the same bits, and so does going on from numbers that were saved:
///
///     const StateRecord numbers = stepper.save();      // to a file, say
///     Stepper other(structure, the same options);
///     other.load(numbers);

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {

struct StepperOptions {
  /// cvode cannot be copied and is refused. For rate-dependent laws without rigid friction `events`
  /// is refused too, because its error control repeats the whole motion.
  Method method = Method::events;
  double step = 0;          ///< of implicit methods: the longest step
  double tolerance = 1e-9;  ///< of a step of `events`, relative to the largest motion so far
  double span = 0;  ///< time of the size of the simulation; 0: a thousand times the shortest period
  double t0 = 0;
  Eigen::VectorXd x0{}, v0{};
  /// Begin in the static equilibrium under the constant loads instead of at x0.
  bool from_equilibrium = false;
  double spectral_radius = 0.9;  ///< of generalized-alpha at infinite frequency
};

/// Whether x = 0 with joints at rest is no equilibrium: static loads, or joints that push at rest.
bool is_preloaded(const Structure& structure);

class Motion;

class Stepper {
 public:
  /// Throws Error for bad input. The loads of the structure act as in `integrate`.
  Stepper(const Structure& structure, const StepperOptions& options);
  Stepper(const Stepper& other);
  Stepper(Stepper&& other) noexcept;
  Stepper& operator=(const Stepper& other);
  Stepper& operator=(Stepper&& other) noexcept;
  ~Stepper();

  /// Goes on to time t. False if that failed: then the time reached is t(), and message() says why.
  bool advance(double t);

  /// A force on the degrees of freedom beside the loads, from now on.
  void set_force(const Eigen::VectorXd& force);

  /// Everything that changes, as lists of numbers by name; their number does not grow with time. Interfaces
  /// of sliders cannot be saved. `load` is for a stepper of the same structure, options and laws; it throws Error where
  /// the numbers do not fit.
  StateRecord save() const;
  void load(const StateRecord& numbers);

  double t() const;
  Eigen::VectorXd x() const, v() const;
  /// Of the joints, then of those with several directions, one by one.
  Eigen::VectorXd joint_forces() const;
  const std::vector<AnyState>& joint_states() const;
  double joint_energy(
      std::size_t joint) const;  ///< dissipated so far; interfaces follow the joints
  /// Input, viscous and joints' losses so far; what is stored is not part of it.
  EnergyAudit audit() const;
  const std::string& message() const;

 private:
  struct Fixed;
  std::shared_ptr<const Fixed> fixed_;  ///< structure and options
  std::unique_ptr<Motion> motion_;
};

}  // namespace microslip::dynamics
