#include "active_block.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip::contact {
namespace {

/// A pivot that is smaller than this share of the diagonal is rounding: the part is not supported.
constexpr double singular_pivot = 1e-11;
/// Rounding of T = q − K w in sums of some hundred terms, relative to the loads.
constexpr double residual_at_rounding = 1e-13;
/// What is left after two corrections must be far below anything that matters.
constexpr double residual_allowed = 1e-10;

}  // namespace

ActiveBlock::ActiveBlock(const Problem& problem)
    : problem_(problem),
      nodes_(static_cast<std::size_t>(problem.nodes()), Contact::stick),
      place_(static_cast<std::size_t>(2 * problem.nodes()), -1) {}

void ActiveBlock::unknowns_of(Index node, Contact contact, std::vector<Unknown>& out) const {
  const double mu = problem_.mu()[node];
  switch (contact) {
    case Contact::open:
      out.push_back({2 * node, 0});
      out.push_back({2 * node + 1, 0});
      break;
    case Contact::forward:
      out.push_back({2 * node + 1, mu});
      break;
    case Contact::backward:
      out.push_back({2 * node + 1, -mu});
      break;
    case Contact::stick:
      break;
  }
}

double ActiveBlock::row_entry(const Unknown& row, Index column) const {
  const double k = problem_.K()(row.entry, column);
  return row.slope == 0 ? k : k + row.slope * problem_.K()(row.entry - 1, column);
}

bool ActiveBlock::append(const std::vector<Unknown>& added) {
  if (added.empty()) return true;
  const Index m = size(), k = static_cast<Index>(added.size());
  if (inverse_.rows() < m + k) {
    const Index capacity = std::min(2 * problem_.nodes(), std::max<Index>(16, 2 * (m + k)));
    inverse_.conservativeResize(capacity, capacity);
  }
  // Bordering of A⁻¹: with columns c, rows r and corner d, the pivot is D = d − r A⁻¹ c.
  Matrix columns(m, k), rows(k, m), D(k, k);
  for (Index j = 0; j < k; ++j) {
    const Unknown& unknown = added[std::size_t(j)];
    for (Index i = 0; i < m; ++i) {
      const Unknown& other = unknowns_[std::size_t(i)];
      columns(i, j) = row_entry(other, unknown.entry);
      rows(j, i) = row_entry(unknown, other.entry);
    }
    for (Index i = 0; i < k; ++i) D(i, j) = row_entry(added[std::size_t(i)], unknown.entry);
  }
  const Matrix u = inverse() * columns, l = rows * inverse();
  D.noalias() -= rows * u;
  const dense::Lu lu(D);
  const Vector pivots = lu.pivots();
  for (Index j = 0; j < k; ++j) {
    const Index entry = added[std::size_t(j)].entry;
    if (!(std::abs(pivots[j]) > singular_pivot * problem_.K()(entry, entry))) return false;
  }
  const Matrix corner = lu.inverse(), right = u * corner;
  inverse().noalias() += right * l;
  inverse_.block(0, m, m, k) = -right;
  inverse_.block(m, 0, k, m) = -corner * l;
  inverse_.block(m, m, k, k) = corner;
  for (const Unknown& unknown : added) {
    place_[std::size_t(unknown.entry)] = size();
    unknowns_.push_back(unknown);
  }
  fresh_ = false;
  return true;
}

void ActiveBlock::put_last(Index entry, Index last) {
  const Index place = place_[std::size_t(entry)];
  if (place == last) return;
  std::swap(unknowns_[std::size_t(place)], unknowns_[std::size_t(last)]);
  place_[std::size_t(unknowns_[std::size_t(place)].entry)] = place;
  place_[std::size_t(entry)] = last;
  const Index m = size();
  inverse_.row(place).head(m).swap(inverse_.row(last).head(m));
  inverse_.col(place).head(m).swap(inverse_.col(last).head(m));
}

bool ActiveBlock::remove(const std::vector<Index>& entries) {
  if (entries.empty()) return true;
  const Index k = static_cast<Index>(entries.size()), left = size() - k;
  for (Index i = 0; i < k; ++i) put_last(entries[std::size_t(i)], size() - 1 - i);
  const dense::Lu corner(inverse_.block(left, left, k, k));
  unknowns_.resize(std::size_t(left));
  for (const Index entry : entries) place_[std::size_t(entry)] = -1;
  if (!(corner.pivots().cwiseAbs().minCoeff() > 0)) return false;
  const Matrix l = corner.solve(inverse_.block(left, 0, k, left));
  inverse().noalias() -= inverse_.block(0, left, left, k) * l;
  fresh_ = false;
  return true;
}

bool ActiveBlock::rebuild() {
  const Index m = size();
  fresh_ = true;
  if (m == 0) return true;
  Matrix A(m, m);
  for (Index c = 0; c < m; ++c)
    for (Index r = 0; r < m; ++r)
      A(r, c) = row_entry(unknowns_[std::size_t(r)], unknowns_[std::size_t(c)].entry);
  const dense::Lu lu(A);
  const Vector pivots = lu.pivots();
  for (Index i = 0; i < m; ++i) {
    const Index entry = unknowns_[std::size_t(i)].entry;
    if (!(std::abs(pivots[i]) > 1e-3 * singular_pivot * problem_.K()(entry, entry))) return false;
  }
  if (inverse_.rows() < m) inverse_.resize(m, m);
  inverse() = lu.inverse();
  return true;
}

bool ActiveBlock::assign(const std::vector<Contact>& nodes) {
  std::vector<Index> changed;
  Index moves = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != nodes_[i]) {
      changed.push_back(static_cast<Index>(i));
      moves += (nodes[i] == Contact::open || nodes_[i] == Contact::open) ? 2 : 1;
    }
  if (changed.empty()) return true;
  // Nodes that change together are one update, in blocks as a factorisation is: from about this share on
  // the latter has less to do.
  bool update = moves < 8 || 2 * moves < size();
  std::vector<Index> removed;
  std::vector<Unknown> added;
  for (const Index node : changed) {
    for (const Index entry : {2 * node, 2 * node + 1})
      if (place_[std::size_t(entry)] >= 0) removed.push_back(entry);
    unknowns_of(node, nodes[std::size_t(node)], added);
  }
  if (update) {
    update = remove(removed);
  } else {
    for (const Index entry : removed) place_[std::size_t(entry)] = -1;
    std::erase_if(unknowns_,
                  [&](const Unknown& unknown) { return place_[std::size_t(unknown.entry)] < 0; });
  }
  if (update) update = append(added);
  if (!update) {
    unknowns_.insert(unknowns_.end(), added.begin(), added.end());
    for (Index i = 0; i < size(); ++i) place_[std::size_t(unknowns_[std::size_t(i)].entry)] = i;
  }
  nodes_ = nodes;
  if (update) return true;
  if (rebuild()) return true;
  nodes_.assign(nodes_.size(), Contact::stick);
  unknowns_.clear();
  std::fill(place_.begin(), place_.end(), Index{-1});
  return false;
}

double ActiveBlock::residual(const Vector& y) const {
  double worst = 0;
  for (const Unknown& unknown : unknowns_) {
    const double row =
        y[unknown.entry] + (unknown.slope == 0 ? 0 : unknown.slope * y[unknown.entry - 1]);
    worst = std::max(worst, std::abs(row));
  }
  return worst;
}

void ActiveBlock::correct(const Vector& y, Vector& dx) const {
  Vector rhs(size());
  for (Index k = 0; k < size(); ++k) {
    const Unknown& unknown = unknowns_[std::size_t(k)];
    rhs[k] = y[unknown.entry] + (unknown.slope == 0 ? 0 : unknown.slope * y[unknown.entry - 1]);
  }
  dx.noalias() = inverse() * rhs;
}

bool ActiveBlock::solve(Vector& y, Vector& x, double scale) {
  x.setZero(2 * problem_.nodes());
  if (size() == 0) return true;
  const Vector given = y;
  Vector dx;
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (int pass = 0; pass < 3; ++pass) {
      correct(y, dx);
      for (Index k = 0; k < size(); ++k) {
        const Index entry = unknowns_[std::size_t(k)].entry;
        x[entry] += dx[k];
        y.noalias() -= dx[k] * problem_.K().col(entry);
      }
      if (residual(y) <= residual_at_rounding * scale) return true;
    }
    if (residual(y) <= residual_allowed * scale) return true;
    if (fresh_ || !rebuild()) return false;
    y = given;
    x.setZero();
  }
  return false;
}

}  // namespace microslip::contact
