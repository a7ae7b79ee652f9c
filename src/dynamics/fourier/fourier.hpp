#pragma once

#include <Eigen/Core>
#include <cmath>

/// Real Fourier series q(θ) = a₀ + Σ a_h cos hθ + b_h sin hθ, kept in the order a₀, a₁, b₁, a₂, …
namespace microslip::dynamics {

inline Eigen::Index fourier_size(int harmonics) { return 2 * harmonics + 1; }

/// The functions 1, cos θ, sin θ, cos 2θ, … at θ; each from two of half its order, so that they do
/// not wait for each other.
template <class Row>
void fourier_row(double theta, int harmonics, Row&& row) {
  row[0] = 1;
  if (harmonics == 0) return;
  row[1] = std::cos(theta);
  row[2] = std::sin(theta);
  for (int h = 2; h <= harmonics; ++h) {
    const int a = h / 2, b = h - a;
    row[2 * h - 1] = row[2 * a - 1] * row[2 * b - 1] - row[2 * a] * row[2 * b];
    row[2 * h] = row[2 * a] * row[2 * b - 1] + row[2 * a - 1] * row[2 * b];
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

/// Four harmonics at a time, each turned on by 4θ: one after the other they would wait for each
/// other.
template <class Coefficients>
FourierPoint fourier_point(const Coefficients& q, double theta) {
  constexpr int lanes = 4;
  double c[lanes] = {1, std::cos(theta)}, s[lanes] = {0, std::sin(theta)};
  for (int l = 2; l < lanes; ++l) {
    c[l] = c[l - 1] * c[1] - s[l - 1] * s[1];
    s[l] = s[l - 1] * c[1] + c[l - 1] * s[1];
  }
  const double c4 = c[2] * c[2] - s[2] * s[2];
  const double s4 = 2 * s[2] * c[2];
  const auto count = static_cast<int>(q.size() / 2);
  FourierPoint point{q[0], 0, 0};
  const auto add = [&](int h, double cosine, double sine) {
    const double value = q[2 * h - 1] * cosine + q[2 * h] * sine;
    point.value += value;
    point.slope += h * (q[2 * h] * cosine - q[2 * h - 1] * sine);
    point.curvature -= h * h * value;
  };
  for (int l = 1; l < lanes && l <= count; ++l) add(l, c[l], s[l]);
  for (int first = lanes; first <= count; first += lanes)
    for (int l = 0; l < lanes; ++l) {
      const double next = c[l] * c4 - s[l] * s4;
      s[l] = s[l] * c4 + c[l] * s4;
      c[l] = next;
      if (first + l <= count) add(first + l, c[l], s[l]);
    }
  return point;
}

/// Places of the cosine and the sine of a harmonic among coefficients.
constexpr Eigen::Index place_of_cosine(int h) { return 2 * h - 1; }
constexpr Eigen::Index place_of_sine(int h) { return 2 * h; }

}  // namespace microslip::dynamics
