#include "cracks/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/slip_map_figure.hpp"
#include "microslip/core/text.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using contact::Contact;
using Point = std::pair<double, double>;

std::string short_number(double x) { return fmt::format("{:.6g}", x); }

Point at(const contact::Crack& crack, double s) {
  const double angle = crack.angle * std::acos(-1.0) / 180;
  return {crack.x + s * std::cos(angle), crack.y + s * std::sin(angle)};
}

/// Each node colours its part of the crack. Cracks whose nodes all agree become one line, so that
/// large fields are drawn quickly.
io::Panel plate_panel(const CracksResult& r, const jobs::CracksMoment& moment, bool legend) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  io::Curve open{"open", {}, {}, io::Style::solid, 2};
  io::Curve stick{"sticks", {}, {}, io::Style::solid, 3};
  io::Curve slip{"slips", {}, {}, io::Style::solid, 1};
  const auto& cracks = r.solved->cracks();
  double reach = 0.5 * r.solved->plate().length;
  for (std::size_t k = 0; k < cracks.size(); ++k) {
    const auto first = static_cast<std::size_t>(r.solved->first_node()[k]);
    const auto end = static_cast<std::size_t>(r.solved->first_node()[k + 1]);
    for (std::size_t i = first; i < end; ++i) {
      const Contact state = moment.nodes[i];
      io::Curve& curve = state == Contact::open ? open : state == Contact::stick ? stick : slip;
      // From the middle between its neighbours (the tip, at the ends) to the other.
      const double a = cracks[k].half_length;
      const auto& nodes = r.solved->nodes();
      const double from = i == first ? a : 0.5 * (nodes[i - 1].s + nodes[i].s);
      const double to = i + 1 == end ? -a : 0.5 * (nodes[i].s + nodes[i + 1].s);
      for (const double s : {from, to}) {
        const auto [x, y] = at(cracks[k], s);
        curve.x.push_back(x);
        curve.y.push_back(y);
        reach = std::max({reach, std::abs(x), std::abs(y)});
      }
      curve.x.push_back(gap);
      curve.y.push_back(gap);
    }
  }
  const double half = 0.5 * r.solved->plate().length;
  io::Curve edge{"",
                 {-half, half, half, -half, -half},
                 {-half, -half, half, half, -half},
                 io::Style::solid,
                 6};
  const catalog::DriveHistory& load = r.asked.load;
  // Rounding around zero is no load.
  const double f = load.values[moment.row];
  double largest = 0;
  for (const double other : load.values) largest = std::max(largest, std::abs(other));
  std::string title = "f = " + fmt::format("{:.3g}", std::abs(f) < 1e-9 * largest ? 0 : f);
  if (!load.t.empty()) title += ", t = " + fmt::format("{:.3g}", load.t[moment.row]);
  const io::Axis axis{.label = "x", .from = -1.05 * reach, .to = 1.05 * reach};
  io::Panel panel{std::move(title), axis, axis, {}, legend};
  panel.y.label = "y";
  if (r.solved->plate().finite) panel.curves.push_back(std::move(edge));
  // What moves lies on top.
  for (io::Curve* curve : {&stick, &open, &slip}) panel.curves.push_back(std::move(*curve));
  return panel;
}

/// Least squares of f ≈ a ξ + b|ξ|: what is left makes a thin loop visible (thesis eq. 6.3).
std::array<double, 2> widening(const std::vector<double>& xi, const std::vector<double>& f) {
  double xx = 0, xm = 0, xf = 0, mf = 0;
  for (std::size_t i = 0; i < xi.size(); ++i) {
    const double m = std::abs(xi[i]);
    xx += xi[i] * xi[i];
    xm += xi[i] * m;
    xf += xi[i] * f[i];
    mf += m * f[i];
  }
  const double det = xx * xx - xm * xm;
  if (!(det > 1e-12 * xx * xx)) return {xx > 0 ? xf / xx : 0, 0};
  return {(xf * xx - mf * xm) / det, (mf * xx - xf * xm) / det};
}

}  // namespace

std::string cracks_csv(const CracksResult& r) {
  const contact::Plate& plate = r.solved->plate();
  const auto& stress = r.asked.stress;
  const io::Comments comments{
      {"microslip", std::string(version)},
      {"command", r.command},
      {"file", r.file},
      {"cracks", std::to_string(r.solved->cracks().size())},
      {"stress", fmt::format("{} {} {}", number_text(stress[0]), number_text(stress[1]),
                             number_text(stress[2]))},
      {"length", number_text(plate.length)},
      {"note", "energy per unit of thickness; a cycle loses length times its area in (xi, f)"}};
  const auto columns = r.views();
  return io::csv_text(comments, columns);
}

std::string crack_field_csv(const CracksResult& r) {
  std::array<std::vector<double>, 5> v;
  for (const contact::Crack& c : r.solved->cracks()) {
    const double numbers[] = {c.x, c.y, c.half_length, c.angle, c.mu};
    for (std::size_t i = 0; i < v.size(); ++i) v[i].push_back(numbers[i]);
  }
  const io::ColumnView columns[] = {
      {"x", "", v[0]}, {"y", "", v[1]}, {"a", "", v[2]}, {"angle", "", v[3]}, {"mu", "", v[4]}};
  return io::csv_text({{"microslip", std::string(version)}, {"command", r.command}}, columns);
}

std::string cracks_text(const CracksResult& r) {
  return table_text(
      {{"cracks", "nodes", "rows", "f min", "f max", "xi min", "xi max", "energy", "changes",
        "energy balance"},
       {std::to_string(r.solved->cracks().size()), std::to_string(r.solved->nodes().size()),
        std::to_string(r.xi.size()), short_number(r.summary.f_min), short_number(r.summary.f_max),
        short_number(r.summary.xi_min), short_number(r.summary.xi_max),
        short_number(r.run.energy.back()), std::to_string(r.run.events),
        fmt::format("{:.1e}", r.run.energy_error)}});
}

std::string ensemble_csv(const EnsembleResult& r) {
  const io::Comments comments{
      {"microslip", std::string(version)}, {"command", r.command}, {"file", r.file}};
  const io::ColumnView columns[] = {{"seed", "", r.columns.seed},
                                    {"energy", "", r.columns.energy},
                                    {"xi_max", "", r.columns.xi_max}};
  return io::csv_text(comments, columns);
}

std::string ensemble_text(const EnsembleResult& r) {
  const jobs::EnsembleSummary& s = r.summary;
  return table_text(
      {{"fields", "left out", "mean energy", "standard deviation", "standard error"},
       {std::to_string(s.fields), std::to_string(s.left_out), fmt::format("{:.6g}", s.mean_energy),
        fmt::format("{:.3g}", s.standard_deviation), fmt::format("{:.3g}", s.standard_error)}});
}

io::Figure cracks_figure(const CracksResult& r) {
  const catalog::DriveHistory& load = r.asked.load;
  const auto& f = load.values;
  io::Figure figure;
  io::Row plates{{}, 5.7};
  for (const jobs::CracksMoment& moment : r.extremes)
    plates.panels.push_back(plate_panel(r, moment, true));
  figure.rows.push_back(std::move(plates));

  const auto [a, b] = widening(r.xi, f);
  io::Curve loop{"", r.xi, f, io::Style::solid, 0}, wide{"", r.xi, {}, io::Style::solid, 0};
  for (std::size_t i = 0; i < f.size(); ++i)
    wide.y.push_back(f[i] - a * r.xi[i] - b * std::abs(r.xi[i]));
  const std::string force = io::axis_label("f", load.unit);
  io::Panel left{"", {"ξ"}, {force}, {std::move(loop)}, false};
  io::Panel right{fmt::format("a = {:.4g}, b = {:.4g}", a, b),
                  {"ξ"},
                  {"f − aξ − b|ξ|"},
                  {std::move(wide)},
                  false};
  figure.rows.push_back({{std::move(left), std::move(right)}, 5});

  std::vector<double> t = load.t;
  if (t.empty())
    for (std::size_t i = 0; i < f.size(); ++i) t.push_back(static_cast<double>(i + 1));
  const std::string time = load.t.empty() ? "row" : io::axis_label("t", load.t_unit);
  const auto history = [&](const std::string& label, const std::vector<double>& y) {
    return io::Panel{"", {time}, {label}, {{"", t, y, io::Style::solid, 0}}, false, false};
  };
  figure.rows.push_back({{history(force, f)}, 2, true});
  figure.rows.push_back({{history("friction loss", r.run.energy)}, 2});
  return figure;
}

io::Figure cracks_strip(const CracksResult& r) {
  io::Figure figure;
  figure.width = 24;
  constexpr std::size_t across = 4;
  for (std::size_t i = 0; i < r.strip.size(); i += across) {
    io::Row row{{}, 3.8};
    for (std::size_t k = i; k < std::min(i + across, r.strip.size()); ++k)
      row.panels.push_back(plate_panel(r, r.strip[k], false));
    figure.rows.push_back(std::move(row));
  }
  return figure;
}

io::Figure cracks_slip_map(const CracksResult& r) {
  SlipMap map;
  const auto& cracks = r.solved->cracks();
  for (const contact::Stretch& stretch : r.run.stretches) {
    const contact::CrackNode& node = r.solved->nodes()[static_cast<std::size_t>(stretch.node)];
    // A crack fills most of the room of its number.
    const double place =
        static_cast<double>(node.crack + 1) + 0.4 * node.s / cracks[node.crack].half_length;
    const Motion motion = stretch.contact == Contact::open      ? Motion::open
                          : stretch.contact == Contact::forward ? Motion::forward
                                                                : Motion::back;
    map.stretches.push_back({place, motion, stretch.begin, stretch.end});
  }
  const catalog::DriveHistory& load = r.asked.load;
  map.place = {
      .label = "crack", .from = 0.4, .to = static_cast<double>(cracks.size()) + 0.6, .whole = true};
  map.t = load.t;
  map.t_label = load.t.empty() ? "row" : io::axis_label("t", load.t_unit);
  map.drive = load.values;
  map.drive_label = io::axis_label("f", load.unit);
  return slip_map_figure(map);
}

}  // namespace microslip::app
