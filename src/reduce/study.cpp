#include "microslip/reduce/study.hpp"

#include <cmath>
#include <limits>

namespace microslip::reduce {

double mean_rms(const std::vector<Misfit>& misfits) {
  if (misfits.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const Misfit& misfit : misfits) sum += misfit.rms;
  return sum / static_cast<double>(misfits.size());
}

double worst_energy(const std::vector<Misfit>& misfits) {
  if (misfits.empty()) return std::numeric_limits<double>::quiet_NaN();
  double worst = 0;
  for (const Misfit& misfit : misfits)
    if (std::abs(misfit.energy) > std::abs(worst)) worst = misfit.energy;
  return worst;
}

double worst_cycle_energy(const std::vector<Misfit>& misfits) {
  double worst = std::numeric_limits<double>::quiet_NaN();
  for (const Misfit& misfit : misfits)
    for (const double error : misfit.cycle_energy)
      if (!(std::abs(error) <= std::abs(worst))) worst = error;
  return worst;
}

double rms_cycle_energy(const std::vector<Misfit>& misfits) {
  double squares = 0, cycles = 0;
  for (const Misfit& misfit : misfits)
    for (const double error : misfit.cycle_energy) {
      squares += error * error;
      ++cycles;
    }
  return std::sqrt(squares / cycles);
}

double mean_cost(const Evaluation& evaluation) {
  double sum = 0;
  for (const auto* list : {&evaluation.loads, &evaluation.validation})
    for (const Misfit& misfit : *list) sum += misfit.nanoseconds;
  return sum / static_cast<double>(evaluation.loads.size() + evaluation.validation.size());
}

Evaluation evaluate(const friction::System& system, const Eigen::MatrixXd& basis, Shape shape,
                    const Task& task, const Build& build) {
  Evaluation result;
  result.modes = basis.cols();
  result.shape = shape;
  result.model =
      reduced_model(project(system, basis), shape, task.output, task.generators, task.fit);
  const AnyModel law = build(result.model.spec);
  for (const FullRun& run : task.loads) result.loads.push_back(compare(run, law));
  for (const FullRun& run : task.validation) result.validation.push_back(compare(run, law));
  return result;
}

}  // namespace microslip::reduce
