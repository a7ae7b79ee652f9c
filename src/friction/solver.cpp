#include "microslip/friction/solver.hpp"

#include <algorithm>
#include <cmath>

#include "methods.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/text.hpp"

namespace microslip::friction {

std::string_view text_of(Method method) {
  switch (method) {
    case Method::event:
      return "event";
    case Method::active_set:
      return "active-set";
    case Method::lemke:
      return "lemke";
    case Method::regularised:
      return "regularised";
  }
  return "";
}

State rest(const System& system) {
  return {0,
          Vector::Zero(system.size()),
          std::vector<std::int8_t>(static_cast<std::size_t>(system.size()), 0),
          0,
          {},
          1};
}

std::vector<std::int8_t> sides_of(const Vector& r, const Vector& mu) {
  std::vector<std::int8_t> side(static_cast<std::size_t>(r.size()), 0);
  // r is a sum of terms of the size of μ, so its last digits are rounding.
  constexpr double limit = 1 - 1e-13;
  for (Index i = 0; i < r.size(); ++i)
    if (std::abs(r[i]) >= limit * mu[i])
      side[std::size_t(i)] = static_cast<std::int8_t>(sign_of(r[i]));
  return side;
}

Vector ground_force(const System& system, const State& state) {
  const Vector mu = state.factor * system.mu();
  Vector r = system.b() * state.f - system.times(state.x);
  for (Index i = 0; i < r.size(); ++i) {
    const int side = state.side[std::size_t(i)];
    r[i] = side != 0 ? side * mu[i] : std::clamp(r[i], -mu[i], mu[i]);
  }
  return r;
}

void check_factor(double factor) {
  if (!(factor >= 0) || !std::isfinite(factor))
    throw Error("the factor on friction, " + number_text(factor) +
                ", must be finite and not negative");
}

Step Solver::advance_with(double, double) {
  throw Error("this solver was made for friction that is constant in time");
}

std::unique_ptr<Solver> make_solver(const System& system, const SolverOptions& options) {
  check_value("sliders", "epsilon", options.epsilon, positive);
  check_value("sliders", "tolerance", options.tolerance, open_interval(0, 1));
  switch (options.method) {
    case Method::event:
      if (options.varying) return make_varying_solver(system, options);
      break;
    case Method::active_set:
      return make_active_set_solver(system, options);
    case Method::lemke:
      return make_lemke_solver(system, options);
    case Method::regularised:
      if (options.varying)
        throw Error(
            "method = regularised has friction that is constant in time; use event, active-set or "
            "lemke");
      return make_regularised_solver(system, options);
  }
  // The stack does not know single sliders, so it cannot tell when they slip.
  const bool stack = system.sparsity() == Sparsity::diagonal && !options.log_slips;
  return stack ? make_stack_solver(system, options) : make_event_solver(system, options);
}

namespace {

/// From changes to stretches.
class SlipMap {
 public:
  explicit SlipMap(Index sliders) : open_(static_cast<std::size_t>(sliders), Open{}) {}

  void change(double position, Index slider, int direction, std::vector<Slip>& out) {
    Open& open = open_[static_cast<std::size_t>(slider)];
    if (open.direction != 0 && position > open.since)
      out.push_back({slider, open.direction, open.since, position});
    open = {direction, position};
  }
  void close(double position, std::vector<Slip>& out) {
    for (std::size_t i = 0; i < open_.size(); ++i) change(position, static_cast<Index>(i), 0, out);
    std::sort(out.begin(), out.end(), [](const Slip& a, const Slip& b) {
      return a.begin < b.begin || (a.begin == b.begin && a.slider < b.slider);
    });
  }

 private:
  struct Open {
    int direction = 0;
    double since = 0;
  };
  std::vector<Open> open_;
};

/// `factors` is empty or has one for each row.
Result follow(const System& system, const State& from, std::span<const double> loads,
              std::span<const double> factors, const SolverOptions& options, const Wanted& wanted) {
  const auto solver = make_solver(system, options);
  solver->start(from);
  Result result;
  result.method = options.method;
  if (options.method == Method::regularised) result.epsilon = options.epsilon;
  result.end = from;
  SlipMap map(system.size());
  double before = from.f, factor_before = from.factor;
  for (std::size_t row = 0; row < loads.size(); ++row) {
    const double factor = factors.empty() ? factor_before : factors[row];
    const Step step =
        factors.empty() ? solver->advance(loads[row]) : solver->advance_with(loads[row], factor);
    if (step.status != Status::ok) {
      result.status = step.status;
      result.trouble = solver->trouble();
      break;
    }
    result.xi.push_back(step.xi);
    result.energy.push_back(solver->dissipated());
    if (wanted.each_row) wanted.each_row(row, solver->x());
    if (wanted.slips) {
      const double begin = static_cast<double>(row) - 1;
      for (const SlipChange& c : solver->slips()) {
        // Where load and factor both change, both tell the place; where one rests, the other does.
        double part = 0;
        if (loads[row] != before)
          part = (c.f - before) / (loads[row] - before);
        else if (factor != factor_before)
          part = (c.factor - factor_before) / (factor - factor_before);
        map.change(begin + std::clamp(part, 0.0, 1.0), c.slider, c.direction, result.slips);
      }
    }
    solver->slips().clear();
    before = loads[row];
    factor_before = factor;
  }
  // After a failure the solver stands somewhere inside the row that failed.
  if (result.status == Status::ok) {
    result.events = solver->events();
    result.end = solver->state();
  } else if (!result.xi.empty()) {
    const std::size_t rows = result.xi.size();
    const Result good = follow(system, from, loads.first(rows),
                               factors.empty() ? factors : factors.first(rows), options, {});
    result.events = good.events;
    result.end = good.end;
  }
  map.close(static_cast<double>(result.xi.size()) - 1, result.slips);
  return result;
}

}  // namespace

Result run(const System& system, std::span<const double> loads, const SolverOptions& options,
           const Wanted& wanted) {
  return run(system, rest(system), loads, options, wanted);
}

Result run(const System& system, const State& from, std::span<const double> loads,
           const SolverOptions& options, const Wanted& wanted) {
  return follow(system, from, loads, {}, options, wanted);
}

Result run(const System& system, std::span<const double> loads, std::span<const double> factors,
           const SolverOptions& options, const Wanted& wanted) {
  if (factors.size() != loads.size())
    throw Error("there are " + std::to_string(loads.size()) + " loads and " +
                std::to_string(factors.size()) + " factors on friction; each row needs both");
  State from = rest(system);
  if (!factors.empty()) from.factor = factors.front();
  SolverOptions varying = options;
  varying.varying = true;
  return follow(system, from, loads, factors, varying, wanted);
}

}  // namespace microslip::friction
