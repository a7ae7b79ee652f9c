#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "microslip/io/figure.hpp"

namespace microslip::io {
namespace {

// Keeps the ends and, in each piece, the extremes in both directions, in their order.
void keep_extremes(std::vector<double>& x, std::vector<double>& y, std::size_t most) {
  const std::size_t pieces = std::max<std::size_t>(1, most / 6);
  std::vector<std::size_t> kept;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = piece * x.size() / pieces;
    const std::size_t end = (piece + 1) * x.size() / pieces;
    if (begin == end) continue;
    std::array<std::size_t, 6> picks{begin, begin, begin, begin, begin, end - 1};
    for (std::size_t i = begin; i < end; ++i) {
      if (x[i] < x[picks[1]]) picks[1] = i;
      if (x[i] > x[picks[2]]) picks[2] = i;
      if (y[i] < y[picks[3]]) picks[3] = i;
      if (y[i] > y[picks[4]]) picks[4] = i;
    }
    std::sort(picks.begin(), picks.end());
    kept.insert(kept.end(), picks.begin(), std::unique(picks.begin(), picks.end()));
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    x[i] = x[kept[i]];
    y[i] = y[kept[i]];
  }
  x.resize(kept.size());
  y.resize(kept.size());
}

double squared_distance(double px, double py, double ax, double ay, double bx, double by) {
  const double dx = bx - ax;
  const double dy = by - ay;
  const double length = dx * dx + dy * dy;
  double along = length > 0 ? ((px - ax) * dx + (py - ay) * dy) / length : 0;
  along = std::clamp(along, 0.0, 1.0);
  const double ex = px - ax - along * dx;
  const double ey = py - ay - along * dy;
  return ex * ex + ey * ey;
}

// Douglas and Peucker (1973) on pieces, which bounds the cost of curves that need every point.
std::vector<bool> needed_points(const std::vector<double>& x, const std::vector<double>& y,
                                double x_width, double y_width, double tolerance) {
  constexpr std::size_t piece = 1000;
  std::vector<bool> needed(x.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t i = 0; i + 1 < x.size(); i += piece) {
    open.emplace_back(i, std::min(i + piece, x.size() - 1));
  }
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    needed[a] = needed[b] = true;
    double worst = tolerance * tolerance;
    std::size_t split = a;
    for (std::size_t i = a + 1; i < b; ++i) {
      const double distance = squared_distance(x[i] / x_width, y[i] / y_width, x[a] / x_width,
                                               y[a] / y_width, x[b] / x_width, y[b] / y_width);
      if (distance <= worst) continue;
      worst = distance;
      split = i;
    }
    if (split == a) continue;
    open.emplace_back(a, split);
    open.emplace_back(split, b);
  }
  return needed;
}

}  // namespace

void thin(std::vector<double>& x, std::vector<double>& y, double x_width, double y_width,
          double tolerance, std::size_t most) {
  if (x.size() > 2 && tolerance > 0 && x_width > 0 && y_width > 0) {
    const std::vector<bool> needed = needed_points(x, y, x_width, y_width, tolerance);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!needed[i]) continue;
      x[kept] = x[i];
      y[kept] = y[i];
      ++kept;
    }
    x.resize(kept);
    y.resize(kept);
  }
  if (x.size() > most) keep_extremes(x, y, most);
}

}  // namespace microslip::io
