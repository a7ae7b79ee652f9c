#include "loops/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace microslip::app {
namespace {

using loops::Backbone;
using loops::Cycle;
using loops::Loops;

/// Large loops of nearly the same amplitude share a colour; at most five of them.
class AmplitudeClasses {
 public:
  explicit AmplitudeClasses(const Loops& found) {
    for (const Cycle& c : found.cycles)
      if (!c.minor) amplitudes_.push_back(c.amplitude);
    std::sort(amplitudes_.begin(), amplitudes_.end());
    for (const double a : amplitudes_) {
      if (group_.empty() || a > 1.05 * last_) ++groups_;
      group_.push_back(groups_ - 1);
      last_ = a;
    }
  }
  std::size_t of(double amplitude) const {
    const auto at = std::lower_bound(amplitudes_.begin(), amplitudes_.end(), amplitude);
    const std::size_t group = group_[static_cast<std::size_t>(at - amplitudes_.begin())];
    return groups_ <= 5 ? group : group * 5 / groups_;
  }
  std::string name(std::size_t which, const std::string& unit) const {
    std::vector<double> members;
    for (const double a : amplitudes_)
      if (of(a) == which) members.push_back(a);
    const double low = members.front(), high = members.back();
    const std::size_t count = members.size();
    const std::string from = fmt::format("{:.3g}", low), to = fmt::format("{:.3g}", high);
    const bool one_size = high < 1.05 * low;
    return fmt::format("{}{}: {} loop{}", one_size ? to : from + " to " + to,
                       unit.empty() ? "" : " " + unit, count, count == 1 ? "" : "s");
  }

 private:
  std::vector<double> amplitudes_;  ///< ascending
  std::vector<std::size_t> group_;  ///< of each
  std::size_t groups_ = 0;
  double last_ = 0;
};

io::Panel loop_panel(const MeasuredRecord& record, const Loops& found) {
  io::Panel panel{.title = found.cycles.empty() ? "record" : "loops, by amplitude",
                  .x = {io::axis_label("u", record.u_unit)},
                  .y = {io::axis_label("f", record.f_unit)},
                  .curves = {}};
  constexpr std::size_t colors[] = {0, 1, 2, 4, 5}, black = 3, sky_blue = 6;
  const double sign = found.sign_flipped ? -1 : 1;
  const auto add_rows = [&](std::size_t from, std::size_t to, const std::string& name) {
    io::Curve curve{.name = name, .x = {}, .y = {}, .style = io::Style::line, .color = black};
    for (std::size_t i = from; i <= to; ++i) {
      curve.x.push_back(record.u[i]);
      curve.y.push_back(sign * record.f[i]);
    }
    panel.curves.push_back(std::move(curve));
  };
  const AmplitudeClasses classes(found);
  std::vector<bool> named(5, false);
  const auto add_cycle = [&](const Cycle& c, const std::string& name, std::size_t color) {
    io::Curve curve{name, c.out.u, c.out.f, io::Style::solid, color};
    curve.x.insert(curve.x.end(), c.back.u.begin(), c.back.u.end());
    curve.y.insert(curve.y.end(), c.back.f.begin(), c.back.f.end());
    panel.curves.push_back(std::move(curve));
  };
  std::vector<const Cycle*> large;
  for (const Cycle& c : found.cycles)
    if (!c.minor) large.push_back(&c);
  std::stable_sort(large.begin(), large.end(),
                   [](const Cycle* a, const Cycle* b) { return a->amplitude < b->amplitude; });
  for (const Cycle* c : large) {
    const std::size_t which = classes.of(c->amplitude);
    add_cycle(*c, named[which] ? "" : classes.name(which, record.u_unit), colors[which]);
    named[which] = true;
  }
  bool first_minor = true;
  for (const Cycle& c : found.cycles) {
    if (!c.minor) continue;
    add_cycle(c, first_minor ? fmt::format("minor: {}", found.minor_loops()) : "", sky_blue);
    first_minor = false;
  }
  // What belongs to no loop on top, dotted, so that it is not hidden by them.
  const std::size_t end = record.u.size() - 1;
  std::size_t first = end, last = 0;
  for (const Cycle& c : found.cycles) {
    first = std::min(first, c.first_row);
    last = std::max(last, c.last_row);
  }
  if (found.cycles.empty()) {
    add_rows(0, end, "");
  } else {
    if (first > 0) add_rows(0, first, "before and after the loops");
    if (last < end) add_rows(last, end, first > 0 ? "" : "after the loops");
  }
  return panel;
}

io::Panel backbone_panel(const MeasuredRecord& record, const Loops& found) {
  io::Panel panel{.title = "backbone",
                  .x = {io::axis_label("amplitude", record.u_unit)},
                  .y = {io::axis_label("force", record.f_unit)},
                  .curves = {}};
  panel.curves.push_back({.name = std::string(found.backbone.source == Backbone::Source::virgin
                                                  ? "first leg"
                                                  : "half of the largest loop"),
                          .x = found.backbone.x,
                          .y = found.backbone.force,
                          .style = io::Style::solid});
  panel.curves.push_back({.name = "tips of the loops",
                          .x = found.tips.amplitude,
                          .y = found.tips.force,
                          .style = io::Style::points});
  return panel;
}

io::Panel energy_panel(const MeasuredRecord& record, const Loops& found) {
  io::Panel panel{.title = "energy of a loop",
                  .x = {.label = io::axis_label("amplitude", record.u_unit), .log = true},
                  .y = {.label = io::axis_label("energy", record.energy_unit()), .log = true},
                  .curves = {}};
  io::Curve points{.name = "loops", .x = {}, .y = {}, .style = io::Style::points};
  for (std::size_t i = 0; i < found.tips.amplitude.size(); ++i) {
    if (!(found.tips.energy[i] > 0)) continue;
    points.x.push_back(found.tips.amplitude[i]);
    points.y.push_back(found.tips.energy[i]);
  }
  const bool fitted = found.dissipation.found && points.x.size() > 1;
  if (fitted) {
    io::Curve line{.name = fmt::format("power {:.2f}", found.dissipation.exponent),
                   .x = {points.x.front(), points.x.back()},
                   .y = {},
                   .style = io::Style::dashed};
    for (const double a : line.x)
      line.y.push_back(found.dissipation.factor * std::pow(a, found.dissipation.exponent));
    line.color = 1;
    panel.curves.push_back(std::move(line));
  }
  points.color = 0;
  panel.curves.push_back(std::move(points));
  return panel;
}

/// The damping ratio that people compare, against amplitude; where a loop has none there is no point.
io::Panel damping_panel(const MeasuredRecord& record, const Loops& found) {
  io::Panel panel{.title = "damping ratio of a loop",
                  .x = {.label = io::axis_label("amplitude", record.u_unit), .log = true},
                  .y = {.label = "ζ = D/(4π · ½ k A²)", .from = 0.0},
                  .curves = {}};
  io::Curve large{.name = "loops", .x = {}, .y = {}, .style = io::Style::points, .color = 0};
  io::Curve minor{.name = "minor loops", .x = {}, .y = {}, .style = io::Style::points, .color = 1};
  for (const Cycle& c : found.cycles) {
    if (!std::isfinite(c.damping) || c.damping < 0) continue;
    io::Curve& curve = c.minor ? minor : large;
    curve.x.push_back(c.amplitude);
    curve.y.push_back(c.damping);
  }
  for (io::Curve* curve : {&minor, &large})
    if (!curve->x.empty()) panel.curves.push_back(std::move(*curve));
  return panel;
}

/// F/L²: density times a width of slip displacement is a stiffness.
std::string density_unit(const MeasuredRecord& record) {
  if (record.stiffness_unit().empty()) return "";
  const bool compound = record.u_unit.find_first_of("/ ^") != std::string::npos;
  return record.f_unit + "/" + (compound ? "(" + record.u_unit + ")" : record.u_unit) + "²";
}

io::Panel density_panel(const MeasuredRecord& record, const Loops& found) {
  io::Panel panel{.title = "Iwan density",
                  .x = {io::axis_label("slip displacement", record.u_unit)},
                  .y = {.label = io::axis_label("density", density_unit(record)), .from = 0.0},
                  .curves = {},
                  .legend = false};
  io::Curve stairs{.name = "", .x = {}, .y = {}, .style = io::Style::solid};
  const auto& density = found.density;
  for (std::size_t i = 0; i < density.density.size(); ++i) {
    for (const double edge : {density.edges[i], density.edges[i + 1]}) {
      stairs.x.push_back(edge);
      stairs.y.push_back(density.density[i]);
    }
  }
  panel.curves.push_back(std::move(stairs));
  return panel;
}

/// Before and after in the same scales, so that what a1 does is seen.
io::Panel normalized_panel(const Loops& found) {
  const loops::Normalization& n = *found.normalization;
  io::Panel panel{.title = "largest loop, normalised",
                  .x = {fmt::format("a2 u,  a2 = {:.4g}", n.a2)},
                  .y = {fmt::format("a0 = {:.4g},  a1 = {:.4g}", n.a0, n.a1)},
                  .curves = {}};
  io::Curve before{"before: a0 f", {}, {}, io::Style::dashed, 1};
  io::Curve after{"after: a0 f - a1 u", {}, {}, io::Style::solid, 0};
  for (const loops::Branch* branch : {&found.largest()->out, &found.largest()->back}) {
    for (std::size_t i = 0; i < branch->u.size(); ++i) {
      before.x.push_back(n.u(branch->u[i]));
      before.y.push_back(n.a0 * (branch->f[i] - n.f_center));
      after.x.push_back(before.x.back());
      after.y.push_back(n.f(branch->u[i], branch->f[i]));
    }
  }
  panel.curves = {std::move(before), std::move(after)};
  return panel;
}

}  // namespace

io::Figure loops_figure(const MeasuredRecord& record, const Loops& found) {
  io::Figure figure{.title = std::filesystem::path(record.source).filename().string(), .rows = {}};
  figure.rows.push_back({{loop_panel(record, found)}, 8});
  if (found.cycles.empty()) return figure;
  figure.rows.push_back({{backbone_panel(record, found), energy_panel(record, found)}, 5});
  figure.rows.push_back({{damping_panel(record, found), density_panel(record, found)}, 5});
  if (found.normalization) figure.rows.push_back({{normalized_panel(found)}, 5});
  return figure;
}

}  // namespace microslip::app
