#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/friction/lcp.hpp"

namespace microslip::friction {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;

/// A pivot below this is rounding; the largest entries of M and q are about 1 (see lemke()).
constexpr double smallest_pivot = 1e-11;

/// The power of two next to the largest entry: dividing by it rounds nothing.
template <class Matrix>
double size_of(const Matrix& matrix) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  return largest > 0 && std::isfinite(largest) ? std::exp2(std::round(std::log2(largest))) : 1;
}

/// The dictionary: basic variables as functions of the others,
///
///     basic = q̄ + T · nonbasic.
///
/// Variables are 0…p−1 for w, p…2p−1 for z, 2p for the artificial z0, which is added to every row.
class Dictionary {
 public:
  Dictionary(const Eigen::MatrixXd& M, const Vector& q)
      : p_(q.size()), T_(p_, p_ + 1), q_(q), row_of_(std::size_t(2 * p_ + 1), -1) {
    T_.leftCols(p_) = M;
    T_.col(p_).setOnes();
    for (Index i = 0; i < p_; ++i) {
      basic_.push_back(i);
      nonbasic_.push_back(p_ + i);
      row_of_[std::size_t(i)] = i;
    }
    nonbasic_.push_back(2 * p_);
  }

  Index artificial() const { return 2 * p_; }
  Index complement(Index variable) const { return variable < p_ ? variable + p_ : variable - p_; }
  Index basic(Index row) const { return basic_[std::size_t(row)]; }
  double value(Index variable) const {
    const Index row = row_of_[std::size_t(variable)];
    return row < 0 ? 0 : q_[row];
  }
  bool is_basic(Index variable) const { return row_of_[std::size_t(variable)] >= 0; }

  Index column_of(Index variable) const {
    return std::find(nonbasic_.begin(), nonbasic_.end(), variable) - nonbasic_.begin();
  }

  /// z0 enters so that all basic variables become non-negative: the lexicographically smallest row
  /// of (q, I) leaves. For equal q that is the last one.
  Index first_row() const {
    Index worst = 0;
    for (Index i = 1; i < p_; ++i)
      if (q_[i] <= q_[worst]) worst = i;
    return worst;
  }

  /// The row that limits the growth of a column first; ties are broken by the rows of the inverse
  /// basis, which makes the choice unique. −1 if nothing limits it. z0 leaves as soon as it may.
  Index leaving_row(Index column) const {
    std::vector<Index> ties;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < p_; ++i) {
      if (!(T_(i, column) < -smallest_pivot)) continue;
      const double ratio = std::max(0.0, q_[i]) / -T_(i, column);
      const double close = 1e-12 * (1 + std::abs(least));
      if (ties.empty() || ratio < least - close) {
        ties.assign(1, i);
        least = ratio;
      } else if (ratio <= least + close) {
        ties.push_back(i);
        least = std::min(least, ratio);
      }
    }
    for (const Index i : ties)
      if (basic(i) == artificial()) return i;
    for (Index k = 0; ties.size() > 1 && k < p_; ++k) narrow(ties, k, column);
    return ties.empty() ? -1 : ties.front();
  }

  void pivot(Index row, Index column) {
    const double a = T_(row, column);
    // nonbasic = (basic − q̄ − the others)/a
    Vector factor = T_.col(column);
    factor[row] = 0;
    T_.row(row) /= -a;
    T_(row, column) = 1 / a;
    const double constant = -q_[row] / a;
    q_.noalias() += constant * factor;
    q_[row] = constant;
    const Eigen::RowVectorXd line = T_.row(row);
    T_.col(column).setZero();
    T_(row, column) = line[column];
    T_.noalias() += factor * line;
    std::swap(basic_[std::size_t(row)], nonbasic_[std::size_t(column)]);
    row_of_[std::size_t(basic_[std::size_t(row)])] = row;
    row_of_[std::size_t(nonbasic_[std::size_t(column)])] = -1;
  }

 private:
  /// Keeps the rows whose entry in column k of the inverse basis, relative to the pivot, is least.
  void narrow(std::vector<Index>& ties, Index k, Index column) const {
    const Index row = row_of_[std::size_t(k)];
    const Index at = row < 0 ? column_of(k) : -1;
    const auto entry = [&](Index i) {
      const double own = row < 0 ? -T_(i, at) : (i == row ? 1.0 : 0.0);
      return own / -T_(i, column);
    };
    double least = std::numeric_limits<double>::infinity();
    for (const Index i : ties) least = std::min(least, entry(i));
    std::erase_if(ties, [&](Index i) { return entry(i) > least + 1e-12 * (1 + std::abs(least)); });
  }

  Index p_;
  Eigen::MatrixXd T_;
  Vector q_;
  std::vector<Index> basic_, nonbasic_, row_of_;
};

double residual_of(const Eigen::MatrixXd& M, const Vector& q, const Vector& w, const Vector& z) {
  const double scale = std::max({q.lpNorm<Eigen::Infinity>(), (M * z).lpNorm<Eigen::Infinity>(),
                                 std::numeric_limits<double>::min()});
  const double largest = std::max(z.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
  return std::max({(w - M * z - q).lpNorm<Eigen::Infinity>() / scale, -w.minCoeff() / scale,
                   -z.minCoeff() / largest,
                   w.cwiseProduct(z).lpNorm<Eigen::Infinity>() / (scale * largest)});
}

/// The pivots have found which z are positive; their values come from the original M and q, free of
/// the rounding of many pivots.
void polish(const Eigen::MatrixXd& M, const Vector& q, LcpSolution& solution) {
  std::vector<Index> positive;
  for (Index i = 0; i < q.size(); ++i)
    if (solution.z[i] > 0) positive.push_back(i);
  LcpSolution better = solution;
  if (!positive.empty()) {
    const Eigen::MatrixXd block = M(positive, positive);
    const Vector z = dense::solve(block, -q(positive));
    if (!z.allFinite()) return;
    better.z(positive) = z;
  }
  better.w = q + M * better.z;
  for (const Eigen::Index i : positive) better.w[i] = 0;
  if (residual_of(M, q, better.w, better.z) > residual_of(M, q, solution.w, solution.z)) return;
  solution.w = better.w.cwiseMax(0);
  solution.z = better.z.cwiseMax(0);
}

}  // namespace

LcpSolution lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const LcpOptions& options) {
  const Index p = q.size();
  if (M.rows() != p || M.cols() != p)
    throw Error("M has " + std::to_string(M.rows()) + " × " + std::to_string(M.cols()) +
                " entries and q " + std::to_string(p) + "; M must be square and of that size");
  LcpSolution solution{q, Vector::Zero(p), 0, 0, Status::ok};
  if (p == 0 || q.minCoeff() >= 0) return solution;

  // Sizes of motions and forces are measured by the problem, so that their units do not matter.
  const double size_w = size_of(q), size_z = size_w / size_of(M);
  Dictionary dictionary(M * (size_z / size_w), q / size_w);
  const int most = options.most_pivots > 0 ? options.most_pivots : 100 * static_cast<int>(p);
  Index entering = dictionary.artificial();
  Index row = dictionary.first_row();
  while (solution.pivots < most) {
    const Index leaving = dictionary.basic(row);
    dictionary.pivot(row, dictionary.column_of(entering));
    ++solution.pivots;
    if (leaving == dictionary.artificial()) break;
    entering = dictionary.complement(leaving);
    row = dictionary.leaving_row(dictionary.column_of(entering));
    if (row < 0) {
      solution.status = Status::undefined;
      return solution;
    }
  }
  for (Index i = 0; i < p; ++i) {
    solution.w[i] = size_w * std::max(0.0, dictionary.value(i));
    solution.z[i] = size_z * std::max(0.0, dictionary.value(p + i));
  }
  if (dictionary.is_basic(dictionary.artificial())) {
    solution.status = Status::not_converged;
    return solution;
  }
  polish(M, q, solution);
  solution.residual = residual_of(M, q, solution.w, solution.z);
  if (!(solution.residual <= options.tolerance)) solution.status = Status::not_converged;
  return solution;
}

}  // namespace microslip::friction
