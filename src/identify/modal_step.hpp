#pragma once

#include <Eigen/Core>

/// Steps of single modes, q″ + γ q′ + λ q = p(t), that are exact for a quadratic p.
namespace microslip::identify {

/// q₁ = a q + h v + p r₀ + p′ r₁ + p″ r₂ and v₁ = l q + d v + p h + p′ r₀ + p″ r₁, where p, p′, p″ are those at
/// the start and h is the response to an impulse, r₀ that to a step, r₁ that to a ramp, r₂ that to t²/2.
struct ModalStep {
  double time = -1;
  Eigen::ArrayXd a, h, l, d, r0, r1, r2;

  /// For all modes at once; nothing to do where the time is that of before up to rounding.
  void set(const Eigen::ArrayXd& lambda, const Eigen::ArrayXd& gamma, double t);
};

}  // namespace microslip::identify
