#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/bounded_least_squares.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::loops {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// The smoothest density (least second differences) that fits nearly as well as the best one: noise
/// of the backbone makes single bars, and what single bars hardly improve is left even. An exact
/// backbone is met exactly.
Vector smooth_solution(const Matrix& A, const Vector& b) {
  // |A k − b|² = |R k − Qᵀb|² + constant: the many solutions below see only a small square matrix.
  const Eigen::Index bars = A.cols() - 1, rows = std::min(A.rows(), A.cols());
  const dense::ThinQr factors(A);
  const Matrix& R = factors.R;
  const Vector c = factors.Q.transpose() * b;
  const Vector best = nonnegative_least_squares(R, c);
  if (bars < 3) return best;
  const double allowed = 1.3 * (A * best - b).norm() + 1e-10 * b.norm();
  Matrix extended = Matrix::Zero(rows + bars - 2, bars + 1);
  Vector right = Vector::Zero(rows + bars - 2);
  extended.topRows(rows) = R;
  right.head(rows) = c;
  const double scale = A.norm();
  for (double weight = 10; weight > 1e-6; weight /= 4) {
    for (Eigen::Index j = 0; j + 2 < bars; ++j) {
      const double w = weight * scale;
      extended.row(rows + j).segment(j, 3) << w, -2 * w, w;
    }
    const Vector k = nonnegative_least_squares(extended, right);
    if ((A * k - b).norm() <= allowed) return k;
  }
  return best;
}

/// Force at x of sliders of stiffness 1 whose slip distances fill the bar evenly.
double bar_force(double x, double from, double to) {
  if (x <= from) return x;
  if (x >= to) return 0.5 * (from + to);
  return (0.5 * (x * x - from * from) + x * (to - x)) / (to - from);
}

}  // namespace

IwanDensity iwan_density(std::span<const double> x, std::span<const double> force,
                         std::size_t bins) {
  if (bins < 1) throw Error("the number of bars of the Iwan density = 0 must be at least 1");
  if (x.size() < 3 || x.size() != force.size() || !(x.back() > 0))
    throw Error("a backbone needs at least three points with x ascending from 0");
  IwanDensity result;
  for (std::size_t i = 0; i <= bins; ++i)
    result.edges.push_back(x.back() * static_cast<double>(i) / static_cast<double>(bins));

  const auto rows = static_cast<Eigen::Index>(x.size());
  const auto columns = static_cast<Eigen::Index>(bins) + 1;
  Matrix A(rows, columns);
  Vector b(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    b[i] = force[k];
    A(i, columns - 1) = x[k];
    for (std::size_t j = 0; j < bins; ++j)
      A(i, static_cast<Eigen::Index>(j)) = bar_force(x[k], result.edges[j], result.edges[j + 1]);
  }
  const Vector k = smooth_solution(A, b);
  for (std::size_t j = 0; j < bins; ++j) {
    const double stiffness = k[static_cast<Eigen::Index>(j)];
    result.stiffness.push_back(stiffness);
    result.density.push_back(stiffness / (result.edges[j + 1] - result.edges[j]));
  }
  result.elastic = k[columns - 1];
  const double scale = b.cwiseAbs().maxCoeff();
  if (scale > 0)
    result.rms = std::sqrt((A * k - b).squaredNorm() / static_cast<double>(rows)) / scale;
  return result;
}

}  // namespace microslip::loops
