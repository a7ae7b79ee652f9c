#include "pages/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "microslip/io/figure.hpp"

namespace microslip::app {
namespace {

/// One axis: from numbers to places on the page.
struct Scale {
  bool log;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double from = 0, to = 1;  ///< on the page

  double inner(double x) const { return log ? std::log10(x) : x; }
  void see(double x) {
    if (log && !(x > 0)) return;
    low = std::min(low, inner(x));
    high = std::max(high, inner(x));
  }
  void finish(double air) {
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) low -= log ? 0.5 : 1 + std::abs(low), high += log ? 0.5 : 1 + std::abs(high);
    const double room = air * (high - low);
    low -= room;
    high += room;
  }
  double place(double x) const { return from + (inner(x) - low) / (high - low) * (to - from); }

  std::vector<double> ticks() const {
    std::vector<double> result;
    if (log && high - low > 0.9) {
      // Decades; over few of them 2 and 5 as well.
      const std::initializer_list<double> all{1, 2, 5}, decades{1};
      for (double e = std::floor(low); e <= high; ++e)
        for (const double m : high - low < 2.2 ? all : decades) {
          const double tick = m * std::pow(10, e);
          if (std::log10(tick) >= low && std::log10(tick) <= high) result.push_back(tick);
        }
      if (result.size() >= 2) return result;
      result.clear();
    }
    const double a = log ? std::pow(10, low) : low, b = log ? std::pow(10, high) : high;
    const double raw = (b - a) / 5, unit = std::pow(10, std::floor(std::log10(raw)));
    const double step = unit * (raw / unit < 1.5   ? 1
                                : raw / unit < 3.5 ? 2
                                : raw / unit < 7   ? 5
                                                   : 10);
    for (double x = std::ceil(a / step) * step; x <= b + 1e-9 * step; x += step)
      if (!log || x > 0) result.push_back(std::abs(x) < 1e-9 * step ? 0 : x);
    return result;
  }
};

std::string number(double x) {
  std::string text = fmt::format("{:.6g}", x);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

constexpr double left = 80, right = 16, line = 20, bottom = 50;
constexpr const char* dashes = " stroke-dasharray='6 4'";

double legend_width(const SvgCurve& curve) {
  return 44 + 7.6 * static_cast<double>(curve.name.size());
}

/// Where each name begins: column and line. Names that do not fit go to the next line.
std::vector<std::pair<double, double>> legend_places(const SvgPlot& plot) {
  std::vector<std::pair<double, double>> places;
  double at = left, row = 0;
  for (const SvgCurve& curve : plot.curves) {
    if (!curve.name.empty() && at > left && at + legend_width(curve) > plot.width) at = left, ++row;
    places.push_back({at, row});
    if (!curve.name.empty()) at += legend_width(curve);
  }
  return places;
}

double top_of(const SvgPlot& plot) {
  return 34 + line * (plot.curves.empty() ? 0 : legend_places(plot).back().second);
}

std::string frame(const SvgPlot& plot, const Scale& x, const Scale& y) {
  std::string text;
  for (const double tick : x.ticks()) {
    const double at = x.place(tick);
    if (at < x.from - 0.5 || at > x.to + 0.5) continue;
    text += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/>"
        "<text x='{0:.1f}' y='{3:.1f}' text-anchor='middle'>{4}</text>\n",
        at, y.to, y.from, y.from + 18, number(tick));
  }
  for (const double tick : y.ticks()) {
    const double at = y.place(tick);
    if (at > y.from + 0.5 || at < y.to - 0.5) continue;
    text += fmt::format(
        "<line class='grid' x1='{1:.1f}' x2='{2:.1f}' y1='{0:.1f}' y2='{0:.1f}'/>"
        "<text x='{3:.1f}' y='{4:.1f}' text-anchor='end'>{5}</text>\n",
        at, x.from, x.to, x.from - 8, at + 4, number(tick));
  }
  text +=
      fmt::format("<rect class='frame' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'/>\n",
                  x.from, y.to, x.to - x.from, y.from - y.to);
  text += fmt::format("<text class='label' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n",
                      0.5 * (x.from + x.to), plot.height - 8, escaped(plot.x_label));
  text += fmt::format(
      "<text class='label' transform='translate(15 {:.1f}) rotate(-90)' "
      "text-anchor='middle'>{}</text>\n",
      0.5 * (y.from + y.to), escaped(plot.y_label));
  return text;
}

std::string curve_text(const SvgCurve& curve, const Scale& x, const Scale& y) {
  std::vector<double> cx, cy;
  std::string text;
  const auto draw_line = [&] {
    io::thin(cx, cy, x.to - x.from, y.from - y.to, 4e-4, 6000);
    text += fmt::format("<polyline fill='none' stroke='{}' stroke-width='{:.1f}'{} points='",
                        curve.color, curve.size, curve.dashed ? dashes : "");
    for (std::size_t i = 0; i < cx.size(); ++i) text += fmt::format("{:.1f},{:.1f} ", cx[i], cy[i]);
    text += "'/>\n";
    cx.clear();
    cy.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const bool gap = !std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i]);
    if (gap && !curve.points && !cx.empty()) draw_line();
    if (gap || (x.log && !(curve.x[i] > 0)) || (y.log && !(curve.y[i] > 0))) continue;
    cx.push_back(x.place(curve.x[i]));
    cy.push_back(y.place(curve.y[i]));
  }
  if (curve.points) {
    // Thousands of dots on top of each other only make the page heavy.
    const std::size_t every = std::max<std::size_t>(1, cx.size() / 3000);
    text = fmt::format("<g fill='{}'>", curve.color);
    for (std::size_t i = 0; i < cx.size(); i += every)
      text += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}'/>", cx[i], cy[i], curve.size);
    return text + "</g>\n";
  }
  if (!cx.empty()) draw_line();
  return text;
}

std::string legend(const SvgPlot& plot) {
  std::string text;
  const auto places = legend_places(plot);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const SvgCurve& curve = plot.curves[i];
    if (curve.name.empty()) continue;
    const double at = places[i].first, y = 15 + line * places[i].second;
    text += curve.points
                ? fmt::format("<circle cx='{:.1f}' cy='{:.0f}' r='3.5' fill='{}'/>", at + 9, y,
                              curve.color)
                : fmt::format(
                      "<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.0f}' y2='{2:.0f}' stroke='{3}' "
                      "stroke-width='2.5'{4}/>",
                      at, at + 18, y, curve.color, curve.dashed ? dashes : "");
    text +=
        fmt::format("<text x='{:.1f}' y='{:.0f}'>{}</text>\n", at + 24, y + 4, escaped(curve.name));
  }
  return text;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '\'')
      result += "&#39;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string svg_text(const SvgPlot& plot) {
  Scale x{plot.log_x}, y{plot.log_y};
  for (const SvgCurve& curve : plot.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) x.see(curve.x[i]), y.see(curve.y[i]);
  x.finish(0.04);
  y.finish(0.06);
  x.from = left;
  x.to = plot.width - right;
  y.from = plot.height - bottom;
  y.to = top_of(plot);
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' "
      "font-family='system-ui, sans-serif' font-size='13' role='img'>\n"
      "<style>.grid{{stroke:#e3e6ea;stroke-width:1}}.frame{{fill:none;stroke:#8a94a0}}"
      "text{{fill:#333a42}}.label{{font-size:14px}}</style>\n",
      plot.width, plot.height);
  for (const SvgBand& band : plot.bands) {
    const double a = x.place(band.from), b = x.place(band.to);
    text +=
        fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='#fff3d6'/>\n",
                    a, y.to, std::max(b - a, 0.5), y.from - y.to);
  }
  text += frame(plot, x, y);
  for (const SvgCurve& curve : plot.curves) text += curve_text(curve, x, y);
  return text + legend(plot) + "</svg>\n";
}

}  // namespace microslip::app
