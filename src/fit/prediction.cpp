#include "microslip/fit/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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

/// Standard deviation of the energy of the largest loop if `deviation` of the answer is noise that follows
/// itself from row to row: Σᵢ Σⱼ wᵢ wⱼ ρ^|i−j|.
double energy_of_noise(const Data& record, const loops::Loops& found, double deviation,
                       double correlation) {
  const loops::Cycle* cycle = found.largest();
  if (!cycle) return 0;
  double sum = 0, variance = 0;
  for (std::size_t i = cycle->first_row; i <= cycle->last_row; ++i) {
    const double before = record.u[std::max(i, cycle->first_row + 1) - 1];
    const double after = record.u[std::min(i + 1, cycle->last_row)];
    const double weight = 0.5 * (after - before);
    sum *= correlation;
    variance += weight * (weight + 2 * sum);
    sum += weight;
  }
  return deviation * std::sqrt(std::max(variance, 0.0));
}

/// What the recorder may have done otherwise: numbers of its own in each record scatter, and a zero that
/// moved in the fitted records moves again, nobody knows where to.
std::map<std::string, double> other_recorder(const Fit& fit) {
  std::map<std::string, std::vector<double>> own;
  for (const Estimate& e : fit.estimates)
    if (fit.recorder.contains(e.name) && (e.record >= 0 || is_drift(e.name)))
      own[e.name].push_back(e.value);
  std::map<std::string, double> deviation;
  for (const auto& [name, values] : own) {
    const double middle = is_drift(name) ? 0 : std::get<double>(fit.recorder.at(name));
    double squares = 0;
    for (const double value : values) squares += (value - middle) * (value - middle);
    const double count = static_cast<double>(values.size());
    deviation[name] = std::sqrt(squares / (is_drift(name) ? count : std::max(count - 1, 1.0)));
  }
  return deviation;
}

/// Of each number: second moments of its changes to both sides along the axes of the fit; no less than
/// what an alternative at the end of a 95 % interval makes of it.
std::vector<double> deviations(const Fit& fit, const ParameterValues& numbers,
                               const std::vector<double>& answers, const Answer& answer) {
  const auto change = [&](const ParameterValues& there) -> std::optional<std::vector<double>> {
    try {
      std::vector<double> other = answer(there);
      for (std::size_t i = 0; i < other.size(); ++i) other[i] = std::abs(other[i] - answers[i]);
      return other;
    } catch (const Error&) {
      return std::nullopt;  // the law has no answer to this record there
    }
  };
  // A search that was stopped before it looked around says nothing of its errors.
  if (fit.axes.empty() && fit.free > 0)
    return std::vector<double>(answers.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> result(answers.size(), 0.0);
  const auto add = [&](const ParameterValues& down, const ParameterValues& up) {
    const auto a = change(down), b = change(up);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] =
          std::hypot(result[i], std::sqrt(0.5) * std::hypot(a ? (*a)[i] : 0.0, b ? (*b)[i] : 0.0));
  };
  for (const auto& [down, up] : fit.axes) add(down, up);
  for (const auto& [name, deviation] : other_recorder(fit)) {
    ParameterValues down = numbers, up = numbers;
    std::get<double>(down.at(name)) -= deviation;
    std::get<double>(up.at(name)) += deviation;
    add(down, up);
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
  ParameterValues numbers = fit.parameters.front();
  numbers.merge(ParameterValues(fit.recorder));
  const std::vector<double> clock = clock_of(record);
  // The force of each row, and behind it the energy of the largest loop.
  const auto answer = [&](const ParameterValues& all) {
    ParameterValues parameters;
    Setup recorder;
    for (const auto& [name, value] : all)
      if (fit.recorder.contains(name))
        recorder.fixed[name] = std::get<double>(value);
      else
        parameters[name] = value;
    const auto m = measurement_of<double>(recorder, {}, {}, 0, 0);
    const double delay = m.of(Unknown::Role::delay);
    std::vector<double> u = record.u;
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] -= m.of(Unknown::Role::offset_u) + m.of(Unknown::Role::drift_u) * clock[i];
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
  result.force = answer(numbers);
  result.energy = result.force.back();
  result.force.pop_back();
  result.measured_energy = energy_of(record, *found, record.f);
  const auto [low, high] = std::minmax_element(record.f.begin(), record.f.end());
  const double range = *high - *low;
  std::vector<double> answers = result.force;
  answers.push_back(result.energy);
  result.deviation = deviations(fit, numbers, answers, answer);
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
  // A fit to one record makes the energies of its own loops right, whatever the law.
  if (misfit.records == 0 && misfit.rms_relative > 0) {
    const double rows_apart =
        misfit.clock > 0 && clock.size() > 1
            ? clock.back() / static_cast<double>(clock.size() - 1) / misfit.clock
            : 1;
    result.energy_misfit =
        std::max(result.energy_misfit, energy_of_noise(record, *found, misfit.rms_relative * range,
                                                       std::pow(misfit.correlation, rows_apart)));
  }
  return result;
}

}  // namespace microslip::fit
