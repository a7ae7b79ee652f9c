#include "microslip/reduce/reduced_sliders.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/friction/solver.hpp"

namespace microslip::reduce {
namespace {

constexpr std::array<std::string_view, 4> shape_names{"ellipsoid", "m-state", "few-generators",
                                                      "zonotope"};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> list(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

void set_output(const Output& output, ModelSpec& spec) {
  if (!output.minus_bx) return;
  spec.parameters["c0"] = output.c0;
  spec.options["output"] = "u-bq";
}

}  // namespace

std::string_view text_of(Shape shape) { return shape_names[static_cast<std::size_t>(shape)]; }

Shape shape_of(std::string_view name) {
  const auto found = std::find(shape_names.begin(), shape_names.end(), name);
  if (found == shape_names.end())
    throw Error("unknown reduced model '" + std::string(name) + "'" +
                suggestion(name, {shape_names.begin(), shape_names.end()}));
  return static_cast<Shape>(found - shape_names.begin());
}

Projected project(const friction::System& system, const Eigen::MatrixXd& basis) {
  const Index m = basis.cols();
  Eigen::MatrixXd K(m, m);
  for (Index i = 0; i < m; ++i) K.col(i) = basis.transpose() * system.times(basis.col(i));
  return {0.5 * (K + K.transpose()), basis.transpose() * system.b(),
          basis.transpose() * system.mu().asDiagonal()};
}

ReducedModel reduced_model(const Projected& projected, Shape shape, const Output& output,
                           Index generators, const FitOptions& options) {
  const auto m = static_cast<std::size_t>(projected.b.size());
  ReducedModel model{{}, 0, 0};
  switch (shape) {
    case Shape::ellipsoid:
    case Shape::m_state: {
      const EllipsoidFit fit = fit_ellipsoid(projected.generators, options);
      model.friction_error = fit.error;
      model.parameters = 2 * m;
      if (shape == Shape::ellipsoid) {
        model.spec = {
            "ellipsoid", {{"A", fit.A}, {"K", projected.K}, {"b", list(projected.b)}}, {}};
        set_output(output, model.spec);
      } else {
        if (!output.minus_bx)
          throw Error(
              "the law m-state answers a force: use it for a system whose output is u-bx, "
              "or choose ellipsoid");
        const CanonicalForm form = canonical_form("reduce", fit.A, projected.K, projected.b);
        model.spec = {
            "m-state",
            {{"a", list(form.lambda)}, {"alpha", 1.0}, {"b", list(form.b)}, {"ks", output.c0 - 1}},
            {}};
      }
      return model;
    }
    case Shape::few_generators:
    case Shape::zonotope: {
      Eigen::MatrixXd G = projected.generators;
      if (shape == Shape::few_generators) {
        GeneratorFit fit = fit_generators(G, generators, options);
        model.friction_error = fit.error;
        G = std::move(fit.generators);
      }
      // K = I by a coordinate change that leaves the rotations: m(m−1)/2 numbers less.
      model.parameters = m * static_cast<std::size_t>(G.cols()) + m - m * (m - 1) / 2;
      model.spec = {"zonotope",
                    {{"generators", Matrix<double>(G)},
                     {"K", Matrix<double>(projected.K)},
                     {"b", list(projected.b)}},
                    {}};
      set_output(output, model.spec);
      return model;
    }
  }
  return model;
}

FullRun run_full(const friction::System& system, const Output& output, std::string name,
                 std::vector<double> loads) {
  FullRun full{std::move(name), std::move(loads), {}, {}, 0};
  friction::Result result;
  full.seconds = seconds_of([&] { result = friction::run(system, full.loads); });
  if (result.status != Status::ok)
    throw Error("the full system fails under '" + full.name + "' in row " +
                std::to_string(result.xi.size() + 1) + ": " +
                (result.trouble.empty() ? std::string(explain(result.status)) : result.trouble));
  full.energy = std::move(result.energy);
  full.answer = std::move(result.xi);
  if (output.minus_bx)
    for (std::size_t i = 0; i < full.loads.size(); ++i)
      full.answer[i] = output.c0 * full.loads[i] - full.answer[i];
  return full;
}

std::vector<std::size_t> cycle_rows(const std::vector<double>& loads) {
  if (loads.empty()) return {};
  const auto [lowest, highest] = std::minmax_element(loads.begin(), loads.end());
  const double range = *highest - *lowest, quarter = 0.25 * range;
  // A whole number of periods ends a rounding before the middle.
  const double middle = *lowest + (0.5 - 1e-9) * range;
  std::vector<std::size_t> rows;
  bool high = true, low = true;  // the first rise counts
  const auto begin = [&](std::size_t row) {
    rows.push_back(row);
    high = low = false;
  };
  if (loads.size() > 1 && loads[1] > loads[0] && std::abs(loads[0] - middle) <= quarter) begin(0);
  for (std::size_t i = 1; i < loads.size(); ++i) {
    high |= loads[i] > middle + quarter;
    low |= loads[i] < middle - quarter;
    if (loads[i - 1] < middle && loads[i] >= middle && high && low) begin(i);
  }
  return rows;
}

namespace {

std::vector<double> cycle_errors(const FullRun& full, const std::vector<double>& energy) {
  const std::vector<std::size_t> rows = cycle_rows(full.loads);
  std::vector<double> errors;
  if (rows.size() < 2) return errors;
  const double mean =
      (full.energy[rows.back()] - full.energy[rows.front()]) / static_cast<double>(rows.size() - 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::size_t from = rows[i - 1], to = rows[i];
    const double right = full.energy[to] - full.energy[from];
    const double error = energy[to] - energy[from] - right;
    const double size = right > 0 ? right : mean;
    errors.push_back(size > 0 ? error / size : error);
  }
  return errors;
}

}  // namespace

Misfit compare(const FullRun& full, const AnyModel& reduced) {
  Path path;
  path.u = full.loads;
  History history;
  Misfit misfit;
  misfit.nanoseconds =
      1e9 * seconds_of([&] { history = reduced.run(path); }) / static_cast<double>(path.u.size());
  if (history.status != Status::ok)
    throw Error("the reduced model fails under '" + full.name + "' in row " +
                std::to_string(history.f.size() + 1) + ": " + std::string(explain(history.status)));
  double squares = 0;
  for (std::size_t i = 0; i < full.answer.size(); ++i)
    squares += (history.f[i] - full.answer[i]) * (history.f[i] - full.answer[i]);
  const auto [lowest, highest] = std::minmax_element(full.answer.begin(), full.answer.end());
  const double rms = std::sqrt(squares / static_cast<double>(full.answer.size()));
  misfit.rms = *highest > *lowest ? rms / (*highest - *lowest) : rms;
  misfit.energy = full.energy.back() > 0 ? history.energy.back() / full.energy.back() - 1
                                         : history.energy.back();
  misfit.cycle_energy = cycle_errors(full, history.energy);
  misfit.answer = std::move(history.f);
  return misfit;
}

}  // namespace microslip::reduce
