#pragma once

/// The path element of a joint with several directions whose forces are not linear between events, or by equal
/// samples: the law steps along the motion in straight steps of equal angles, round after round until the
/// period repeats.
///
/// With `Rule::sampled` these are the samples that were asked for, and nothing else (the alternating
/// frequency–time scheme). Otherwise the coefficients are extrapolated from n and 2n steps, whose error falls
/// with the square of the step: c = (4 c₂ₙ − cₙ)/3. What they differ by, three times the error of the finer ones, is
/// reported as error of the quadrature: where events fall between steps, extrapolation does not help. Derivatives come from the law on dual numbers along fewer steps:
/// they only lead Newton's method.

#include <Eigen/Core>
#include <vector>

#include "dynamics/joint/periodic_vector.hpp"
#include "microslip/core/any_model.hpp"

namespace microslip::dynamics {

class PeriodicSteps final : public PeriodicVector {
 public:
  PeriodicSteps(const AnyModel& law, Eigen::Index inputs, int harmonics,
                const PeriodicOptions& options, std::vector<Eigen::VectorXd> before);

  double truncation(const Eigen::VectorXd& input, double omega, const Surroundings& s) override;
  double quadrature(const Eigen::VectorXd& input, double omega) override;

 private:
  void answer(const Eigen::VectorXd& input, const Eigen::VectorXd& own, double omega,
              bool with_jacobian) override;
  /// Coefficients up to a harmonic with so many steps a period.
  Eigen::VectorXd march(const Eigen::VectorXd& input, int steps, int harmonics);
  void find_jacobian(const Eigen::VectorXd& input);
  int steps() const;

  AnyModel law_;
  AnyDualModel dual_;
  int harmonics_;
  PeriodicOptions options_;
  std::vector<Eigen::VectorXd> before_;
  double error_ = 0;  ///< of the last coefficients, relative to the largest force
};

}  // namespace microslip::dynamics
