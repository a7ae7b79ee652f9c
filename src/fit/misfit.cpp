#include <chrono>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/fit/fit.hpp"
#include "refit.hpp"

namespace microslip::fit {
namespace {

/// Relative errors of energy, of loops that are large enough to have one.
class EnergyErrors {
 public:
  void add(const loops::Loops& measured, const std::vector<std::pair<double, double>>& fitted) {
    for (std::size_t i = 0; i < std::min(measured.cycles.size(), fitted.size()); ++i) {
      const loops::Cycle& cycle = measured.cycles[i];
      if (cycle.minor || cycle.amplitude < 0.3 * measured.amplitude || cycle.energy == 0) continue;
      squares_ += std::pow((fitted[i].second - cycle.energy) / cycle.energy, 2);
      count_ += 1;
    }
  }
  double rms() const { return count_ > 0 ? std::sqrt(squares_ / count_) : 0; }

 private:
  double squares_ = 0, count_ = 0;
};

/// The cycles of a record with another answer.
std::vector<std::pair<double, double>> cycles_with(const Data& data, const std::vector<double>& f) {
  loops::Options options;
  options.repair_sign = false;
  options.threshold = loops_of(data)->threshold;
  std::vector<std::pair<double, double>> cycles;
  for (const loops::Cycle& cycle : loops_with(data, f, options).cycles)
    cycles.emplace_back(cycle.amplitude, cycle.energy);
  return cycles;
}

}  // namespace

Misfit misfit_of(const AnyModel& model, const std::vector<Data>& records, const Settings& settings,
                 const Fit& from) {
  Misfit misfit;
  EnergyErrors energies;
  if (records.size() < 2 || !settings.setup.separate.empty()) {
    misfit.rms_relative = std::max(from.rms_relative, from.holdout_rms_relative.value_or(0));
    for (std::size_t r = 0; r < records.size(); ++r)
      energies.add(*loops_of(records[r]), from.cycles[r]);
    misfit.energy_relative = energies.rms();
    return misfit;
  }
  double squares = 0;
  for (std::size_t left_out = 0; left_out < records.size(); ++left_out) {
    std::vector<Data> rest = records;
    rest[left_out].held_out.assign(records[left_out].rows(), true);
    try {
      const Refit again = refit(model, rest, settings, from);
      if (again.force.empty()) continue;
      squares += std::pow(again.error_of_the_rest, 2);
      energies.add(*loops_of(records[left_out]),
                   cycles_with(records[left_out], again.force[left_out]));
      ++misfit.records;
    } catch (const Error&) {
      // Too few rows are left for this many numbers.
    }
  }
  if (misfit.records > 0)
    misfit.rms_relative = std::sqrt(squares / static_cast<double>(misfit.records));
  misfit.rms_relative = std::max(misfit.rms_relative, from.rms_relative);
  misfit.energy_relative = energies.rms();
  return misfit;
}

}  // namespace microslip::fit
