#pragma once

/// Rigid friction as a force of place and velocity. The contact set decides whether a joint sticks
/// or towards which side it slips; limits and slip force are declared by the law (RigidLaw).

#include "microslip/core/any_model.hpp"

namespace microslip::dynamics {

class RigidFriction {
 public:
  explicit RigidFriction(const AnyModel& model);

  const AnyModel& model() const { return model_; }
  /// Whether the force depends on velocity. Laws of the rate-dependent family need not: Coulomb's.
  bool rate_dependent() const { return rigidity_.rate_dependent; }

  /// Displacements of that size are large in the motion.
  void measure(double length) { length_ = length; }

  /// What was measured.
  template <class Record>
  void visit(const std::string& name, Record& record) {
    record(name + " length", length_);
  }

  /// The law, left at `place`, and the side towards which it slips.
  struct Slip {
    const AnyState& state;
    double place;
    int side;
  };
  /// Its force at u with velocity v, some time after it was left, and the derivatives.
  using Slopes = SlipForce<double>;
  Slopes slopes(const Slip& slip, double u, double v, double after);
  double force(const Slip& slip, double u, double v, double after);

  /// Forces at which it begins to slip back and on, if it has stuck for some time.
  struct Limits {
    double back, on;
  };
  Limits limits(const AnyState& state, double place, double after = 0);

 private:
  AnyModel model_;
  Rigidity rigidity_;
  double length_ = 0;
  AnyState scratch_;
};

}  // namespace microslip::dynamics
