#pragma once

#include <Eigen/Core>
#include <cmath>

/// Real Fourier series q(θ) = a₀ + Σ a_h cos hθ + b_h sin hθ, kept in the order a₀, a₁, b₁, a₂, …
namespace microslip::dynamics {

inline Eigen::Index fourier_size(int harmonics) { return 2 * harmonics + 1; }

/// The functions 1, cos θ, sin θ, cos 2θ, … at θ.
template <class Row>
void fourier_row(double theta, int harmonics, Row&& row) {
  const double c1 = std::cos(theta);
  const double s1 = std::sin(theta);
  double c = 1;
  double s = 0;
  row[0] = 1;
  for (int h = 1; h <= harmonics; ++h) {
    const double next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
    row[2 * h - 1] = c;
    row[2 * h] = s;
  }
}

/// Their derivatives by θ, from the functions.
template <class Row, class Slopes>
void fourier_slopes(const Row& row, int harmonics, Slopes&& slopes) {
  slopes[0] = 0;
  for (int h = 1; h <= harmonics; ++h) {
    slopes[2 * h - 1] = -h * row[2 * h];
    slopes[2 * h] = h * row[2 * h - 1];
  }
}

struct FourierPoint {
  double value, slope, curvature;
};

template <class Coefficients>
FourierPoint fourier_point(const Coefficients& q, double theta) {
  const double c1 = std::cos(theta);
  const double s1 = std::sin(theta);
  double c = 1;
  double s = 0;
  FourierPoint point{q[0], 0, 0};
  for (int h = 1; 2 * h < q.size(); ++h) {
    const double next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
    const double value = q[2 * h - 1] * c + q[2 * h] * s;
    point.value += value;
    point.slope += h * (q[2 * h] * c - q[2 * h - 1] * s);
    point.curvature -= h * h * value;
  }
  return point;
}

}  // namespace microslip::dynamics
