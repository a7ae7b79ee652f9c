#include "factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "triangle.hpp"

namespace microslip::friction {
namespace {

/// K_SS = RᵀR with R upper triangular, one column a slider: a new slider is a new column, found by
/// one triangular solve. To add and to take out cost the square of the size.
class DenseFactor final : public Factor {
 public:
  explicit DenseFactor(const System& system) : Factor(system) {}

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

/// Factored anew when it is needed after a change.
class SparseFactor final : public Factor {
 public:
  explicit SparseFactor(const System& system)
      : Factor(system), place_(static_cast<std::size_t>(system.size()), -1) {}

  bool append(Index slider) override {
    members_.push_back(slider);
    if (refactor()) return true;
    members_.pop_back();
    refactor();
    return false;
  }
  void remove(Index place) override {
    members_.erase(members_.begin() + place);
    refactor();  // a block of a regular block is regular
  }
  bool assign(std::span<const Index> sliders) override {
    members_.assign(sliders.begin(), sliders.end());
    if (refactor()) return true;
    members_.clear();
    return false;
  }
  void solve_in_place(Vector& rhs) const override {
    if (size() > 0) rhs = ldlt_.solve(rhs).eval();
  }

 private:
  bool refactor() {
    const Index m = size();
    if (m == 0) return true;
    for (Index i = 0; i < m; ++i) place_[std::size_t(members_[std::size_t(i)])] = i;
    std::vector<Eigen::Triplet<double>> entries;
    for (Index c = 0; c < m; ++c)
      for (SparseMatrix::InnerIterator it(system_.sparse(), members_[std::size_t(c)]); it; ++it)
        if (const Index r = place_[std::size_t(it.row())]; r >= 0)
          entries.emplace_back(r, c, it.value());
    for (const Index slider : members_) place_[std::size_t(slider)] = -1;
    SparseMatrix block(m, m);
    block.setFromTriplets(entries.begin(), entries.end());
    ldlt_.compute(block);
    if (ldlt_.info() != Eigen::Success) return false;
    const Vector scale = ldlt_.permutationP() * Vector(block.diagonal());
    return (ldlt_.vectorD().array() > singular_pivot * scale.array()).all();
  }

  std::vector<Index> place_;
  Eigen::SimplicialLDLT<SparseMatrix> ldlt_;
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
  switch (system.structure()) {
    case Structure::diagonal:
    case Structure::tridiagonal:
      return std::make_unique<TridiagonalFactor>(system);
    case Structure::sparse:
      return std::make_unique<SparseFactor>(system);
    case Structure::dense:
      break;
  }
  return std::make_unique<DenseFactor>(system);
}

}  // namespace microslip::friction
