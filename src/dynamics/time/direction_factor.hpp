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
class DirectionFactor {
 public:
  DirectionFactor(const SparseMatrix& A, const SparseMatrix& W);

  /// Whether A is positive definite; otherwise nothing else may be asked for.
  bool definite() const { return definite_; }

  /// The first half, and the second one.
  Eigen::VectorXd forward(const Eigen::VectorXd& b) const;
  Eigen::VectorXd back(Eigen::VectorXd y) const;
  /// Wᵀ x.
  Eigen::VectorXd along(const Eigen::VectorXd& y) const;
  /// Adds forces W f to b, in y.
  void add(const Eigen::VectorXd& f, Eigen::VectorXd& y) const;
  /// Wᵀ A⁻¹ W
  Eigen::MatrixXd flexibility() const;

 private:
  const SparseMatrix& L() const { return factors_.matrixL().nestedExpression(); }

  Eigen::SimplicialLDLT<SparseMatrix> factors_;
  bool definite_ = false;
  SparseMatrix W_;                   ///< P W
  std::vector<Eigen::Index> reach_;  ///< rows of L on the paths from W to the root, upwards
  mutable Eigen::VectorXd scratch_;  ///< zero between calls
};

}  // namespace microslip::dynamics
