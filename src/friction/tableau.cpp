#include "tableau.hpp"

#include <cmath>

namespace microslip::friction {

Tableau::Tableau(const System& system, Vector& r)
    : Factor(system),
      R_(system.size()),
      W_(system.size(), system.size()),
      y_(system.size()),
      r_(r),
      where_(static_cast<std::size_t>(system.size())) {
  assign({});
}

bool Tableau::assign(std::span<const Index> sliders) {
  members_.clear();
  R_.clear();
  sticking_.clear();
  for (Index i = 0; i < system_.size(); ++i) {
    where_[std::size_t(i)] = i;
    sticking_.push_back(i);
  }
  for (const Index slider : sliders)
    if (!append(slider)) return assign({}), false;
  return true;
}

bool Tableau::append(Index slider) {
  const Index m = size();
  const Index hole = where_[std::size_t(slider)];
  const double k = system_.diagonal()[slider];
  const Vector column = W_.col(hole).head(m);
  const double pivot = k - column.squaredNorm();
  if (!(pivot > singular_pivot * k)) return false;
  const double root = std::sqrt(pivot);
  R_.append(column, root);
  members_.push_back(slider);
  y_[m] = r_[slider] / root;
  r_[slider] = 0;

  // The last of those that stick takes its place.
  const Index last = sticking_.back();
  sticking_.pop_back();
  const auto rest = static_cast<Index>(sticking_.size());
  if (hole != rest) {
    sticking_[std::size_t(hole)] = last;
    where_[std::size_t(last)] = hole;
    W_.col(hole).head(m) = W_.col(rest).head(m);
  }

  const Vector products = W_.topLeftCorner(m, rest).transpose() * column;
  const auto stiffness = system_.dense().col(slider);
  for (Index t = 0; t < rest; ++t) {
    const Index i = sticking_[std::size_t(t)];
    const double entry = (stiffness[i] - products[t]) / root;
    W_(m, t) = entry;
    r_[i] -= entry * y_[m];
  }
  return true;
}

/// The rotations that make R triangular again keep all inner products of columns, so they suit
/// those of T and of the slider that joins it.
void Tableau::remove(Index place) {
  const Index last = size() - 1;
  const auto t = static_cast<Index>(sticking_.size());
  const Index slider = members_[std::size_t(place)];
  W_.col(t).head(place + 1) = R_.column(place).head(place + 1);
  W_.col(t).segment(place + 1, last - place).setZero();
  where_[std::size_t(slider)] = t;
  sticking_.push_back(slider);
  members_.erase(members_.begin() + place);
  rotate(R_.remove(place), place);
  for (Index k = 0; k <= t; ++k) r_[sticking_[std::size_t(k)]] += W_(last, k) * y_[last];
}

void Tableau::rotate(std::span<const Rotation> rotations, Index place) {
  const auto at = [&](Index t) { return W_.col(t).data() + place; };
  const auto count = static_cast<Index>(sticking_.size());
  Index t = 0;
  for (; t + 4 <= count; t += 4)
    rotate_columns<4>(rotations, {at(t), at(t + 1), at(t + 2), at(t + 3)});
  for (; t < count; ++t) rotate_columns<1>(rotations, {at(t)});
  rotate_columns<1>(rotations, {y_.data() + place});
}

Vector Tableau::minimum() const {
  Vector v = y_.head(size());
  R_.backward(v);
  return v;
}

void Tableau::solve_in_place(Vector& rhs) const {
  R_.forward(rhs);
  R_.backward(rhs);
}

}  // namespace microslip::friction
