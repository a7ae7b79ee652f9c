#pragma once

/// Pictures for print, drawn by gnuplot: svg, png or pdf by the ending of the file name.
///
/// A figure is a column of rows of panels. Colours are those of Okabe and Ito, which people
/// with any colour vision can distinguish, and each colour has its own dashes and its own point, so a print in
/// black and white can be read as well; from the eighth curve on they pair anew. All texts are
/// shown as they are: `_` and `^` mean nothing.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/error.hpp"

namespace microslip::io {

/// gnuplot is missing. Nothing else is wrong, so a command can say so and go on.
class PictureUnavailable : public Error {
 public:
  using Error::Error;
};

enum class Style { line, solid, dashed, points, line_points };

struct Curve {
  std::string name;  ///< in the legend; empty: not listed
  std::vector<double> x, y;
  Style style = Style::line;  ///< line: dashes by colour
  /// Colour, dashes and point; by default the place of the curve in its panel.
  std::optional<std::size_t> color{};
};

struct Axis {
  std::string label;
  bool log = false;
  std::optional<double> from{}, to{};  ///< by default what the curves need
  bool whole = false;                  ///< counts things: no number between 1 and 2
};

struct Panel {
  std::string title{};
  Axis x, y;
  std::vector<Curve> curves;
  bool legend = true;  ///< above the panel, if a curve has a name
  /// Leave air beside the curves: right for loops, wrong for histories that fill their time axis.
  bool air_in_x = true;
};

struct Row {
  std::vector<Panel> panels;
  double height = 4;          ///< of the frames of its panels, in cm
  bool joined_below = false;  ///< same x axis as the row below, so labels only there
};

struct Figure {
  std::string title{};
  std::vector<Row> rows;
  double width = 16;  ///< in cm; two columns of the usual journal page
};

/// Throws Error for another ending, curves whose x and y differ in length, or a failure of
/// gnuplot, PictureUnavailable when there is no gnuplot. The picture appears whole or not at all.
/// The resolution is that of a png; 200 is enough for print.
void draw(const Figure& figure, const std::filesystem::path& path, int dots_per_inch = 200);

/// What draw() hands to gnuplot, without the terminal; for tests and for people who want to edit.
std::string gnuplot_script(const Figure& figure);

/// One law or one measurement. Leave t or energy empty when there is none.
struct DrawnHistory {
  std::string name;
  std::vector<double> t, u, f, energy;
  Style style = Style::line;
};

struct HistoryUnits {
  std::string t{}, u{}, f{}, energy{};
};

/// Force against displacement in a large panel, and u, f and energy against time under it
/// (against the number of the row where there is no time). A displacement that all histories share
/// is drawn once.
Figure loop_figure(std::string title, const std::vector<DrawnHistory>& histories,
                   const HistoryUnits& units = {});

/// `name [unit]`, or `name` without a unit.
std::string axis_label(std::string_view name, std::string_view unit);

/// A curve with fewer points that looks the same: no point is further from it than `tolerance`
/// (in units of the given widths of the axes), and every turning point larger than that stays.
/// Noise that needs more than `most` points is thinned to the extremes of short pieces.
void thin(std::vector<double>& x, std::vector<double>& y, double x_width, double y_width,
          double tolerance = 2e-4, std::size_t most = 20000);

}  // namespace microslip::io
