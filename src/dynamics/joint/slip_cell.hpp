#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace microslip::dynamics {

/// Gauss's method with eight stages, of order 16, over a cell of length 1.
struct GaussStages {
  static constexpr int count = 8;
  using Vector = Eigen::Matrix<double, count, 1>;
  using Matrix = Eigen::Matrix<double, count, count>;

  Vector c, b;
  Matrix A;
  Eigen::Matrix<double, 2, count> tail;  ///< the last of Legendre's coefficients

  GaussStages();
};
const GaussStages& gauss_stages();

/// A slider in the plane at some angle of a periodic motion: p is the elastic force if it stuck from the origin
/// on, L its limit.
struct PlanarPoint {
  Eigen::Vector2d p = Eigen::Vector2d::Zero(), slope = p, curvature = p;
  double L = 0, L_slope = 0, L_curvature = 0;
};

/// A piece of slip in the plane: the force L (cos φ, sin φ) turns towards the motion,
///
///     φ′ = p′·t/L,   t = (−sin φ, cos φ),
///
/// and it slips while σ = p′·n − L′ > 0. Gauss's method keeps its order where L vanishes and the equation
/// gets stiff; its stages are the nodes of the integrals.
struct SlipCell {
  using Vector = GaussStages::Vector;
  double from = 0, length = 0;
  Eigen::Matrix<double, 2, GaussStages::count> slopes;  ///< p′ at the stages
  Vector L, L_slopes, phi, rate, stiffness;             ///< stiffness: ∂φ′/∂φ
  double end = 0;                                       ///< φ there
  Eigen::PartialPivLU<GaussStages::Matrix> factor;

  /// From φ at its beginning; false if Newton's method does not get there.
  bool solve(double start);
  void find_rates();
  /// σ at a stage.
  double velocity(int stage) const;
  /// What the last terms of the polynomial through its stages say of the error of φ.
  double error() const;
};

}  // namespace microslip::dynamics
