#include "simulate/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/io/figure.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

jobs::RecordUnits units_of(const Input& input) {
  return {input.t_unit, input.u_unit, input.f_unit};
}

io::Comments head(const Input& input, const std::string& command_line) {
  io::Comments comments{{"microslip", std::string(version)}, {"command", command_line}};
  if (input.drive == Drive::force) comments.emplace_back("drive", "force");
  return comments;
}

void describe(const Job& job, const std::string& number, io::Comments& comments) {
  comments.emplace_back("model" + number, job.spec.model);
  comments.emplace_back("parameters" + number, io::values_json(job.spec.parameters));
  if (!job.spec.options.empty())
    comments.emplace_back("options" + number, io::values_json(job.spec.options));
  if (job.model.description().driven == Driven::force)
    comments.emplace_back("driven" + number, "force");
}

std::string short_number(double x) { return fmt::format("{:.6g}", x); }

/// The second component against the first: of the displacement, and of the force.
io::Row orbits(const std::vector<Simulated>& results, const std::vector<std::string>& directions,
               const Input& input) {
  io::Panel motion, force;
  const auto axis = [](const char* what, const std::string& direction, const std::string& unit) {
    return io::Axis{io::axis_label(what + direction, unit)};
  };
  motion.x = axis("u", directions[0], input.u_unit);
  motion.y = axis("u", directions[1], input.u_unit);
  force.x = axis("f", directions[0], input.f_unit);
  force.y = axis("f", directions[1], input.f_unit);
  for (const Simulated& result : results) {
    const History& h = result.history;
    const std::string name = results.size() > 1 ? result.label : "";
    motion.curves.push_back({name, h.u, h.u_along(directions[1]), io::Style::line, {}});
    force.curves.push_back({name, h.f, h.f_along(directions[1]), io::Style::line, {}});
  }
  return {{std::move(motion), std::move(force)}, 6};
}

}  // namespace

Sheet sheet_of(const Job& job, const Simulated& result, const Input& input,
               const std::string& command_line) {
  Sheet sheet{head(input, command_line), {}};
  describe(job, "", sheet.comments);
  jobs::add_time(input.path.t, units_of(input), sheet.columns);
  jobs::add_motion(result.history, units_of(input), "", sheet.columns);
  jobs::add_answers(result, units_of(input), input.drive, "", sheet.columns);
  return sheet;
}

Sheet sheet_of(const std::vector<Job>& jobs, const std::vector<Simulated>& results,
               const Input& input, const std::string& command_line) {
  if (jobs.size() == 1) return sheet_of(jobs.front(), results.front(), input, command_line);
  Sheet sheet{head(input, command_line), {}};
  for (std::size_t i = 0; i < jobs.size(); ++i)
    describe(jobs[i], " " + std::to_string(i + 1), sheet.comments);
  const jobs::RecordUnits units = units_of(input);
  jobs::add_time(input.path.t, units, sheet.columns);
  const bool by_force = input.drive == Drive::force;
  if (!by_force) jobs::add_motion(results.front().history, units, "", sheet.columns);
  for (const Simulated& result : results) {
    if (by_force) jobs::add_motion(result.history, units, "_" + result.label, sheet.columns);
    jobs::add_answers(result, units, input.drive, "_" + result.label, sheet.columns);
  }
  return sheet;
}

std::string summary_text(const std::vector<Simulated>& results) {
  std::vector<std::vector<std::string>> rows{
      {"model", "rows", "u min", "u max", "f min", "f max", "dissipated"}};
  bool deviations = false;
  for (const Simulated& law : results) {
    const jobs::SimulatedSummary& s = law.summary;
    rows.push_back({law.label, std::to_string(s.rows), short_number(s.u_min), short_number(s.u_max),
                    short_number(s.f_min), short_number(s.f_max), short_number(s.dissipated)});
    deviations = deviations || s.dissipated_sd;
  }
  if (deviations) {
    rows.front().emplace_back("± of the fit");
    for (std::size_t i = 0; i < results.size(); ++i)
      rows[i + 1].push_back(short_number(results[i].summary.dissipated_sd.value_or(0)));
  }
  std::string text = table_text(rows);
  const std::size_t periods = results.front().summary.energy_per_period.size();
  if (periods == 0) return text;
  rows = {{"energy in period"}};
  for (const Simulated& law : results) rows.front().push_back(law.label);
  for (std::size_t n = 0; n < periods; ++n) {
    rows.push_back({std::to_string(n + 1)});
    for (const Simulated& law : results)
      rows.back().push_back(short_number(law.summary.energy_per_period[n]));
  }
  return text + "\n" + table_text(rows);
}

void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Simulated>& results, const Path& rows, const Input& input) {
  std::vector<io::DrawnHistory> histories;
  for (const Simulated& result : results) {
    const History& h = result.history;
    const std::string first(jobs::first_direction(!h.fy.empty(), !h.fn.empty()));
    histories.push_back({result.label + (first.empty() ? "" : ", " + first), rows.t, h.u, h.f,
                         h.energy, io::Style::line});
    if (!h.fy.empty())
      histories.push_back({result.label + ", y", rows.t, h.uy, h.fy, {}, io::Style::line});
    if (!h.fn.empty())
      histories.push_back({result.label + ", n", rows.t, h.un, h.fn, {}, io::Style::line});
    if (result.answer_sd.empty()) continue;
    for (const double sign : {1.0, -1.0}) {
      const auto moved = [&](std::vector<double> column, const std::vector<double>& sd) {
        for (std::size_t i = 0; i < column.size(); ++i) column[i] += sign * sd[i];
        return column;
      };
      const bool by_force = input.drive == Drive::force;
      histories.push_back({result.label + (sign > 0 ? " + 1 sd" : " − 1 sd"), rows.t,
                           by_force ? moved(h.u, result.answer_sd) : h.u,
                           by_force ? h.f : moved(h.f, result.answer_sd),
                           moved(h.energy, result.energy_sd), io::Style::dashed});
    }
  }
  // The answer of another call is no measurement.
  const bool computed = input.table.metadata.contains("microslip");
  if (!input.measured_force.empty())
    histories.push_back(
        {computed ? "input" : "measured", input.path.t, input.path.u, input.measured_force, {}});
  io::Figure figure = io::loop_figure(
      "", histories,
      {input.t_unit, input.u_unit, input.f_unit, jobs::energy_unit(units_of(input))});
  if (jobs.front().model.description().driven == Driven::force) {
    io::Panel& loop = figure.rows.front().panels.front();
    loop.x.label = io::axis_label("force u", input.u_unit);
    loop.y.label = io::axis_label("displacement f", input.f_unit);
  }
  if (const auto& directions = jobs.front().model.directions(); !directions.empty())
    figure.rows.push_back(orbits(results, directions, input));
  io::draw(figure, path);
}

}  // namespace microslip::app
