#pragma once

#include <Eigen/Core>

#include "microslip/core/field.hpp"

namespace microslip {

/// One reduced model has many matrices (K, A, b): K = I, A = diag(λ) is its canonical form, with
/// q = V p, A V = K V diag(λ), VᵀK V = I and b → Vᵀb. λ ascends and b ≥ 0. So the model has 2m
/// numbers; store, fit and compare models in this form.
struct CanonicalForm {
  Eigen::VectorXd lambda;
  Eigen::VectorXd b;
  Matrix<double> V;
};

/// A and K symmetric and positive definite, else an Error that names `law` and the matrix.
CanonicalForm canonical_form(std::string_view law, const Matrix<double>& A, const Matrix<double>& K,
                             const Eigen::VectorXd& b);

/// Throws unless the matrix is square, m × m, symmetric to rounding and positive definite.
void check_positive_definite(std::string_view law, std::string_view name,
                             const Matrix<double>& matrix, Eigen::Index m);

/// Of a symmetric matrix: eigenvalues, ascending, and eigenvectors, in columns. Takes long to
/// compile, hence only once.
struct EigenPairs {
  Eigen::VectorXd values;
  Matrix<double> vectors;
};
EigenPairs symmetric_eigen_pairs(const Matrix<double>& matrix);

}  // namespace microslip
