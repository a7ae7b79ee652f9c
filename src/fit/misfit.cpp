#include <chrono>
#include <cmath>

#include "measurement.hpp"
#include "microslip/core/error.hpp"
#include "microslip/fit/fit.hpp"
#include "refit.hpp"

namespace microslip::fit {
namespace {

/// Errors of energy over what the law says of it, of loops that are large enough to have one.
class EnergyErrors {
 public:
  /// `unseen`: of loops with rows that are held out only.
  void add(const Data& data, const std::vector<std::pair<double, double>>& fitted, bool unseen) {
    const auto measured = loops_of(data);
    for (std::size_t i = 0; i < std::min(measured->cycles.size(), fitted.size()); ++i) {
      const loops::Cycle& cycle = measured->cycles[i];
      if (cycle.minor || cycle.amplitude < 0.3 * measured->amplitude || cycle.energy == 0) continue;
      bool held = false;
      for (std::size_t row = cycle.first_row; row <= cycle.last_row; ++row)
        held = held || (!data.held_out.empty() && data.held_out[row]);
      if (unseen && !held) continue;
      squares_ += std::pow((cycle.energy - fitted[i].second) / fitted[i].second, 2);
      count_ += 1;
    }
  }
  bool any() const { return count_ > 0; }
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
  misfit.correlation = from.row_correlation;
  if (const std::vector<double> clock = clock_of(records.front()); clock.size() > 1)
    misfit.clock = clock.back() / static_cast<double>(clock.size() - 1);
  if (records.size() < 2 || !settings.setup.separate.empty()) {
    misfit.rms_relative = from.rms_relative;
    try {
      const Refit again = refit(model, records, settings, from);
      misfit.rms_relative = std::max(misfit.rms_relative, again.error_of_the_rest);
      for (std::size_t r = 0; r < again.force.size(); ++r)
        energies.add(records[r], cycles_with(records[r], again.force[r]), true);
    } catch (const Error&) {
      // No row is held out, or too few are left.
    }
    if (!energies.any())
      for (std::size_t r = 0; r < records.size(); ++r)
        energies.add(records[r], from.cycles[r], false);
    misfit.energy_relative = energies.rms();
    return misfit;
  }
  double squares = 0;
  for (std::size_t left_out = 0; left_out < records.size(); ++left_out) {
    std::vector<Data> rest = records;
    for (Data& data : rest) data.held_out.clear();
    rest[left_out].held_out.assign(records[left_out].rows(), true);
    try {
      const Refit again = refit(model, rest, settings, from);
      if (again.force.empty()) continue;
      squares += std::pow(again.error_of_the_rest, 2);
      energies.add(records[left_out], cycles_with(records[left_out], again.force[left_out]), false);
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
