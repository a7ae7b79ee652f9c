#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "figure_axes.hpp"

namespace microslip::io {

// Remembers where a curve has been. A steady loop that is drawn over itself a hundred times makes a
// large file, and loses its dashes because each pass starts them elsewhere; so what is already
// there, to less than the width of the line, is not drawn again.
class Trace {
 public:
  Trace(const Range& x, const Range& y)
      : x_from(x.from), y_from(y.from), x_cell(x.width() / cells), y_cell(y.width() / cells) {}

  // True if every part of the line from a to b lies on the trace. The line joins the trace, but
  // only when the curve has moved on, or each short piece would be covered by the one before it.
  bool covers(double ax, double ay, double bx, double by) {
    const double length = std::hypot((bx - ax) / x_cell, (by - ay) / y_cell);
    const int steps = std::clamp(static_cast<int>(std::ceil(length)), 1, 2 * cells);
    bool covered = true;
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      const int column = static_cast<int>(std::floor((ax + part * (bx - ax) - x_from) / x_cell));
      const int row = static_cast<int>(std::floor((ay + part * (by - ay) - y_from) / y_cell));
      if (column < 0 || row < 0 || column >= cells || row >= cells) continue;
      if (i > 0) travelled += length / steps;
      covered = covered && visited_near(column, row);
      recent.push_back({travelled, column, row});
      while (travelled - recent.front().at > moved_on) {
        visited[key(recent.front().column, recent.front().row)] = true;
        recent.pop_front();
      }
    }
    return covered;
  }

 private:
  static constexpr int cells = 2000;      // below 0.1 mm; a line is 0.4 mm wide
  static constexpr double moved_on = 20;  // cells
  struct Visit {
    double at;
    int column, row;
  };
  static std::size_t key(int column, int row) {
    return static_cast<std::size_t>(row) * cells + static_cast<std::size_t>(column);
  }
  bool visited_near(int column, int row) const {
    for (int i = std::max(column - 1, 0); i <= std::min(column + 1, cells - 1); ++i) {
      for (int j = std::max(row - 1, 0); j <= std::min(row + 1, cells - 1); ++j) {
        if (visited[key(i, j)]) return true;
      }
    }
    return false;
  }

  double x_from, y_from, x_cell, y_cell;
  double travelled = 0;
  std::deque<Visit> recent;
  std::vector<bool> visited = std::vector<bool>(std::size_t{cells} * cells, false);
};

}  // namespace microslip::io
