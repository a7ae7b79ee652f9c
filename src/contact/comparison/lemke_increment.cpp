#include "contact/conditions.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/friction/lcp.hpp"

namespace microslip::contact {

/// The conditions of an increment in compliance form, as a linear complementarity problem.
Increment lemke_increment(const Problem& problem, const Vector& q, const Vector& w_before) {
  const Index n = problem.nodes();
  const dense::Cholesky factors(problem.K());
  if (!factors.positive())
    throw Error("contact.K must be positive definite for Lemke's algorithm in compliance form");
  const Matrix F = factors.solve(Matrix::Identity(2 * n, 2 * n));
  const Vector free = F * q;
  // Compliances of a unit of length, so that forces and displacements have one size.
  const auto mu = problem.mu().asDiagonal();
  const auto part = [&](Index row, Index column) {
    return Matrix(F(Eigen::seqN(row, n, 2), Eigen::seqN(column, n, 2)));
  };
  const Matrix Fnn = part(0, 0), Fnt = part(0, 1), Ftn = part(1, 0), Ftt = part(1, 1);
  const double unit = F.diagonal().maxCoeff();
  Matrix M = Matrix::Zero(3 * n, 3 * n);
  M.block(0, 0, n, n) = (Fnn + Fnt * mu) / unit;
  M.block(0, n, n, n) = -Fnt / unit;
  M.block(n, 0, n, n) = -(Ftn + Ftt * mu) / unit;
  M.block(n, n, n, n) = Ftt / unit;
  M.block(n, 2 * n, n, n).setIdentity();
  M.block(2 * n, 0, n, n) = 2 * Matrix(mu);
  M.block(2 * n, n, n, n) = -Matrix::Identity(n, n);
  Vector right = Vector::Zero(3 * n);
  for (Index i = 0; i < n; ++i) {
    right[i] = free[2 * i] / unit;
    right[n + i] = -(free[2 * i + 1] - w_before[2 * i + 1]) / unit;
  }
  const friction::LcpSolution solution = friction::lemke(M, right);
  Increment result;
  result.status = solution.status;
  result.iterations = solution.pivots;
  if (solution.status != Status::ok) return result;
  result.T.resize(2 * n);
  for (Index i = 0; i < n; ++i) {
    const double P = solution.z[i], shear = solution.z[n + i] - problem.mu()[i] * P;
    result.T[2 * i] = -P;
    result.T[2 * i + 1] = shear;
    const double forward = solution.z[2 * n + i], backward = solution.w[n + i];
    result.nodes.push_back(solution.w[i] > 0 ? Contact::open
                           : forward > 0     ? Contact::forward
                           : backward > 0    ? Contact::backward
                                             : Contact::stick);
  }
  result.w = F * (q - result.T);
  return result;
}

}  // namespace microslip::contact
