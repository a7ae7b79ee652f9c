#pragma once

/// Few vectors in which the sliders of a large system move: proper orthogonal modes of computed
/// histories, or the analytic basis of chapter 3 of the thesis.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "microslip/friction/system.hpp"

namespace microslip::reduce {

using Index = Eigen::Index;

struct ModeOptions {
  Index main = 3;             ///< modes of the whole history
  Index after_reversals = 0;  ///< modes of the motion since the last reversal, just after it
  /// Which part of each leg counts as just after its reversal. The thesis does not say; a fifth
  /// holds the start of slip of most sliders that move at all.
  double window = 0.2;
};

struct SliderModes {
  Eigen::MatrixXd basis;  ///< N × m, orthonormal columns
  /// All of them, falling. Those below 1e-7 of the first are rounding: they come from XᵀX.
  Eigen::VectorXd singular_values, singular_values_after_reversals;
};

/// Runs the system from rest on each history of loads, row by row, and keeps what is needed to
/// take modes from all positions together. The histories themselves are not kept.
class MotionRecord {
 public:
  /// Throws Error if a run fails.
  MotionRecord(const friction::System& system, std::span<const std::vector<double>> loads,
               double window = ModeOptions{}.window);

  /// The leading singular vectors; those of the motion just after reversals come next, made
  /// orthogonal to them. Sign: bᵀφ ≥ 0. Throws Error if there are fewer independent motions.
  SliderModes modes(Index main, Index after_reversals = 0) const;

 private:
  Eigen::VectorXd b_, values_, reversal_values_;
  Eigen::MatrixXd vectors_, reversal_vectors_;
};

/// The same in one call.
SliderModes proper_orthogonal_modes(const friction::System& system,
                                    std::span<const std::vector<double>> loads,
                                    const ModeOptions& options);

/// φ_r(x) = exp(−α x^{3/2}) (x^{3/2})^{r−1}, r = 1 … m, at N points from 0 to N, then the left
/// singular vectors (thesis, eq. 3.8). The thesis writes x = 1, 2, …; its printed numbers belong to
/// equal steps from 0 to N. Signs: the sum of each vector is positive.
Eigen::MatrixXd analytic_modes(Index sliders, Index m, double alpha);

}  // namespace microslip::reduce
