#include "microslip/friction/system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "factor.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/detail/numerics/sparse.hpp"

namespace microslip::friction {
namespace {

/// Symmetry to the digits that a text file usually carries; what is left is averaged away.
constexpr double symmetry_tolerance = 1e-9;

std::string at(std::string_view name, Index i) {
  return std::string(name) + "(" + std::to_string(i + 1) + ")";
}
std::string at(std::string_view name, Index i, Index j) {
  return std::string(name) + "(" + std::to_string(i + 1) + "," + std::to_string(j + 1) + ")";
}

void refuse_asymmetry(Index i, Index j, double one, double other, double scale) {
  if (std::abs(one - other) <= symmetry_tolerance * scale) return;
  if (i > j) return refuse_asymmetry(j, i, other, one, scale);
  throw Error(at("K", i, j) + " = " + number_text(one) + " and " + at("K", j, i) + " = " +
              number_text(other) + " must be equal: K must be symmetric");
}

void refuse_not_finite(Index i, Index j, double x) {
  if (!std::isfinite(x)) throw Error(at("K", i, j) + " = " + number_text(x) + " must be finite");
}

/// The first leading block without a Cholesky factor, row by row; only for the error message.
Index first_bad_row(const Eigen::MatrixXd& K, double shift) {
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(K.rows(), K.rows());
  for (Index i = 0; i < K.rows(); ++i) {
    Vector row = K.row(i).head(i);
    L.topLeftCorner(i, i).triangularView<Eigen::Lower>().solveInPlace(row);
    const double pivot = K(i, i) + shift - row.squaredNorm();
    if (!(pivot > 0)) return i;
    L.row(i).head(i) = row;
    L(i, i) = std::sqrt(pivot);
  }
  return K.rows() - 1;
}

[[noreturn]] void refuse_indefinite(const Eigen::MatrixXd& K, double shift) {
  const std::string row = std::to_string(first_bad_row(K, shift) + 1);
  throw Error("K has a direction of negative stiffness: its first " + row +
              " rows and columns are not positive semidefinite, but those before row " + row +
              " are");
}

}  // namespace

std::string_view text_of(Sparsity sparsity) {
  switch (sparsity) {
    case Sparsity::diagonal:
      return "diagonal";
    case Sparsity::tridiagonal:
      return "tridiagonal";
    case Sparsity::sparse:
      return "sparse";
    case Sparsity::dense:
      return "dense";
  }
  return "";
}

System::System(Eigen::MatrixXd K, Vector mu, Vector b)
    : dense_(std::move(K)), mu_(std::move(mu)), b_(std::move(b)) {
  check_vectors(dense_.rows(), dense_.cols());
  const Index n = size();
  Index filled = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      refuse_not_finite(i, j, dense_(i, j));
      refuse_not_finite(j, i, dense_(j, i));
      refuse_asymmetry(i, j, dense_(i, j), dense_(j, i),
                       std::max(std::abs(dense_(i, j)), std::abs(dense_(j, i))));
      dense_(i, j) = dense_(j, i) = 0.5 * (dense_(i, j) + dense_(j, i));
      filled += dense_(i, j) != 0;
    }
  // A tridiagonal matrix has 2n − 1 entries up to its diagonal; one entry in ten is sparse as well.
  if (filled <= std::max(2 * n - 1, n * n / 20)) {
    sparse_ = dense_.sparseView();
    dense_.resize(0, 0);
    sparsity_ = Sparsity::sparse;
  }
  classify();
  check_stiffness();
}

System::System(SparseMatrix K, Vector mu, Vector b)
    : sparse_(std::move(K)), mu_(std::move(mu)), b_(std::move(b)), sparsity_(Sparsity::sparse) {
  check_vectors(sparse_.rows(), sparse_.cols());
  for (Index j = 0; j < size(); ++j)
    for (SparseMatrix::InnerIterator it(sparse_, j); it; ++it) {
      refuse_not_finite(it.row(), j, it.value());
      const double mirror = sparse_.coeff(j, it.row());
      refuse_asymmetry(it.row(), j, it.value(), mirror,
                       std::max(std::abs(it.value()), std::abs(mirror)));
    }
  sparse_ = SparseMatrix(0.5 * (sparse_ + SparseMatrix(sparse_.transpose())));
  sparse_.prune(0.0, 0.0);
  sparse_.makeCompressed();
  if (sparse_.nonZeros() > std::max(3 * size(), size() * size() / 10)) {
    dense_ = Eigen::MatrixXd(sparse_);
    sparse_.resize(0, 0);
    sparsity_ = Sparsity::dense;
  }
  classify();
  check_stiffness();
}

void System::check_vectors(Index rows, Index columns) const {
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " × " + std::to_string(c); };
  if (rows != columns) throw Error("K has " + shape(rows, columns) + " entries; it must be square");
  if (rows == 0) throw Error("K must not be empty");
  for (const auto& [name, list] : {std::pair{"mu", &mu_}, std::pair{"b", &b_}}) {
    if (list->size() != rows)
      throw Error(std::string(name) + " has " + std::to_string(list->size()) + " entries and K " +
                  shape(rows, columns) + "; they must have the same number of sliders");
    for (Index i = 0; i < rows; ++i)
      if (!std::isfinite((*list)[i]))
        throw Error(at(name, i) + " = " + number_text((*list)[i]) + " must be finite");
  }
  for (Index i = 0; i < rows; ++i)
    if (!(mu_[i] > 0)) throw Error(at("mu", i) + " = " + number_text(mu_[i]) + " must be positive");
}

void System::classify() {
  const Index n = size();
  bool off_diagonal_negative = true;
  Index bandwidth = 0;
  row_scale_ = Vector::Zero(n);
  diagonal_ = Vector::Zero(n);
  const auto see = [&](Index i, Index j, double x) {
    if (x == 0) return;
    bandwidth = std::max(bandwidth, std::abs(i - j));
    if (i != j && x > 0) off_diagonal_negative = false;
    if (i == j) diagonal_[i] = x;
    row_scale_[i] = std::max(row_scale_[i], std::abs(x));
  };
  if (sparsity_ == Sparsity::dense) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) see(i, j, dense_(i, j));
  } else {
    for (Index j = 0; j < n; ++j)
      for (SparseMatrix::InnerIterator it(sparse_, j); it; ++it) see(it.row(), j, it.value());
    if (bandwidth == 0) sparsity_ = Sparsity::diagonal;
    if (bandwidth == 1) sparsity_ = Sparsity::tridiagonal;
  }
  const bool one_sign = (b_.array() >= 0).all() || (b_.array() <= 0).all();
  monotone_ = off_diagonal_negative && one_sign;
}

void System::check_stiffness() {
  for (Index i = 0; i < size(); ++i) {
    const double k = diagonal_[i];
    if (k < 0)
      throw Error(at("K", i, i) + " = " + number_text(k) +
                  " must not be negative: K must be positive semidefinite");
    if (k == 0 && row_scale_[i] > 0)
      throw Error(at("K", i, i) + " = 0, but row " + std::to_string(i + 1) +
                  " has other entries: K must be positive semidefinite");
  }
  const double shift = singular_pivot * static_cast<double>(size()) * diagonal_.maxCoeff();
  if (sparsity_ == Sparsity::dense) {
    const dense::Cholesky factors(dense_);
    if (factors.positive()) {
      const Vector pivots = factors.L().diagonal().cwiseAbs2();
      definite_ = (pivots.array() > singular_pivot * diagonal_.array()).all();
      return;
    }
    definite_ = false;
    Eigen::MatrixXd shifted = dense_;
    shifted.diagonal().array() += shift;
    if (!dense::Cholesky(shifted).positive()) refuse_indefinite(dense_, shift);
    return;
  }
  const sparse::Ldlt factors(sparse_, shift);
  if (shift > 0 && (!factors.found() || (factors.pivots().array() <= 0).any()))
    refuse_indefinite(Eigen::MatrixXd(sparse_), shift);
  // The shift lifts a zero pivot to about itself.
  definite_ = shift > 0 && factors.pivots().minCoeff() > 10 * shift;
}

double System::entry(Index row, Index column) const {
  return is_dense() ? dense_(row, column) : sparse_.coeff(row, column);
}

Vector System::times(const Vector& x) const {
  if (is_dense()) return dense_ * x;
  return sparse_ * x;
}

void System::subtract_columns(std::span<const Index> columns, const Vector& weights,
                              Vector& y) const {
  if (is_dense()) {
    // Four columns at a time: the vector is read and written once for all of them.
    std::size_t k = 0;
    for (; k + 4 <= columns.size(); k += 4) {
      const Index i = static_cast<Index>(k);
      y.noalias() -=
          weights[i] * dense_.col(columns[k]) + weights[i + 1] * dense_.col(columns[k + 1]) +
          weights[i + 2] * dense_.col(columns[k + 2]) + weights[i + 3] * dense_.col(columns[k + 3]);
    }
    for (; k < columns.size(); ++k)
      y.noalias() -= weights[static_cast<Index>(k)] * dense_.col(columns[k]);
    return;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double weight = weights[static_cast<Index>(k)];
    for (SparseMatrix::InnerIterator it(sparse_, columns[k]); it; ++it)
      y[it.row()] -= weight * it.value();
  }
}

std::string slider_list(std::span<const Index> sliders) {
  std::vector<Index> sorted(sliders.begin(), sliders.end());
  std::sort(sorted.begin(), sorted.end());
  std::string text = sorted.size() == 1 ? "slider " : "sliders ";
  int pieces = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    if (++pieces > 8) return text + ", …";
    text += (i == 0 ? "" : ", ") + std::to_string(sorted[i] + 1);
    if (last > i) text += "–" + std::to_string(sorted[last] + 1);
    i = last + 1;
  }
  return text;
}

}  // namespace microslip::friction
