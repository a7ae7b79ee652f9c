#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dynamics/balance/harmonic_balance.hpp"

namespace microslip::dynamics {

/// The part of a curve that was good enough with the harmonics it had. Where it was not, another
/// curve with more or, where these are not needed, fewer of them goes on.
struct Trail {
  int harmonics = 0;
  std::vector<CurvePoint> points{};
  std::vector<std::size_t> leaps{};

  bool empty() const { return points.empty(); }

  /// The end, with another number of harmonics.
  CurvePoint end(Eigen::Index dofs, int other) const {
    return with(points.back(), dofs, harmonics, other);
  }

  /// Of both together.
  int most_harmonics(int others) const { return std::max(harmonics, others); }

  /// Puts the trail in front of the curve that began at its end, all points with the harmonics of both; the
  /// number of points that are new in front.
  std::size_t put_before(Curve& curve, Eigen::Index dofs, int others) const {
    const int most = most_harmonics(others);
    std::vector<CurvePoint> all;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      all.push_back(with(points[i], dofs, harmonics, most));
    const std::size_t before = all.size();
    for (const CurvePoint& point : curve.points) all.push_back(with(point, dofs, others, most));
    curve.points = std::move(all);
    for (std::size_t& i : curve.leaps) i += before;
    curve.leaps.insert(curve.leaps.begin(), leaps.begin(), leaps.end());
    return before;
  }

 private:
  static CurvePoint with(const CurvePoint& point, Eigen::Index dofs, int from, int to) {
    if (from == to) return point;
    return {with_harmonics(point.y, dofs, from, to), with_harmonics(point.tangent, dofs, from, to),
            point.iterations};
  }
};

/// The end of an earlier run, with `others` unknowns besides the coefficients, as a trail of one
/// point; the vector tells its harmonics. Empty if it is none.
inline Trail trail_of(const CurvePoint& end, Eigen::Index dofs, Eigen::Index others) {
  const Eigen::Index size = (end.y.size() - others) / dofs;
  if (size < 3 || size * dofs + others != end.y.size() || end.tangent.size() != end.y.size())
    return {};
  return {static_cast<int>((size - 1) / 2), {end}, {}};
}

/// Of the first `good` points of a curve.
inline Trail trail_of(const Curve& curve, int harmonics, std::size_t good) {
  Trail result{harmonics, {}, {}};
  const auto end = curve.points.begin() + static_cast<std::ptrdiff_t>(good);
  result.points.assign(curve.points.begin(), end);
  for (const std::size_t i : curve.leaps)
    if (i < good) result.leaps.push_back(i);
  return result;
}

}  // namespace microslip::dynamics
