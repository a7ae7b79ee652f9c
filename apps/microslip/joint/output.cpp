#include "joint/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "figures/slip_map_figure.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using contact::Contact;
using Json = nlohmann::ordered_json;

std::string short_number(double x) { return fmt::format("{:.6g}", x); }

std::string support_text(contact::Support support) {
  return support == contact::Support::axial ? "axial" : "bending";
}

/// The state of a node just before a row: what it was doing on the way there.
Contact state_at(const JointResult& r, contact::Index node, std::size_t row) {
  const auto position = static_cast<double>(row);
  for (const contact::Stretch& stretch : r.stretches)
    if (stretch.node == node && stretch.begin < position && stretch.end >= position)
      return stretch.contact;
  return Contact::stick;
}

/// Outlines of the plates, displaced so that it can be seen, and the interface by its states.
io::Panel joint_panel(const JointResult& r, const JointMoment& moment) {
  const contact::LapPlates& p = r.lap->plates();
  const double u = r.asked.drive.values[moment.row];
  const auto plain = r.lap->outlines(moment.w, u, 0), moved = r.lap->outlines(moment.w, u, 1);
  double largest = 0;
  for (const std::size_t plate : {0u, 1u})
    for (std::size_t i = 0; i < plain[plate].x.size(); ++i)
      largest = std::max({largest, std::abs(moved[plate].x[i] - plain[plate].x[i]),
                          std::abs(moved[plate].z[i] - plain[plate].z[i])});
  const double wanted = p.support == contact::Support::axial ? 0.05 * p.length : p.thickness;
  const double scale = largest > 0 ? wanted / largest : 0;
  const auto drawn = r.lap->outlines(moment.w, u, scale);
  io::Panel panel;
  panel.title = fmt::format("u = {:.3g}, displacements × {:.3g}", u, scale);
  panel.x.label = "x";
  panel.y.label = "z";
  for (const auto& outline : drawn)
    panel.curves.push_back({"", outline.x, outline.z, io::Style::solid, 6});
  io::Curve open{"open", {}, {}, io::Style::points, 2},
      stick{"sticks", {}, {}, io::Style::points, 3}, slip{"slips", {}, {}, io::Style::points, 1};
  // The underside of the upper plate is the first part of its outline.
  for (contact::Index k = 0; k < r.lap->nodes(); ++k) {
    const Contact state = state_at(r, k, moment.row);
    io::Curve& curve = state == Contact::open ? open : state == Contact::stick ? stick : slip;
    curve.x.push_back(drawn[1].x[std::size_t(k)]);
    curve.y.push_back(drawn[1].z[std::size_t(k)]);
  }
  for (io::Curve* curve : {&open, &stick, &slip})
    if (!curve->x.empty()) panel.curves.push_back(std::move(*curve));
  return panel;
}

/// A quantity along the overlap at the extreme displacements.
io::Panel along_panel(const JointResult& r, const std::string& label,
                      double (*quantity)(const JointResult&, const JointMoment&, contact::Index)) {
  io::Panel panel{"", {r.place_label}, {label}, {}, true, false};
  for (const JointMoment& moment : r.extremes) {
    io::Curve curve{fmt::format("u = {:.3g}", r.asked.drive.values[moment.row]),
                    r.place,
                    {},
                    r.lap ? io::Style::line : io::Style::points};
    for (std::size_t k = 0; k < r.summary.interface_nodes; ++k)
      curve.y.push_back(quantity(r, moment, static_cast<contact::Index>(k)));
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

double slip_of(const JointResult&, const JointMoment& moment, contact::Index k) {
  return moment.w[2 * k + 1];
}
double pressure_of(const JointResult& r, const JointMoment& moment, contact::Index k) {
  if (!r.lap) return moment.P[k];
  // Over the length that belongs to the node.
  const auto& x = r.lap->x();
  const auto i = static_cast<std::size_t>(k);
  const double left = i == 0 ? x[0] : x[i - 1], right = i + 1 == x.size() ? x[i] : x[i + 1];
  return moment.P[k] / (0.5 * (right - left) * r.lap->plates().width);
}

}  // namespace

std::string joint_csv(const JointResult& r) {
  io::Comments comments{
      {"microslip", std::string(version)}, {"command", r.command}, {"file", r.file}};
  if (r.lap) {
    const contact::LapPlates& p = r.lap->plates();
    double preload = 0;
    for (const contact::Bolt& bolt : r.asked.bolts) preload += bolt.force;
    if (r.asked.pressure) preload = r.lap->contact_forces().sum();
    comments.emplace_back("preload", number_text(preload));
    comments.insert(comments.end(), {{"support", support_text(p.support)},
                                     {"normal", r.asked.unilateral ? "unilateral" : "tied"},
                                     {"mu", number_text(r.asked.mu)},
                                     {"mesh", fmt::format("{} {}", p.mesh[0], p.mesh[1])},
                                     {"change of the energy from a mesh half as fine",
                                      fmt::format("{:.2g}", r.coarse_change())}});
  } else {
    comments.insert(comments.end(), {{"stiffness", r.asked.matrices->stiffness},
                                     {"pairs", std::to_string(r.summary.interface_nodes)},
                                     {"normal", r.asked.unilateral ? "unilateral" : "tied"},
                                     {"slip", r.planar() ? "tangent plane" : "one direction"}});
    if (r.coarse_energy())
      comments.emplace_back("change of the energy from half as many increments",
                            fmt::format("{:.2g}", r.coarse_change()));
  }
  const auto columns = r.views();
  return io::csv_text(comments, columns);
}

std::string joint_text(const JointResult& r) {
  std::string text = table_text(
      {{"interface nodes", "rows", "u min", "u max", "f min", "f max", "energy", "changes"},
       {std::to_string(r.summary.interface_nodes), std::to_string(r.f.size()),
        short_number(r.summary.u_min), short_number(r.summary.u_max), short_number(r.summary.f_min),
        short_number(r.summary.f_max), short_number(r.energy.back()),
        std::to_string(r.summary.changes)}});
  if (!r.head_slips.empty())
    text += fmt::format("bolt heads that slip: {} of {}\n",
                        std::count(r.head_slips.begin(), r.head_slips.end(), true),
                        r.head_slips.size());
  if (r.energy.back() > 0 && r.coarse_energy())
    text += fmt::format("{} change the energy by {:.2g} %\n",
                        r.lap ? "mesh: half as many elements" : "half as many increments",
                        100 * r.coarse_change());
  return text;
}

std::string joint_sliders(const JointResult& r, const std::string& path) {
  const ModelSpec spec{r.sliders->model, r.sliders->parameters, r.sliders->options};
  const auto format = io::parameter_format(path, "");
  const std::string body = io::parameters_text(spec, format);
  const std::string comment = fmt::format("interface of the joint of {}", r.file);
  if (format == io::ParameterFormat::json) {
    Json json = Json::parse(body);
    json["version"] = version;
    json["command"] = r.command;
    json["comment"] = comment;
    return json.dump(2) + "\n";
  }
  // A JSON string is a TOML string. Keys of the file itself stand before its tables.
  return fmt::format("version = {}\ncommand = {}\ncomment = {}\n", Json(version).dump(),
                     Json(r.command).dump(), Json(comment).dump()) +
         body;
}

io::Figure joint_figure(const JointResult& r) {
  const catalog::DriveHistory& drive = r.asked.drive;
  io::Figure figure;
  if (r.lap)
    for (const JointMoment& moment : r.extremes)
      figure.rows.push_back({{joint_panel(r, moment)}, 2.6});
  const std::string way = io::axis_label("u", drive.unit);
  // Without the secant stiffness a thin loop becomes visible.
  double uu = 0, uf = 0;
  for (std::size_t i = 0; i < r.f.size(); ++i) {
    uu += drive.values[i] * drive.values[i];
    uf += drive.values[i] * r.f[i];
  }
  const double k = uu > 0 ? uf / uu : 0;
  io::Curve wide{"", drive.values, {}, io::Style::solid, 0};
  for (std::size_t i = 0; i < r.f.size(); ++i) wide.y.push_back(r.f[i] - k * drive.values[i]);
  io::Panel loop{"", {way}, {"f"}, {{"", drive.values, r.f, io::Style::solid, 0}}, false};
  io::Panel rest{fmt::format("k = {:.4g}", k), {way}, {"f − ku"}, {std::move(wide)}, false};
  figure.rows.push_back({{std::move(loop), std::move(rest)}, 5});
  figure.rows.push_back(
      {{along_panel(r, "slip", slip_of),
        along_panel(r, r.lap ? "contact pressure" : "contact force", pressure_of)},
       4});
  std::vector<double> t = drive.t;
  if (t.empty())
    for (std::size_t i = 0; i < r.f.size(); ++i) t.push_back(static_cast<double>(i + 1));
  const std::string time = drive.t.empty() ? "row" : io::axis_label("t", drive.t_unit);
  io::Panel loss{"",    {time}, {"friction loss"}, {{"", t, r.energy, io::Style::solid, 0}},
                 false, false};
  figure.rows.push_back({{std::move(loss)}, 2.5});
  return figure;
}

io::Figure joint_slip_map(const JointResult& r) {
  SlipMap map;
  for (const contact::Stretch& stretch : r.stretches) {
    const Motion motion = stretch.contact == Contact::open      ? Motion::open
                          : stretch.contact == Contact::forward ? Motion::forward
                                                                : Motion::back;
    map.stretches.push_back(
        {r.place[static_cast<std::size_t>(stretch.node)], motion, stretch.begin, stretch.end});
  }
  const catalog::DriveHistory& drive = r.asked.drive;
  const auto [least, most] = std::minmax_element(r.place.begin(), r.place.end());
  const double margin = std::max(0.02 * (*most - *least), 1e-3 * std::abs(*most));
  map.place = {.label = r.place_label, .from = *least - margin, .to = *most + margin};
  map.t = drive.t;
  map.t_label = drive.t.empty() ? "row" : io::axis_label("t", drive.t_unit);
  map.drive = drive.values;
  map.drive_label = io::axis_label("u", drive.unit);
  return slip_map_figure(map);
}

}  // namespace microslip::app
