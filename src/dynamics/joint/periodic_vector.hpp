#pragma once

/// The path element of one joint with several directions, as responses see it: one member, no loop of a force over
/// a displacement, and no description of small motions about the period.

#include "dynamics/joint/periodic_element.hpp"

namespace microslip::dynamics {

class PeriodicVector : public PeriodicElement {
 public:
  Eigen::Index inputs() const override { return size_; }
  const PeriodicForce& reply() const override { return result_; }
  const PeriodicForce& force(std::size_t /*member*/) const override { return result_; }
  const JointLoop& loop(std::size_t /*member*/) const override { return no_loop_; }
  LinearisedLoop linearise(std::size_t /*member*/, const Eigen::VectorXd& /*input*/,
                           int /*steps*/) override {
    return {};
  }
  bool linearises() const override { return false; }
  bool depends_on_frequency() const override { return false; }

 protected:
  explicit PeriodicVector(Eigen::Index size) : size_(size) {}

  Eigen::Index size_;
  PeriodicForce result_;

 private:
  JointLoop no_loop_;
};

}  // namespace microslip::dynamics
