#include "dynamics/joint/periodic_motion.hpp"

#include <cmath>

#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
PeriodicMotion::PeriodicMotion(int harmonics) {
  // Eight points a wave of the highest harmonic; a pair of reversals inside one cell is found from
  // the extremum of the slope. The offset keeps symmetric motions away from grid points.
  const Eigen::Index points = std::max(64, 8 * (harmonics + 1));
  slope_grid_.resize(points, fourier_size(harmonics));
  Eigen::RowVectorXd row(fourier_size(harmonics));
  for (Eigen::Index i = 0; i < points; ++i) {
    fourier_row(2 * pi * (static_cast<double>(i) + 0.38) / static_cast<double>(points), harmonics,
                row);
    fourier_slopes(row, harmonics, slope_grid_.row(i));
  }
}

void PeriodicMotion::set(const Eigen::VectorXd& q) {
  q_ = q;
  reversals_.clear();
  turning_values_.clear();
  slopes_.noalias() = slope_grid_ * q;
  // Rounding noise of a constant is no motion.
  if (!(slopes_.cwiseAbs().maxCoeff() > 1e-15 * std::abs(q[0]))) return;
  add_reversals();
  std::size_t furthest = 0;
  for (std::size_t r = 0; r < reversals_.size(); ++r) {
    turning_values_.push_back(fourier_point(q, reversals_[r]).value);
    if (std::abs(turning_values_[r]) > std::abs(turning_values_[furthest])) furthest = r;
  }
  const auto [least, most] = std::minmax_element(turning_values_.begin(), turning_values_.end());
  least_ = *least;
  most_ = *most;
  for (std::size_t r = 0; r < furthest; ++r) reversals_[r] += 2 * pi;
  const auto shift = static_cast<std::ptrdiff_t>(furthest);
  std::rotate(reversals_.begin(), reversals_.begin() + shift, reversals_.end());
  std::rotate(turning_values_.begin(), turning_values_.begin() + shift, turning_values_.end());
}

/// Where q′, whose values on the grid are in slopes_, passes zero.
void PeriodicMotion::add_reversals() {
  const Eigen::Index points = slopes_.size();
  const double cell = 2 * pi / static_cast<double>(points);
  const auto slope = [&](double theta) {
    const FourierPoint p = at(theta);
    return RootValue{p.slope, p.curvature};
  };
  // Between grid points q′ leaves its chord by less than this.
  double bulge = 0;
  for (int h = 1; 2 * h < q_.size(); ++h)
    bulge += h * h * h * (std::abs(q_[2 * h - 1]) + std::abs(q_[2 * h])) * cell * cell / 8;
  for (Eigen::Index i = 0; i < points; ++i) {
    const double a = (static_cast<double>(i) + 0.38) * cell;
    const double here = slopes_[i];
    const double next = slopes_[i + 1 < points ? i + 1 : 0];
    if ((here >= 0) != (next >= 0)) {
      reversals_.push_back(root_between(a, a + cell, next >= 0, slope));
      continue;
    }
    // The slope may touch zero twice inside the cell: only if it bends towards it and back.
    const double before = slopes_[i > 0 ? i - 1 : points - 1];
    const double after = slopes_[(i + 2) % points];
    const double sign = here >= 0 ? 1 : -1;
    const double least = std::min(sign * here, sign * next);
    if (least > bulge || sign * before < least || sign * after < least) continue;
    double from = a, to = a + cell;
    for (int iteration = 0; iteration < 40; ++iteration) {
      const double middle = 0.5 * (from + to);
      (sign * at(middle).curvature < 0 ? from : to) = middle;
    }
    const double lowest = 0.5 * (from + to);
    if (sign * slope(lowest).value < 0) {
      reversals_.push_back(root_between(a, lowest, sign < 0, slope));
      reversals_.push_back(root_between(lowest, a + cell, sign > 0, slope));
    }
  }
}

bool PeriodicMotion::pair_reversals() {
  constexpr double rounding = 1e-14;
  const std::size_t count = reversals_.size(), half = count / 2;
  if (count % 2 != 0) return false;
  const double size = q_.lpNorm<Eigen::Infinity>();
  double even = std::abs(q_[0]);
  for (Eigen::Index k = 3; k + 1 < q_.size(); k += 4)
    even = std::max({even, std::abs(q_[k]), std::abs(q_[k + 1])});
  if (even > rounding * size) return false;
  for (std::size_t r = 0; r < half; ++r)
    if (std::abs(reversals_[half + r] - reversals_[r] - pi) > 1e-6 ||
        std::abs(turning_values_[half + r] + turning_values_[r]) > 1e-12 * size)
      return false;
  for (std::size_t r = 0; r < half; ++r) {
    reversals_[half + r] = reversals_[r] + pi;
    turning_values_[half + r] = -turning_values_[r];
  }
  // Both of the outermost are equally far out; rounding must not choose between them.
  if (count > 0 && turning_values_.front() < 0) {
    for (std::size_t r = 0; r < half; ++r) reversals_[r] += 2 * pi;
    const auto shift = static_cast<std::ptrdiff_t>(half);
    std::rotate(reversals_.begin(), reversals_.begin() + shift, reversals_.end());
    std::rotate(turning_values_.begin(), turning_values_.begin() + shift, turning_values_.end());
    if (reversals_.front() >= 2 * pi)
      for (double& angle : reversals_) angle -= 2 * pi;
  }
  most_ = std::max(most_, -least_);
  least_ = -most_;
  return true;
}

PeriodicMotion::Leg PeriodicMotion::leg_after(std::size_t reversal) const {
  const std::size_t count = reversals_.size(), next = (reversal + 1) % count;
  return {reversals_[reversal], reversals_[next] + (reversal + 1 < count ? 0 : 2 * pi),
          turning_values_[next], turning_values_[next] > turning_values_[reversal] ? 1 : -1};
}

}  // namespace microslip::dynamics
