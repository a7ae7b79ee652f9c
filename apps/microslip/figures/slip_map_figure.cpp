#include "figures/slip_map_figure.hpp"

#include <algorithm>
#include <limits>

namespace microslip::app {
namespace {

/// Row positions with fractions become times; without time they count from 1 as rows do elsewhere.
double time_of(double position, const std::vector<double>& t) {
  if (t.empty()) return position + 1;
  if (position <= 0) return t.front();
  const auto row = std::min(static_cast<std::size_t>(position), t.size() - 1);
  if (row + 1 >= t.size()) return t.back();
  return t[row] + (position - static_cast<double>(row)) * (t[row + 1] - t[row]);
}

}  // namespace

io::Figure slip_map_figure(const SlipMap& map) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  std::vector<io::Curve> curves{{"slips forward", {}, {}, io::Style::solid, 0},
                                {"slips back", {}, {}, io::Style::solid, 1},
                                {"open", {}, {}, io::Style::solid, 2}};
  for (const MapStretch& stretch : map.stretches) {
    io::Curve& curve = curves[static_cast<std::size_t>(stretch.motion)];
    curve.x.insert(curve.x.end(),
                   {time_of(stretch.begin, map.t), time_of(stretch.end, map.t), gap});
    curve.y.insert(curve.y.end(), {stretch.place, stretch.place, gap});
  }
  if (curves.back().x.empty()) curves.pop_back();
  std::vector<double> t = map.t;
  if (t.empty())
    for (std::size_t i = 0; i < map.drive.size(); ++i) t.push_back(static_cast<double>(i + 1));
  // Of both panels: they stand above one another.
  const io::Axis whole{.label = map.t_label, .from = t.front(), .to = t.back()};
  io::Panel slips{.x = whole, .y = map.place, .curves = std::move(curves), .air_in_x = false};
  io::Panel drive{.x = whole,
                  .y = {.label = map.drive_label},
                  .curves = {{"", t, map.drive, io::Style::solid, 3}},
                  .legend = false,
                  .air_in_x = false};
  return {.rows = {{{std::move(slips)}, 10, true}, {{std::move(drive)}, 3}}};
}

}  // namespace microslip::app
