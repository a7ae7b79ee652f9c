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

std::vector<io::ColumnView> columns_of(const JointResult& r) {
  const catalog::DriveHistory& drive = r.asked->drive;
  std::vector<io::ColumnView> columns;
  if (!drive.t.empty()) columns.push_back({"t", drive.t_unit, drive.t});
  columns.push_back({"u", drive.unit, drive.values});
  columns.push_back({"f", "", r.f});
  columns.push_back({"energy", "", r.energy});
  return columns;
}

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
  const contact::LapPlates& p = r.joint->plates();
  const double u = r.asked->drive.values[moment.row];
  const auto plain = r.joint->outlines(moment.w, u, 0), moved = r.joint->outlines(moment.w, u, 1);
  double largest = 0;
  for (const std::size_t plate : {0u, 1u})
    for (std::size_t i = 0; i < plain[plate].x.size(); ++i)
      largest = std::max({largest, std::abs(moved[plate].x[i] - plain[plate].x[i]),
                          std::abs(moved[plate].z[i] - plain[plate].z[i])});
  const double wanted = p.support == contact::Support::axial ? 0.05 * p.length : p.thickness;
  const double scale = largest > 0 ? wanted / largest : 0;
  const auto drawn = r.joint->outlines(moment.w, u, scale);
  io::Panel panel;
  panel.title = fmt::format("u = {:.3g}, displacements × {:.3g}", u, scale);
  panel.x.label = "x";
  panel.y.label = "z";
  for (const auto& outline : drawn)
    panel.curves.push_back({"", outline.x, outline.z, io::Style::solid, 6});
  io::Curve open{"open", {}, {}, io::Style::points, 2},
      stick{"sticks", {}, {}, io::Style::points, 3}, slip{"slips", {}, {}, io::Style::points, 1};
  // The underside of the upper plate is the first part of its outline.
  for (contact::Index k = 0; k < r.joint->nodes(); ++k) {
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
    io::Curve curve{fmt::format("u = {:.3g}", r.asked->drive.values[moment.row]),
                    r.place,
                    {},
                    r.joint ? io::Style::line : io::Style::points};
    for (contact::Index k = 0; k < r.nodes; ++k) curve.y.push_back(quantity(r, moment, k));
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

double slip_of(const JointResult&, const JointMoment& moment, contact::Index k) {
  return moment.w[2 * k + 1];
}
double pressure_of(const JointResult& r, const JointMoment& moment, contact::Index k) {
  if (!r.joint) return moment.P[k];
  // Over the length that belongs to the node.
  const auto& x = r.joint->x();
  const auto i = static_cast<std::size_t>(k);
  const double left = i == 0 ? x[0] : x[i - 1], right = i + 1 == x.size() ? x[i] : x[i + 1];
  return moment.P[k] / (0.5 * (right - left) * r.joint->plates().width);
}

}  // namespace

double JointResult::coarse_change() const {
  const double e = energy.empty() ? 0 : energy.back();
  return e > 0 && coarse_energy ? std::abs(e - *coarse_energy) / e : 0;
}

std::string joint_csv(const JointResult& r) {
  io::Comments comments{
      {"microslip", std::string(version)}, {"command", r.command_line}, {"file", r.file}};
  if (r.joint) {
    const contact::LapPlates& p = r.joint->plates();
    double preload = 0;
    for (const contact::Bolt& bolt : r.asked->clamping.bolts) preload += bolt.force;
    if (r.asked->clamping.pressure) preload = r.joint->contact_forces().sum();
    comments.emplace_back("preload", number_text(preload));
    comments.insert(comments.end(), {{"support", support_text(p.support)},
                                     {"normal", r.asked->unilateral ? "unilateral" : "tied"},
                                     {"mu", number_text(r.asked->mu)},
                                     {"mesh", fmt::format("{} {}", p.mesh[0], p.mesh[1])},
                                     {"change of the energy from a mesh half as fine",
                                      fmt::format("{:.2g}", r.coarse_change())}});
  } else {
    comments.insert(comments.end(), {{"stiffness", r.asked->matrices->stiffness},
                                     {"pairs", std::to_string(r.nodes)},
                                     {"normal", r.asked->unilateral ? "unilateral" : "tied"},
                                     {"slip", r.planar ? "tangent plane" : "one direction"}});
    if (r.coarse_energy)
      comments.emplace_back("change of the energy from half as many increments",
                            fmt::format("{:.2g}", r.coarse_change()));
  }
  const auto columns = columns_of(r);
  return io::csv_text(comments, columns);
}

std::string joint_text(const JointResult& r) {
  const auto [u_min, u_max] =
      std::minmax_element(r.asked->drive.values.begin(), r.asked->drive.values.end());
  const auto [f_min, f_max] = std::minmax_element(r.f.begin(), r.f.end());
  std::string text = table_text(
      {{"interface nodes", "rows", "u min", "u max", "f min", "f max", "energy", "changes"},
       {std::to_string(r.nodes), std::to_string(r.f.size()), short_number(*u_min),
        short_number(*u_max), short_number(*f_min), short_number(*f_max),
        short_number(r.energy.back()), std::to_string(r.changes)}});
  if (!r.head_slips.empty())
    text += fmt::format("bolt heads that slip: {} of {}\n",
                        std::count(r.head_slips.begin(), r.head_slips.end(), true),
                        r.head_slips.size());
  if (r.energy.back() > 0 && r.coarse_energy)
    text += fmt::format("{} change the energy by {:.2g} %\n",
                        r.joint ? "mesh: half as many elements" : "half as many increments",
                        100 * r.coarse_change());
  return text;
}

std::string joint_json(const JointResult& r, bool with_columns) {
  const auto [u_min, u_max] =
      std::minmax_element(r.asked->drive.values.begin(), r.asked->drive.values.end());
  const auto [f_min, f_max] = std::minmax_element(r.f.begin(), r.f.end());
  Json json{{"version", version}, {"command", r.command_line}, {"file", r.file}};
  if (r.joint) {
    const contact::LapPlates& p = r.joint->plates();
    json["plates"] = {{"length", p.length},
                      {"overlap", p.overlap},
                      {"thickness", p.thickness},
                      {"width", p.width},
                      {"E", p.E},
                      {"nu", p.nu},
                      {"plane", p.plane == contact::Plane::stress ? "stress" : "strain"},
                      {"mesh", p.mesh},
                      {"support", support_text(p.support)}};
    json["mu"] = r.asked->mu;
    for (const contact::Bolt& bolt : r.asked->clamping.bolts)
      json["bolts"].push_back({{"force", bolt.force},
                               {"at", bolt.at},
                               {"washer", bolt.washer},
                               {"head_mu", bolt.head_mu},
                               {"shear_stiffness", bolt.shear_stiffness}});
    for (std::size_t i = 0; i < r.head_slips.size(); ++i)
      json["bolts"][r.joint->heads()[i]]["head_slips"] = static_cast<bool>(r.head_slips[i]);
  } else {
    json["matrices"] = {{"stiffness", r.asked->matrices->stiffness},
                        {"rows", r.asked->matrices->input.K.rows()},
                        {"slip", r.planar ? "tangent plane" : "one direction"}};
  }
  json["normal"] = r.asked->unilateral ? "unilateral" : "tied";
  json["summary"] = {{"rows", r.f.size()},      {"interface_nodes", r.nodes},
                     {"u_min", *u_min},         {"u_max", *u_max},
                     {"f_min", *f_min},         {"f_max", *f_max},
                     {"stiffness_stuck", r.c0}, {"dissipated", r.energy.back()},
                     {"changes", r.changes},    {"energy_balance_error", r.energy_balance}};
  if (r.coarse_energy) {
    const std::string what = r.joint ? "mesh" : "increments";
    json["summary"]["coarse_" + what + "_energy"] = *r.coarse_energy;
    json["summary"][what + "_energy_change"] = r.coarse_change();
  }
  if (with_columns)
    for (const auto& column : columns_of(r)) json["columns"][column.name] = column.values;
  return json.dump(with_columns ? -1 : 2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string joint_sliders(const JointResult& r, const contact::TiedInterface& tied,
                          const std::string& path) {
  const auto list = [](const contact::Vector& v) {
    return std::vector<double>(v.data(), v.data() + v.size());
  };
  const contact::Index n = tied.system.size();
  Matrix<double> K(n, n);
  for (contact::Index i = 0; i < n; ++i)
    for (contact::Index j = 0; j < n; ++j) K(i, j) = tied.system.entry(i, j);
  ModelSpec spec{"sliders", {}, {}};
  spec.parameters = {{"K", std::move(K)},
                     {"mu", list(tied.system.mu())},
                     {"b", list(tied.system.b())},
                     {"c0", tied.c0}};
  spec.options = {{"kind", "matrices"}, {"output", "u-bx"}};
  const auto format = io::parameter_format(path, "");
  const std::string body = io::parameters_text(spec, format);
  const std::string comment = fmt::format("interface of the joint of {}", r.file);
  if (format == io::ParameterFormat::json) {
    Json json = Json::parse(body);
    json["version"] = version;
    json["command"] = r.command_line;
    json["comment"] = comment;
    return json.dump(2) + "\n";
  }
  // A JSON string is a TOML string. Keys of the file itself stand before its tables.
  return fmt::format("version = {}\ncommand = {}\ncomment = {}\n", Json(version).dump(),
                     Json(r.command_line).dump(), Json(comment).dump()) +
         body;
}

io::Figure joint_figure(const JointResult& r) {
  const catalog::DriveHistory& drive = r.asked->drive;
  io::Figure figure;
  if (r.joint)
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
        along_panel(r, r.joint ? "contact pressure" : "contact force", pressure_of)},
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
  const catalog::DriveHistory& drive = r.asked->drive;
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
