#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace microslip::dynamics {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// A row of weights of the degrees of freedom, most of them zero. Made from dense or sparse
/// vectors; where a dense vector is wanted it becomes one.
class Direction : public Eigen::SparseVector<double> {
 public:
  using Sparse = Eigen::SparseVector<double>;

  Direction() = default;
  template <class Derived>
  Direction(const Eigen::MatrixBase<Derived>& dense) : Sparse(dense.sparseView()) {}
  template <class Derived>
  Direction(const Eigen::SparseMatrixBase<Derived>& sparse) : Sparse(sparse) {}
  template <class Derived>
  Direction& operator=(const Eigen::MatrixBase<Derived>& dense) {
    return *this = Direction(dense);
  }

  double operator[](Eigen::Index i) const { return coeff(i); }
  bool is_zero() const { return norm() == 0; }
  Eigen::VectorXd dense() const { return Eigen::VectorXd(*this); }
  Eigen::VectorXd normalized() const { return dense().normalized(); }
};

/// w of a joint between two degrees of freedom counted from 1, 0 being the ground: the displacement
/// is x[to] − x[from].
Direction between(Eigen::Index size, Eigen::Index from, Eigen::Index to);

/// Adds k w wᵀ.
void add_along(SparseMatrix& matrix, const Direction& w, double k);

}  // namespace microslip::dynamics
