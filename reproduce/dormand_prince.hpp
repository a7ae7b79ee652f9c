#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

/// The explicit Runge–Kutta pair of Dormand and Prince, orders 5 and 4, with error control, which is `ode45` of
/// Matlab: what Miller and Quinn solve their differential formulation with. It counts what it costs.
namespace microslip::reproduce {

struct ExplicitSteps {
  long evaluations = 0, accepted = 0, rejected = 0;
};

/// y′ = rate(t, y, y′) from t to `until`; the error of a step is at most tolerance · (size + |y|) in each
/// component, where `size` is the scale below which a component counts as small.
/// after(t, y) sees every accepted step.
template <class Rate, class After>
ExplicitSteps dormand_prince(const Rate& rate, Eigen::VectorXd& y, double t, double until,
                             double tolerance, const Eigen::VectorXd& size, const After& after) {
  using Vector = Eigen::VectorXd;
  const Eigen::Index n = y.size();
  Vector a(n), b(n), c(n), d(n), e(n), f(n), g(n), next(n);
  ExplicitSteps steps;
  rate(t, y, a);
  ++steps.evaluations;
  double h = 1e-3 * (until - t);
  while (t < until) {
    const bool last = t + h >= until;
    if (last) h = until - t;
    next = y + h / 5 * a;
    rate(t + h / 5, next, b);
    next = y + h * (3.0 / 40 * a + 9.0 / 40 * b);
    rate(t + 0.3 * h, next, c);
    next = y + h * (44.0 / 45 * a - 56.0 / 15 * b + 32.0 / 9 * c);
    rate(t + 0.8 * h, next, d);
    next = y + h * (19372.0 / 6561 * a - 25360.0 / 2187 * b + 64448.0 / 6561 * c - 212.0 / 729 * d);
    rate(t + 8.0 / 9 * h, next, e);
    next = y + h * (9017.0 / 3168 * a - 355.0 / 33 * b + 46732.0 / 5247 * c + 49.0 / 176 * d -
                    5103.0 / 18656 * e);
    rate(t + h, next, f);
    next = y + h * (35.0 / 384 * a + 500.0 / 1113 * c + 125.0 / 192 * d - 2187.0 / 6784 * e +
                    11.0 / 84 * f);
    rate(t + h, next, g);
    steps.evaluations += 6;
    double error = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double one = h * (71.0 / 57600 * a[i] - 71.0 / 16695 * c[i] + 71.0 / 1920 * d[i] -
                              17253.0 / 339200 * e[i] + 22.0 / 525 * f[i] - g[i] / 40);
      const double allowed = size[i] + std::max(std::abs(y[i]), std::abs(next[i]));
      error = std::max(error, std::abs(one) / allowed);
    }
    const double factor = 0.8 * std::pow(tolerance / std::max(error, 1e-300), 0.2);
    if (error <= tolerance || h < 1e-12 * until) {
      t = last ? until : t + h;
      y.swap(next);
      a.swap(g);
      ++steps.accepted;
      after(t, y);
      h *= std::clamp(factor, 0.2, 5.0);
    } else {
      ++steps.rejected;
      h *= std::clamp(factor, 0.1, 0.9);
    }
  }
  return steps;
}

}  // namespace microslip::reproduce
