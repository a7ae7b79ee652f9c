#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <vector>

namespace microslip::dynamics {

/// A matrix that is known by its products.
using Product = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Solves A x = b without restarts; x starts from zero. The number of iterations, or −1 if they do
/// not reach the tolerance.
inline int gmres(const Product& A, const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  constexpr int most = 400;
  constexpr double tolerance = 1e-11;  // far below what a step of Newton's method is wrong by
  const double size = b.norm();
  x = Eigen::VectorXd::Zero(b.size());
  if (size == 0) return 0;
  std::vector<Eigen::VectorXd> basis{b / size};
  std::vector<Eigen::VectorXd> columns;  // of the triangular matrix
  std::vector<double> cosines, sines, right{size};
  for (int k = 0; k < most; ++k) {
    Eigen::VectorXd next = A(basis.back());
    Eigen::VectorXd column(k + 2);
    for (int i = 0; i <= k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      column[i] = basis[at].dot(next);
      next -= column[i] * basis[at];
    }
    column[k + 1] = next.norm();
    if (!std::isfinite(column[k + 1])) return -1;
    const double length = column[k + 1];
    for (int i = 0; i < k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double upper = cosines[at] * column[i] + sines[at] * column[i + 1];
      column[i + 1] = cosines[at] * column[i + 1] - sines[at] * column[i];
      column[i] = upper;
    }
    const double radius = std::hypot(column[k], column[k + 1]);
    if (radius == 0) return -1;
    cosines.push_back(column[k] / radius);
    sines.push_back(column[k + 1] / radius);
    column[k] = radius;
    right.push_back(-sines.back() * right.back());
    right[right.size() - 2] *= cosines.back();
    columns.push_back(column);
    if (std::abs(right.back()) <= tolerance * size || length == 0) break;
    basis.push_back(next / length);
  }
  // What rounding leaves is good enough; a system that does not converge is not.
  if (std::abs(right.back()) > 1e-8 * size) return -1;
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::VectorXd y(n), radii(n);
  for (Eigen::Index i = 0; i < n; ++i) radii[i] = std::abs(columns[static_cast<std::size_t>(i)][i]);
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    double sum = right[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i + 1; j < n; ++j) sum -= columns[static_cast<std::size_t>(j)][i] * y[j];
    y[i] = sum / columns[static_cast<std::size_t>(i)][i];
    x += y[i] * basis[static_cast<std::size_t>(i)];
  }
  if (!x.allFinite()) return -1;
  // Where A is singular on the Krylov space, the recursive residual is rounding.
  const bool singular = radii.minCoeff() <= 1e-12 * radii.maxCoeff();
  return !singular || (A(x) - b).norm() <= 1e-8 * size ? static_cast<int>(n) : -1;
}

}  // namespace microslip::dynamics
