#include "microslip/fit/prediction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"

namespace microslip::fit {
namespace {

/// Force and energy of the largest loop behind it, for parameters that are moved.
struct Answer {
  std::vector<double> force;
  double energy = 0;
};

class Predictor {
 public:
  Predictor(const AnyModel& model, const Fit& fit, const Data& record)
      : model_(model), fit_(fit), record_(record), loops_(loops_of(record)) {}

  double energy_of(const std::vector<double>& f) const {
    const loops::Cycle* cycle = loops_->largest();
    if (!cycle) return 0;
    const auto from = static_cast<std::ptrdiff_t>(cycle->first_row);
    const std::size_t rows = cycle->last_row - cycle->first_row + 1;
    return loops::work({record_.u.data() + from, rows}, {f.data() + from, rows});
  }

  Answer answer(const ParameterValues& parameters) const {
    History history = model_.with(parameters).run({record_.t, record_.u, {}});
    if (history.status != Status::ok)
      throw Error(record_.name + ": the law has no answer after row " +
                  std::to_string(history.f.size()));
    Answer result{std::move(history.f), 0};
    result.energy = energy_of(result.force);
    return result;
  }

  /// The fitted parameters, moved along a direction in the space of `names`.
  ParameterValues moved(const std::vector<std::string>& names, const Eigen::VectorXd& by) const {
    ParameterValues values = fit_.parameters.front();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto bracket = names[i].find('[');
      Value& value = values.at(names[i].substr(0, bracket));
      const double step = by[static_cast<Eigen::Index>(i)];
      if (auto* number = std::get_if<double>(&value))
        *number += step;
      else if (auto* list = std::get_if<std::vector<double>>(&value))
        (*list)[std::stoul(names[i].substr(bracket + 1)) - 1] += step;
    }
    return values;
  }

  const AnyModel& model_;
  const Fit& fit_;
  const Data& record_;
  std::shared_ptr<const loops::Loops> loops_;
};

}  // namespace

Prediction predict(const AnyModel& model, const Fit& fit, const Data& record) {
  const Predictor predictor(model, fit, record);
  Prediction result;
  const Answer best = predictor.answer(fit.parameters.front());
  result.force = best.force;
  result.energy = best.energy;
  result.measured_energy = predictor.energy_of(record.f);
  const auto [low, high] = std::minmax_element(record.f.begin(), record.f.end());
  const double range = *high - *low;
  const auto rows = static_cast<double>(record.rows());
  for (std::size_t i = 0; i < record.rows(); ++i)
    result.rms_relative += std::pow((best.force[i] - record.f[i]) / range, 2) / rows;
  result.rms_relative = std::sqrt(result.rms_relative);

  // Parameters that the data determine, and their covariance.
  std::vector<std::string> names;
  std::vector<Eigen::Index> place;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    const Estimate& e = fit.estimates[i];
    const bool of_law = fit.parameters.front().contains(e.name.substr(0, e.name.find('[')));
    if (!of_law || e.pinned || !e.error || e.record > 0) continue;
    names.push_back(e.name);
    place.push_back(static_cast<Eigen::Index>(i));
  }
  const auto n = static_cast<Eigen::Index>(names.size());
  Eigen::MatrixXd covariance(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(place[std::size_t(i)]);
      const auto b = static_cast<std::size_t>(place[std::size_t(j)]);
      double r = i == j ? 1 : fit.correlation(place[std::size_t(i)], place[std::size_t(j)]);
      if (!std::isfinite(r)) r = 0;
      covariance(i, j) = r * *fit.estimates[a].error * *fit.estimates[b].error;
    }
  std::vector<double> variance(record.rows(), 0.0);
  double energy_variance = 0;
  if (n > 0) {
    // In units of the standard deviations, so that lengths and forces have one size.
    const Eigen::VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseMax(1e-300);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(
        unit.cwiseInverse().asDiagonal() * covariance * unit.cwiseInverse().asDiagonal());
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::VectorXd by = std::sqrt(std::max(modes.eigenvalues()[k], 0.0)) *
                                 unit.cwiseProduct(modes.eigenvectors().col(k));
      try {
        const Answer up = predictor.answer(predictor.moved(names, by));
        const Answer down = predictor.answer(predictor.moved(names, -by));
        for (std::size_t i = 0; i < record.rows(); ++i)
          variance[i] += std::pow(0.5 * (up.force[i] - down.force[i]), 2);
        energy_variance += std::pow(0.5 * (up.energy - down.energy), 2);
      } catch (const Error&) {
        // One side leaves what the law allows; the other directions still count.
      }
    }
  }
  for (const double v : variance) {
    result.deviation.push_back(std::sqrt(v));
    result.deviation_relative += v / (range * range) / rows;
  }
  result.deviation_relative = std::sqrt(result.deviation_relative);
  result.energy_deviation = std::sqrt(energy_variance);
  return result;
}

}  // namespace microslip::fit
