#include "simulate/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/io/figure.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

std::string energy_unit(const Input& input) {
  if (input.u_unit.empty() || input.f_unit.empty()) return "";
  return input.f_unit + " " + input.u_unit;
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

/// What only this law has; `suffix` tells it from the others.
void add_answers(const Result& result, const Input& input, const std::string& suffix,
                 std::vector<io::ColumnView>& columns) {
  const History& h = result.history;
  const auto add = [&](const std::string& name, const std::string& unit,
                       const std::vector<double>& values) {
    if (!values.empty()) columns.push_back({name + suffix, unit, values});
  };
  const bool planar = !h.fy.empty();
  const bool by_force = input.drive == Drive::force;
  add(planar ? "fx" : "f", input.f_unit, h.f);
  add("fy", input.f_unit, h.fy);
  add("energy", energy_unit(input), h.energy);
  add(by_force ? "u_sd" : "f_sd", by_force ? input.u_unit : input.f_unit, result.answer_sd);
  add("energy_sd", energy_unit(input), result.energy_sd);
  add("tangent", "", h.tangent);
  add("stored", energy_unit(input), h.stored);
  for (const StateColumn& state : h.states) add(state.name, "", state.values);
}

void add_time(const Input& input, std::vector<io::ColumnView>& columns) {
  if (!input.path.t.empty()) columns.push_back({"t", input.t_unit, input.path.t});
}

void add_motion(const History& h, const Input& input, const std::string& suffix,
                std::vector<io::ColumnView>& columns) {
  const bool planar = !h.uy.empty();
  columns.push_back({(planar ? "ux" : "u") + suffix, input.u_unit, h.u});
  if (planar) columns.push_back({"uy" + suffix, input.u_unit, h.uy});
}

std::string short_number(double x) { return fmt::format("{:.6g}", x); }

}  // namespace

Sheet sheet_of(const Job& job, const Result& result, const Input& input,
               const std::string& command_line) {
  Sheet sheet{head(input, command_line), {}};
  describe(job, "", sheet.comments);
  add_time(input, sheet.columns);
  add_motion(result.history, input, "", sheet.columns);
  add_answers(result, input, "", sheet.columns);
  return sheet;
}

Sheet sheet_of(const std::vector<Job>& jobs, const std::vector<Result>& results, const Input& input,
               const std::string& command_line) {
  if (jobs.size() == 1) return sheet_of(jobs.front(), results.front(), input, command_line);
  Sheet sheet{head(input, command_line), {}};
  for (std::size_t i = 0; i < jobs.size(); ++i)
    describe(jobs[i], " " + std::to_string(i + 1), sheet.comments);
  add_time(input, sheet.columns);
  const bool by_force = input.drive == Drive::force;
  if (!by_force) add_motion(results.front().history, input, "", sheet.columns);
  for (const Result& result : results) {
    if (by_force) add_motion(result.history, input, "_" + result.label, sheet.columns);
    add_answers(result, input, "_" + result.label, sheet.columns);
  }
  return sheet;
}

Summing::Summing(const Job& job, const Input& input, std::optional<double> period)
    : all_rows_(input.path.u.size()), period_(period) {
  summary_ = {job.label, 0, infinity, -infinity, infinity, -infinity};
  goes_on_ = job.resumed && job.resumed->t;
  if (goes_on_) before_ = job.resumed->energy;
  if (period_) begin_ = goes_on_ ? *job.resumed->t : input.path.t.front();
}

void Summing::add(const Path& rows, const History& part) {
  Summary& s = summary_;
  for (std::size_t i = 0; i < part.f.size(); ++i) {
    s.u_min = std::min(s.u_min, part.u[i]);
    s.u_max = std::max(s.u_max, part.u[i]);
    s.f_min = std::min(s.f_min, part.f[i]);
    s.f_max = std::max(s.f_max, part.f[i]);
    if (s.rows == 0 && !goes_on_) before_ = part.energy[i];
    ++s.rows;
    if (period_) add_period_ends(rows.t[i], part.energy[i]);
  }
  if (!part.energy.empty()) s.dissipated = part.energy.back();
}

/// Energy between two rows is taken as linear. A last row that misses the end of a period by
/// rounding still ends it.
void Summing::add_period_ends(double t, double energy) {
  const double reach = t + (summary_.rows == all_rows_ ? 1e-9 * *period_ : 0.0);
  std::vector<double>& periods = summary_.per_period;
  while (true) {
    const double end = begin_ + static_cast<double>(periods.size() + 1) * *period_;
    if (!(end <= reach)) break;
    const double part = summary_.rows == 1 || end >= t ? 1.0 : (end - last_t_) / (t - last_t_);
    const double now = part == 1 ? energy : last_energy_ + part * (energy - last_energy_);
    periods.push_back(now - before_);
    before_ = now;
  }
  last_t_ = t;
  last_energy_ = energy;
}

std::string summary_text(const std::vector<Summary>& summaries) {
  std::vector<std::vector<std::string>> rows{
      {"model", "rows", "u min", "u max", "f min", "f max", "dissipated"}};
  for (const Summary& s : summaries)
    rows.push_back({s.label, std::to_string(s.rows), short_number(s.u_min), short_number(s.u_max),
                    short_number(s.f_min), short_number(s.f_max), short_number(s.dissipated)});
  if (std::any_of(summaries.begin(), summaries.end(),
                  [](const Summary& s) { return s.dissipated_sd.has_value(); })) {
    rows.front().emplace_back("± of the fit");
    for (std::size_t i = 0; i < summaries.size(); ++i)
      rows[i + 1].push_back(short_number(summaries[i].dissipated_sd.value_or(0)));
  }
  std::string text = table_text(rows);
  const std::size_t periods = summaries.front().per_period.size();
  if (periods == 0) return text;
  rows = {{"energy in period"}};
  for (const Summary& s : summaries) rows.front().push_back(s.label);
  for (std::size_t n = 0; n < periods; ++n) {
    rows.push_back({std::to_string(n + 1)});
    for (const Summary& s : summaries) rows.back().push_back(short_number(s.per_period[n]));
  }
  return text + "\n" + table_text(rows);
}

std::string result_json(const std::vector<Job>& jobs, const std::vector<Result>& results,
                        const std::vector<Summary>& summaries, const Input& input,
                        const std::string& command_line, bool with_columns) {
  using Json = nlohmann::ordered_json;
  Json json{{"version", version},
            {"command", command_line},
            {"drive", input.drive == Drive::force ? "force" : "displacement"},
            {"results", Json::array()}};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Summary& s = summaries[i];
    Json entry{{"label", s.label},
               {"model", jobs[i].spec.model},
               {"parameters", Json::parse(io::values_json(jobs[i].spec.parameters))},
               {"options", Json::parse(io::values_json(jobs[i].spec.options))},
               {"summary",
                {{"rows", s.rows},
                 {"u_min", s.u_min},
                 {"u_max", s.u_max},
                 {"f_min", s.f_min},
                 {"f_max", s.f_max},
                 {"dissipated", s.dissipated}}}};
    if (!s.per_period.empty()) entry["summary"]["energy_per_period"] = s.per_period;
    if (s.dissipated_sd) entry["summary"]["dissipated_sd"] = *s.dissipated_sd;
    if (with_columns) {
      Json units = Json::object();
      for (const auto& column : sheet_of(jobs[i], results[i], input, command_line).columns) {
        entry["columns"][column.name] = column.values;
        if (!column.unit.empty()) units[column.name] = column.unit;
      }
      entry["units"] = std::move(units);
    }
    json["results"].push_back(std::move(entry));
  }
  // Columns are long: one number a line would be no easier to read.
  return json.dump(with_columns ? -1 : 2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Result>& results, const Path& rows, const Input& input) {
  std::vector<io::DrawnHistory> histories;
  for (const Result& result : results) {
    const History& h = result.history;
    const bool planar = !h.fy.empty();
    histories.push_back(
        {result.label + (planar ? ", x" : ""), rows.t, h.u, h.f, h.energy, io::Style::line});
    if (planar)
      histories.push_back({result.label + ", y", rows.t, h.uy, h.fy, {}, io::Style::line});
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
      "", histories, {input.t_unit, input.u_unit, input.f_unit, energy_unit(input)});
  if (jobs.front().model.description().driven == Driven::force) {
    io::Panel& loop = figure.rows.front().panels.front();
    loop.x.label = io::axis_label("force u", input.u_unit);
    loop.y.label = io::axis_label("displacement f", input.f_unit);
  }
  io::draw(figure, path);
}

}  // namespace microslip::app
