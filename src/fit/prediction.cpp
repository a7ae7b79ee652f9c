#include "microslip/fit/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "measurement.hpp"
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

/// Of each number: second moments of its changes to both sides along the axes of the fit; no less than
/// what an alternative at the end of a 95 % interval makes of it.
std::vector<double> deviations(const Fit& fit, const std::vector<double>& answers,
                               const Answer& answer) {
  const auto change = [&](const ParameterValues& parameters) -> std::optional<std::vector<double>> {
    try {
      std::vector<double> other = answer(parameters);
      for (std::size_t i = 0; i < other.size(); ++i) other[i] = std::abs(other[i] - answers[i]);
      return other;
    } catch (const Error&) {
      return std::nullopt;  // the law has no answer to this record there
    }
  };
  std::vector<double> result(answers.size(), 0.0);
  for (const auto& [down, up] : fit.axes) {
    const auto a = change(down), b = change(up);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] =
          std::hypot(result[i], std::sqrt(0.5) * std::hypot(a ? (*a)[i] : 0.0, b ? (*b)[i] : 0.0));
  }
  constexpr double normal_95 = 1.959963984540054;
  for (const ParameterValues& other : fit.alternatives)
    if (const auto c = change(other))
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = std::max(result[i], (*c)[i] / normal_95);
  return result;
}

}  // namespace

Prediction predict(const AnyModel& model, const Fit& fit, const Misfit& misfit,
                   const Data& record) {
  const auto found = loops_of(record);
  // The same recorder, but for its drift, which begins anew with each record.
  Setup recorder;
  for (const Estimate& e : fit.estimates)
    if (e.record < 0 &&
        (e.name == "offset" || e.name == "gain" || e.name == "offset_u" || e.name == "delay"))
      recorder.fixed[e.name] = e.value;
  const auto m = measurement_of<double>(recorder, {}, {}, 0, 0);
  std::vector<double> u = record.u;
  for (double& x : u) x -= m.of(Unknown::Role::offset_u);
  const std::vector<double> clock = clock_of(record);
  const double delay = m.of(Unknown::Role::delay);
  // The force of each row, and behind it the energy of the largest loop.
  const auto answer = [&](const ParameterValues& parameters) {
    const bool stops = delay != 0 && model.description().family != Family::rate_dependent;
    const DelayedMotion<double> delayed(clock, delay, stops, u);
    History history = model.with(parameters)
                          .run({stops ? std::vector<double>{} : record.t, delayed.motion(), {}});
    if (history.status != Status::ok)
      throw Error(record.name + ": the law has no answer after row " +
                  std::to_string(history.f.size()));
    if (delay != 0) history.f = delayed.answers(history.f);
    for (std::size_t i = 0; i < history.f.size(); ++i)
      history.f[i] = m.answer(history.f[i], clock[i]);
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
  std::vector<double> answers = result.force;
  answers.push_back(result.energy);
  result.deviation = deviations(fit, answers, answer);
  result.energy_deviation = result.deviation.back();
  result.deviation.pop_back();
  const auto rows = static_cast<double>(record.rows());
  for (std::size_t i = 0; i < record.rows(); ++i) {
    result.rms_relative += std::pow((result.force[i] - record.f[i]) / range, 2) / rows;
    result.deviation_relative += std::pow(result.deviation[i] / range, 2) / rows;
  }
  result.rms_relative = std::sqrt(result.rms_relative);
  result.deviation_relative = std::sqrt(result.deviation_relative);
  result.misfit_relative = misfit.rms_relative;
  result.energy_misfit = misfit.energy_relative * std::abs(result.energy);
  return result;
}

}  // namespace microslip::fit
