#include "microslip/dynamics/structure/direction.hpp"

#include <vector>

namespace microslip::dynamics {

Direction between(Eigen::Index size, Eigen::Index from, Eigen::Index to) {
  Eigen::SparseVector<double> w(size);
  if (from != to && from > 0) w.coeffRef(from - 1) = -1;
  if (from != to && to > 0) w.coeffRef(to - 1) = 1;
  return w;
}

void add_along(SparseMatrix& matrix, const Direction& w, double k) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Direction::InnerIterator i(w); i; ++i)
    for (Direction::InnerIterator j(w); j; ++j)
      entries.emplace_back(i.index(), j.index(), k * i.value() * j.value());
  SparseMatrix added(matrix.rows(), matrix.cols());
  added.setFromTriplets(entries.begin(), entries.end());
  matrix += added;
}

}  // namespace microslip::dynamics
