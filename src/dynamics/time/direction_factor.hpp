#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// Cholesky's factor of a sparse matrix, P A Pᵀ = L D Lᵀ, for right sides that get forces along a few
/// directions W later. A solve has two halves,
///
///     y = D⁻¹ L⁻¹ P b,   x = Pᵀ L⁻ᵀ y.
///
/// Rows of L⁻ᵀ y need only rows further on in the elimination tree, and so do columns of L⁻¹. So
/// Wᵀ x, and what forces along W add to y, cost only the paths from the entries of W to the root.
///
/// P is the cheapest of a few orders, counted in entries of L that a step meets: minimum degree, the
/// order that was given, and both with the entries of W last, which makes the paths short. A chain
/// keeps its order, so that a solve goes up and down it once.
class DirectionFactor {
 public:
  DirectionFactor(const SparseMatrix& A, const SparseMatrix& W);

  /// Whether A is positive definite; otherwise nothing else may be asked for.
  bool definite() const { return definite_; }

  /// The first half, and the second one, which is subtracted from z and spoils y.
  void forward(const Eigen::VectorXd& b, Eigen::VectorXd& y) const;
  void subtract_back(Eigen::VectorXd& y, Eigen::VectorXd& z) const;
  /// Wᵀ x.
  Eigen::VectorXd along(const Eigen::VectorXd& y) const;
  /// Adds forces W f to b, in y.
  void add(const Eigen::VectorXd& f, Eigen::VectorXd& y) const;
  /// Wᵀ A⁻¹ W
  Eigen::MatrixXd flexibility() const;

  /// Below the diagonal of L, and rows on the paths from W to the root.
  Eigen::Index entries() const { return L().nonZeros(); }
  Eigen::Index path() const { return static_cast<Eigen::Index>(reach_.size()); }

 private:
  const SparseMatrix& L() const { return factors_.matrixL().nestedExpression(); }

  std::vector<int> place_;  ///< of each degree of freedom in the order of elimination
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factors_;
  Eigen::VectorXd inverse_D_;
  bool definite_ = false;
  SparseMatrix W_;                   ///< P W
  std::vector<Eigen::Index> reach_;  ///< rows of L on the paths from W to the root, upwards
  mutable Eigen::VectorXd scratch_;  ///< zero between calls
};

}  // namespace microslip::dynamics
