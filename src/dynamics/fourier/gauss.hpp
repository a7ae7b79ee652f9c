#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

namespace microslip::dynamics {

/// Gauss–Legendre nodes and weights on [−1, 1].
struct GaussRule {
  std::vector<double> x, w;
  /// Three of Legendre's coefficients of a function in the middle of those that its values at the
  /// nodes tell, and the last three.
  Eigen::Matrix<double, 3, Eigen::Dynamic> middle, tail;
};

inline void add_coefficients(int n, GaussRule& rule) {
  rule.middle.setZero(3, n);
  rule.tail.setZero(3, n);
  for (int i = 0; i < n; ++i) {
    const double x = rule.x[static_cast<std::size_t>(i)];
    double p = 1, before = 0;
    for (int k = 0; k < n; ++k) {
      const double coefficient = (k + 0.5) * rule.w[static_cast<std::size_t>(i)] * p;
      if (k >= n - 3) rule.tail(k - n + 3, i) = coefficient;
      if (std::abs(k - n / 2) <= 1) rule.middle(k - n / 2 + 1, i) = coefficient;
      const double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
      before = p;
      p = next;
    }
  }
}

inline GaussRule gauss_rule(int n) {
  GaussRule rule;
  rule.x.resize(static_cast<std::size_t>(n));
  rule.w.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p = 1;
      double before = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    const auto place = static_cast<std::size_t>(n - 1 - i);
    rule.x[place] = x;
    rule.w[place] = 2 / ((1 - x * x) * slope * slope);
  }
  if (n >= 3) add_coefficients(n, rule);
  return rule;
}

inline constexpr int most_gauss_nodes = 64;

/// The rule with n ≤ most_gauss_nodes nodes.
inline const GaussRule& gauss(int n) {
  static const std::vector<GaussRule> rules = [] {
    std::vector<GaussRule> all(1);
    for (int k = 1; k <= most_gauss_nodes; ++k) all.push_back(gauss_rule(k));
    return all;
  }();
  return rules[static_cast<std::size_t>(n)];
}

}  // namespace microslip::dynamics
