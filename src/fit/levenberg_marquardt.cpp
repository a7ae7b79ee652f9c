#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "least_squares.hpp"
#include "microslip/detail/numerics/dense.hpp"

/// The solver without Ceres, for builds that have none. K. Levenberg (1944), D. W. Marquardt (1963);
/// the radius follows H. B. Nielsen, "Damping parameter in Marquardt's method" (1999).
namespace microslip::fit {
namespace {

class Minimiser {
 public:
  Minimiser(const Problem& problem, const SolveOptions& options, Solution& solution)
      : problem_(problem), options_(options), solution_(solution), x_(solution.x) {}

  void run() {
    double radius = options_.first_radius, shrink = 2;
    int refused = 0;
    solution_.end = Solution::End::out_of_iterations;
    if (!linearise()) return end(Solution::End::infeasible);
    for (int iteration = 0; iteration < options_.iterations; ++iteration) {
      if (solution_.cost < options_.enough) return end(Solution::End::minimum);
      const bool hopeless = iteration >= options_.patience && solution_.cost > options_.hopeless;
      if (hopeless || (options_.stop && options_.stop())) return end(Solution::End::stopped);
      const std::vector<double> next = step(radius);
      double moved = 0, size = 0;
      for (std::size_t i = 0; i < next.size(); ++i) {
        moved = std::hypot(moved, next[i] - x_[i]);
        size = std::hypot(size, x_[i]);
      }
      if (moved <= 1e-12 * (size + 1e-12)) return end(Solution::End::minimum);
      double cost = 0;
      const bool exists = evaluate(next, cost);
      const double gain = solution_.cost - cost;
      if (exists && gain > 1e-3 * expected_ && gain > 0) {
        const double quality = expected_ > 0 ? gain / expected_ : 1;
        radius /= std::max(1.0 / 3, 1 - std::pow(2 * quality - 1, 3));
        shrink = 2;
        refused = 0;
        const double before = solution_.cost;
        x_ = next;
        if (!linearise()) return end(Solution::End::infeasible);
        if (gain <= options_.tolerance * before) return end(Solution::End::minimum);
      } else {
        radius /= shrink;
        shrink *= 2;
        // As good as it gets, or no step leads further down inside the law's own limits.
        if (exists && std::abs(gain) <= options_.tolerance * solution_.cost)
          return end(Solution::End::minimum);
        if (!exists && ++refused >= 12) return end(Solution::End::minimum);
        if (radius < 1e-32) return end(Solution::End::minimum);
      }
    }
  }

 private:
  void end(Solution::End how) { solution_.end = how; }

  bool inside(const std::vector<double>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] < problem_.unknowns()[i].lower || x[i] > problem_.unknowns()[i].upper) return false;
    return true;
  }

  bool evaluate(const std::vector<double>& x, double& cost) {
    if (!inside(x)) return false;
    Eigen::VectorXd r;
    ++solution_.evaluations;
    if (!problem_.evaluate(x, r)) return false;
    apply_loss(options_.robust_scale, r, nullptr);
    cost = 0.5 * r.squaredNorm();
    return std::isfinite(cost);
  }

  bool linearise() {
    ++solution_.jacobians;
    if (!problem_.evaluate(x_, residuals_, &jacobian_)) return false;
    apply_loss(options_.robust_scale, residuals_, &jacobian_);
    solution_.cost = 0.5 * residuals_.squaredNorm();
    return std::isfinite(solution_.cost) && jacobian_.allFinite();
  }

  /// The unknowns that may move: not held, and not pressed against one of their limits.
  std::vector<Eigen::Index> free() const {
    const Eigen::VectorXd gradient = jacobian_.transpose() * residuals_;
    std::vector<Eigen::Index> result;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Unknown& unknown = problem_.unknowns()[i];
      const double slope = gradient[static_cast<Eigen::Index>(i)];
      const double near = 1e-9 * (1 + std::abs(x_[i]));
      const bool pressed = (x_[i] <= unknown.lower + near && slope > 0) ||
                           (x_[i] >= unknown.upper - near && slope < 0);
      if (!unknown.pinned && !pressed) result.push_back(static_cast<Eigen::Index>(i));
    }
    return result;
  }

  /// To the minimum of |r + J δ|² + |√D δ|²/radius, cut off at the limits.
  std::vector<double> step(double radius) {
    std::vector<double> next = x_;
    expected_ = 0;
    const std::vector<Eigen::Index> columns = free();
    if (columns.empty()) return next;
    const auto n = static_cast<Eigen::Index>(columns.size());
    const Eigen::Index rows = jacobian_.rows();
    Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(rows + n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(rows + n);
    tall.topRows(rows) = jacobian_(Eigen::all, columns);
    right.head(rows) = -residuals_;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double weight = std::clamp(tall.col(i).head(rows).squaredNorm(), 1e-6, 1e32);
      tall(rows + i, i) = std::sqrt(weight / radius);
    }
    const Eigen::VectorXd change = dense::least_squares(tall, right);
    if (!change.allFinite()) return next;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto j = static_cast<std::size_t>(columns[static_cast<std::size_t>(i)]);
      const Unknown& unknown = problem_.unknowns()[j];
      next[j] += change[i];
      if (!unknown.soft_lower) next[j] = std::max(next[j], unknown.lower);
      if (!unknown.soft_upper) next[j] = std::min(next[j], unknown.upper);
    }
    Eigen::VectorXd taken(jacobian_.cols());
    for (Eigen::Index i = 0; i < taken.size(); ++i)
      taken[i] = next[static_cast<std::size_t>(i)] - x_[static_cast<std::size_t>(i)];
    expected_ = solution_.cost - 0.5 * (residuals_ + jacobian_ * taken).squaredNorm();
    return next;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Solution& solution_;
  std::vector<double>& x_;
  Eigen::VectorXd residuals_;
  Eigen::MatrixXd jacobian_;
  double expected_ = 0;  ///< by how much the last step lowers the cost if the problem is linear
};

}  // namespace

void apply_loss(double scale, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) {
  if (scale <= 0) return;
  for (Eigen::Index i = 0; i < residuals.size(); ++i) {
    const double r = residuals[i];
    const double s = r * r / (scale * scale);
    const double root = std::sqrt(1 + s);
    // 2(√(1+s) − 1) = 2s/(√(1+s) + 1), which keeps its digits for small s.
    const double shrink = std::sqrt(2 / (root + 1));
    residuals[i] = r * shrink;
    // d/dr √ρ = ρ'(r²) r/√ρ = 1/(√(1+s) · shrink).
    if (jacobian) jacobian->row(i) /= root * shrink;
  }
}

Solution levenberg_marquardt(const Problem& problem, std::vector<double> x,
                             const SolveOptions& options) {
  Solution solution;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    x[i] = unknown.pinned ? unknown.start : std::clamp(x[i], unknown.lower, unknown.upper);
  }
  solution.x = std::move(x);
  Minimiser(problem, options, solution).run();
  return solution;
}

}  // namespace microslip::fit
