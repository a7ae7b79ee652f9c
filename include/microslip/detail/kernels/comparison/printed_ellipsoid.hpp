#pragma once

/// # The many-state law as its thesis integrates it
///
/// The method of S. Biswas, *Low-dimensional descriptions of high-dimensional frictional hysteresis*,
/// PhD thesis, Indian Institute of Technology Kanpur (2018), sections 2.3.3 and 2.4, kept for
/// comparison with the exact flow of kernels/ellipsoid_flow.hpp. With c = K q − b u the state slips
/// along the unit vector η that minimises
///
///     y = √(ηᵀAη) + ηᵀc,
///
/// by a penalty (2.22): dq/d|u| = gain η |y|^p where y < 0. As the gain grows, y → 0⁻ in slip, and
/// the motion tends to the exact flow.
///
/// Stationary η follow from (2.15)–(2.21): with A = QΛQᵀ, c̄ = Qᵀc and λ̂ a root of
///
///     Σ c̄_i² Λ_i/(λ̂ − Λ_i)² = 1,   w_i ∝ c̄_i/(λ̂ − Λ_i),   η = Q w/|w|,
///
/// a polynomial of degree 2m, of which the thesis computes all roots. The least y belongs to the
/// root below all Λ_i, which Newton's method finds alone: λ̂ = −t, and (Σ …)^(−1/2) is concave and
/// increasing in t.

#include <Eigen/Core>

#include "microslip/core/field.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

class PrintedEllipsoid {
 public:
  using Vector = Eigen::VectorXd;

  struct Slip {
    Vector direction;
    double y;
  };
  struct Options {
    double gain = 1000;
    double power = 1;
    double tolerance = 1e-8;
  };
  struct Move {
    Vector s;     ///< b u − K q
    double lost;  ///< ∫ sᵀdq
    double rate;  ///< d(bᵀq)/d|u| at the end
    Status status = Status::ok;
  };

  /// Matrices that have been checked.
  PrintedEllipsoid(const Matrix<double>& A, const Matrix<double>& K, const Vector& b,
                   const Options& options);

  /// η from all roots of the polynomial, as printed. c must not be zero.
  Slip by_polynomial(const Vector& c) const;
  /// The same from the one root that counts.
  Slip by_one_root(const Vector& c) const;

  /// (2.22) over du. `tolerance` bounds the error of one inner step relative to the size of the
  /// elastic domain.
  Move penalty(const Vector& s, double du) const;

  /// The stationary direction that belongs to a root λ̂.
  Slip at_root(const Vector& c_bar, double root) const;

 private:
  static constexpr int most_steps = 2000000;  ///< some seconds; a longer row is refused

  Matrix<double> K_, Q_;
  Vector lambda_, b_;
  Options options_;
};

}  // namespace microslip
