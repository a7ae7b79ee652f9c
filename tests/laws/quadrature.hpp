#pragma once

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <vector>

/// Independent numerics on [0, 1] for functions that are smooth inside and may have power-like
/// singularities at the ends.
namespace microslip::laws {

/// Cells that shrink by 0.3 towards both ends: next to x^p each cell sees the singularity at the
/// same relative distance, so polynomials converge alike in all of them. The last cell is 1.6e-7
/// wide, where a term x^p with p > 1 is below 1e-12.
inline std::vector<double> graded_cells() {
  constexpr int levels = 13;
  std::vector<double> cells{0};
  for (int i = levels; i > 0; --i) cells.push_back(0.5 * std::pow(0.3, i - 1));
  for (int i = 1; i < levels; ++i) cells.push_back(1 - 0.5 * std::pow(0.3, i));
  cells.push_back(1);
  return cells;
}

template <class F>
double gauss(const F& f, double a, double b) {
  return boost::math::quadrature::gauss<double, 15>::integrate(f, a, b);
}

/// Each graded cell cut into `parts`.
template <class F>
double graded_integral(const F& f, int parts) {
  static const std::vector<double> cells = graded_cells();
  double sum = 0;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i)
    for (int j = 0; j < parts; ++j) {
      const double width = (cells[i + 1] - cells[i]) / parts;
      sum += gauss(f, cells[i] + j * width, cells[i] + (j + 1) * width);
    }
  return sum;
}

/// For functions whose kinks nobody tells: halves where the whole, its halves and its thirds
/// disagree. Two of them would agree by accident on one cell with a kink in a few hundred.
template <class F>
double adaptive_integral(const F& f, double a, double b, double tolerance, int depth = 40) {
  // Small cells are made by a kink, and smooth enough for a short rule on both sides of it.
  const bool small = depth < 34;
  const auto rule = [&](double from, double to) {
    return small ? boost::math::quadrature::gauss<double, 5>::integrate(f, from, to)
                 : gauss(f, from, to);
  };
  const double middle = (a + b) / 2, third = (b - a) / 3;
  const double halves = rule(a, middle) + rule(middle, b);
  if (depth == 0) return halves;
  const auto agrees = [&](double other) { return std::abs(other - halves) <= tolerance; };
  // A rule has no node next to an end, so a jump there escapes them all, but not the straight line
  // through two points before it.
  const double edge = (small ? 0.047 : 0.006) * (b - a);
  const auto bend = [&](double end, double inwards) {
    return std::abs(f(end + 1e-4 * inwards) - 2 * f(end + inwards) + f(end + 2 * inwards));
  };
  if (agrees(rule(a, b)) &&
      agrees(rule(a, a + third) + rule(a + third, b - third) + rule(b - third, b)) &&
      edge * std::max(bend(a, edge), bend(b, -edge)) <= tolerance)
    return halves;
  // The tolerance stays: next to a jump the disagreement only halves with the cell, and a tolerance
  // that halves too would leave each level the same chance of an accidental agreement.
  return adaptive_integral(f, a, middle, tolerance, depth - 1) +
         adaptive_integral(f, middle, b, tolerance, depth - 1);
}

/// Largest distance, at five points, from the polynomial through 14 Chebyshev points of [a, b].
template <class F>
double interpolation_error(const F& f, double a, double b) {
  constexpr int n = 14;
  std::array<double, n> x, y, weight;
  for (int i = 0; i < n; ++i) {
    const double angle = 3.14159265358979323846 * (i + 0.5) / n;
    const auto j = static_cast<std::size_t>(i);
    x[j] = (a + b) / 2 + (b - a) / 2 * std::cos(angle);
    y[j] = f(x[j]);
    weight[j] = (i % 2 == 0 ? 1 : -1) * std::sin(angle);
  }
  double worst = 0;
  for (const double t : {0.03, 0.28, 0.497, 0.69, 0.95}) {
    const double at = a + t * (b - a);
    double above = 0, below = 0;
    for (std::size_t j = 0; j < n; ++j) {
      above += weight[j] * y[j] / (at - x[j]);
      below += weight[j] / (at - x[j]);
    }
    worst = std::max(worst, std::abs(above / below - f(at)));
  }
  return worst;
}

/// A polynomial on a half is better by 2^14 where f is smooth, and by 2 across a kink: so a few
/// halvings tell one from the other; some more where f is smooth but turns in a small part of [a,
/// b].
template <class F>
bool is_smooth(const F& f, double a, double b, double tolerance, int depth = 9) {
  if (interpolation_error(f, a, b) <= tolerance) return true;
  const double middle = (a + b) / 2;
  return depth > 0 && is_smooth(f, a, middle, tolerance, depth - 1) &&
         is_smooth(f, middle, b, tolerance, depth - 1);
}

}  // namespace microslip::laws
