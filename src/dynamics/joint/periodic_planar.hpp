#pragma once

/// The path element of sliders in the plane, alone or as a sum: each goes around the period from event to event
/// (PlanarLoop), and nothing is sampled.
///
/// The law goes from rest (over `before`, where static loads took it) straight to the reversal of the input that
/// turns furthest out, and along the period until it repeats.

#include <Eigen/Core>
#include <vector>

#include "dynamics/joint/periodic_vector.hpp"
#include "dynamics/joint/planar_loop.hpp"

namespace microslip::dynamics {

class PeriodicPlanar final : public PeriodicVector {
 public:
  /// `level` of refinement: a digit each.
  PeriodicPlanar(const InterfaceLaw& law, int harmonics, int level,
                 std::vector<Eigen::VectorXd> before);

  double truncation(const Eigen::VectorXd& input, double omega, const Surroundings& s) override;
  double quadrature(const Eigen::VectorXd& input, double omega) override;

 private:
  void answer(const Eigen::VectorXd& input, const Eigen::VectorXd& own, double omega,
              bool with_jacobian) override;
  void rest_motion(bool with_jacobian);
  /// Force coefficients, inputs side by side for each Fourier function.
  Eigen::VectorXd follow(const Eigen::VectorXd& input, const PlanarLoop::Wanted& wanted);

  const InterfaceLaw& law_;
  int harmonics_, level_;
  std::vector<PlanarSlider> sliders_;
  std::vector<PlanarLoop> loops_;
  std::vector<Eigen::VectorXd> before_;
  std::vector<PeriodicMotion> motion_;  ///< of each input
  Eigen::VectorXd stiffness_;           ///< at rest
};

}  // namespace microslip::dynamics
