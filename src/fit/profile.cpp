#include <algorithm>
#include <chrono>
#include <cmath>

#include "assess.hpp"
#include "least_squares.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/fit/fit.hpp"
#include "refit.hpp"

namespace microslip::fit {
namespace {

/// The problem of a fit that is done, with the same unknowns held.
Problem problem_of(const AnyModel& model, const std::vector<Data>& records,
                   const Settings& settings, const Fit& fit) {
  Problem problem(model, records, settings.setup);
  problem.make_room(fit.x);
  for (std::size_t i = 0; i < fit.estimates.size(); ++i)
    if (fit.estimates[i].pinned) problem.pin(i, fit.x[i]);
  return problem;
}

std::size_t index_of(const Fit& fit, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    if (fit.estimates[i].name == name && !fit.estimates[i].pinned) return i;
    if (!fit.estimates[i].pinned) names.push_back(fit.estimates[i].name);
  }
  throw Error("there is no fitted number '" + name + "' in " + fit.model + suggestion(name, names));
}

/// Where a curve that rises from the minimum outwards crosses a level.
std::optional<double> crossing(const std::vector<double>& value, const std::vector<double>& height,
                               std::size_t from, int direction, double level) {
  for (std::size_t i = from;;) {
    const std::size_t next = direction > 0 ? i + 1 : i - 1;
    if ((direction > 0 && next >= value.size()) || (direction < 0 && i == 0)) return {};
    if (height[next] >= level) {
      const double share = (level - height[i]) / (height[next] - height[i]);
      return value[i] + share * (value[next] - value[i]);
    }
    i = next;
  }
}

}  // namespace

Refit refit(const AnyModel& model, const std::vector<Data>& records, const Settings& settings,
            const Fit& from) {
  const Problem problem = problem_of(model, records, settings, from);
  const auto begin = std::chrono::steady_clock::now();
  SolveOptions options{.iterations = 100, .tolerance = 1e-10};
  options.stop = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() > settings.seconds ||
           (settings.progress && !settings.progress(Progress{}));
  };
  const Solution solution = solve(problem, from.x, options);
  const std::vector<double>& x = solution.end == Solution::End::infeasible ? from.x : solution.x;
  Refit result;
  double squares = 0, weights = 0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::vector<double>& f = result.force.emplace_back();
    if (!problem.predict(x, r, f)) return {{}, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (problem.compares(r, i) || !records[r].counts(i)) continue;
      const double miss = (f[i] - records[r].f[i]) / problem.force_range(r);
      squares += problem.weight(r, i) * miss * miss;
      weights += problem.weight(r, i);
    }
  }
  if (weights == 0) throw Error("no row is held out");
  result.error_of_the_rest = std::sqrt(squares / weights);
  return result;
}

double holdout_error(const AnyModel& model, const std::vector<Data>& records,
                     const Settings& settings, const Fit& from) {
  return refit(model, records, settings, from).error_of_the_rest;
}

Profile profile(const AnyModel& model, const std::vector<Data>& records, const Settings& settings,
                const Fit& best, const std::string& name, std::size_t points) {
  const std::size_t which = index_of(best, name);
  const Problem problem = problem_of(model, records, settings, best);
  const Unknown& unknown = problem.unknowns()[which];
  const auto index = static_cast<Eigen::Index>(which);
  const double slope = std::abs(problem.value_derivatives(best.x)(index, index));
  const auto& error = best.estimates[which].error;
  // Four standard errors, or a factor of 7 where there is none.
  double reach = error && *error > 0 ? 4 * *error / slope : 2;
  reach = std::clamp(reach, 1e-9, 4.0);

  const auto begin = std::chrono::steady_clock::now();
  const auto over = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() > settings.seconds ||
           (settings.progress && !settings.progress(Progress{}));
  };
  Eigen::VectorXd r;
  const std::size_t side = std::max<std::size_t>(points / 2, 2);
  std::vector<std::pair<double, double>> curve{{best.estimates[which].value, best.rms_relative}};
  for (const int direction : {-1, 1}) {
    std::vector<double> x = best.x;
    for (std::size_t i = 1; i <= side; ++i) {
      const double place = std::clamp(
          best.x[which] + direction * reach * static_cast<double>(i) / static_cast<double>(side),
          unknown.lower, unknown.upper);
      Problem held = problem;
      held.pin(which, place);
      if (over()) break;
      SolveOptions options{.iterations = 60, .tolerance = 1e-10};
      options.stop = over;
      const Solution solution = solve(held, x, options);
      if (solution.end == Solution::End::infeasible) break;
      x = solution.x;
      if (!problem.evaluate(x, r)) break;
      curve.emplace_back(problem.values(x)[which], rms_relative(problem, r));
    }
  }
  std::sort(curve.begin(), curve.end());
  Profile result{name, {}, {}};
  std::size_t lowest = 0;
  std::vector<double> height;
  const double n = static_cast<double>(problem.compared());
  const double least = std::max(best.rms_relative, 1e-15);
  for (const auto& [value, rms] : curve) {
    if (value == best.estimates[which].value) lowest = result.value.size();
    result.value.push_back(value);
    result.rms_relative.push_back(rms);
    height.push_back(2 * n * std::log(std::max(rms, 1e-15) / least));
  }
  constexpr double chi_square_95 = 3.841;
  result.low = crossing(result.value, height, lowest, -1, chi_square_95);
  result.high = crossing(result.value, height, lowest, 1, chi_square_95);
  return result;
}

}  // namespace microslip::fit
