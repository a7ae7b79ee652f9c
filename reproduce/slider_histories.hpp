#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/friction/sliders.hpp"

/// What the reproductions of many sliders share.
namespace microslip::reproduce {

/// ξ and all positions at equal steps of a signal in t.
struct SliderHistory {
  std::vector<double> t, f, xi, energy;
  Eigen::MatrixXd x;  ///< one row for each `every` rows of the history
  friction::State end;
  std::size_t events = 0;
};
SliderHistory follow(const friction::System& system, const std::string& signal, double until,
                     std::size_t rows, std::size_t every = 1,
                     const friction::SolverOptions& options = {});

/// Proper orthogonal modes of a history of positions: singular values, largest first, and the
/// right singular vectors of the first `count`, from the eigenvectors of xᵀx.
struct OrthogonalModes {
  std::vector<double> values;
  Eigen::MatrixXd vectors;
};
OrthogonalModes modes_of(const Eigen::MatrixXd& x, Eigen::Index count);

/// Largest excess of |r_i|/μ_i over one: zero for a state that obeys the law.
double beyond_limits(const friction::System& system, const friction::State& state);

}  // namespace microslip::reproduce
