#include "factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/dense.hpp"
#include "triangle.hpp"

namespace microslip::friction {
namespace {

/// K_SS = RᵀR with R upper triangular, one column a slider: a new slider is a new column, found by
/// one triangular solve. To add and to take out cost the square of the size.
class DenseFactor final : public Factor {
 public:
  explicit DenseFactor(const System& system) : Factor(system), R_(system.size()) {}

  bool append(Index slider) override {
    const double k = system_.diagonal()[slider];
    Vector column = Factor::column(slider);
    R_.forward(column);
    const double pivot = k - column.squaredNorm();
    if (!(pivot > singular_pivot * k)) return false;
    R_.append(column, std::sqrt(pivot));
    members_.push_back(slider);
    return true;
  }

  void remove(Index place) override {
    R_.remove(place);
    members_.erase(members_.begin() + place);
  }

  bool assign(std::span<const Index> sliders) override {
    members_.assign(sliders.begin(), sliders.end());
    const Index m = size();
    Eigen::Ref<Eigen::MatrixXd> block = R_.assign(m);
    if (m == 0) return true;
    for (Index c = 0; c < m; ++c)
      for (Index r = 0; r <= c; ++r)
        block(r, c) = system_.entry(sliders[std::size_t(r)], sliders[std::size_t(c)]);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Upper> llt(block);
    bool regular = llt.info() == Eigen::Success;
    for (Index i = 0; regular && i < m; ++i)
      regular =
          block(i, i) * block(i, i) > singular_pivot * system_.diagonal()[sliders[std::size_t(i)]];
    if (!regular) {
      members_.clear();
      R_.clear();
    }
    return regular;
  }

  void solve_in_place(Vector& rhs) const override {
    R_.forward(rhs);
    R_.backward(rhs);
  }

 private:
  Triangle R_;
};

/// Sliders that are neighbours form runs, and each run is eliminated by itself.
class TridiagonalFactor final : public Factor {
 public:
  explicit TridiagonalFactor(const System& system)
      : Factor(system),
        next_(Vector::Zero(system.size())),
        place_(static_cast<std::size_t>(system.size()), -1),
        scratch_(system.size()),
        ratio_(system.size()) {
    for (Index i = 0; i + 1 < system.size(); ++i) next_[i] = system.entry(i, i + 1);
  }

  bool append(Index slider) override {
    members_.push_back(slider);
    at(slider) = size() - 1;
    if (regular(slider)) return true;
    members_.pop_back();
    at(slider) = -1;
    return false;
  }

  void remove(Index place) override {
    at(members_[std::size_t(place)]) = -1;
    members_.erase(members_.begin() + place);
    for (Index i = place; i < size(); ++i) at(members_[std::size_t(i)]) = i;
  }

  bool assign(std::span<const Index> sliders) override {
    for (const Index slider : members_) at(slider) = -1;
    members_.assign(sliders.begin(), sliders.end());
    for (Index i = 0; i < size(); ++i) at(members_[std::size_t(i)]) = i;
    for (Index i = 0; i < system_.size(); ++i) {
      if (at(i) < 0 || (i > 0 && at(i - 1) >= 0)) continue;
      if (regular(i)) continue;
      assign({});
      return false;
    }
    return true;
  }

  void solve_in_place(Vector& rhs) const override {
    const Index n = system_.size();
    for (Index first = 0; first < n; ++first) {
      if (at(first) < 0) continue;
      Index last = first;
      double pivot = system_.diagonal()[first];
      scratch_[first] = rhs[at(first)] / pivot;
      while (last + 1 < n && at(last + 1) >= 0) {
        ratio_[last] = next_[last] / pivot;
        ++last;
        pivot = system_.diagonal()[last] - next_[last - 1] * ratio_[last - 1];
        scratch_[last] = (rhs[at(last)] - next_[last - 1] * scratch_[last - 1]) / pivot;
      }
      rhs[at(last)] = scratch_[last];
      for (Index i = last - 1; i >= first; --i)
        rhs[at(i)] = scratch_[i] - ratio_[i] * rhs[at(i + 1)];
      first = last;
    }
  }

 private:
  Index& at(Index slider) { return place_[static_cast<std::size_t>(slider)]; }
  Index at(Index slider) const { return place_[static_cast<std::size_t>(slider)]; }

  /// Whether the run that this slider belongs to has pivots above rounding.
  bool regular(Index slider) const {
    Index i = slider;
    while (i > 0 && at(i - 1) >= 0) --i;
    double pivot = system_.diagonal()[i];
    if (!(pivot > 0)) return false;
    for (; i + 1 < system_.size() && at(i + 1) >= 0; ++i) {
      const double k = system_.diagonal()[i + 1];
      pivot = k - next_[i] * next_[i] / pivot;
      if (!(pivot > singular_pivot * k)) return false;
    }
    return true;
  }

  Vector next_;               ///< K(i, i + 1)
  std::vector<Index> place_;  ///< of each slider in members(), −1 if it is not there
  mutable Vector scratch_, ratio_;
};

/// A sparse factor of the block of an earlier set P, and the changes since as a border: with a
/// column for each slider that joined, K(P, j), and for each that left, e_p,
///
///     | K_PP  U | |x|   |r|
///     | Uᵀ    B | |t| = |s|,   B = K among those that joined, 0 else.
///
/// The row of one that left is met by its t whatever x is, and its x is 0. So a change costs a
/// solve with K_PP, and the rest goes on with the small B − UᵀK_PP⁻¹U. A long border is folded into
/// a new factor.
class SparseFactor final : public Factor {
 public:
  explicit SparseFactor(const System& system)
      : Factor(system),
        rank_(static_cast<std::size_t>(system.size())),
        index_(static_cast<std::size_t>(system.size()), -1) {
    // One order of elimination for all blocks: to find one costs as much as a factor.
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(system.sparse().selfadjointView<Eigen::Lower>(), order);
    for (Index i = 0; i < system.size(); ++i) rank_[std::size_t(order.indices()[i])] = i;
  }

  bool append(Index slider) override {
    const double k = system_.diagonal()[slider];
    const Vector column = Factor::column(slider);
    Vector solved = column;
    solve_in_place(solved);
    if (!(k - column.dot(solved) > singular_pivot * k)) return false;
    members_.push_back(slider);
    if (const Index left = border_of(slider); left >= 0)
      erase(left);
    else
      add({slider, true});
    fold_if_long();
    return true;
  }

  void remove(Index place) override {
    const Index slider = members_[std::size_t(place)];
    members_.erase(members_.begin() + place);
    if (const Index joined = border_of(slider); joined >= 0)
      erase(joined);
    else
      add({slider, false});
    fold_if_long();
  }

  bool assign(std::span<const Index> sliders) override {
    members_.assign(sliders.begin(), sliders.end());
    if (fold()) return true;
    members_.clear();
    fold();
    return false;
  }

  void solve_in_place(Vector& rhs) const override {
    const Index n = block_size(), m = border_size();
    Vector x = Vector::Zero(n), t = Vector::Zero(m);
    for (Index k = 0; k < size(); ++k) {
      const Index i = at(members_[std::size_t(k)]);
      (i < n ? x[i] : t[i - n]) = rhs[k];
    }
    solve_block(x);
    if (m > 0) {
      for (Index j = 0; j < m; ++j) t[j] -= border_dot(j, x);
      t = small_.solve(t);
      x -= solved_.leftCols(m) * t;
    }
    for (Index k = 0; k < size(); ++k) {
      const Index i = at(members_[std::size_t(k)]);
      rhs[k] = i < n ? x[i] : t[i - n];
    }
  }

 private:
  struct Change {
    Index slider;
    bool joined;
  };
  using Solver = Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;

  /// In P, or behind it in the border; −1 for a slider in neither.
  Index& at(Index slider) { return index_[std::size_t(slider)]; }
  Index at(Index slider) const { return index_[std::size_t(slider)]; }
  Index block_size() const { return static_cast<Index>(block_.size()); }
  Index border_size() const { return static_cast<Index>(border_.size()); }

  Index border_of(Index slider) const {
    for (Index j = 0; j < border_size(); ++j)
      if (border_[std::size_t(j)].slider == slider) return j;
    return -1;
  }

  void solve_block(Vector& x) const {
    if (block_size() > 0) x = ldlt_->solve(x).eval();
  }

  /// U_jᵀ x.
  template <class X>
  double border_dot(Index j, const X& x) const {
    const Change& change = border_[std::size_t(j)];
    if (!change.joined) return x[at(change.slider)];
    double sum = 0;
    for (SparseMatrix::InnerIterator it(system_.sparse(), change.slider); it; ++it)
      if (const Index i = at(it.row()); i >= 0 && i < block_size()) sum += it.value() * x[i];
    return sum;
  }

  void add(const Change& change) {
    const Index m = border_size(), n = block_size();
    Vector column = Vector::Zero(n);
    if (change.joined) {
      for (SparseMatrix::InnerIterator it(system_.sparse(), change.slider); it; ++it)
        if (const Index i = at(it.row()); i >= 0 && i < n) column[i] = it.value();
      at(change.slider) = n + m;
    } else {
      column[at(change.slider)] = 1;
    }
    solve_block(column);
    if (solved_.rows() != n || solved_.cols() <= m)
      solved_.conservativeResize(n, std::max(longest_border + 1, 2 * m));
    solved_.col(m) = column;
    border_.push_back(change);
    schur_.conservativeResize(m + 1, m + 1);
    for (Index j = 0; j <= m; ++j) {
      const Change& other = border_[std::size_t(j)];
      const double between =
          change.joined && other.joined ? system_.entry(change.slider, other.slider) : 0;
      schur_(m, j) = schur_(j, m) = between - border_dot(j, column);
    }
    small_.compute(schur_);
  }

  void erase(Index j) {
    const Index m = border_size() - 1, after = m - j;
    const Change change = border_[std::size_t(j)];
    if (change.joined) at(change.slider) = -1;
    border_.erase(border_.begin() + j);
    for (const Change& other : border_)
      if (other.joined && at(other.slider) > block_size() + j) --at(other.slider);
    for (Index k = j; k < m; ++k) solved_.col(k) = solved_.col(k + 1);
    schur_.middleRows(j, after) = schur_.bottomRows(after).eval();
    schur_.middleCols(j, after) = schur_.rightCols(after).eval();
    schur_.conservativeResize(m, m);
    if (m > 0) small_.compute(schur_);
  }

  void fold_if_long() {
    if (border_size() > longest_border) fold();
  }

  /// A new factor without a border; false, and all is as before, when a pivot is rounding.
  bool fold() {
    std::vector<Index> block = members_;
    std::sort(block.begin(), block.end(),
              [&](Index i, Index j) { return rank_[std::size_t(i)] < rank_[std::size_t(j)]; });
    auto ldlt = std::make_unique<Solver>();
    if (!block.empty() && !factor(block, *ldlt)) return false;
    std::fill(index_.begin(), index_.end(), Index{-1});
    for (std::size_t k = 0; k < block.size(); ++k) at(block[k]) = static_cast<Index>(k);
    block_ = std::move(block);
    ldlt_ = std::move(ldlt);
    border_.clear();
    schur_.resize(0, 0);
    return true;
  }

  bool factor(const std::vector<Index>& block, Solver& ldlt) const {
    const auto m = static_cast<Index>(block.size());
    std::vector<Index> place(index_.size(), -1);
    for (Index k = 0; k < m; ++k) place[std::size_t(block[std::size_t(k)])] = k;
    std::vector<Eigen::Triplet<double>> entries;
    for (Index c = 0; c < m; ++c)
      for (SparseMatrix::InnerIterator it(system_.sparse(), block[std::size_t(c)]); it; ++it)
        if (const Index r = place[std::size_t(it.row())]; r >= c)
          entries.emplace_back(r, c, it.value());
    SparseMatrix matrix(m, m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    ldlt.compute(matrix);
    return ldlt.info() == Eigen::Success &&
           (ldlt.vectorD().array() > singular_pivot * matrix.diagonal().array()).all();
  }

  /// A solve with the border costs as much as this many of its columns; longer ones no longer pay.
  static constexpr Index longest_border = 32;

  std::vector<Index> rank_;   ///< of a slider in the order of elimination
  std::vector<Index> index_;  ///< see at()
  std::vector<Index> block_;  ///< P
  std::unique_ptr<Solver> ldlt_;
  std::vector<Change> border_;
  Eigen::MatrixXd solved_;  ///< K_PP⁻¹ U
  Eigen::MatrixXd schur_;   ///< B − UᵀK_PP⁻¹U
  dense::Lu small_;
};

}  // namespace

Vector Factor::column(Index j) const {
  Vector result(size());
  if (system_.is_dense()) {
    const auto k = system_.dense().col(j);
    for (Index i = 0; i < size(); ++i) result[i] = k[members_[std::size_t(i)]];
  } else {
    for (Index i = 0; i < size(); ++i) result[i] = system_.entry(members_[std::size_t(i)], j);
  }
  return result;
}

std::unique_ptr<Factor> make_factor(const System& system) {
  switch (system.sparsity()) {
    case Sparsity::diagonal:
    case Sparsity::tridiagonal:
      return std::make_unique<TridiagonalFactor>(system);
    case Sparsity::sparse:
      return std::make_unique<SparseFactor>(system);
    case Sparsity::dense:
      break;
  }
  return std::make_unique<DenseFactor>(system);
}

}  // namespace microslip::friction
