#pragma once

/// Rigid friction as a force of place and velocity: whoever moves it decides whether it sticks or
/// towards which side it slips.

#include <algorithm>

#include "microslip/core/any_model.hpp"

namespace microslip::dynamics {

class RigidFriction {
 public:
  explicit RigidFriction(const AnyModel& model);

  const AnyModel& model() const { return model_; }
  /// Whether the force depends on velocity: laws of the family that sees time may not look at it,
  /// as Coulomb's.
  bool sees_velocity() const { return timed_; }
  /// Rounding, relative: a law that sees more than velocity is asked for it by short steps.
  double noise() const { return timed_ && !alone_ ? 1e-10 : 1e-14; }

  /// Displacements of that size are large, and times of that length short.
  void measure(double reach, double moment) {
    reach_ = std::max(reach, 1e-270);  // at rest anything is large
    moment_ = moment;
  }

  /// The law, left at `place`, and the side towards which it slips.
  struct Slip {
    const AnyState& state;
    double place;
    int side;
  };
  /// Its force at u with velocity v, some time after it was left.
  double force(const Slip& slip, double u, double v, double after);
  struct Slopes {
    double force, by_u, by_v;
  };
  Slopes slopes(const Slip& slip, double u, double v, double after);

  /// Forces at which it begins to slip back and on.
  struct Limits {
    double back, on;
  };
  Limits limits(const AnyState& state, double place);

 private:
  Response<double> ask(const Slip& slip, double u, double v, double after);
  double probe_time(double after) const;

  AnyModel model_;
  bool timed_, placed_;  ///< whether the force depends on velocity and place
  bool alone_;           ///< on velocity and nothing else
  double reach_ = 1, moment_ = 1;
  AnyState rest_, ahead_, scratch_;
};

}  // namespace microslip::dynamics
