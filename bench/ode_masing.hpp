#pragma once

#include <vector>

#include "ode_solver.hpp"

namespace microslip::bench {

/// Reversals of a motion and the force at each, those not yet wiped out.
class Reversals {
 public:
  struct Place {
    double force;     ///< where the branch began
    double depth;     ///< from there, half of it after a reversal
    double doubling;  ///< 2 after a reversal
  };

  Place at(double u, double d) const {
    for (std::size_t n = points_.size(); n > 0; n -= std::min<std::size_t>(2, n))
      if (d * (u - closing(n)) < 0) return {points_[n - 1].f, d * (u - points_[n - 1].u) / 2, 2};
    return {0, d * u, 1};
  }

  /// At the beginning of a row from u at velocity v, with the force f there.
  void turn(double u, double f, double v) {
    const double d = sign(v);
    while (!points_.empty() && direction_ * (u - closing(points_.size())) >= 0)
      points_.resize(points_.size() - std::min<std::size_t>(2, points_.size()));
    if (d * direction_ < 0) points_.push_back({u, f});
    direction_ = d;
  }
  void operator()(const std::array<double, 1>& f, double u, double v) { turn(u, f[0], v); }

 private:
  struct Point {
    double u, f;
  };
  double closing(std::size_t n) const { return n == 1 ? -points_[0].u : points_[n - 2].u; }

  std::vector<Point> points_;
  double direction_ = 0;
};

}  // namespace microslip::bench
