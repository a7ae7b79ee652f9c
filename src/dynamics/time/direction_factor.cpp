#include "dynamics/time/direction_factor.hpp"

namespace microslip::dynamics {
namespace {

/// Calls f(row, value) for the entries of a column below the diagonal.
template <class F>
void for_each_below(const SparseMatrix& L, Eigen::Index column, const F& f) {
  const auto *start = L.outerIndexPtr(), *row = L.innerIndexPtr();
  const double* value = L.valuePtr();
  for (auto k = start[column]; k < start[column + 1]; ++k) f(row[k], value[k]);
}

}  // namespace

DirectionFactor::DirectionFactor(const SparseMatrix& A, const SparseMatrix& W) : factors_(A) {
  definite_ = factors_.info() == Eigen::Success && factors_.vectorD().minCoeff() > 0;
  if (!definite_) return;
  W_ = factors_.permutationP() * W;
  W_.makeCompressed();
  const Eigen::Index n = A.rows();
  scratch_.setZero(n);
  std::vector<bool> reached(static_cast<std::size_t>(n), false);
  const auto climb = [&](Eigen::Index row) {
    while (row < n && !reached[static_cast<std::size_t>(row)]) {
      reached[static_cast<std::size_t>(row)] = true;
      // The parent in the tree is the first entry below the diagonal.
      const auto first = L().outerIndexPtr()[row], end = L().outerIndexPtr()[row + 1];
      row = first < end ? L().innerIndexPtr()[first] : n;
    }
  };
  for (Eigen::Index j = 0; j < W_.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(W_, j); entry; ++entry) climb(entry.row());
  for (Eigen::Index i = 0; i < n; ++i)
    if (reached[static_cast<std::size_t>(i)]) reach_.push_back(i);
}

Eigen::VectorXd DirectionFactor::forward(const Eigen::VectorXd& b) const {
  Eigen::VectorXd y = factors_.permutationP() * b;
  const Eigen::VectorXd& D = factors_.vectorD();
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double here = y[j];
    for_each_below(L(), j, [&](Eigen::Index i, double l) { y[i] -= l * here; });
    y[j] = here / D[j];
  }
  return y;
}

Eigen::VectorXd DirectionFactor::back(Eigen::VectorXd y) const {
  for (Eigen::Index j = y.size() - 1; j >= 0; --j) {
    double here = y[j];
    for_each_below(L(), j, [&](Eigen::Index i, double l) { here -= l * y[i]; });
    y[j] = here;
  }
  return factors_.permutationPinv() * y;
}

Eigen::VectorXd DirectionFactor::along(const Eigen::VectorXd& y) const {
  for (auto j = reach_.rbegin(); j != reach_.rend(); ++j) {
    double here = y[*j];
    for_each_below(L(), *j, [&](Eigen::Index i, double l) { here -= l * scratch_[i]; });
    scratch_[*j] = here;
  }
  const Eigen::VectorXd result = W_.transpose() * scratch_;
  for (const Eigen::Index j : reach_) scratch_[j] = 0;
  return result;
}

void DirectionFactor::add(const Eigen::VectorXd& f, Eigen::VectorXd& y) const {
  const Eigen::VectorXd& D = factors_.vectorD();
  for (Eigen::Index k = 0; k < W_.cols(); ++k)
    for (SparseMatrix::InnerIterator entry(W_, k); entry; ++entry)
      scratch_[entry.row()] += entry.value() * f[k];
  for (const Eigen::Index j : reach_) {
    const double here = scratch_[j];
    for_each_below(L(), j, [&](Eigen::Index i, double l) { scratch_[i] -= l * here; });
    y[j] += here / D[j];
    scratch_[j] = 0;
  }
}

Eigen::MatrixXd DirectionFactor::flexibility() const {
  Eigen::MatrixXd result(W_.cols(), W_.cols());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(scratch_.size());
  for (Eigen::Index k = 0; k < W_.cols(); ++k) {
    add(Eigen::VectorXd::Unit(W_.cols(), k), y);
    result.col(k) = along(y);
    for (const Eigen::Index j : reach_) y[j] = 0;
  }
  return result;
}

}  // namespace microslip::dynamics
