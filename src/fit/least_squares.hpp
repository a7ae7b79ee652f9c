#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "microslip/fit/problem.hpp"

namespace microslip::fit {

struct SolveOptions {
  /// Of the first step, in unknowns of the order of 1. Smooth laws end in other minima half as
  /// often with long steps, laws with many kinks with short ones.
  double first_radius = 10;
  int iterations = 100;
  double tolerance = 1e-12;  ///< relative change of the sum of squares that ends the search
  /// Residuals beyond this count less (pseudo-Huber); 0: plain squares.
  double robust_scale = 0;
  double enough = 0;  ///< a sum of squares / 2 that is as good as zero
  /// A search that is still above this sum of squares / 2 after so many steps is given up.
  double hopeless = std::numeric_limits<double>::infinity();
  int patience = 15;
  std::function<bool()> stop{};  ///< asked once an iteration
};

struct Solution {
  enum class End { minimum, out_of_iterations, stopped, infeasible };
  std::vector<double> x;
  double cost = 0;  ///< ½ Σ r²
  End end = End::infeasible;
  int evaluations = 0, jacobians = 0;
};

/// Least squares inside the limits of the unknowns, by Ceres where there is one.
Solution solve(const Problem& problem, std::vector<double> x, const SolveOptions& options);

/// The same by the Levenberg–Marquardt method alone, which is what a browser has. The tests hold the
/// two to the same minima.
Solution levenberg_marquardt(const Problem& problem, std::vector<double> x,
                             const SolveOptions& options);

/// Replaces residuals r by ±√ρ(r²) of the pseudo-Huber loss ρ(s) = 2δ²(√(1 + s/δ²) − 1), and
/// derivatives accordingly, so that their squares are the loss.
void apply_loss(double scale, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian);

}  // namespace microslip::fit
