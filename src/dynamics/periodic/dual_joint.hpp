#pragma once

/// A joint that is driven by force, u = N[f], in harmonic balance.
///
/// Its force does not follow from its motion: it sticks, or its stiffness after a reversal is infinite. Nor
/// does its motion follow from its force where it slides as a whole. Both follow from Y = u + c f with any
/// compliance c > 0: f = S[Y] is the force of the law with a spring c in series, and u = Y − c S[Y]. So Y is
/// an unknown periodic function with the equations
///
///     Y/c − wᵀx/c − S[Y] = 0,
///
/// exact for any c; c is that of the structure at the joint under fast forces. In the words of harmonic balance p = Y/c is an
/// unknown force on a body that is a spring 1/c without mass (ElementSlot::Push).
///
/// Right after a reversal S bends within a motion of the size of c f, which finer pieces would resolve at
/// great cost; harmonics that are left out count more, so that `quadrature` asks for none.

#include <memory>

#include "dynamics/periodic/periodic_joint.hpp"

namespace microslip::dynamics {

class DualJoint final : public PeriodicElement {
 public:
  /// `soft` is the law with the compliance in series; `before` is where a preload took Y.
  DualJoint(const AnyModel& soft, double compliance, int harmonics, const PeriodicOptions& options,
            std::vector<double> before);

  void respond(const Eigen::VectorXd& push, const Eigen::VectorXd& own, double omega,
               bool with_jacobian) override;
  const PeriodicForce& reply() const override { return reply_; }
  const PeriodicForce& force(std::size_t /*member*/) const override { return reply_; }
  const JointLoop& loop(std::size_t /*member*/) const override { return loop_; }
  LinearisedLoop linearise(std::size_t /*member*/, const Eigen::VectorXd& /*push*/,
                           int /*steps*/) override {
    return {};
  }
  bool depends_on_frequency() const override { return false; }
  bool linearises() const override { return false; }
  /// Derivatives by reversals are differences.
  double noise() const override { return 1e-9; }
  bool drifts(const Eigen::VectorXd& push, double omega) override;
  double truncation(const Eigen::VectorXd& push, double omega, const Surroundings& s) override;

 private:
  double c_;
  PeriodicJoint soft_;
  std::unique_ptr<PeriodicJoint> finer_;  ///< with twice the harmonics, once it was needed
  PeriodicForce reply_;
  JointLoop loop_;
};

}  // namespace microslip::dynamics
