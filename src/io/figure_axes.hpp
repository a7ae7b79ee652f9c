#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "microslip/io/figure.hpp"

/// Axes of a figure: what they span, in which unit, and where their numbers stand.
namespace microslip::io {

inline double on_axis(const Axis& axis, double value) {
  return axis.log ? std::log10(value) : value;
}

struct Range {
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();
  bool empty() const { return !(from <= to); }
  double width() const { return to - from; }
  void include(double value) {
    from = std::min(from, value);
    to = std::max(to, value);
  }
};

inline bool is_drawable(const Panel& panel, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!panel.x.log || x > 0) && (!panel.y.log || y > 0);
}

// In the coordinates of on_axis().
inline Range range_of(const Panel& panel, bool along_x, bool air) {
  const Axis& axis = along_x ? panel.x : panel.y;
  Range range;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!is_drawable(panel, curve.x[i], curve.y[i])) continue;
      range.include(on_axis(axis, along_x ? curve.x[i] : curve.y[i]));
    }
  }
  if (range.empty()) range = {0, 1};
  const double scale = std::max(std::abs(range.from), std::abs(range.to));
  if (range.width() <= 1e-12 * scale || scale == 0) {
    // A constant gets an axis around it, wide enough for its labels to differ.
    const double half = axis.log ? 0.5 : scale == 0 ? 1 : 0.5 * scale;
    range = {range.from - half, range.to + half};
  } else if (air) {
    const double margin = 0.05 * range.width();
    range = {range.from - margin, range.to + margin};
  }
  // Within what a double can hold after the margins are added.
  constexpr double most_decades = 307;
  if (axis.log) {
    range = {std::clamp(range.from, -most_decades, most_decades - 1),
             std::clamp(range.to, 1 - most_decades, most_decades)};
  }
  if (axis.from) range.from = on_axis(axis, *axis.from);
  if (axis.to) range.to = on_axis(axis, *axis.to);
  return range;
}

// Labels like -1.25e-07 are wide and hard to compare, so very large and very small axes are drawn
// in units of a power of 1000: `f [10⁻³ N]`.
inline int exponent_of(const Axis& axis, const Range& range) {
  const double scale = std::max(std::abs(range.from), std::abs(range.to));
  if (axis.log || (scale >= 1e-2 && scale < 2e4)) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(scale) / 3));
}

inline std::string with_power(const std::string& label, int exponent) {
  if (exponent == 0) return label;
  constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                    "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string power = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) {
    power += digits[static_cast<std::size_t>(c - '0')];
  }
  const std::size_t bracket = label.rfind('[');
  if (bracket == std::string::npos || label.back() != ']') return label + " [" + power + "]";
  return label.substr(0, bracket + 1) + power + " " + label.substr(bracket + 1);
}

// 1, 2 or 5 times a power of ten, not below width / most unless an axis of one number results.
inline double nice_step(double from, double to, double most) {
  const auto count = [&](double step) {
    return std::floor(to / step) - std::ceil(from / step) + 1;
  };
  const double least = (to - from) / most;
  const double decade = std::pow(10.0, std::floor(std::log10(least)) + 1);
  double step = decade;
  for (const double part : {0.5, 0.2, 0.1, 0.05, 0.02, 0.01}) {
    if (part * decade < least && count(step) >= 2) break;
    step = part * decade;
  }
  return step;
}

// Within a decade a logarithmic axis is read more easily with evenly spaced numbers.
inline std::string listed_tics(double from, double to, double most_numbers) {
  const double step = nice_step(from, to, most_numbers);
  std::string tics;
  for (double k = std::ceil(from / step); k * step <= to; ++k) {
    tics += fmt::format("{}{:.6g}", tics.empty() ? "" : ", ", k * step);
  }
  return tics;
}

// 1, 2 and 5 in each decade, or 1 and 3, where powers of ten alone would be one or two numbers.
inline std::string tics_of_decades(double from, double to, double most_numbers) {
  const bool room = 3 * std::log10(to / from) <= most_numbers + 1;
  const std::vector<double> parts = room ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0, 3.0};
  std::string tics;
  for (double decade = std::pow(10.0, std::floor(std::log10(from))); decade <= to; decade *= 10)
    for (const double part : parts)
      if (part * decade >= from * (1 - 1e-9) && part * decade <= to * (1 + 1e-9))
        tics += fmt::format("{}{:.6g}", tics.empty() ? "" : ", ", part * decade);
  return tics;
}

}  // namespace microslip::io
