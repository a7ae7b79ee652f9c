#include "dynamics/balance/finer_step.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/fourier/fourier.hpp"

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

namespace {

struct Size {
  double square = 0, largest = 0, largest_without_mass = 0;
};

Size size_of(const SparseMatrix& M, Eigen::Index dofs, const Vibration& vibration) {
  const Eigen::VectorXd masses = M.diagonal();
  Size size;
  for (Eigen::Index k = 1; k < fourier_size(vibration.harmonics); ++k) {
    const Eigen::VectorXd x = vibration.coefficients.segment(k * dofs, M.rows());
    size.square += x.dot(M * x);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      double& largest = masses[i] > 0 ? size.largest : size.largest_without_mass;
      largest = std::max(largest, std::abs(x[i]));
    }
  }
  size.largest = std::max(size.largest, size.largest_without_mass);
  return size;
}

}  // namespace

double part_of_vibration(const SparseMatrix& M, Eigen::Index dofs, const Vibration& change,
                         const Vibration& motion) {
  const Size part = size_of(M, dofs, change), whole = size_of(M, dofs, motion);
  return std::max(whole.square > 0 ? std::sqrt(part.square / whole.square) : 0,
                  whole.largest > 0 ? part.largest_without_mass / whole.largest : 0);
}

}  // namespace microslip::dynamics
