#include <algorithm>
#include <cmath>
#include <limits>

#include "jobs/fit_parts.hpp"
#include "jobs/text_form.hpp"
#include "microslip/jobs/fit.hpp"

namespace microslip::jobs {
namespace {

bool is_parameter(const fit::Estimate& e, const ParameterValues& parameters) {
  return parameters.contains(e.name.substr(0, e.name.find('[')));
}

bool belongs_to(const fit::Estimate& e, std::size_t record) {
  return e.record < 0 || e.record == static_cast<int>(record);
}

double number_or_nan(const std::optional<double>& x) {
  return x.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// In the shape of the parameters.
Named<Value> errors_of(const fit::Fit& fit, std::size_t record) {
  Named<Value> errors;
  for (const auto& [name, value] : fit.parameters[record]) {
    Value error = value;
    if (std::holds_alternative<double>(value))
      error = 0.0;
    else if (const auto* list = std::get_if<std::vector<double>>(&value))
      error = std::vector<double>(list->size());
    else if (const auto* matrix = std::get_if<Matrix<double>>(&value))
      error = std::vector<double>(static_cast<std::size_t>(matrix->rows()));
    errors.emplace_back(name, std::move(error));
  }
  for (const fit::Estimate& e : fit.estimates) {
    if (!is_parameter(e, fit.parameters[record]) || !belongs_to(e, record)) continue;
    const auto bracket = e.name.find('[');
    const std::string name = e.name.substr(0, bracket);
    const auto entry = std::find_if(errors.begin(), errors.end(),
                                    [&](const auto& error) { return error.first == name; });
    if (bracket == std::string::npos)
      entry->second = number_or_nan(e.error);
    else
      std::get<std::vector<double>>(entry->second)[std::stoul(e.name.substr(bracket + 1)) - 1] =
          number_or_nan(e.error);
  }
  return errors;
}

Named<FittedMeasure> measurement_of(const fit::Fit& fit, std::size_t record) {
  Named<FittedMeasure> measurement;
  for (const fit::Estimate& e : fit.estimates) {
    if (is_parameter(e, fit.parameters[record]) || e.name.rfind("before", 0) == 0) continue;
    if (belongs_to(e, record)) measurement.push_back({e.name, {e.value, e.error}});
  }
  return measurement;
}

FittedStart start_of(const fit::Fit& fit, std::size_t record, const FitRecord& data) {
  FittedStart start{fit.beginnings[record], {}};
  if (start.kind == fit::Beginning::cycled) {
    for (const loops::Cycle& cycle : data.loops().cycles) {
      if (!(cycle.amplitude > 0.9 * data.loops().amplitude)) continue;
      for (const std::size_t row : {cycle.first_row, cycle.middle_row, cycle.first_row})
        start.before.push_back(data.data.u[row]);
      break;
    }
  }
  for (const fit::Estimate& e : fit.estimates)
    if (e.name.rfind("before", 0) == 0 && e.record == static_cast<int>(record))
      start.before.push_back(e.value);
  return start;
}

FittedCorrelation correlation_of(const fit::Fit& fit) {
  FittedCorrelation correlation;
  std::vector<Eigen::Index> shown;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i)
    if (!fit.estimates[i].pinned) shown.push_back(static_cast<Eigen::Index>(i));
  for (const Eigen::Index i : shown) {
    correlation.names.push_back(fit.estimates[static_cast<std::size_t>(i)].name);
    std::vector<double>& row = correlation.matrix.emplace_back();
    for (const Eigen::Index j : shown) row.push_back(fit.correlation(i, j));
  }
  return correlation;
}

std::vector<FittedCombination> combinations_of(const fit::Fit& fit) {
  std::vector<FittedCombination> list;
  for (const fit::Combination& c : fit.combinations)
    list.push_back({c.sensitivity, c.determined, c.parts});
  return list;
}

FittedPrediction prediction_of(const fit::Prediction& p, const FitRecord& record) {
  const double square = record.scale * record.scale;  // energy is force times displacement
  return {record.data.name,           record.covariates, p.rms_relative,
          p.deviation_relative,       square * p.energy, square * p.energy_deviation,
          square * p.measured_energy, p.misfit_relative, square * p.energy_misfit};
}

}  // namespace

std::size_t FitRecord::held_out_rows() const {
  return static_cast<std::size_t>(std::count(held_out.begin(), held_out.end(), true));
}

std::size_t FitRecord::weightless_rows() const {
  return static_cast<std::size_t>(std::count(data.weight.begin(), data.weight.end(), 0.0));
}

std::pair<double, double> force_limits(const FitRecord& record) {
  std::pair<double, double> limits{std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < record.data.rows(); ++i) {
    if (!record.data.counts(i)) continue;
    limits.first = std::min(limits.first, record.data.f[i]);
    limits.second = std::max(limits.second, record.data.f[i]);
  }
  return limits;
}

double initial_stiffness(const FitRecord& record) {
  const double slope = record.loops().initial_stiffness;
  return record.by_force() ? 1 / slope : slope;
}

FitData data_of(const FitRecord& r) {
  const auto [low, high] = force_limits(r);
  FitData data;
  data.file = r.data.name;
  data.rows = r.data.rows() + r.rows_that_jump;
  data.time = !r.data.t.empty();
  data.u_unit = r.u_unit;
  data.f_unit = r.f_unit;
  data.t_unit = r.t_unit;
  (r.by_force() ? data.displacement_range : data.force_range) = high - low;
  data.driven = r.data.driven;
  data.amplitude = r.loops().amplitude;
  data.u_first = r.data.u.front();
  data.u_last = r.data.u.back();
  data.f_first = r.data.f.front();
  data.f_last = r.data.f.back();
  data.initial_stiffness = initial_stiffness(r);
  data.cycles = r.loops().cycles.size();
  data.minor_loops = r.loops().minor_loops();
  data.noise_f = r.loops().noise_f;
  data.sign_flipped = r.flipped;
  data.held_out_rows = r.held_out_rows();
  data.covariates = r.covariates;
  data.weight = r.weight_column;
  if (!r.weight_column.empty()) data.rows_of_weight_0 = r.weightless_rows();
  return data;
}

void complete(FittedLaw& law, const FitResult& result) {
  const fit::Fit& fit = law.fit;
  law.model = fit.model;
  law.status = fit.outcome;
  law.message = fit.message;
  if (fit.outcome == fit::Outcome::failed) {
    law.rms = law.rms_relative = law.energy_error = law.aicc = law.bic =
        std::numeric_limits<double>::quiet_NaN();
    return;
  }
  law.parameters = fit.parameters.front();
  law.options = fit.options;
  law.standard_errors = errors_of(fit, 0);
  law.rms = fit.rms;
  law.rms_relative = fit.rms_relative;
  law.energy_error = fit.energy_error;
  law.aicc = fit.aicc;
  law.bic = fit.bic;
  law.holdout_rms_relative = fit.holdout_rms_relative;
  for (std::size_t i = 0; i < law.predicted.size(); ++i)
    law.predictions.push_back(prediction_of(law.predicted[i], result.predicted[i]));
  law.fitted = fit.free;
  law.measurement = measurement_of(fit, 0);
  law.start = start_of(fit, 0, result.records.front());
  law.correlation = correlation_of(fit);
  law.combinations = combinations_of(fit);
  law.starts = fit.starts;
  law.starts_at_best = fit.starts_at_best;
  law.evaluations = fit.evaluations;
  law.jacobians = fit.jacobians;
  if (result.records.size() > 1)
    for (std::size_t r = 0; r < result.records.size(); ++r)
      law.files.push_back({result.records[r].data.name, fit.parameters[r], errors_of(fit, r),
                           measurement_of(fit, r), start_of(fit, r, result.records[r])});
  for (const fit::Profile& p : law.profiled)
    law.profiles.push_back({p.name, {p.value, p.rms_relative, p.low, p.high}});
}

MICROSLIP_TEXT_FORM(FitRequest)
MICROSLIP_TEXT_FORM(FitResult)

}  // namespace microslip::jobs
