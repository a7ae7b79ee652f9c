#include "dynamics/balance/finer_step.hpp"

#include <cmath>

namespace microslip::dynamics {

Eigen::VectorXd change_by_harmonics(Equations& finer, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& tangent) {
  constexpr double most_along_curve = 1000;
  const Eigen::Index n = finer.size();
  WideJacobian jacobian;
  Eigen::VectorXd residual, step;
  if (!finer.evaluate(y, residual, &jacobian)) return {};
  Eigen::VectorXd units = finer.units();
  if (units.size() != n) units = Eigen::VectorXd::Ones(n);
  units *= y.head(n).cwiseQuotient(units).norm();
  Eigen::VectorXd scales(n + 1);
  scales << units, std::abs(y[n]);
  if (!(scales.minCoeff() > 0)) return {};
  Eigen::VectorXd rhs(n + 1);
  rhs << -residual, 0;
  // Across the curve, where the system is regular at turning points too.
  if (!jacobian.solve(tangent.cwiseQuotient(scales.cwiseAbs2()), rhs, step)) return {};
  const Eigen::VectorXd held = step - step[n] / tangent[n] * tangent;
  const double across = step.cwiseQuotient(scales).norm();
  const double at_parameter = held.cwiseQuotient(scales).norm();
  if (at_parameter <= most_along_curve * across) return held;
  return most_along_curve * step;
}

}  // namespace microslip::dynamics
