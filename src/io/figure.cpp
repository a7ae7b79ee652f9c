#include "microslip/io/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figure_axes.hpp"
#include "figure_trace.hpp"
#include "gnuplot.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

// Okabe and Ito (2008), without the yellow that does not show on white paper. The order keeps
// neighbours far apart in lightness too.
struct Pen {
  const char* color;
  const char* dashes;  // in units of the line width, for gnuplot's dashtype
  int point;
};
constexpr std::array<Pen, 7> pens{{{"#0072B2", "1", 6},
                                   {"#D55E00", "(14,5)", 4},
                                   {"#009E73", "(14,4,3,4)", 8},
                                   {"#000000", "(3,4)", 2},
                                   {"#CC79A7", "(20,4,3,4,3,4)", 10},
                                   {"#E69F00", "(7,4)", 12},
                                   {"#56B4E9", "(24,6)", 1}}};

// Colours come again after the last one, with the dashes and the point of the next.
Pen pen_of(const Curve& curve, std::size_t place) {
  const std::size_t color = curve.color.value_or(place);
  const Pen& next = pens[(color + color / pens.size()) % pens.size()];
  return {pens[color % pens.size()].color, next.dashes, next.point};
}

// Sizes in cm; text is 9 point, about 0.32 cm high.
constexpr double left_margin = 1.95;
constexpr double right_margin = 0.45;
constexpr double column_gap = 2.15;
constexpr double line_height = 0.46;
constexpr double below_axis = 1.15;
constexpr double above_row = 0.35;
constexpr double between_joined = 0.22;
constexpr double legend_sample = 1.75;  // with the gaps beside it
constexpr double character_width = 0.19;
constexpr double line_width = 1.3;  // relative to the frame
constexpr double point_size = 0.6;

// Single quotes, because gnuplot runs commands between back quotes inside double ones.
std::string in_gnuplot_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += ' ';
    } else {
      result += c;
      if (c == '\'') result += c;
    }
  }
  return result + "'";
}

// Of UTF-8 text; bytes that continue a character do not count.
std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

struct Box {
  double left, right, bottom, top;  // parts of the picture
};

class Script {
 public:
  explicit Script(const Figure& figure_) : figure(figure_) { measure(); }

  double height() const { return total; }

  std::string text() {
    add("set encoding utf8");
    add("set minussign");
    add("set multiplot");
    add("set border 3 linewidth 0.8 linecolor '#404040'");
    add("set tics nomirror out scale 0.6 textcolor '#202020'");
    add("set xtics offset 0,0.25");
    add("set grid linecolor '#E2E2E2' linetype 1 linewidth 0.5");
    add("unset key");
    double y = total - 0.15;
    if (!figure.title.empty()) {
      label(figure.title, 0.5 * figure.width, y - 0.5 * line_height, "center font ',11'");
      y -= 1.25 * line_height;
    }
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
      y -= above(figure.rows[i], i);
      draw_row(figure.rows[i], y);
      y -= figure.rows[i].height + below(figure.rows[i]);
    }
    add("unset multiplot");
    return std::move(out);
  }

 private:
  template <class... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Parts>(parts)...);
    out += '\n';
  }

  double across(double cm) const { return cm / figure.width; }
  double upward(double cm) const { return cm / total; }

  double panel_width(const Row& row) const {
    const auto count = static_cast<double>(row.panels.size());
    return (figure.width - left_margin - right_margin - (count - 1) * column_gap) / count;
  }

  struct Legend {
    std::size_t columns = 0, lines = 0;
    double entry_width = 0;
  };
  Legend legend_of(const Panel& panel, double width) const {
    std::size_t names = 0;
    std::size_t longest = 0;
    for (const Curve& curve : panel.curves) {
      names += curve.name.empty() ? 0 : 1;
      longest = std::max(longest, character_count(curve.name));
    }
    if (!panel.legend || names == 0) return {};
    const double entry = legend_sample + character_width * static_cast<double>(longest);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(width / entry)));
    const std::size_t columns = std::min(fitting, names);
    return {columns, (names + columns - 1) / columns, entry};
  }

  // What stands over the frames of a row: air, legends, titles.
  double above(const Row& row, std::size_t index) const {
    double lines = 0;
    for (const Panel& panel : row.panels) {
      const auto legend_lines = static_cast<double>(legend_of(panel, panel_width(row)).lines);
      lines = std::max(lines, legend_lines + (panel.title.empty() ? 0 : 1));
    }
    const bool joined = index > 0 && figure.rows[index - 1].joined_below;
    return (joined ? between_joined : above_row) + lines * line_height;
  }

  static double below(const Row& row) { return row.joined_below ? 0 : below_axis; }

  void measure() {
    total = 0.2 + (figure.title.empty() ? 0 : 1.25 * line_height);
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
      total += above(figure.rows[i], i) + figure.rows[i].height + below(figure.rows[i]);
    }
  }

  void label(const std::string& text, double x, double y, std::string_view options) {
    add("set label {} at screen {:.6f},{:.6f} {} noenhanced", in_gnuplot_quotes(text), across(x),
        upward(y), options);
  }

  void draw_row(const Row& row, double top) {
    const double width = panel_width(row);
    double left = left_margin;
    for (const Panel& panel : row.panels) {
      draw_panel(panel, row, {left, left + width, top - row.height, top});
      left += width + column_gap;
    }
  }

  // The box is in cm here.
  void draw_panel(const Panel& panel, const Row& row, const Box& box) {
    const Range x = range_of(panel, true, panel.air_in_x);
    const Range y = range_of(panel, false, true);
    const int x_exponent = exponent_of(panel.x, x);
    const int y_exponent = exponent_of(panel.y, y);
    add("set lmargin at screen {:.6f}; set rmargin at screen {:.6f}", across(box.left),
        across(box.right));
    add("set bmargin at screen {:.6f}; set tmargin at screen {:.6f}", upward(box.bottom),
        upward(box.top));
    draw_axis(panel.x, "x", x, x_exponent, box.right - box.left, row.joined_below);
    draw_axis(panel.y, "y", y, y_exponent, box.top - box.bottom, false);
    draw_zero_lines(panel, x, y);
    draw_texts(panel, row, box, x_exponent, y_exponent);
    draw_legend(panel, box);
    draw_curves(panel, x, y, x_exponent, y_exponent);
    // Labels belong to one plot of the multiplot only.
    add("unset label; unset arrow; unset key");
  }

  void draw_axis(const Axis& axis, std::string_view name, const Range& range, int exponent,
                 double length, bool hide_numbers) {
    const double unit = std::pow(10.0, exponent);
    // A number needs about so much room along its axis.
    const double most_numbers = std::max(2.5, length / (name == "x" ? 1.6 : 0.55));
    // Beyond these, powers of ten are enough; within one, evenly spaced numbers are better.
    constexpr double one_decade = 1.0, few_decades = 2.2;
    const bool decades = axis.log && range.width() > few_decades;
    const double from = axis.log ? std::pow(10.0, range.from) : range.from / unit;
    const double to = axis.log ? std::pow(10.0, range.to) : range.to / unit;
    add("{} logscale {}", axis.log ? "set" : "unset", name);
    add("set {}range [{:.9g}:{:.9g}]", name, from, to);
    add("set format {} '{}'", name, hide_numbers ? "" : decades ? "10^{%L}" : "%g");
    if (decades) {
      const double step = std::max(1.0, std::ceil(range.width() / most_numbers));
      // Without a start gnuplot counts from the beginning of the axis and calls 800 a power of ten.
      const double start = std::pow(10.0, std::floor(range.from));
      add("set {0}tics {1:.9g},{2:.9g}; set m{0}tics {3}", name, start, std::pow(10.0, step),
          step > 1 ? 1 : 10);
    } else if (axis.log) {
      add("set {0}tics ({1}); unset m{0}tics", name,
          range.width() > one_decade ? tics_of_decades(from, to, most_numbers)
                                     : listed_tics(from, to, most_numbers));
    } else {
      const double step = nice_step(from, to, most_numbers);
      add("set {0}tics {1:.9g}; unset m{0}tics", name, axis.whole ? std::max(1.0, step) : step);
    }
  }

  void draw_zero_lines(const Panel& panel, const Range& x, const Range& y) {
    constexpr std::string_view look = "nohead back linecolor '#A8A8A8' linewidth 0.7";
    if (!panel.x.log && panel.air_in_x && x.from < 0 && x.to > 0) {
      add("set arrow from first 0, graph 0 to first 0, graph 1 {}", look);
    }
    if (!panel.y.log && y.from < 0 && y.to > 0) {
      add("set arrow from graph 0, first 0 to graph 1, first 0 {}", look);
    }
  }

  void draw_texts(const Panel& panel, const Row& row, const Box& box, int x_exponent,
                  int y_exponent) {
    const double middle = 0.5 * (box.left + box.right);
    label(with_power(panel.y.label, y_exponent), box.left - 1.6, 0.5 * (box.bottom + box.top),
          "center rotate by 90");
    if (!row.joined_below)
      label(with_power(panel.x.label, x_exponent), middle, box.bottom - 0.88, "center");
    if (!panel.title.empty()) {
      const auto lines = static_cast<double>(legend_of(panel, box.right - box.left).lines);
      label(panel.title, middle, box.top + (lines + 0.6) * line_height, "center");
    }
  }

  // Drawn by hand: gnuplot's own key decides for itself how many columns it has.
  void draw_legend(const Panel& panel, const Box& box) {
    const Legend legend = legend_of(panel, box.right - box.left);
    std::size_t place = 0;
    for (std::size_t i = 0; i < panel.curves.size() && legend.lines > 0; ++i) {
      const Curve& curve = panel.curves[i];
      if (curve.name.empty()) continue;
      const auto column = static_cast<double>(place % legend.columns);
      const auto line = static_cast<double>(legend.lines - place / legend.columns);
      const double x = box.left + column * legend.entry_width;
      const double y = box.top + (line - 0.3) * line_height;
      draw_sample(curve, i, x, y);
      label(curve.name, x + legend_sample - 0.35, y, "left");
      ++place;
    }
  }

  void draw_sample(const Curve& curve, std::size_t place, double x, double y) {
    const Pen pen = pen_of(curve, place);
    if (curve.style != Style::points) {
      add("set arrow from screen {:.6f},{:.6f} to screen {:.6f},{:.6f} nohead linecolor '{}' "
          "linewidth {} dashtype {}",
          across(x), upward(y), across(x + legend_sample - 0.5), upward(y), pen.color, line_width,
          dashes_of(curve, pen));
    }
    if (curve.style == Style::points || curve.style == Style::line_points) {
      add("set label '' at screen {:.6f},{:.6f} point pointtype {} pointsize {} linecolor '{}'",
          across(x + 0.5 * (legend_sample - 0.5)), upward(y), pen.point, point_size, pen.color);
    }
  }

  void draw_curves(const Panel& panel, const Range& x, const Range& y, int x_exponent,
                   int y_exponent) {
    std::string plots;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      const Curve& curve = panel.curves[i];
      const std::string block =
          add_data(panel, curve, x, y, std::pow(10.0, x_exponent), std::pow(10.0, y_exponent));
      if (block.empty()) continue;
      if (!plots.empty()) plots += ", ";
      plots += fmt::format("{} using 1:2 {} notitle", block, look_of(curve, i));
    }
    // An empty frame still has to be drawn by some plot command.
    if (plots.empty()) plots = "1/0 notitle";
    add("plot {}", plots);
  }

  static std::string_view dashes_of(const Curve& curve, const Pen& pen) {
    if (curve.style == Style::dashed) return "(10,5)";
    return curve.style == Style::solid ? "1" : pen.dashes;
  }

  static std::string look_of(const Curve& curve, std::size_t place) {
    const Pen pen = pen_of(curve, place);
    const std::string line = fmt::format("linecolor '{}' linewidth {} dashtype {}", pen.color,
                                         line_width, dashes_of(curve, pen));
    const std::string point = fmt::format("pointtype {} pointsize {}", pen.point, point_size);
    // One point is no line and would not be seen.
    if (curve.style == Style::points || curve.x.size() == 1)
      return fmt::format("with points linecolor '{}' {}", pen.color, point);
    if (curve.style == Style::line_points)
      return fmt::format("with linespoints {} {}", line, point);
    return "with lines " + line;
  }

  void put_point(const Panel& panel, double x, double y, double x_unit, double y_unit) {
    add("{:.7g} {:.7g}", panel.x.log ? std::pow(10.0, x) : x / x_unit,
        panel.y.log ? std::pow(10.0, y) : y / y_unit);
  }

  // Returns the name of the data block, or nothing if no point can be drawn.
  std::string add_data(const Panel& panel, const Curve& curve, const Range& x, const Range& y,
                       double x_unit, double y_unit) {
    const std::string block = fmt::format("$data{}", block_count++);
    const std::size_t start = out.size();
    add("{} << END", block);
    std::size_t points = 0;
    std::vector<double> piece_x;
    std::vector<double> piece_y;
    const bool has_points = curve.style == Style::points || curve.style == Style::line_points;
    Trace trace(x, y);
    const auto put_piece = [&] {
      // Points are seen one by one, so only a crowd of them is thinned.
      constexpr double invisible = 2e-4;
      thin(piece_x, piece_y, x.width(), y.width(), has_points ? 0 : invisible);
      bool open = false;
      for (std::size_t i = 0; i < piece_x.size(); ++i) {
        const bool covered = !has_points && i > 0 &&
                             trace.covers(piece_x[i - 1], piece_y[i - 1], piece_x[i], piece_y[i]);
        if (covered) {
          // An empty line breaks the line of the curve.
          if (open) out += '\n';
          open = false;
          continue;
        }
        if (!open && i > 0) put_point(panel, piece_x[i - 1], piece_y[i - 1], x_unit, y_unit);
        put_point(panel, piece_x[i], piece_y[i], x_unit, y_unit);
        open = true;
      }
      if (open) out += '\n';
      points += piece_x.size();
      piece_x.clear();
      piece_y.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (is_drawable(panel, curve.x[i], curve.y[i])) {
        piece_x.push_back(on_axis(panel.x, curve.x[i]));
        piece_y.push_back(on_axis(panel.y, curve.y[i]));
      } else {
        put_piece();
      }
    }
    put_piece();
    add("END");
    if (points > 0) return block;
    out.resize(start);
    return {};
  }

  const Figure& figure;
  double total = 0;  // height in cm
  std::string out;
  std::size_t block_count = 0;
};

void check(const Figure& figure) {
  for (const Row& row : figure.rows) {
    for (const Panel& panel : row.panels) {
      for (const Curve& curve : panel.curves) {
        if (curve.x.size() == curve.y.size()) continue;
        throw Error(fmt::format("curve '{}' has {} x values, but {} y values", curve.name,
                                curve.x.size(), curve.y.size()));
      }
    }
  }
}

std::string terminal(const std::string& ending, double width, double height, int dots) {
  // The three terminals disagree about the size of a point, so the scales are what makes the text
  // 9 point high and the curves about 1.1 point wide in the finished picture.
  constexpr double inch = 2.54;
  if (ending == ".pdf") {
    return fmt::format(
        "set terminal pdfcairo size {:.3f}cm,{:.3f}cm font 'Sans,9' fontscale 0.75 linewidth 1.7\n",
        width, height);
  }
  const auto pixels = [&](double per_inch) {
    return fmt::format("size {:.0f},{:.0f} background '#FFFFFF'", width / inch * per_inch,
                       height / inch * per_inch);
  };
  if (ending == ".png") {
    return fmt::format("set terminal pngcairo {} font 'Sans,9' fontscale {:.4f} linewidth {:.3g}\n",
                       pixels(dots), dots / 96.0, 2.3 * dots / 200);
  }
  return fmt::format("set terminal svg {} dynamic font 'Arial,9' fontscale {:.4f} linewidth 1.2\n",
                     pixels(96), 96.0 / 72);
}

}  // namespace

std::string gnuplot_script(const Figure& figure) {
  check(figure);
  return Script(figure).text();
}

void draw(const Figure& figure, const std::filesystem::path& path, int dots_per_inch) {
  const std::string ending = picture_ending(path);
  check(figure);
  Script script(figure);
  AtomicFile picture(path);
  run_gnuplot(terminal(ending, figure.width, script.height(), dots_per_inch) + script.text(),
              picture, path.string());
  picture.commit();
}

}  // namespace microslip::io
