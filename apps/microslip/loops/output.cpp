#include "loops/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/loops/widening.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using loops::Backbone;
using loops::Cycle;
using loops::Loops;

std::string g4(double x) { return fmt::format("{:.4g}", x); }
std::string percent(double x) { return fmt::format("{:.1f}", 100 * x); }

std::string with_unit(double x, const std::string& unit) {
  return g4(x) + (unit.empty() ? "" : " " + unit);
}

std::string_view text_of(Backbone::Source source) {
  return jobs::words_of<Backbone::Source>.at(static_cast<std::size_t>(source));
}

std::string cycle_table(const MeasuredRecord& record, const Loops& found) {
  const bool timed = !record.t.empty();
  std::vector<std::vector<std::string>> rows{{"loop", "", "rows", "amplitude", "mean", "force",
                                              "energy", "secant", "tangent", "zeta", "asym %",
                                              "Masing %", "closure %"}};
  const bool seconds = record.t_unit.empty() || record.t_unit == "s";
  if (timed) rows.front().push_back(seconds ? "frequency" : "frequency [1/" + record.t_unit + "]");
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
                    g4(c.mean), g4(c.force_range), g4(c.energy), g4(c.secant),
                    (std::isfinite(c.tangent_error) ? "" : "≥ ") + g4(c.tangent),
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

}  // namespace

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
  const std::string stiffness = with_unit(found.initial_stiffness, record.stiffness_unit());
  line("initial stiffness", std::isfinite(found.initial_stiffness_error)
                                ? stiffness + " ± " + g4(found.initial_stiffness_error)
                                : "at least " + stiffness + "; the record does not show it");
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

std::string preisach_text(const jobs::MeasuredRelays& found, const std::string& file) {
  const ModelSpec law{
      "preisach-table", {{"k", found.k}, {"at", found.at}, {"density", found.density}}, {}};
  return io::parameters_text(law, io::parameter_format(file, "{"));
}

}  // namespace microslip::app
