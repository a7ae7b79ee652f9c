#include "least_squares.hpp"

#include <ceres/cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <algorithm>
#include <cmath>

namespace microslip::fit {
namespace {

/// The whole record as one cost; each unknown is a block of its own, so that one can be held.
class Cost final : public ceres::CostFunction {
 public:
  Cost(const Problem& problem, double robust_scale, Solution& count)
      : problem_(problem), scale_(robust_scale), count_(count) {
    mutable_parameter_block_sizes()->assign(problem.unknowns().size(), 1);
    set_num_residuals(static_cast<int>(problem.rows()));
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** jacobians) const override {
    const std::size_t n = problem_.unknowns().size();
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = blocks[i][0];
    // Soft limits are no limits for the solver, which would search along each step for them.
    for (std::size_t i = 0; i < n; ++i)
      if (x[i] < problem_.unknowns()[i].lower || x[i] > problem_.unknowns()[i].upper) return false;
    Eigen::VectorXd r;
    ++(jacobians ? count_.jacobians : count_.evaluations);
    if (!problem_.evaluate(x, r, jacobians ? &jacobian_ : nullptr)) return false;
    apply_loss(scale_, r, jacobians ? &jacobian_ : nullptr);
    std::copy(r.begin(), r.end(), residuals);
    if (jacobians)
      for (std::size_t i = 0; i < n; ++i)
        if (jacobians[i]) {
          const auto column = jacobian_.col(static_cast<Eigen::Index>(i));
          std::copy(column.begin(), column.end(), jacobians[i]);
        }
    return true;
  }

 private:
  const Problem& problem_;
  double scale_;
  Solution& count_;
  mutable Eigen::MatrixXd jacobian_;
};

class Stop final : public ceres::IterationCallback {
 public:
  explicit Stop(const SolveOptions& options) : options_(options) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    if (summary.cost < options_.enough) return ceres::SOLVER_TERMINATE_SUCCESSFULLY;
    const bool hopeless =
        summary.iteration >= options_.patience && summary.cost > options_.hopeless;
    if (!hopeless && !(options_.stop && options_.stop())) return ceres::SOLVER_CONTINUE;
    stopped = true;
    return ceres::SOLVER_TERMINATE_SUCCESSFULLY;
  }
  bool stopped = false;

 private:
  const SolveOptions& options_;
};

ceres::Solver::Options solver_options(const SolveOptions& options, Stop& stop) {
  ceres::Solver::Options o;
  o.linear_solver_type = ceres::DENSE_QR;
  o.max_num_iterations = options.iterations;
  o.function_tolerance = options.tolerance;
  o.gradient_tolerance = 1e-40;  // along flat valleys the gradient is tiny long before the end
  o.parameter_tolerance = 1e-12;
  o.initial_trust_region_radius = options.first_radius;
  o.max_num_consecutive_invalid_steps = 12;
  // Along a step that meets a limit values are enough: a slope costs a run on dual numbers.
  o.line_search_interpolation_type = ceres::QUADRATIC;
  o.logging_type = ceres::SILENT;
  o.callbacks.push_back(&stop);
  return o;
}

/// At a limit, and the sum of squares would fall beyond it.
std::vector<bool> pressed(const Problem& problem, const std::vector<double>& x, double scale) {
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  std::vector<bool> result(x.size(), false);
  if (!problem.evaluate(x, r, &jacobian)) return result;
  apply_loss(scale, r, &jacobian);
  const Eigen::VectorXd gradient = jacobian.transpose() * r;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    const double slope = gradient[static_cast<Eigen::Index>(i)];
    const double near = 1e-9 * (1 + std::abs(x[i]));
    result[i] =
        (x[i] <= unknown.lower + near && slope > 0) || (x[i] >= unknown.upper - near && slope < 0);
  }
  return result;
}

Solution::End end_of(const ceres::Solver::Summary& summary, const Stop& stop) {
  if (stop.stopped) return Solution::End::stopped;
  if (summary.termination_type == ceres::CONVERGENCE) return Solution::End::minimum;
  if (summary.termination_type == ceres::NO_CONVERGENCE) return Solution::End::out_of_iterations;
  return Solution::End::minimum;  // no step leads further down inside the law's own limits
}

/// One search with some unknowns held.
void search(const Problem& problem, const std::vector<bool>& held, const SolveOptions& options,
            Solution& solution) {
  ceres::Problem::Options ownership;
  ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  Cost cost(problem, options.robust_scale, solution);
  ceres::Problem ceres_problem(ownership);
  std::vector<double*> blocks;
  for (double& x : solution.x) blocks.push_back(&x);
  ceres_problem.AddResidualBlock(&cost, nullptr, blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (held[i]) {
      ceres_problem.SetParameterBlockConstant(blocks[i]);
      continue;
    }
    const Unknown& unknown = problem.unknowns()[i];
    if (!unknown.soft_lower) ceres_problem.SetParameterLowerBound(blocks[i], 0, unknown.lower);
    if (!unknown.soft_upper) ceres_problem.SetParameterUpperBound(blocks[i], 0, unknown.upper);
  }
  Stop stop(options);
  ceres::Solver::Summary summary;
  ceres::Solve(solver_options(options, stop), &ceres_problem, &summary);
  solution.cost = summary.final_cost;
  solution.end = end_of(summary, stop);
}

}  // namespace

Solution solve(const Problem& problem, std::vector<double> x, const SolveOptions& options) {
  Solution solution;
  const std::size_t n = problem.unknowns().size();
  std::vector<bool> held(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    held[i] = unknown.pinned;
    x[i] = unknown.pinned ? unknown.start : std::clamp(x[i], unknown.lower, unknown.upper);
  }
  solution.x = std::move(x);
  Eigen::VectorXd r;
  if (!problem.evaluate(solution.x, r)) return solution;
  const std::vector<bool> pinned = held;
  // The search projects its steps on the limits, which is slow once one is active: then it goes on
  // along the limit, and looks once more without it at the end.
  for (int round = 0; round < 4; ++round) {
    search(problem, held, options, solution);
    if (solution.end == Solution::End::stopped) break;
    const std::vector<bool> now = pressed(problem, solution.x, options.robust_scale);
    std::vector<bool> next = pinned;
    for (std::size_t i = 0; i < n; ++i) next[i] = next[i] || now[i];
    if (next == held || std::all_of(next.begin(), next.end(), [](bool b) { return b; })) break;
    held = next;
  }
  return solution;
}

}  // namespace microslip::fit
