#pragma once

#include <string>
#include <vector>

/// Small pictures for pages that must need nothing else: SVG as text.
namespace microslip::app {

struct SvgCurve {
  std::string name;  ///< in the legend; empty: not listed
  std::vector<double> x, y;
  std::string color;
  bool points = false;
  double size = 1.6;  ///< width of the line, or radius of the points
  bool dashed = false;
};

struct SvgBand {
  double from, to;  ///< in x
};

struct SvgPlot {
  std::string x_label, y_label;
  std::vector<SvgCurve> curves;
  std::vector<SvgBand> bands;  ///< shaded behind the curves
  bool log_x = false, log_y = false;
  double width = 640, height = 400;
};

std::string svg_text(const SvgPlot& plot);

/// Text between tags.
std::string escaped(const std::string& text);

}  // namespace microslip::app
