#include "assess.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "least_squares.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::fit {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Columns {
  std::vector<std::size_t> free;  ///< unknowns that move: not pinned, not at a limit
  Eigen::MatrixXd scaled;         ///< derivatives by the logarithm, or by x over its size
  std::vector<double> size;       ///< dx of one unit of that
};

bool at_limit(const Unknown& unknown, double x) {
  const double near = 1e-5 * (1 + std::abs(x));
  return x <= unknown.lower + near || x >= unknown.upper - near;
}

Columns columns_of(const Problem& problem, const std::vector<double>& x,
                   const std::vector<Estimate>& estimates, const Eigen::MatrixXd& jacobian) {
  Columns c;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    if (unknown.pinned || estimates[i].at_limit) continue;
    c.free.push_back(i);
    c.size.push_back(unit_of(unknown, x[i]));
  }
  c.scaled.resize(jacobian.rows(), static_cast<Eigen::Index>(c.free.size()));
  for (std::size_t j = 0; j < c.free.size(); ++j)
    c.scaled.col(static_cast<Eigen::Index>(j)) =
        jacobian.col(static_cast<Eigen::Index>(c.free[j])) * c.size[j];
  return c;
}

/// At a stationary point of one number, such as beta = 0 of Iwan-4 without macroslip, its
/// derivative says nothing although a step does something: there the column is that of a step.
void look_beyond_stationary_points(const Problem& problem, const std::vector<double>& x,
                                   const Eigen::VectorXd& r, Eigen::MatrixXd& jacobian) {
  const double little = least_sensitivity * std::sqrt(static_cast<double>(problem.compared()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    auto column = jacobian.col(static_cast<Eigen::Index>(i));
    if (unknown.pinned || unknown.log || column.norm() > little) continue;
    std::vector<double> there = x;
    there[i] += there[i] + 1 <= unknown.upper ? 1 : -1;
    Eigen::VectorXd after;
    if (there[i] >= unknown.lower && problem.evaluate(there, after))
      column = (after - r) / (there[i] - x[i]);
  }
}

/// A number is known to be at its limit when leaving it would change the force in a way that the
/// others cannot make good. A search may also end there by chance, in a valley: then other numbers
/// describe the data as well.
void forget_limits_that_do_not_matter(const Problem& problem, const Eigen::MatrixXd& jacobian,
                                      const std::vector<double>& x,
                                      std::vector<Estimate>& estimates) {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (!estimates[i].pinned && !estimates[i].at_limit)
      free.push_back(static_cast<Eigen::Index>(i));
  Eigen::MatrixXd others(jacobian.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j)
    others.col(static_cast<Eigen::Index>(j)) = jacobian.col(free[j]);
  const double rows = static_cast<double>(problem.compared());
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (!estimates[i].at_limit) continue;
    Eigen::VectorXd own = jacobian.col(static_cast<Eigen::Index>(i));
    if (!free.empty()) own -= others * dense::shortest_least_squares(others, own);
    // A large number is changed by itself, as in the combinations; one at zero by its size in data.
    own *= std::max(unit_of(problem.unknowns()[i], x[i]), 1.0);
    estimates[i].at_limit = own.norm() > least_sensitivity * std::sqrt(rows);
  }
}

}  // namespace

ParameterValues recorder_of(const Problem& problem, const std::vector<double>& x) {
  ParameterValues recorder;
  for (const auto& [name, value] : problem.setup().fixed)
    if (is_measurement(name)) recorder[name] = value;
  const std::vector<double> values = problem.values(x);
  std::map<std::string, std::pair<double, int>> sums;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    if (!is_measurement(unknown.name)) continue;
    auto& [sum, count] = sums[unknown.name];
    sum += values[i];
    ++count;
  }
  for (const auto& [name, sum] : sums)
    recorder[name] = is_drift(name) ? 0 : sum.first / sum.second;  // each record begins anew
  return recorder;
}

ParameterValues numbers_at(const Problem& problem, const std::vector<double>& x) {
  ParameterValues numbers = problem.parameters(x);
  numbers.merge(recorder_of(problem, x));
  return numbers;
}

double unit_of(const Unknown& unknown, double x) {
  return unknown.log ? 1 : std::max(std::abs(x), 0.01);
}

bool determines(double singular, double rows, double variance) {
  return singular > least_sensitivity * std::sqrt(rows) && singular > std::sqrt(variance);
}

Decomposition decompose(const Eigen::MatrixXd& tall) {
  const Eigen::Index n = tall.cols();
  if (n == 0) return {};
  const dense::Svd svd(dense::ThinQr(tall).R);
  return {svd.values, svd.V};
}

namespace {

/// Orthonormal columns that span a matrix, but for directions that are rounding.
Eigen::MatrixXd left_vectors(const Eigen::MatrixXd& tall, const Decomposition& d) {
  Eigen::MatrixXd u = tall * d.v;
  for (Eigen::Index k = 0; k < d.s.size(); ++k)
    u.col(k) *= d.s[k] > 1e-12 * d.s[0] ? 1 / d.s[k] : 0;
  return u;
}

Combination combination(const Problem& problem, const Columns& c, const Decomposition& d,
                        Eigen::Index k, double rows) {
  Combination result;
  result.sensitivity = d.s[k] / std::sqrt(rows);
  for (std::size_t j = 0; j < c.free.size(); ++j)
    result.parts.emplace_back(problem.unknowns()[c.free[j]].name,
                              d.v(static_cast<Eigen::Index>(j), k));
  std::sort(result.parts.begin(), result.parts.end(),
            [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  while (!result.parts.empty() && std::abs(result.parts.back().second) < 0.1)
    result.parts.pop_back();
  return result;
}

/// How far one may go along a direction before a number has changed by a factor e or has left the
/// region of starts; in units of the direction.
double way_along(const Problem& problem, const Columns& c, const Eigen::VectorXd& direction) {
  double way = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < c.free.size(); ++j) {
    const Unknown& unknown = problem.unknowns()[c.free[j]];
    const double part = std::abs(direction[static_cast<Eigen::Index>(j)]);
    const double most =
        unknown.log ? 1 : std::max({1.0, std::abs(unknown.from), std::abs(unknown.to)}) / c.size[j];
    if (part > 0) way = std::min(way, most / part);
  }
  return way;
}

/// `noise` is the covariance of the noise along the left singular vectors.
void standard_errors(const Problem& problem, const std::vector<double>& x, const Columns& c,
                     const Decomposition& d, const std::vector<bool>& determined,
                     const Eigen::MatrixXd& noise, Fit& fit) {
  const auto n = static_cast<Eigen::Index>(c.free.size());
  const Eigen::Index all = static_cast<Eigen::Index>(x.size());
  const double resolution = least_sensitivity * std::sqrt(static_cast<double>(problem.compared()));
  // Covariance of x from the directions that have an end.
  Eigen::MatrixXd cx = Eigen::MatrixXd::Zero(all, all);
  Eigen::VectorXd loose = Eigen::VectorXd::Zero(all);  // what the others do to a number, if above 1
  Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(all, n);  // dx for noise of one along a direction
  for (Eigen::Index k = 0; k < n; ++k) {
    const bool known = determined[static_cast<std::size_t>(k)];
    const double own = std::sqrt(noise(k, k));
    const double reach = known ? own : std::max(own, resolution);
    const double spread = reach / d.s[k];
    const double way = way_along(problem, c, d.v.col(k));
    // Along a direction that the record does not limit at all, 3 % are too much already.
    const bool limited = known || spread < way;
    const double allowed = limited ? 0.3 / spread : 0.03 / way;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto gi = static_cast<Eigen::Index>(c.free[static_cast<std::size_t>(i)]);
      if (!known) loose[gi] = std::max(loose[gi], std::abs(d.v(i, k)) / allowed);
      if (limited && own > 0)
        axes(gi, k) = d.v(i, k) * c.size[static_cast<std::size_t>(i)] / d.s[k] * reach / own;
    }
  }
  cx = axes * noise * axes.transpose();
  const Eigen::MatrixXd slope = problem.value_derivatives(x);
  const Eigen::MatrixXd cp = slope * cx * slope.transpose();
  for (Eigen::Index i = 0; i < all; ++i) {
    Estimate& estimate = fit.estimates[static_cast<std::size_t>(i)];
    // A number inherits the doubt of those that it is measured by.
    double doubt = 0;
    for (Eigen::Index j = 0; j < all; ++j)
      if (slope(i, j) != 0) doubt = std::max(doubt, loose[j]);
    if (estimate.pinned) {
      estimate.error = 0;
    } else if (!estimate.at_limit && doubt < 1) {
      estimate.error = std::sqrt(std::max(cp(i, i), 0.0));
    }
  }
  for (Eigen::Index i = 0; i < all; ++i)
    for (Eigen::Index j = 0; j < all; ++j) {
      const auto& ei = fit.estimates[static_cast<std::size_t>(i)].error;
      const auto& ej = fit.estimates[static_cast<std::size_t>(j)].error;
      if (ei && ej && *ei > 0 && *ej > 0) fit.correlation(i, j) = cp(i, j) / (*ei * *ej);
    }
}

/// Of cycles all of whose rows count, if there are any: the force of the other rows may be
/// anything.
double cycle_energy(const Data& data, const loops::Loops& found) {
  double sum = 0, trusted = 0;
  bool any = false;
  for (const loops::Cycle& cycle : found.cycles) {
    bool whole = true;
    for (std::size_t i = cycle.first_row; i <= cycle.last_row && whole; ++i) whole = data.counts(i);
    sum += cycle.energy;
    trusted += whole ? cycle.energy : 0;
    any = any || whole;
  }
  return found.cycles.empty() ? found.total_energy : any ? trusted : sum;
}

void scores(const Problem& problem, const Eigen::VectorXd& residuals, Fit& fit) {
  const double n = static_cast<double>(problem.compared());
  const double k = static_cast<double>(fit.free) + 1;  // the variance is a number too
  fit.rms_relative = rms_relative(problem, residuals);
  double squares = 0, weights = 0, energy = 0, measured = 0;
  for (std::size_t r = 0; r < problem.records().size(); ++r) {
    const Data& data = problem.records()[r];
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (!problem.compares(r, i)) continue;
      const double miss = fit.force[r][i] - data.f[i];
      squares += problem.weight(r, i) * miss * miss;
      weights += problem.weight(r, i);
    }
    loops::Options options;
    options.repair_sign = false;
    options.threshold = data.loops->threshold;
    const loops::Loops found = loops_with(data, fit.force[r], options);
    fit.cycles.emplace_back();
    for (const loops::Cycle& cycle : found.cycles)
      fit.cycles.back().emplace_back(cycle.amplitude, cycle.energy);
    energy += cycle_energy(data, found);
    // The loops of a record with the wrong sign are those of −f.
    measured += (data.loops->sign_flipped ? -1 : 1) * cycle_energy(data, *data.loops);
  }
  fit.rms = std::sqrt(squares / weights);
  fit.energy_error = measured != 0 ? std::abs(energy - measured) / std::abs(measured) : 0;
  // Rounding is no evidence: below it, all fits are equally good.
  const double logs =
      n * std::log(std::max(residuals.squaredNorm() / n, rounding_rms * rounding_rms));
  fit.aicc = n > k + 1 ? logs + 2 * k + 2 * k * (k + 1) / (n - k - 1)
                       : std::numeric_limits<double>::infinity();
  fit.bic = logs + k * std::log(n);
}

/// What happened before a record is soon wiped out: that it is not known is no fault of the law.
bool of_the_beginning(const std::string& name) { return name.starts_with("before["); }

/// Says the same of a combination as of its parts: one whose parts all have a standard error is
/// determined, however small its sensitivity.
void agree_with_errors(Fit& fit) {
  for (Combination& c : fit.combinations)
    c.determined =
        c.determined || std::all_of(c.parts.begin(), c.parts.end(), [&](const auto& part) {
          return std::all_of(fit.estimates.begin(), fit.estimates.end(), [&](const Estimate& e) {
            return e.name != part.first || e.error.has_value();
          });
        });
}

/// Every parameter has a standard error, or lies at a limit that the law or the caller sets.
bool all_determined(const Fit& fit) {
  return std::all_of(fit.estimates.begin(), fit.estimates.end(), [](const Estimate& e) {
    return e.error || (e.at_limit && !e.runs_away) || of_the_beginning(e.name);
  });
}

}  // namespace

double rms_relative(const Problem& problem, const Eigen::VectorXd& residuals) {
  double weights = 0;
  for (std::size_t r = 0; r < problem.records().size(); ++r)
    for (std::size_t i = 0; i < problem.records()[r].rows(); ++i)
      if (problem.compares(r, i)) weights += problem.weight(r, i);
  return std::sqrt(residuals.squaredNorm() / std::max(weights, 1e-300));
}

Covariance covariance_of(const Problem& problem, const std::vector<double>& x,
                         const Eigen::MatrixXd& jacobian, const RowNoise& noise) {
  Covariance result;
  const auto all = static_cast<Eigen::Index>(x.size());
  result.of_x = result.white = Eigen::MatrixXd::Zero(all, all);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!problem.unknowns()[i].pinned) result.moving.push_back(i);
  const auto n = static_cast<Eigen::Index>(result.moving.size());
  if (n == 0) return result;
  Eigen::MatrixXd scaled(jacobian.rows(), n);
  Eigen::VectorXd size(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const std::size_t i = result.moving[static_cast<std::size_t>(j)];
    // One at zero by its size in the data.
    size[j] = problem.unknowns()[i].log ? 1 : std::max(std::abs(x[i]), 1.0);
    scaled.col(j) = jacobian.col(static_cast<Eigen::Index>(i)) * size[j];
  }
  const Decomposition d = decompose(scaled);
  const Eigen::MatrixXd tangent = left_vectors(scaled, d);
  const Eigen::MatrixXd along = noise_along(problem, noise, tangent);
  const double white = std::sqrt(noise.white);
  Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(all, n), plain = axes;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double own = std::sqrt(along(k, k));
    // A direction that the record does not determine is followed for one unit.
    const double longest = std::max({d.s[k], own, 1e-300});
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto i = static_cast<Eigen::Index>(result.moving[static_cast<std::size_t>(j)]);
      axes(i, k) = size[j] * d.v(j, k) / longest;
      plain(i, k) = size[j] * d.v(j, k) / longest * white;
    }
  }
  result.of_x = axes * along * axes.transpose();
  result.white = plain * plain.transpose();
  result.axes = axes;
  result.rise.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double own = std::sqrt(along(k, k)), longest = std::max({d.s[k], own, 1e-300});
    // A direction without any effect has no noise either: one unit.
    result.axes.col(k) *= own > 0 && longest > 1e-300 ? own : 1e-300;
    result.rise[k] = std::max(along(k, k), noise.white);
  }
  return result;
}

void forget_vague_numbers(const Problem& problem, Fit& fit) {
  const std::vector<Unknown>& unknowns = problem.unknowns();
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    Estimate& e = fit.estimates[i];
    const Unknown& unknown = unknowns[i];
    // gamma may be zero, but not without a beta that says what is small.
    const double measure = unknown.log ? 0
                           : unknown.ratio_to >= 0
                               ? fit.estimates[static_cast<std::size_t>(unknown.ratio_to)].value
                               : unknown.reference;
    if (e.error && !e.pinned && *e.error > std::max(std::abs(e.value), std::abs(measure)))
      e.error.reset();
    if (e.error || e.pinned || fit.correlation.size() == 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    fit.correlation.row(k).setConstant(not_a_number);
    fit.correlation.col(k).setConstant(not_a_number);
  }
}

Outcome outcome_of(const Fit& fit, bool at_rest) {
  return !at_rest              ? Outcome::stalled
         : all_determined(fit) ? Outcome::converged
                               : Outcome::undetermined;
}

RowNoise assess(const Problem& problem, const std::vector<double>& x, double robust_scale,
                Fit& fit) {
  fit.x = x;
  const std::vector<double> values = problem.values(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    Estimate estimate{unknown.name, unknown.unit, unknown.record, values[i]};
    estimate.pinned = unknown.pinned;
    estimate.at_limit = !unknown.pinned && at_limit(unknown, x[i]);
    if (unknown.role == Unknown::Role::before)
      estimate.value += problem.scales()[static_cast<std::size_t>(unknown.record)].input_center();
    fit.free += unknown.pinned ? 0 : 1;
    fit.estimates.push_back(std::move(estimate));
  }
  fit.recorder = recorder_of(problem, x);
  for (std::size_t r = 0; r < problem.records().size(); ++r) {
    fit.parameters.push_back(problem.parameters(x, r));
    fit.beginnings.push_back(problem.beginning(r));
    fit.force.emplace_back();
    problem.predict(x, r, fit.force.back());
  }
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  const auto all = static_cast<Eigen::Index>(x.size());
  fit.correlation = Eigen::MatrixXd::Constant(all, all, not_a_number);
  if (!problem.evaluate(x, r, &jacobian)) {
    // Without derivatives nothing is determined, but the misfit is known.
    if (problem.evaluate(x, r)) scores(problem, r, fit);
    return {};
  }
  scores(problem, r, fit);

  const double rows = static_cast<double>(problem.compared());
  const double freedom = std::max(rows - static_cast<double>(fit.free), 1.0);
  look_beyond_stationary_points(problem, x, r, jacobian);
  apply_loss(robust_scale, r, &jacobian);
  forget_limits_that_do_not_matter(problem, jacobian, x, fit.estimates);
  const Columns c = columns_of(problem, x, fit.estimates, jacobian);
  const Decomposition d = decompose(c.scaled);
  const Eigen::MatrixXd tangent = left_vectors(c.scaled, d);
  const RowNoise noise = row_noise(problem, r, tangent, freedom, fit.force);
  const Eigen::MatrixXd along = noise_along(problem, noise, tangent);
  std::vector<bool> determined;
  for (Eigen::Index k = 0; k < d.s.size(); ++k) {
    Combination part = combination(problem, c, d, k, rows);
    part.determined = determines(d.s[k], rows, along(k, k));
    determined.push_back(part.determined);
    fit.combinations.push_back(std::move(part));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    // At a limit that the law sets, the number is known; at one that only keeps it finite, not.
    const Unknown& unknown = problem.unknowns()[i];
    const bool low = x[i] - unknown.lower < unknown.upper - x[i];
    fit.estimates[i].runs_away =
        fit.estimates[i].at_limit && (low ? unknown.soft_lower : unknown.soft_upper);
  }
  standard_errors(problem, x, c, d, determined, along, fit);
  agree_with_errors(fit);
  fit.row_correlation = noise.correlation;
  fit.effective_rows = noise.effective_rows(rows);
  return noise;
}

}  // namespace microslip::fit
