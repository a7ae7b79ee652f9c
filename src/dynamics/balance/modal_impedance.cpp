#include "dynamics/balance/modal_impedance.hpp"

#include <cmath>
#include <complex>

namespace microslip::dynamics {

using Complex = std::complex<double>;
using ComplexView = Eigen::Ref<const Eigen::MatrixXcd>;

bool ModalDamping::diagonal(const Eigen::MatrixXd& matrix) {
  Eigen::MatrixXd mixed = matrix;
  mixed.diagonal().setZero();
  // Modal damping comes back from its matrix with rounding; only the Jacobian forgets that. What
  // counts is what a mode gets from others beside its own impedance.
  return mixed.norm() <= 1e-9 * matrix.norm();
}

ModalDamping::ModalDamping(const Eigen::MatrixXd& matrix)
    : alone(Eigen::VectorXd::Zero(matrix.rows())) {
  if (diagonal(matrix)) {
    alone = matrix.diagonal();
    return;
  }
  // What is left of the factors below rounding of the modes is no column; as above, the residual
  // does not know of it.
  constexpr double rounding = 1e-10;
  constexpr Eigen::Index worth = 4;
  const dense::PivotedQr factors(matrix, rounding);
  if (worth * factors.rank > matrix.rows()) {
    full = matrix;
    return;
  }
  left = factors.Q.leftCols(factors.rank);
  right.resize(matrix.rows(), factors.rank);
  for (std::size_t k = 0; k < factors.columns.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    right.row(factors.columns[k]) = factors.R.col(column).head(factors.rank);
    for (Eigen::Index i = column + 1; i < factors.rank; ++i) right(factors.columns[k], i) = 0;
  }
}

ModalImpedance::ModalImpedance(const Eigen::VectorXcd& diagonal, double rate,
                               const ModalDamping& damping) {
  const Eigen::VectorXcd D = diagonal + Complex(0, rate) * damping.alone.cast<Complex>();
  if (damping.full.size() > 0 && rate != 0) {
    Eigen::MatrixXcd Z = Complex(0, rate) * damping.full.cast<Complex>();
    Z.diagonal() += D;
    full_.emplace(Z);
  } else if (damping.left.size() > 0 && rate != 0) {
    product_.emplace(D, rate, damping.left, damping.right);
    transposed_.emplace(D, rate, damping.right, damping.left);
  } else {
    inverse_ = D.cwiseInverse();
  }
}

Eigen::MatrixXcd ModalImpedance::solve(const ComplexView& b) const {
  if (full_) return full_->solve(b);
  if (product_) return product_->solve(b);
  return inverse_.asDiagonal() * b;
}

Eigen::MatrixXcd ModalImpedance::solve_transposed(const ComplexView& b) const {
  if (full_) return full_->solve_transposed(b);
  if (transposed_) return transposed_->solve(b);
  return inverse_.asDiagonal() * b;
}

ModalImpedance::Product::Product(const Eigen::VectorXcd& diagonal, double rate,
                                 const Eigen::MatrixXd& left, const Eigen::MatrixXd& right)
    : inverse_(diagonal.size()), left_(Complex(0, rate) * left.cast<Complex>()) {
  // D is ω_i² − (hω)²: of neither of both more than a hundredth is left.
  constexpr double near = 0.01;
  right_ = right.transpose().cast<Complex>();
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    const bool resonant = std::abs(diagonal[i]) < near * rate * rate;
    inverse_[i] = resonant ? Complex(0) : 1.0 / diagonal[i];
    if (resonant) resonant_.push_back(i);
  }
  const Eigen::Index r = left.cols(), n = static_cast<Eigen::Index>(resonant_.size());
  Eigen::MatrixXcd small = Eigen::MatrixXcd::Zero(r + n, r + n);
  small.topLeftCorner(r, r) =
      Eigen::MatrixXcd::Identity(r, r) + right_ * (inverse_.asDiagonal() * left_);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index i = resonant_[static_cast<std::size_t>(k)];
    small.col(r + k).head(r) = -right_.col(i);
    small.row(r + k).head(r) = left_.row(i);
    small(r + k, r + k) = diagonal[i];
  }
  small_.emplace(small);
}

Eigen::MatrixXcd ModalImpedance::Product::solve(const ComplexView& b) const {
  const Eigen::Index r = left_.cols(), n = static_cast<Eigen::Index>(resonant_.size());
  Eigen::MatrixXcd z = inverse_.asDiagonal() * b;
  Eigen::MatrixXcd small(r + n, b.cols());
  small.topRows(r) = right_ * z;
  for (Eigen::Index k = 0; k < n; ++k)
    small.row(r + k) = b.row(resonant_[static_cast<std::size_t>(k)]);
  small = small_->solve(small);
  z -= inverse_.asDiagonal() * (left_ * small.topRows(r));
  for (Eigen::Index k = 0; k < n; ++k)
    z.row(resonant_[static_cast<std::size_t>(k)]) = small.row(r + k);
  return z;
}

}  // namespace microslip::dynamics
