#include "slider_histories.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/detail/numerics/expression.hpp"

namespace microslip::reproduce {

SliderHistory follow(const friction::System& system, const std::string& signal, double until,
                     std::size_t rows, std::size_t every, const friction::SolverOptions& options) {
  const Expression f = Expression::parse(signal, {"t"});
  SliderHistory history;
  for (std::size_t i = 1; i <= rows; ++i) {
    const double t = until * static_cast<double>(i) / static_cast<double>(rows);
    history.t.push_back(t);
    history.f.push_back(f(t));
  }
  history.x.resize(static_cast<Eigen::Index>(rows / every), system.size());
  const friction::Result result = friction::run(
      system, history.f, options, {.each_row = [&](std::size_t row, const friction::Vector& x) {
        if ((row + 1) % every == 0) history.x.row(static_cast<Eigen::Index>(row / every)) = x;
      }});
  if (result.status != Status::ok) throw Error(std::string(explain(result.status)));
  history.xi = result.xi;
  history.energy = result.energy;
  history.end = result.end;
  history.events = result.events;
  return history;
}

OrthogonalModes modes_of(const Eigen::MatrixXd& x, Eigen::Index count) {
  const EigenPairs pairs = symmetric_eigen_pairs(x.transpose() * x);
  const Eigen::Index n = x.cols();
  OrthogonalModes modes;
  for (Eigen::Index k = n - 1; k >= 0; --k)
    modes.values.push_back(std::sqrt(std::max(0.0, pairs.values[k])));
  modes.vectors = pairs.vectors.rightCols(count).rowwise().reverse();
  return modes;
}

double beyond_limits(const friction::System& system, const friction::State& state) {
  const friction::Vector r = system.b() * state.f - system.times(state.x);
  return std::max(0.0, (r.cwiseAbs().cwiseQuotient(system.mu()).array() - 1).maxCoeff());
}

}  // namespace microslip::reproduce
