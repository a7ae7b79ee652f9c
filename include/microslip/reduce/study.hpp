#pragma once

/// Reduced models against the full system, on the loads their modes come from and on others.

#include <functional>
#include <vector>

#include "microslip/reduce/reduced_sliders.hpp"

namespace microslip::reduce {

/// From a parameter file to a law; the catalogue does it.
using Build = std::function<AnyModel(const ModelSpec&)>;

struct Evaluation {
  Index modes = 0;
  Shape shape = Shape::zonotope;
  ReducedModel model;
  std::vector<Misfit> loads, validation;
};

/// Mean of the rms errors; not a number without histories.
double mean_rms(const std::vector<Misfit>& misfits);
/// The energy error of largest size, with its sign.
double worst_energy(const std::vector<Misfit>& misfits);
/// Of the energy of single cycles, over all cycles of all histories: the error of largest size,
/// with its sign, and the rms error; not a number without cycles.
double worst_cycle_energy(const std::vector<Misfit>& misfits);
double rms_cycle_energy(const std::vector<Misfit>& misfits);
/// Nanoseconds a row, mean over all histories.
double mean_cost(const Evaluation& evaluation);

struct Task {
  Output output{};
  Index generators = 12;  ///< of Shape::few_generators
  FitOptions fit{};
  std::vector<FullRun> loads{}, validation{};
};

Evaluation evaluate(const friction::System& system, const Eigen::MatrixXd& basis, Shape shape,
                    const Task& task, const Build& build);

}  // namespace microslip::reduce
