#include "valley.hpp"

#include <algorithm>
#include <cmath>

#include "assess.hpp"

namespace microslip::fit {

bool flatness_at(const Problem& problem, const std::vector<double>& x, Flatness& flatness) {
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  if (!problem.evaluate(x, r, &jacobian)) return false;
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!problem.unknowns()[i].pinned) free.push_back(static_cast<Eigen::Index>(i));
  if (free.empty()) return false;
  const Eigen::MatrixXd columns = jacobian(Eigen::all, free);
  const Decomposition singular = decompose(columns);
  const Eigen::Index last = singular.s.size() - 1;
  flatness.smallest = singular.s[last];
  flatness.largest = singular.s[0];
  flatness.direction = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < free.size(); ++i)
    flatness.direction[free[i]] = singular.v(static_cast<Eigen::Index>(i), last);
  return true;
}

namespace {

struct Point {
  std::vector<double> x;
  Eigen::VectorXd residuals;
};

/// The others at their best for one unknown at a given place.
bool relaxed(const Problem& problem, const SolveOptions& options, std::size_t moving, double place,
             Point& point, Solution& count) {
  Problem held = problem;
  held.pin(moving, place);
  const Solution rest = solve(held, point.x, options);
  count.evaluations += rest.evaluations;
  count.jacobians += rest.jacobians;
  if (rest.end == Solution::End::infeasible || rest.end == Solution::End::stopped) return false;
  point.x = rest.x;
  return problem.evaluate(point.x, point.residuals);
}

}  // namespace

void follow_valley(const Problem& problem, const SolveOptions& options, Solution& solution) {
  Flatness flat;
  if (!flatness_at(problem, solution.x, flat)) return;
  Eigen::Index moving = 0;
  flat.direction.cwiseAbs().maxCoeff(&moving);
  const auto m = static_cast<std::size_t>(moving);
  SolveOptions inner = options;
  inner.iterations = 30;
  // Residuals along the valley as a straight line through two points; its foot is the next one.
  Point here{solution.x, {}};
  if (!relaxed(problem, inner, m, solution.x[m], here, solution)) return;
  double step = 1e-3;
  for (int round = 0; round < 30; ++round) {
    Point there = here;
    if (!relaxed(problem, inner, m, here.x[m] + step, there, solution)) return;
    const Eigen::VectorXd slope = (there.residuals - here.residuals) / step;
    const double to_foot = -slope.dot(here.residuals) / slope.squaredNorm();
    if (!std::isfinite(to_foot)) return;
    Point foot;
    double bounded = std::clamp(to_foot, -0.5, 0.5);
    const double before = here.residuals.norm();
    double after = before;
    // The line holds near the point: shorter if it led up.
    for (int shorter = 0; shorter < 5 && !(after < before); ++shorter, bounded *= 0.3) {
      foot = here;
      if (!relaxed(problem, inner, m, here.x[m] + bounded, foot, solution)) return;
      after = foot.residuals.norm();
    }
    if (!(after < before)) return;
    here = std::move(foot);
    step = std::max(1e-7, 0.1 * std::abs(bounded));
    if (const double cost = 0.5 * here.residuals.squaredNorm(); cost < solution.cost) {
      solution.cost = cost;
      solution.x = here.x;
    }
    if (solution.cost < options.enough || after > 0.97 * before) return;
  }
}

}  // namespace microslip::fit
