#include "dynamics/time/direction_factor.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <limits>

namespace microslip::dynamics {
namespace {

/// Calls f(row, value) for the entries of a column below the diagonal.
template <class F>
void for_each_below(const SparseMatrix& L, Eigen::Index column, const F& f) {
  const auto *start = L.outerIndexPtr(), *row = L.innerIndexPtr();
  const double* value = L.valuePtr();
  for (auto k = start[column]; k < start[column + 1]; ++k) f(row[k], value[k]);
}

/// Entries of the columns of L and the paths from W to the root, of an order that is given by the
/// place of each row.
class EntryCount {
 public:
  EntryCount(const SparseMatrix& A, const SparseMatrix& W) : A_(A), W_(W) {}

  /// Infinity where there are more than `most`, which need not be counted.
  double cost(const std::vector<int>& place, double most) const {
    const auto n = static_cast<int>(A_.rows());
    std::vector<int> at(place.size()), parent(place.size(), -1), seen(place.size(), -1);
    std::vector<int> entries(place.size(), 0);
    for (int i = 0; i < n; ++i) at[index(place[index(i)])] = i;
    double all = 0;
    for (int row = 0; row < n; ++row) {
      seen[index(row)] = row;
      for (SparseMatrix::InnerIterator entry(A_, at[index(row)]); entry; ++entry) {
        for (int i = place[index(static_cast<int>(entry.row()))]; i < row && seen[index(i)] != row;
             i = parent[index(i)]) {
          if (parent[index(i)] < 0) parent[index(i)] = row;
          seen[index(i)] = row;
          ++entries[index(i)];
          ++all;
        }
      }
      if (all > most) return std::numeric_limits<double>::infinity();
    }
    // Both halves of a solve, and both ways along the paths, whose rows lie apart.
    double paths = 0;
    for (Eigen::Index j = 0; j < W_.cols(); ++j)
      for (SparseMatrix::InnerIterator entry(W_, j); entry; ++entry)
        for (int i = place[index(static_cast<int>(entry.row()))]; i >= 0 && seen[index(i)] >= 0;
             i = parent[index(i)]) {
          seen[index(i)] = -1;
          paths += 1 + entries[index(i)];
        }
    return n + all + 2 * paths;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const SparseMatrix &A_, &W_;
};

/// The same order with the rows that are marked last.
std::vector<int> with_last(const std::vector<int>& place, const std::vector<bool>& marked) {
  std::vector<int> at(place.size()), result(place.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    at[static_cast<std::size_t>(place[i])] = static_cast<int>(i);
  int next = 0;
  for (const bool last : {false, true})
    for (const int i : at)
      if (marked[static_cast<std::size_t>(i)] == last) result[static_cast<std::size_t>(i)] = next++;
  return result;
}

std::vector<int> cheapest_order(const SparseMatrix& A, const SparseMatrix& W) {
  const auto n = static_cast<std::size_t>(A.rows());
  std::vector<bool> touched(n, false);
  for (Eigen::Index j = 0; j < W.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(W, j); entry; ++entry)
      touched[static_cast<std::size_t>(entry.row())] = true;
  std::vector<int> given(n), least_degree(n);
  for (std::size_t i = 0; i < n; ++i) given[i] = static_cast<int>(i);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(A.selfadjointView<Eigen::Lower>(), inverse);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    least_degree[static_cast<std::size_t>(inverse.indices()[i])] = static_cast<int>(i);
  const EntryCount count(A, W);
  std::vector<int> best;
  double least = std::numeric_limits<double>::infinity();
  // Minimum degree first: it bounds what others are counted for.
  for (const std::vector<int>& order :
       {least_degree, with_last(least_degree, touched), given, with_last(given, touched)}) {
    const double cost = count.cost(order, least);
    if (!best.empty() && cost > least) continue;
    best = order;
    least = cost;
  }
  return best;
}

}  // namespace

DirectionFactor::DirectionFactor(const SparseMatrix& A, const SparseMatrix& W)
    : place_(cheapest_order(A, W)) {
  const Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> P(
      Eigen::Map<const Eigen::VectorXi>(place_.data(), static_cast<Eigen::Index>(place_.size())));
  SparseMatrix ordered;
  ordered = A.twistedBy(P);
  factors_.compute(ordered);
  definite_ = factors_.info() == Eigen::Success && factors_.vectorD().minCoeff() > 0;
  if (!definite_) return;
  inverse_D_ = factors_.vectorD().cwiseInverse();
  W_ = P * W;
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

void DirectionFactor::forward(const Eigen::VectorXd& b, Eigen::VectorXd& y) const {
  y.resize(b.size());
  for (std::size_t i = 0; i < place_.size(); ++i) y[place_[i]] = b[static_cast<Eigen::Index>(i)];
  // The next number, and that of the row met last beside it, stay in registers: in a chain each waits
  // for the one before, and a way through memory is as long as the arithmetic.
  const Eigen::Index n = y.size();
  double here = n > 0 ? y[0] : 0, beside = 0;
  Eigen::Index row = -1;
  for (Eigen::Index j = 0; j < n; ++j) {
    double next = j + 1 < n ? y[j + 1] : 0;
    if (row == j + 1) {
      next = beside;
      row = -1;
    }
    for_each_below(L(), j, [&](Eigen::Index i, double l) {
      if (i == j + 1) {
        next -= l * here;
        return;
      }
      if (i != row) {
        if (row >= 0) y[row] = beside;
        row = i;
        beside = y[i];
      }
      beside -= l * here;
    });
    y[j] = here * inverse_D_[j];
    here = next;
  }
}

void DirectionFactor::subtract_back(Eigen::VectorXd& y, Eigen::VectorXd& z) const {
  double next = 0;
  for (Eigen::Index j = y.size() - 1; j >= 0; --j) {
    double here = y[j];
    for_each_below(L(), j,
                   [&](Eigen::Index i, double l) { here -= l * (i == j + 1 ? next : y[i]); });
    y[j] = next = here;
  }
  for (std::size_t i = 0; i < place_.size(); ++i) z[static_cast<Eigen::Index>(i)] -= y[place_[i]];
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
  for (Eigen::Index k = 0; k < W_.cols(); ++k)
    for (SparseMatrix::InnerIterator entry(W_, k); entry; ++entry)
      scratch_[entry.row()] += entry.value() * f[k];
  for (const Eigen::Index j : reach_) {
    const double here = scratch_[j];
    for_each_below(L(), j, [&](Eigen::Index i, double l) { scratch_[i] -= l * here; });
    y[j] += here * inverse_D_[j];
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
