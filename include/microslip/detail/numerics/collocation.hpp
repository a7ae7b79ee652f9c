#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <cstddef>
#include <numbers>

/// Implicit Runge–Kutta rules by collocation at Chebyshev's points of the right Radau kind, for stiff
/// equations that are followed far along a slow solution: of order N, and damped at infinity, since
/// the end of the step is one of the points.
namespace microslip {

template <int N>
struct Collocation {
  using Row = Eigen::Matrix<double, 1, N>;
  using Square = Eigen::Matrix<double, N, N>;

  Eigen::Matrix<double, N, 1> nodes;  ///< in (0, 1], ascending; the last is 1
  Square integral;                    ///< values of y' at the nodes → y − y(0) there

  /// Places between the nodes, where a solution shows what is wrong with it.
  static constexpr int checks = 3;
  Eigen::Matrix<double, checks, N> value;  ///< y − y(0) at the nodes → at these places
  Eigen::Matrix<double, checks, N> slope;  ///< y' at the nodes → at these places

  static const Collocation& rule() {
    static const Collocation one;
    return one;
  }

 private:
  Collocation() {
    for (int i = 0; i < N; ++i)
      nodes[i] = 0.5 * (1 + std::cos(2 * std::numbers::pi * (N - 1 - i) / (2 * N - 1)));
    // Derivatives at the nodes of the polynomials that vanish at 0: x ℓ_j(x)/x_j.
    Square derivative;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        double sum = i == j ? 1 / nodes[j] : 0, product = 1;
        for (int k = 0; k < N; ++k) {
          if (k == j) continue;
          if (i == j) sum += 1 / (nodes[j] - nodes[k]);
          if (k != i) product *= (nodes[i] - nodes[k]) / (nodes[j] - nodes[k]);
        }
        derivative(i, j) = i == j ? sum : nodes[i] / nodes[j] * product / (nodes[j] - nodes[i]);
      }
    integral = derivative.inverse();
    const int before[checks] = {0, N / 2, N - 2};
    for (int c = 0; c < checks; ++c) {
      const double x = 0.5 * (nodes[before[c]] + nodes[before[c] + 1]);
      for (int j = 0; j < N; ++j) {
        double product = 1;
        for (int k = 0; k < N; ++k)
          if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
        slope(c, j) = product;
        value(c, j) = x / nodes[j] * product;
      }
    }
  }
};

}  // namespace microslip
