#pragma once

#include "least_squares.hpp"

namespace microslip::fit {

/// Goes on where the sum of squares is nearly zero along a curved valley, in which a search for all
/// unknowns at once takes tiny steps: one unknown is moved along the valley, and the others follow
/// each time (the residual that is left depends almost linearly on the one that moves).
void follow_valley(const Problem& problem, const SolveOptions& options, Solution& solution);

/// Smallest and largest singular value of the Jacobian of the free unknowns, and the direction of
/// the smallest. False where the law has no answer.
struct Flatness {
  double smallest = 0, largest = 0;
  Eigen::VectorXd direction;
};
bool flatness_at(const Problem& problem, const std::vector<double>& x, Flatness& flatness);

}  // namespace microslip::fit
