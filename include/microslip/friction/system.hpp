#pragma once

/// # Many sliders
///
///     μ sgn(ẋ) + K x = b f(t)
///
/// N massless blocks on dry ground, joined by springs (K), each with its own friction limit μ_i and
/// its share b_i of one load f (S. Biswas, PhD thesis, IIT Kanpur 2018, eq. 2.4). The displacement
/// that belongs to the load is ξ = bᵀx, since f dξ is the work.
///
/// With r = b f − K x, the force each block passes to the ground, the law reads: |r_i| ≤ μ_i, and
/// a block slips only at its limit and in the direction of r_i.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <string>
#include <string_view>

namespace microslip::friction {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// What K looks like, which decides how it is stored and solved with.
enum class Sparsity { diagonal, tridiagonal, sparse, dense };
std::string_view text_of(Sparsity sparsity);

/// K, μ and b, checked once and immutable afterwards.
class System {
 public:
  /// Throws Error that names the entry when sizes differ, a number is not finite, K is not
  /// symmetric or has a direction of negative stiffness, or a μ is not positive. K may be
  /// semidefinite, as that of a chain with free ends is. A matrix that is mostly zeros is stored
  /// sparse and any other dense, whichever way it came.
  System(Eigen::MatrixXd K, Vector mu, Vector b);
  System(SparseMatrix K, Vector mu, Vector b);

  Index size() const noexcept { return mu_.size(); }
  const Vector& mu() const noexcept { return mu_; }
  const Vector& b() const noexcept { return b_; }
  Sparsity sparsity() const noexcept { return sparsity_; }

  /// False when some parts can move as a whole without a spring resisting.
  bool definite() const noexcept { return definite_; }
  /// K is an M-matrix and all b have one sign, as in a spring network pulled one way: no slider
  /// sticks again while the load goes on in one direction, so one implicit solve is exact however
  /// far it goes.
  bool monotone() const noexcept { return monotone_; }

  double entry(Index row, Index column) const;
  const Vector& diagonal() const noexcept { return diagonal_; }
  /// The largest |K_ij| of each row, for rounding bounds.
  const Vector& row_scale() const noexcept { return row_scale_; }

  Vector times(const Vector& x) const;
  /// y −= K(:, columns) weights; the cost is that of the columns alone.
  void subtract_columns(std::span<const Index> columns, const Vector& weights, Vector& y) const;

  bool is_dense() const noexcept { return sparsity_ == Sparsity::dense; }
  const Eigen::MatrixXd& dense() const noexcept { return dense_; }
  const SparseMatrix& sparse() const noexcept { return sparse_; }

  /// ½ xᵀ K x, what the springs hold.
  double elastic_energy(const Vector& x) const { return 0.5 * x.dot(times(x)); }

 private:
  void check_vectors(Index rows, Index columns) const;
  void classify();
  void check_stiffness();

  Eigen::MatrixXd dense_;
  SparseMatrix sparse_;
  Vector mu_, b_, diagonal_, row_scale_;
  Sparsity sparsity_ = Sparsity::dense;
  bool definite_ = true;
  bool monotone_ = false;
};

/// "sliders 1–3, 7" from indices that count from 0; long lists are cut.
std::string slider_list(std::span<const Index> sliders);

}  // namespace microslip::friction
