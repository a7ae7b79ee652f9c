#include "fit/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "microslip/io/figure.hpp"
#include "microslip/io/json.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json number_or_null(const std::optional<double>& x) {
  return x ? number_or_null(*x) : Json(nullptr);
}

Json values(const ParameterValues& parameters) { return Json::parse(io::values_json(parameters)); }

bool is_parameter(const fit::Estimate& e, const ParameterValues& parameters) {
  return parameters.contains(e.name.substr(0, e.name.find('[')));
}

/// In the shape of the parameters. What was fixed has no error: 0; what the data do not determine
/// has none: null.
Json errors(const fit::Fit& fit, std::size_t record) {
  Json result = values(fit.parameters[record]);
  for (auto& [name, value] : result.items()) {
    if (value.is_array())
      for (auto& entry : value) entry = 0.0;
    else if (value.is_number())
      value = 0.0;
  }
  for (const fit::Estimate& e : fit.estimates) {
    if (!is_parameter(e, fit.parameters[record])) continue;
    if (e.record >= 0 && e.record != static_cast<int>(record)) continue;
    const auto bracket = e.name.find('[');
    if (bracket == std::string::npos)
      result[e.name] = number_or_null(e.error);
    else
      result[e.name.substr(0, bracket)][std::stoul(e.name.substr(bracket + 1)) - 1] =
          number_or_null(e.error);
  }
  return result;
}

/// Offset, gain and the like, which belong to the measurement and not to the law.
Json measurement(const fit::Fit& fit, std::size_t record) {
  Json result = Json::object();
  for (const fit::Estimate& e : fit.estimates) {
    if (is_parameter(e, fit.parameters[record]) || e.name.rfind("before", 0) == 0) continue;
    if (e.record >= 0 && e.record != static_cast<int>(record)) continue;
    result[e.name] = {{"value", e.value}, {"standard_error", number_or_null(e.error)}};
  }
  return result;
}

Json start_of(const fit::Fit& fit, std::size_t record, const FitAnswer& answer) {
  Json result{{"kind", beginning_text(fit.beginnings[record])}};
  if (fit.beginnings[record] == fit::Beginning::cycled) {
    const FitRecord& r = answer.records[record];
    for (const loops::Cycle& cycle : r.loops().cycles) {
      if (!(cycle.amplitude > 0.9 * r.loops().amplitude)) continue;
      for (const std::size_t row : {cycle.first_row, cycle.middle_row, cycle.first_row})
        result["before"].push_back(r.data.u[row]);
      break;
    }
  }
  for (const fit::Estimate& e : fit.estimates)
    if (e.name.rfind("before", 0) == 0 && e.record == static_cast<int>(record))
      result["before"].push_back(e.value);
  return result;
}

Json correlation(const fit::Fit& fit) {
  Json names = Json::array(), rows = Json::array();
  std::vector<Eigen::Index> shown;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i)
    if (!fit.estimates[i].pinned) shown.push_back(static_cast<Eigen::Index>(i));
  for (const Eigen::Index i : shown) {
    names.push_back(fit.estimates[static_cast<std::size_t>(i)].name);
    Json row = Json::array();
    for (const Eigen::Index j : shown) row.push_back(number_or_null(fit.correlation(i, j)));
    rows.push_back(std::move(row));
  }
  return {{"names", std::move(names)}, {"matrix", std::move(rows)}};
}

Json combinations(const fit::Fit& fit) {
  Json list = Json::array();
  for (const fit::Combination& c : fit.combinations) {
    Json parts = Json::object();
    for (const auto& [name, power] : c.parts) parts[name] = power;
    list.push_back({{"sensitivity", number_or_null(c.sensitivity)},
                    {"determined", c.determined},
                    {"exponents", std::move(parts)}});
  }
  return list;
}

Json fit_entry(const FitResult& result, const FitAnswer& answer) {
  const fit::Fit& fit = result.fit;
  Json entry{{"model", fit.model}};
  if (fit.outcome == fit::Outcome::failed) {
    for (const char* key : {"parameters", "standard_errors", "rms", "rms_relative", "energy_error",
                            "aicc", "bic", "holdout_rms_relative"})
      entry[key] = nullptr;
    entry["status"] = text_of(fit.outcome);
    entry["message"] = fit.message;
    return entry;
  }
  entry["parameters"] = values(fit.parameters.front());
  if (!fit.options.empty()) entry["options"] = Json::parse(io::values_json(fit.options));
  entry["standard_errors"] = errors(fit, 0);
  entry["rms"] = number_or_null(fit.rms);
  entry["rms_relative"] = number_or_null(fit.rms_relative);
  entry["energy_error"] = number_or_null(fit.energy_error);
  entry["aicc"] = number_or_null(fit.aicc);
  entry["bic"] = number_or_null(fit.bic);
  entry["holdout_rms_relative"] = number_or_null(fit.holdout_rms_relative);
  for (std::size_t i = 0; i < result.predictions.size(); ++i) {
    const fit::Prediction& p = result.predictions[i];
    const FitRecord& r = answer.predicted[i];
    Json one{{"file", r.data.name}, {"covariates", Json::object()}};
    for (const auto& [name, value] : r.covariates) one["covariates"][name] = value;
    const double square = r.scale * r.scale;  // energy is force times displacement
    one["rms_relative"] = number_or_null(p.rms_relative);
    one["standard_deviation_relative"] = number_or_null(p.deviation_relative);
    one["energy"] = number_or_null(square * p.energy);
    one["energy_standard_deviation"] = number_or_null(square * p.energy_deviation);
    one["measured_energy"] = number_or_null(square * p.measured_energy);
    entry["predictions"].push_back(std::move(one));
  }
  entry["status"] = text_of(fit.outcome);
  entry["message"] = fit.message;
  entry["fitted"] = fit.free;
  if (const Json m = measurement(fit, 0); !m.empty()) entry["measurement"] = m;
  entry["start"] = start_of(fit, 0, answer);
  entry["correlation"] = correlation(fit);
  entry["combinations"] = combinations(fit);
  entry["starts"] = fit.starts;
  entry["starts_at_best"] = fit.starts_at_best;
  entry["evaluations"] = fit.evaluations;
  entry["jacobians"] = fit.jacobians;
  if (answer.records.size() > 1)
    for (std::size_t r = 0; r < answer.records.size(); ++r)
      entry["files"].push_back({{"file", answer.records[r].data.name},
                                {"parameters", values(fit.parameters[r])},
                                {"standard_errors", errors(fit, r)},
                                {"measurement", measurement(fit, r)},
                                {"start", start_of(fit, r, answer)}});
  for (const fit::Profile& p : result.profiles)
    entry["profiles"][p.name] = {{"value", p.value},
                                 {"rms_relative", p.rms_relative},
                                 {"low", number_or_null(p.low)},
                                 {"high", number_or_null(p.high)}};
  return entry;
}

Json record_json(const FitRecord& r) {
  const auto [low, high] = force_limits(r);
  Json json{{"file", r.data.name},
            {"rows", r.data.rows()},
            {"time", !r.data.t.empty()},
            {"u_unit", r.u_unit},
            {"f_unit", r.f_unit},
            {r.by_force() ? "displacement_range" : "force_range", high - low},
            {"driven", r.by_force() ? "force" : "displacement"},
            {"amplitude", r.loops().amplitude},
            {"u_first", r.data.u.front()},
            {"u_last", r.data.u.back()},
            {"f_first", r.data.f.front()},
            {"f_last", r.data.f.back()},
            {"initial_stiffness", number_or_null(initial_stiffness(r))},
            {"cycles", r.loops().cycles.size()},
            {"minor_loops", r.loops().minor_loops()},
            {"noise_f", r.loops().noise_f},
            {"sign_flipped", r.flipped},
            {"held_out_rows", r.held_out_rows()}};
  for (const auto& [name, value] : r.covariates) json["covariates"][name] = value;
  if (!r.weight_column.empty()) {
    json["weight"] = r.weight_column;
    json["rows_of_weight_0"] = r.weightless_rows();
  }
  return json;
}

std::string record_text(const FitRecord& r) {
  std::string text =
      fmt::format("{}: {} rows; {}; {} {}", r.data.name, r.data.rows(), r.taken,
                  r.loops().cycles.size(), r.loops().cycles.size() == 1 ? "cycle" : "cycles");
  if (r.loops().minor_loops() > 0)
    text += fmt::format(", {} of them minor", r.loops().minor_loops());
  const auto with_unit = [](double x, const std::string& unit) {
    return short_number(x) + (unit.empty() ? "" : " " + unit);
  };
  text += (r.by_force() ? ", force amplitude " : ", amplitude ") +
          with_unit(r.loops().amplitude, r.u_unit) +
          (r.by_force() ? ", displacement ±" : ", force ±") +
          with_unit(r.loops().force_level, r.f_unit);
  if (const std::size_t held = r.held_out_rows(); held > 0)
    text += fmt::format("; {} rows held out for the prediction", held);
  if (const std::string weights = weights_text(r); !weights.empty()) text += "; " + weights;
  return text + "\n";
}

std::string parameters_text(const FitResult& result, const FitAnswer& answer) {
  const fit::Fit& fit = result.fit;
  std::string text = fit.model + ", " + std::string(text_of(fit.outcome)) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const fit::Estimate& e : fit.estimates) {
    std::string name = e.name;
    if (e.record >= 0 && answer.records.size() > 1)
      name += " of " + answer.records[static_cast<std::size_t>(e.record)].data.name;
    rows.push_back({"  " + name, with_error(e)});
  }
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, width(row[0]));
  for (const auto& row : rows) text += padded(row[0], widest + 2) + row[1] + "\n";
  for (const fit::Profile& p : result.profiles)
    text += fmt::format("  {}: 95 % interval by profile likelihood from {} to {}\n", p.name,
                        p.low ? short_number(*p.low) : "below what was looked at",
                        p.high ? short_number(*p.high) : "above what was looked at");
  return text + "  " + wrapped(fit.message, 2) + "\n";
}

}  // namespace

std::size_t FitRecord::held_out_rows() const {
  return static_cast<std::size_t>(std::count(held_out.begin(), held_out.end(), true));
}

std::size_t FitRecord::weightless_rows() const {
  return static_cast<std::size_t>(std::count(data.weight.begin(), data.weight.end(), 0.0));
}

std::pair<double, double> force_limits(const FitRecord& record) {
  std::pair<double, double> limits{std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < record.data.rows(); ++i) {
    if (!record.data.counts(i)) continue;
    limits.first = std::min(limits.first, record.data.f[i]);
    limits.second = std::max(limits.second, record.data.f[i]);
  }
  return limits;
}

double initial_stiffness(const FitRecord& record) {
  const double slope = record.loops().initial_stiffness;
  return record.by_force() ? 1 / slope : slope;
}

std::string weights_text(const FitRecord& record) {
  if (record.weight_column.empty()) return "";
  std::string text = "rows weighted by column '" + record.weight_column + "'";
  if (const std::size_t zero = record.weightless_rows(); zero > 0)
    text += fmt::format(", {} of them not compared", zero);
  return text;
}

std::string short_number(double x) { return fmt::format("{:.5g}", x); }

std::string percent(double share) {
  if (!std::isfinite(share)) return "-";
  const double p = 100 * share;
  if (p != 0 && p < 1e-3) return fmt::format("{:.0e} %", p);
  return fmt::format("{:.{}f} %", p, p < 0.1 ? 4 : p < 10 ? 2 : 1);
}

std::string with_error(const fit::Estimate& e) {
  if (e.pinned) return short_number(e.value) + "  (held)";
  if (e.runs_away) return short_number(e.value) + "  (without end)";
  if (e.at_limit) return short_number(e.value) + "  (at its limit)";
  if (!e.error && e.name.rfind("before", 0) == 0)
    return short_number(e.value) + "  (wiped out by the record)";
  if (!e.error) return short_number(e.value) + "  (not determined)";
  if (*e.error < 1e-9 * std::abs(e.value)) return fmt::format("{:.10g}", e.value);
  // As many digits as the error leaves.
  const double size = std::max(std::abs(e.value), *e.error);
  const int digits =
      std::clamp(static_cast<int>(std::ceil(std::log10(size / *e.error))) + 2, 2, 12);
  return fmt::format("{:.{}g} ± {:.2g}", e.value, digits, *e.error);
}

std::string beginning_text(fit::Beginning beginning) {
  switch (beginning) {
    case fit::Beginning::automatic:
      return "auto";
    case fit::Beginning::virgin:
      return "virgin";
    case fit::Beginning::first_row:
      return "first-row";
    case fit::Beginning::cycled:
      return "cycled";
    case fit::Beginning::unknown:
      return "unknown";
  }
  return "auto";
}

std::string fit_json(const FitAnswer& answer) {
  Json fits = Json::array();
  for (const FitResult& result : answer.results) fits.push_back(fit_entry(result, answer));
  Json data = record_json(answer.records.front());
  if (answer.records.size() > 1)
    for (const FitRecord& r : answer.records) data["files"].push_back(record_json(r));
  Json document{{"fits", std::move(fits)},
                {"data", std::move(data)},
                {"notes", answer.notes},
                {"left_out", answer.left_out},
                {"command", answer.command_line},
                {"version", version},
                {"seed", answer.seed},
                {"seconds", answer.seconds},
                {"interrupted", answer.interrupted}};
  for (const auto& [name, value] : answer.records.front().covariates)
    document["covariates"][name] = value;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string fit_text(const FitAnswer& answer) {
  std::string text;
  for (const FitRecord& record : answer.records) text += record_text(record);
  std::vector<std::vector<std::string>> rows{
      {"law", "rms error", "energy error", "hold-out", "fitted", "AICc", "BIC", "status"}};
  std::string failures;
  for (const FitResult& result : answer.results) {
    const fit::Fit& fit = result.fit;
    if (fit.outcome == fit::Outcome::failed) {
      failures += fit.model + ": " + fit.message + "\n";
      continue;
    }
    rows.push_back({fit.model, percent(fit.rms_relative), percent(fit.energy_error),
                    fit.holdout_rms_relative ? percent(*fit.holdout_rms_relative) : "-",
                    std::to_string(fit.free), fmt::format("{:.1f}", fit.aicc),
                    fmt::format("{:.1f}", fit.bic), std::string(text_of(fit.outcome))});
  }
  if (rows.size() > 1) text += "\n" + table_text(rows) + "\n";
  for (const FitResult& result : answer.results) {
    if (result.predictions.empty()) continue;
    std::vector<std::vector<std::string>> table{{"predicted by " + result.fit.model, "at",
                                                 "rms error", "± of the fit", "energy",
                                                 "± of the fit", "measured"}};
    for (std::size_t i = 0; i < result.predictions.size(); ++i) {
      const fit::Prediction& p = result.predictions[i];
      const FitRecord& r = answer.predicted[i];
      std::string at;
      for (const auto& [name, value] : r.covariates)
        at += (at.empty() ? "" : ", ") + name + " = " + short_number(value);
      const double square = r.scale * r.scale;
      table.push_back({r.data.name, at.empty() ? "-" : at, percent(p.rms_relative),
                       percent(p.deviation_relative), short_number(square * p.energy),
                       short_number(square * p.energy_deviation),
                       short_number(square * p.measured_energy)});
    }
    text += table_text(table) + "\n";
    break;  // the best law
  }
  std::size_t shown = 0;
  for (const FitResult& result : answer.results)
    if (result.fit.outcome != fit::Outcome::failed && shown++ < 3)
      text += parameters_text(result, answer) + "\n";
  return text + failures;
}

void draw_fits(const FitAnswer& answer, const std::string& file) {
  io::Figure figure;
  for (std::size_t r = 0; r < answer.records.size(); ++r) {
    const FitRecord& record = answer.records[r];
    io::Panel panel;
    panel.title = answer.records.size() > 1 ? record.data.name : "";
    panel.x.label = io::axis_label(record.by_force() ? "force" : "u", record.u_unit);
    panel.y.label = io::axis_label(record.by_force() ? "displacement" : "f", record.f_unit);
    constexpr std::size_t black = 3;
    panel.curves.push_back({"measured", record.data.u, record.data.f, io::Style::points, black});
    std::vector<const fit::Fit*> best;
    for (const FitResult& result : answer.results)
      if (result.fit.outcome != fit::Outcome::failed && best.size() < 3)
        best.push_back(&result.fit);
    // The best one last, on top of the others.
    for (std::size_t k = best.size(); k-- > 0;)
      panel.curves.push_back(
          {best[k]->model, record.data.u, best[k]->force[r], io::Style::solid, k});
    figure.rows.push_back({{panel}, 8});
  }
  io::draw(figure, file);
}

}  // namespace microslip::app
