#include "active_block.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/numerics/dense.hpp"

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

bool ActiveBlock::append(const Unknown& unknown) {
  const Index m = size();
  if (inverse_.rows() < m + 1) {
    const Index capacity = std::min(2 * problem_.nodes(), std::max<Index>(16, 2 * (m + 1)));
    inverse_.conservativeResize(capacity, capacity);
  }
  column_.resize(m);
  row_.resize(m);
  for (Index k = 0; k < m; ++k) {
    const Unknown& other = unknowns_[std::size_t(k)];
    column_[k] = row_entry(other, unknown.entry);
    row_[k] = row_entry(unknown, other.entry);
  }
  const double d = row_entry(unknown, unknown.entry);
  u_.noalias() = inverse() * column_;
  l_.noalias() = inverse().transpose() * row_;
  const double pivot = d - row_.dot(u_);
  if (!(std::abs(pivot) > singular_pivot * problem_.K()(unknown.entry, unknown.entry)))
    return false;
  inverse().noalias() += (u_ / pivot) * l_.transpose();
  inverse_.col(m).head(m) = -u_ / pivot;
  inverse_.row(m).head(m) = -l_.transpose() / pivot;
  inverse_(m, m) = 1 / pivot;
  place_[std::size_t(unknown.entry)] = m;
  unknowns_.push_back(unknown);
  fresh_ = false;
  return true;
}

bool ActiveBlock::remove(Index entry) {
  const Index place = place_[std::size_t(entry)], last = size() - 1;
  if (place != last) {
    inverse_.row(place).head(last + 1).swap(inverse_.row(last).head(last + 1));
    inverse_.col(place).head(last + 1).swap(inverse_.col(last).head(last + 1));
    unknowns_[std::size_t(place)] = unknowns_[std::size_t(last)];
    place_[std::size_t(unknowns_[std::size_t(place)].entry)] = place;
  }
  place_[std::size_t(entry)] = -1;
  unknowns_.pop_back();
  const double pivot = inverse_(last, last);
  if (pivot == 0) return false;
  u_ = inverse_.col(last).head(last) / pivot;
  l_ = inverse_.row(last).head(last).transpose();
  inverse().noalias() -= u_ * l_.transpose();
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
  // An update reads the whole inverse once or twice, and a factorisation works in blocks: from
  // about this share on the latter is faster.
  bool update = moves < 8 || 2 * moves < size();
  for (const Index node : changed) {
    const bool was_open = nodes_[std::size_t(node)] == Contact::open;
    for (const Index entry : {2 * node, 2 * node + 1}) {
      if (place_[std::size_t(entry)] < 0) continue;
      const bool stays = was_open && nodes[std::size_t(node)] == Contact::open;
      if (stays) continue;
      if (update) {
        update = remove(entry);
      } else {
        const Index place = place_[std::size_t(entry)];
        unknowns_[std::size_t(place)] = unknowns_.back();
        place_[std::size_t(unknowns_[std::size_t(place)].entry)] = place;
        place_[std::size_t(entry)] = -1;
        unknowns_.pop_back();
      }
    }
  }
  std::vector<Unknown> added;
  for (const Index node : changed) unknowns_of(node, nodes[std::size_t(node)], added);
  for (const Unknown& unknown : added) {
    if (update) update = append(unknown);
    if (!update) {
      place_[std::size_t(unknown.entry)] = size();
      unknowns_.push_back(unknown);
    }
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
