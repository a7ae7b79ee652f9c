#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "microslip/io/figure.hpp"

namespace microslip::io {
namespace {

Curve against(const DrawnHistory& history, const std::vector<double>& y, std::size_t color) {
  Curve curve{"", history.t, y, history.style, color};
  if (!history.t.empty()) return curve;
  for (std::size_t i = 0; i < y.size(); ++i) curve.x.push_back(static_cast<double>(i + 1));
  return curve;
}

}  // namespace

std::string axis_label(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit);
}

Figure loop_figure(std::string title, const std::vector<DrawnHistory>& histories,
                   const HistoryUnits& units) {
  const bool timed = std::any_of(histories.begin(), histories.end(),
                                 [](const DrawnHistory& history) { return !history.t.empty(); });
  const Axis time{timed ? axis_label("time t", units.t) : "row"};
  Panel loop{.x = {axis_label("displacement u", units.u)},
             .y = {axis_label("force f", units.f)},
             .curves = {}};
  Panel u{.x = time, .y = {axis_label("u", units.u)}, .curves = {}, .air_in_x = false};
  Panel f{.x = time, .y = {axis_label("f", units.f)}, .curves = {}, .air_in_x = false};
  Panel energy{
      .x = time, .y = {axis_label("energy", units.energy)}, .curves = {}, .air_in_x = false};
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const DrawnHistory& history = histories[i];
    loop.curves.push_back({history.name, history.u, history.f, history.style, i});
    const bool same_u = i > 0 && history.u == histories[0].u && history.t == histories[0].t;
    if (!same_u) u.curves.push_back(against(history, history.u, i));
    f.curves.push_back(against(history, history.f, i));
    if (!history.energy.empty()) energy.curves.push_back(against(history, history.energy, i));
  }
  // One displacement for all belongs to none of them, so it is black.
  constexpr std::size_t black = 3;
  if (histories.size() > 1 && u.curves.size() == 1) {
    u.curves[0].color = black;
    u.curves[0].style = Style::solid;
  }
  Figure figure{.title = std::move(title), .rows = {}};
  const bool has_energy = !energy.curves.empty();
  constexpr double loop_height = 8.5;
  constexpr double history_height = 2.3;
  figure.rows.push_back({{std::move(loop)}, loop_height, false});
  figure.rows.push_back({{std::move(u)}, history_height, true});
  figure.rows.push_back({{std::move(f)}, history_height, has_energy});
  if (has_energy) figure.rows.push_back({{std::move(energy)}, history_height, false});
  return figure;
}

}  // namespace microslip::io
