#include "loops/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/loops/widening.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using Json = nlohmann::ordered_json;
using loops::Backbone;
using loops::Cycle;
using loops::Loops;

std::string g4(double x) { return fmt::format("{:.4g}", x); }
std::string percent(double x) { return fmt::format("{:.1f}", 100 * x); }

std::string with_unit(double x, const std::string& unit) {
  return g4(x) + (unit.empty() ? "" : " " + unit);
}

std::string_view text_of(Backbone::Source source) {
  switch (source) {
    case Backbone::Source::virgin:
      return "first leg";
    case Backbone::Source::branch:
      return "halved branches of the largest loop";
    case Backbone::Source::none:
      break;
  }
  return "none";
}

std::string cycle_table(const MeasuredRecord& record, const Loops& found) {
  const bool timed = !record.t.empty();
  std::vector<std::vector<std::string>> rows{{"loop", "", "rows", "amplitude", "mean", "force",
                                              "energy", "secant", "tangent", "zeta", "asym %",
                                              "Masing %", "closure %"}};
  if (timed) rows.front().push_back("frequency");
  // A screen or two; the file has them all.
  constexpr std::size_t at_each_end = 30;
  const std::size_t count = found.cycles.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i == at_each_end && count > 2 * at_each_end) {
      i = count - at_each_end;
      rows.push_back({"..."});
    }
    const Cycle& c = found.cycles[i];
    rows.push_back({std::to_string(i + 1), c.minor ? "minor" : "",
                    fmt::format("{}-{}", c.first_row + 1, c.last_row + 1), g4(c.amplitude),
                    g4(c.mean), g4(c.force_range), g4(c.energy), g4(c.secant), g4(c.tangent),
                    std::isfinite(c.damping) ? fmt::format("{:.4f}", c.damping) : "-",
                    percent(c.asymmetry), percent(c.masing_defect), percent(c.closure)});
    if (timed) rows.back().push_back(c.frequency > 0 ? g4(c.frequency) : "");
  }
  std::string text = table_text(rows, 2);
  if (count > 2 * at_each_end)
    text += fmt::format("({} loops are not shown here; -o FILE.csv and --json have all {})\n",
                        count - 2 * at_each_end, count);
  return text;
}

std::string exponent_text(const loops::PowerLaw& law, const std::string& amplitude) {
  if (!law.found)
    return fmt::format("energy ~ {}^m needs three closed loops of different amplitude", amplitude);
  std::string text = fmt::format("energy ~ {}^m, m = {:.3f} (95 %: {:.3f} to {:.3f}, {} loops)",
                                 amplitude, law.exponent, law.low, law.high, law.cycles);
  if (law.frequency_exponent)
    text += fmt::format(", frequency^p, p = {:.3f} ± {:.3f}", *law.frequency_exponent,
                        law.frequency_error);
  return text;
}

io::Comments head(const MeasuredRecord& record, const Loops& found,
                  const std::string& command_line) {
  return {{"microslip", std::string(version)},
          {"command", command_line},
          {"source", record.source},
          {"threshold", io::exact_text(found.threshold)},
          {"sign flipped", found.sign_flipped ? "yes" : "no"}};
}

Json exponent_json(const loops::PowerLaw& law) {
  if (!law.found) return nullptr;
  return {{"exponent", law.exponent},
          {"standard_error", law.error},
          {"low", law.low},
          {"high", law.high},
          {"factor", law.factor},
          {"loops", law.cycles},
          {"frequency_exponent",
           law.frequency_exponent ? Json(*law.frequency_exponent) : Json(nullptr)}};
}

/// Infinity and NaN, which JSON does not have, become null.
Json number_json(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json cycle_json(const Cycle& c, bool timed) {
  Json json{{"rows", {c.first_row + 1, c.middle_row + 1, c.last_row + 1}},
            {"minor", c.minor},
            {"inside", c.inside ? Json(*c.inside + 1) : Json(nullptr)}};
  const std::pair<const char*, double> numbers[] = {
      {"amplitude", c.amplitude},     {"mean", c.mean},
      {"force_range", c.force_range}, {"mean_force", c.mean_force},
      {"energy", c.energy},           {"secant", c.secant},
      {"tangent", c.tangent},         {"tangent_error", c.tangent_error},
      {"final_slope", c.final_slope}, {"damping", c.damping},
      {"asymmetry", c.asymmetry},     {"masing_defect", c.masing_defect},
      {"closure", c.closure},         {"opening", c.opening}};
  for (const auto& [name, value] : numbers) json[name] = number_json(value);
  if (timed) json["frequency"] = c.frequency > 0 ? Json(c.frequency) : Json(nullptr);
  return json;
}

}  // namespace

std::string MeasuredRecord::energy_unit() const {
  return u_unit.empty() || f_unit.empty() ? "" : f_unit + " " + u_unit;
}

std::string MeasuredRecord::stiffness_unit() const {
  return u_unit.empty() || f_unit.empty() ? "" : f_unit + "/" + u_unit;
}

std::string loops_text(const MeasuredRecord& record, const Loops& found) {
  std::string text = fmt::format("{}: {} rows; {}\n", record.source, record.u.size(), record.taken);
  const auto line = [&](std::string_view name, const std::string& value) {
    text += padded(name, 20) + wrapped(value, 20) + "\n";
  };
  line("noise", "u " + with_unit(found.noise_u, record.u_unit) + ", f " +
                    with_unit(found.noise_f, record.f_unit));
  line("threshold", with_unit(found.threshold, record.u_unit) +
                        (found.threshold_given ? "" : " (estimated; --threshold changes it)"));
  line("reversals", std::to_string(found.reversals.size()));
  line("loops", fmt::format("{}, and {} minor", found.cycles.size() - found.minor_loops(),
                            found.minor_loops()));
  if (!found.cycles.empty()) text += "\n" + cycle_table(record, found);
  text += "\n";
  line("initial stiffness",
       with_unit(found.initial_stiffness, record.stiffness_unit()) +
           (std::isfinite(found.initial_stiffness_error) ? " ± " + g4(found.initial_stiffness_error)
                                                         : ""));
  if (!found.cycles.empty()) {
    line("final slope", with_unit(found.final_slope, record.stiffness_unit()));
    line("half gap", found.half_gap > 0
                         ? with_unit(found.half_gap, record.f_unit)
                         : "none: the branches end steeper than the line between the tips");
  }
  line("largest force", with_unit(found.force_level, record.f_unit) + " from the centre, u = " +
                            g4(found.u_center) + ", f = " + g4(found.f_center));
  line("dissipation", exponent_text(found.dissipation, "amplitude"));
  if (record.driven_by_force) line("", exponent_text(found.dissipation_by_force, "force"));
  line("backbone", std::string(text_of(found.backbone.source)));
  if (found.normalization)
    line("normalised by",
         fmt::format("a0 = {:.5g}, a1 = {:.5g}, a2 = {:.5g}", found.normalization->a0,
                     found.normalization->a1, found.normalization->a2));
  return text;
}

std::string cycles_csv(const MeasuredRecord& record, const Loops& found,
                       const std::string& command_line) {
  std::vector<std::vector<double>> values;
  std::vector<std::pair<std::string, std::string>> names;
  const auto add = [&](const std::string& name, const std::string& unit, auto get) {
    names.emplace_back(name, unit);
    values.emplace_back();
    for (std::size_t i = 0; i < found.cycles.size(); ++i)
      values.back().push_back(static_cast<double>(get(found.cycles[i])));
  };
  const std::string length = record.u_unit, force = record.f_unit;
  const std::string energy = record.energy_unit(), stiffness = record.stiffness_unit();
  add("first_row", "", [](const Cycle& c) { return c.first_row + 1; });
  add("middle_row", "", [](const Cycle& c) { return c.middle_row + 1; });
  add("last_row", "", [](const Cycle& c) { return c.last_row + 1; });
  add("minor", "", [](const Cycle& c) { return c.minor ? 1 : 0; });
  add("inside", "", [](const Cycle& c) { return c.inside ? *c.inside + 1 : 0; });
  add("amplitude", length, [](const Cycle& c) { return c.amplitude; });
  add("mean", length, [](const Cycle& c) { return c.mean; });
  add("force_range", force, [](const Cycle& c) { return c.force_range; });
  add("mean_force", force, [](const Cycle& c) { return c.mean_force; });
  add("energy", energy, [](const Cycle& c) { return c.energy; });
  add("secant", stiffness, [](const Cycle& c) { return c.secant; });
  add("tangent", stiffness, [](const Cycle& c) { return c.tangent; });
  add("final_slope", stiffness, [](const Cycle& c) { return c.final_slope; });
  add("damping", "", [](const Cycle& c) { return c.damping; });
  add("asymmetry", "", [](const Cycle& c) { return c.asymmetry; });
  add("masing_defect", "", [](const Cycle& c) { return c.masing_defect; });
  add("closure", "", [](const Cycle& c) { return c.closure; });
  add("opening", "", [](const Cycle& c) { return c.opening; });
  if (!record.t.empty()) {
    add("start", record.t_unit, [](const Cycle& c) { return c.start_time.value_or(0); });
    add("frequency", "", [](const Cycle& c) { return c.frequency; });
  }
  std::vector<io::ColumnView> columns;
  for (std::size_t i = 0; i < names.size(); ++i)
    columns.push_back({names[i].first, names[i].second, values[i]});
  return io::csv_text(head(record, found, command_line), columns);
}

std::string backbone_csv(const MeasuredRecord& record, const Loops& found,
                         const std::string& command_line) {
  io::Comments comments = head(record, found, command_line);
  comments.emplace_back("backbone", std::string(text_of(found.backbone.source)));
  const io::ColumnView columns[] = {{"u", record.u_unit, found.backbone.x},
                                    {"f", record.f_unit, found.backbone.force}};
  return io::csv_text(comments, columns);
}

std::string widened_csv(const MeasuredRecord& record, const Loops& found,
                        const std::string& command_line) {
  const double sign = found.sign_flipped ? -1 : 1;
  std::vector<double> force;
  for (const double f : record.f) force.push_back(sign * f);
  const loops::Widening w = loops::widening(record.u, force);
  io::Comments comments = head(record, found, command_line);
  comments.emplace_back("a", io::exact_text(w.a));
  comments.emplace_back("b", io::exact_text(w.b));
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = w.f(record.u[i], force[i]);
  std::vector<io::ColumnView> columns;
  if (!record.t.empty()) columns.push_back({"t", record.t_unit, record.t});
  columns.push_back({"u", record.u_unit, record.u});
  columns.push_back({"f", record.f_unit, force});
  return io::csv_text(comments, columns);
}

std::string normalized_csv(const MeasuredRecord& record, const Loops& found,
                           const std::string& command_line) {
  const loops::Normalization& n = *found.normalization;
  io::Comments comments = head(record, found, command_line);
  for (const auto& [name, value] : {std::pair{"a0", n.a0},
                                    {"a1", n.a1},
                                    {"a2", n.a2},
                                    {"u_center", n.u_center},
                                    {"f_center", n.f_center}})
    comments.emplace_back(name, io::exact_text(value));
  std::vector<double> u, f;
  const double sign = found.sign_flipped ? -1 : 1;
  for (std::size_t i = 0; i < record.u.size(); ++i) {
    u.push_back(n.u(record.u[i]));
    f.push_back(n.f(record.u[i], sign * record.f[i]));
  }
  std::vector<io::ColumnView> columns;
  if (!record.t.empty()) columns.push_back({"t", record.t_unit, record.t});
  columns.push_back({"u", "", u});
  columns.push_back({"f", "", f});
  return io::csv_text(comments, columns);
}

std::string law_text(const Loops& found, const std::string& file) {
  const auto& density = found.density;
  if (std::all_of(density.density.begin(), density.density.end(),
                  [](double rho) { return !(rho > 0); }))
    throw Error("--law: nothing slips in this record, so that there is no Iwan density to write");
  const ModelSpec law{
      "iwan-table",
      {{"phi", density.edges}, {"rho", density.density}, {"k", std::max(0.0, density.elastic)}},
      {}};
  return io::parameters_text(law, io::parameter_format(file, "{"));
}

std::string loops_json(const MeasuredRecord& record, const Loops& found,
                       const std::string& command_line) {
  Json json{{"version", std::string(version)},
            {"command", command_line},
            {"source", record.source},
            {"rows", record.u.size()},
            {"units", {{"t", record.t_unit}, {"u", record.u_unit}, {"f", record.f_unit}}},
            {"driven", record.driven_by_force ? "force" : "displacement"},
            {"sign_flipped", found.sign_flipped},
            {"noise", {{"u", found.noise_u}, {"f", found.noise_f}}},
            {"threshold", found.threshold},
            {"threshold_given", found.threshold_given}};
  json["reversals"] = Json::array();
  for (const std::size_t row : found.reversals) json["reversals"].push_back(row + 1);
  json["cycles"] = Json::array();
  for (const Cycle& cycle : found.cycles)
    json["cycles"].push_back(cycle_json(cycle, !record.t.empty()));
  json["total_work"] = found.total_energy;
  json["center"] = {{"u", found.u_center}, {"f", found.f_center}};
  json["amplitude"] = found.amplitude;
  json["initial_stiffness"] = number_json(found.initial_stiffness);
  json["initial_stiffness_error"] = number_json(found.initial_stiffness_error);
  json["final_slope"] = number_json(found.final_slope);
  json["half_gap"] = found.half_gap > 0 ? Json(found.half_gap) : Json(nullptr);
  json["largest_force"] = found.force_level;
  json["starts_at_rest"] = found.starts_at_rest;
  json["dissipation"] = exponent_json(found.dissipation);
  json["dissipation_by_force"] = exponent_json(found.dissipation_by_force);
  json["backbone"] = {{"source", text_of(found.backbone.source)},
                      {"u", found.backbone.x},
                      {"f", found.backbone.force}};
  json["iwan_density"] = {{"edges", found.density.edges},
                          {"density", found.density.density},
                          {"elastic", found.density.elastic},
                          {"rms", found.density.rms}};
  json["normalization"] = nullptr;
  if (const auto& n = found.normalization)
    json["normalization"] = {{"a0", n->a0},
                             {"a1", n->a1},
                             {"a2", n->a2},
                             {"u_center", n->u_center},
                             {"f_center", n->f_center}};
  json["warnings"] = found.warnings;
  return json.dump(2) + "\n";
}

}  // namespace microslip::app
