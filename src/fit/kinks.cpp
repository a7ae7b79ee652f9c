#include "kinks.hpp"

#include <algorithm>
#include <cmath>

#include "assess.hpp"
#include "microslip/detail/numerics/bounded_least_squares.hpp"

namespace microslip::fit {
namespace {

/// A slope below this is none: the minimum is nearer than a thousandth of a standard error.
constexpr double no_slope = 1e-3;
/// How near to the kink, in standard errors, the slopes of its sides are compared at first, where
/// many small kinks are one bend, and at last.
constexpr double first_radius = 0.1, last_radius = 2e-6;

/// Steps of one standard error along the principal directions. In these units the sum of squares
/// over its variance is a ball, as far as it is a parabola: the best step is minus the slope.
class Surroundings {
 public:
  Surroundings(const Problem& problem, const SolveOptions& options, Solution& solution)
      : problem_(problem), options_(options), solution_(solution) {}

  bool look() {
    Eigen::VectorXd r;
    Eigen::MatrixXd jacobian;
    if (!at(solution_.x, r, &jacobian)) return false;
    const Eigen::VectorXd gradient = jacobian.transpose() * r;
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < solution_.x.size(); ++i)
      if (!problem_.unknowns()[i].pinned && !pressed(i, gradient[static_cast<Eigen::Index>(i)]) &&
          jacobian.col(static_cast<Eigen::Index>(i)).norm() > 0)
        free.push_back(i);
    const auto n = static_cast<Eigen::Index>(free.size());
    steps_.resize(static_cast<Eigen::Index>(solution_.x.size()), 0);
    slope_.resize(0);
    if (n == 0) return true;  // limits on all sides
    Eigen::MatrixXd columns(jacobian.rows(), n);
    for (Eigen::Index j = 0; j < n; ++j)
      columns.col(j) = jacobian.col(static_cast<Eigen::Index>(free[static_cast<std::size_t>(j)]));
    const double freedom = static_cast<double>(problem_.compared()) - static_cast<double>(n);
    variance_ = r.squaredNorm() / std::max(freedom, 1.0);
    if (!(variance_ > 0)) return true;
    for (Eigen::Index j = 0; j < n; ++j) columns.col(j) *= unit(free, j);
    const Decomposition d = decompose(columns);
    Eigen::Index kept = 0;
    while (kept < n && determines(d.s[kept], static_cast<double>(problem_.compared()), variance_))
      ++kept;
    steps_.setZero(static_cast<Eigen::Index>(solution_.x.size()), kept);
    for (Eigen::Index k = 0; k < kept; ++k)
      for (Eigen::Index j = 0; j < n; ++j)
        steps_(static_cast<Eigen::Index>(free[static_cast<std::size_t>(j)]), k) =
            d.v(j, k) / d.s[k] * unit(free, j) * std::sqrt(variance_);
    slope_ = steps_.transpose() * gradient / variance_;
    return true;
  }

  /// Relative offset of Bates and Watts: how far the residual leans towards the surface of what the
  /// law can do, in units of the statistical uncertainty. A minimum has 0.
  bool leans(const Eigen::VectorXd& slope) const {
    return slope.squaredNorm() > no_slope * no_slope * static_cast<double>(slope.size());
  }
  const Eigen::VectorXd& slope() const { return slope_; }

  /// The shortest among all means of the slopes here and at `radius` to both sides along each
  /// direction (gradient sampling; Burke, Lewis and Overton 2005). Minus it leads down from all of
  /// these points; if it is zero, no direction does.
  Eigen::VectorXd shortest_slope(double radius) const {
    const Eigen::Index n = slope_.size();
    std::vector<Eigen::VectorXd> slopes{slope_};
    Eigen::VectorXd r;
    Eigen::MatrixXd jacobian;
    for (Eigen::Index k = 0; k < n; ++k)
      for (const double side : {-1.0, 1.0})
        if (!over() && at(moved(side * radius * Eigen::VectorXd::Unit(n, k)), r, &jacobian))
          slopes.emplace_back(steps_.transpose() * (jacobian.transpose() * r) / variance_);
    const auto count = static_cast<Eigen::Index>(slopes.size());
    // |G λ|² + (1 − Σλ)² with λ ≥ 0 is least where G λ / Σλ is shortest.
    Eigen::MatrixXd system(n + 1, count);
    for (Eigen::Index j = 0; j < count; ++j) {
      system.col(j).head(n) = slopes[static_cast<std::size_t>(j)];
      system(n, j) = 1;
    }
    const Eigen::VectorXd share =
        nonnegative_least_squares(system, Eigen::VectorXd::Unit(n + 1, n));
    return (system * share).head(n) / share.sum();
  }

  /// Steps against a slope until one leads down by a fair part of what the slope promises.
  bool descend(const Eigen::VectorXd& slope) {
    for (double length = 1; length > 1e-6; length *= 0.3)
      if (take(-length * slope, 1e-4 * length * slope.squaredNorm())) return true;
    return false;
  }

  /// Single steps to all sides, for laws that jump: there slopes do not tell what is beyond.
  bool poll() {
    bool any = false;
    const Eigen::Index n = slope_.size();
    for (const double length : {1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001})
      for (Eigen::Index k = 0; k < n; ++k)
        for (const double side : {-1.0, 1.0})
          any = take(side * length * Eigen::VectorXd::Unit(n, k), no_slope * length) || any;
    return any;
  }

  bool over() const { return options_.stop && options_.stop(); }

 private:
  bool at(const std::vector<double>& x, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian) const {
    ++(jacobian ? solution_.jacobians : solution_.evaluations);
    if (!problem_.evaluate(x, r, jacobian)) return false;
    apply_loss(options_.robust_scale, r, jacobian);
    return true;
  }

  double unit(const std::vector<std::size_t>& free, Eigen::Index j) const {
    const std::size_t i = free[static_cast<std::size_t>(j)];
    return unit_of(problem_.unknowns()[i], solution_.x[i]);
  }

  bool pressed(std::size_t i, double slope) const {
    const Unknown& unknown = problem_.unknowns()[i];
    const double x = solution_.x[i], near = 1e-9 * (1 + std::abs(x));
    return (x <= unknown.lower + near && slope > 0) || (x >= unknown.upper - near && slope < 0);
  }

  std::vector<double> moved(const Eigen::VectorXd& by) const {
    const Eigen::VectorXd step = steps_ * by;
    std::vector<double> x = solution_.x;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const double dx = step[static_cast<Eigen::Index>(i)]; dx != 0)
        x[i] = std::clamp(x[i] + dx, problem_.unknowns()[i].lower, problem_.unknowns()[i].upper);
    return x;
  }

  bool take(const Eigen::VectorXd& by, double least_gain) {
    std::vector<double> x = moved(by);
    Eigen::VectorXd r;
    if (!at(x, r, nullptr)) return false;
    const double cost = 0.5 * r.squaredNorm();
    if (!(cost < solution_.cost - least_gain * variance_)) return false;
    solution_.cost = cost;
    solution_.x = std::move(x);
    return true;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Solution& solution_;
  double variance_ = 0;
  Eigen::MatrixXd steps_;  ///< in x, one standard error along each direction
  Eigen::VectorXd slope_;
};

}  // namespace

Rest settle(const Problem& problem, const SolveOptions& options, Solution& solution) {
  Surroundings around(problem, options, solution);
  double radius = first_radius;
  for (int round = 0; round < options.iterations; ++round) {
    if (!around.look()) return Rest::slope;
    if (!around.leans(around.slope())) return Rest::smooth;
    if (around.over()) return Rest::slope;
    const Eigen::VectorXd slope = around.shortest_slope(radius);
    const bool leans = around.leans(slope);
    if (leans && around.descend(slope)) continue;
    if (radius > last_radius) {
      radius *= 0.1;
      continue;
    }
    if (!leans) return Rest::kink;
    if (!around.poll()) return Rest::jump;
    radius = first_radius;
  }
  return Rest::slope;
}

}  // namespace microslip::fit
