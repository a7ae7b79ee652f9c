#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "microslip/core/dual.hpp"
#include "microslip/core/field.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// A backbone of straight pieces: finitely many sliders. Starts at the origin.
template <Number Real>
class PolylineBackbone {
 public:
  using Scalar = Real;

  explicit PolylineBackbone(const Real& first_slope) {
    pieces_.push_back({Real(0), Real(0), first_slope, Real(0)});
  }

  /// From x on, which must not lie before the last corner, the slope is another one.
  void bend(const Real& x, const Real& slope) {
    const Piece& last = pieces_.back();
    pieces_.push_back({x, last.force + last.slope * (x - last.x), slope,
                       last.dissipated + last.lost() * (x - last.x)});
  }

  BackbonePoint<Real> at(const Real& x) const noexcept {
    const Piece& p = piece(x);
    return {p.force + p.slope * (x - p.x), p.slope, p.dissipated + p.lost() * (x - p.x)};
  }
  Real next_kink(const Real& x) const noexcept {
    const Piece* next = &piece(x) + 1;
    return next < pieces_.data() + pieces_.size() ? next->x
                                                  : Real(std::numeric_limits<double>::infinity());
  }
  /// The last kink < x, or 0.
  Real last_kink(const Real& x) const noexcept {
    const Piece* p = &piece(x);
    while (p > pieces_.data() && !(p->x < x)) --p;
    return p->x;
  }

 private:
  struct Piece {
    Real x, force, slope, dissipated;
    /// g − x g', the force of all sliders that slip on this piece.
    Real lost() const { return force - slope * x; }
  };

  const Piece& piece(const Real& x) const noexcept {
    const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x,
                                        [](const Real& y, const Piece& p) { return y < p.x; });
    return *(after - 1);
  }

  std::vector<Piece> pieces_;
};

/// Jenkins elements in parallel, of equally many stiffnesses and slip forces.
template <Number Real>
PolylineBackbone<Real> parallel_elements(const std::vector<Real>& k, const std::vector<Real>& phi) {
  std::vector<Real> slip(k.size());
  for (std::size_t i = 0; i < slip.size(); ++i) slip[i] = phi[i] / k[i];
  const auto order = ascending(slip);
  // Stiffness left after each corner, summed from the last element, so that it ends at exactly 0.
  std::vector<Real> left(order.size() + 1, Real(0));
  for (std::size_t i = order.size(); i-- > 0;) left[i] = left[i + 1] + k[order[i]];
  PolylineBackbone<Real> backbone(left[0]);
  for (std::size_t i = 0; i < order.size(); ++i) backbone.bend(slip[order[i]], left[i + 1]);
  return backbone;
}

}  // namespace microslip
