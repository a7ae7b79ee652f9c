#include "microslip/fit/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/fit/uncertainty.hpp"

namespace microslip::fit {
namespace {

/// Work of the largest loop of the record with the force f.
double energy_of(const Data& record, const loops::Loops& found, const std::vector<double>& f) {
  const loops::Cycle* cycle = found.largest();
  if (!cycle) return 0;
  const auto from = static_cast<std::ptrdiff_t>(cycle->first_row);
  const std::size_t rows = cycle->last_row - cycle->first_row + 1;
  const double sign = record.driven == Driven::force ? -1 : 1;  // ∮ f du = −∮ u df
  return sign * loops::work({record.u.data() + from, rows}, {f.data() + from, rows});
}

}  // namespace

Prediction predict(const AnyModel& model, const Fit& fit, const Data& record) {
  const auto found = loops_of(record);
  // The force of each row, and behind it the energy of the largest loop.
  const auto answer = [&](const ParameterValues& parameters) {
    History history = model.with(parameters).run({record.t, record.u, {}});
    if (history.status != Status::ok)
      throw Error(record.name + ": the law has no answer after row " +
                  std::to_string(history.f.size()));
    history.f.push_back(energy_of(record, *found, history.f));
    return std::move(history.f);
  };
  Prediction result;
  result.force = answer(fit.parameters.front());
  result.energy = result.force.back();
  result.force.pop_back();
  result.measured_energy = energy_of(record, *found, record.f);
  const auto [low, high] = std::minmax_element(record.f.begin(), record.f.end());
  const double range = *high - *low;
  result.deviation = standard_deviations(uncertainty_of(fit), fit.parameters.front(), answer);
  result.energy_deviation = result.deviation.back();
  result.deviation.pop_back();
  const auto rows = static_cast<double>(record.rows());
  for (std::size_t i = 0; i < record.rows(); ++i) {
    result.rms_relative += std::pow((result.force[i] - record.f[i]) / range, 2) / rows;
    result.deviation_relative += std::pow(result.deviation[i] / range, 2) / rows;
  }
  result.rms_relative = std::sqrt(result.rms_relative);
  result.deviation_relative = std::sqrt(result.deviation_relative);
  return result;
}

}  // namespace microslip::fit
