#include "reduce/output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/version.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using Json = nlohmann::ordered_json;
using reduce::Evaluation;

std::string percent(double x) { return std::isnan(x) ? "-" : fmt::format("{:.2f}", 100 * x); }

/// The histories that tell most: those that the modes have not seen, if there are any.
const std::vector<reduce::Misfit>& judged_by(const Evaluation& e) {
  return e.validation.empty() ? e.loads : e.validation;
}

std::vector<std::string> row_of(const Evaluation& e) {
  return {std::to_string(e.modes),
          std::string(text_of(e.shape)),
          std::to_string(e.model.parameters),
          percent(e.model.friction_error),
          percent(mean_rms(e.loads)),
          percent(worst_energy(e.loads)),
          percent(mean_rms(e.validation)),
          percent(worst_energy(e.validation)),
          percent(worst_cycle_energy(judged_by(e))),
          percent(rms_cycle_energy(judged_by(e))),
          fmt::format("{:.0f}", mean_cost(e))};
}

/// The answer against the input, or the other way round when the input is a load: displacement is
/// always the horizontal axis.
io::Panel loop_panel(const ReduceResult& r, const reduce::FullRun& run,
                     const reduce::Misfit& misfit) {
  const bool load = !r.asked.sliders.minus_bx;
  const auto curve = [&](std::string name, const std::vector<double>& answer, io::Style style) {
    return io::Curve{std::move(name), load ? answer : run.loads, load ? run.loads : answer, style};
  };
  return {run.name,
          {load ? "displacement bᵀx" : "displacement u"},
          {load ? "load u" : "force"},
          {curve("full", run.answer, io::Style::solid),
           curve(fmt::format("{}, {} modes", text_of(r.chosen_model.shape), r.chosen_model.modes),
                 misfit.answer, io::Style::dashed)}};
}

io::Panel singular_value_panel(const Eigen::VectorXd& values) {
  io::Curve curve{"", {}, {}, io::Style::line_points};
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(20, values.size()); ++i)
    if (values[i] > 1e-7 * values[0]) {
      curve.x.push_back(static_cast<double>(i + 1));
      curve.y.push_back(values[i] / values[0]);
    }
  return {"modes of the loads", {"number"}, {"singular value, relative", true}, {curve}};
}

/// The first few: more could not be told apart.
io::Panel mode_panel(const Eigen::MatrixXd& basis) {
  io::Panel panel{"modes", {"slider"}, {"position"}, {}, true, false};
  for (Eigen::Index k = 0; k < std::min<Eigen::Index>(4, basis.cols()); ++k) {
    io::Curve curve{fmt::format("mode {}", k + 1), {}, {}, io::Style::line};
    for (Eigen::Index i = 0; i < basis.rows(); ++i) {
      curve.x.push_back(static_cast<double>(i + 1));
      curve.y.push_back(basis(i, k));
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

io::Panel study_panel(const ReduceResult& r) {
  io::Panel panel{"models", {"modes"}, {"error of the answer, %", true}, {}};
  const bool fresh = !r.validation.empty();
  for (const auto shape :
       {reduce::Shape::ellipsoid, reduce::Shape::few_generators, reduce::Shape::zonotope}) {
    io::Curve curve{std::string(text_of(shape)), {}, {}, io::Style::line_points};
    for (const Evaluation& e : r.studied)
      if (e.shape == shape) {
        curve.x.push_back(static_cast<double>(e.modes));
        curve.y.push_back(100 * mean_rms(fresh ? e.validation : e.loads));
      }
    if (curve.x.size() > 1) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

std::string reduction_text(const ReduceResult& r) {
  const auto loads = [](std::size_t n) {
    return n == 1 ? std::string("1 load") : std::to_string(n) + " loads";
  };
  std::string text = fmt::format("{} sliders; modes from {}, judged by {} more\n\n",
                                 r.asked.sliders.system->size(), loads(r.loads.size()),
                                 loads(r.validation.size()));
  std::vector<std::vector<std::string>> rows{{"modes", "model", "numbers", "friction %", "loads %",
                                              "energy %", "others %", "energy %", "worst cycle %",
                                              "cycles %", "ns a row"}};
  for (const Evaluation& e : r.studied) rows.push_back(row_of(e));
  if (r.studied.empty()) rows.push_back(row_of(r.chosen_model));
  rows.push_back({std::to_string(r.asked.sliders.system->size()), "full", "", "", "", "", "", "",
                  "", "", fmt::format("{:.0f}", r.full_ns_per_row)});
  text += table_text(rows, 2);
  if (!r.studied.empty()) {
    text += "\nchosen\n";
    text += table_text({rows.front(), row_of(r.chosen_model)}, 2);
  }
  if (!r.beta_study.empty()) {
    std::vector<std::vector<std::string>> betas{{"beta", "error %"}};
    for (const auto& [beta, error] : r.beta_study)
      betas.push_back({number_text(beta), percent(error)});
    text += "\nfriction as (eta' A eta)^beta / (eta' eta)^(beta - 1/2), sum of squares left over\n";
    text += table_text(betas, 1);
  }
  return text;
}

std::string reduction_csv(const ReduceResult& r) {
  std::string text = fmt::format("# microslip: {}\n# command: {}\n# seed: {}\n", version, r.command,
                                 r.asked.fit.seed);
  text +=
      "modes,model,parameters,friction_error,loads_rms,loads_energy,validation_rms,"
      "validation_energy,ns_per_row,loads_cycle_energy_largest,loads_cycle_energy_rms,"
      "validation_cycle_energy_largest,validation_cycle_energy_rms\n";
  auto rows = r.studied;
  if (rows.empty()) rows.push_back(r.chosen_model);
  for (const Evaluation& e : rows) {
    text += fmt::format("{},{},{}", e.modes, text_of(e.shape), e.model.parameters);
    for (const double x : {e.model.friction_error, mean_rms(e.loads), worst_energy(e.loads),
                           mean_rms(e.validation), worst_energy(e.validation), mean_cost(e),
                           worst_cycle_energy(e.loads), rms_cycle_energy(e.loads),
                           worst_cycle_energy(e.validation), rms_cycle_energy(e.validation)})
      text += "," + (std::isnan(x) ? std::string() : number_text(x));
    text += "\n";
  }
  text += fmt::format("{},full,,,,,,,{},,,,\n", r.asked.sliders.system->size(),
                      number_text(r.full_ns_per_row));
  return text;
}

std::string reduction_parameters(const ReduceResult& r, const std::string& name) {
  const std::string comment =
      fmt::format("{} sliders of {} reduced to {} modes, {}", r.asked.sliders.system->size(),
                  r.file, r.chosen_model.modes, text_of(r.chosen_model.shape));
  const auto format = io::parameter_format(name, "");
  const std::string body = io::parameters_text(r.chosen_model.model.spec, format);
  if (format == io::ParameterFormat::json) {
    Json json = Json::parse(body);
    json["version"] = version;
    json["command"] = r.command;
    json["seed"] = r.asked.fit.seed;
    json["comment"] = comment;
    return json.dump(2) + "\n";
  }
  // A JSON string is a TOML string. Keys of the file itself stand before its tables.
  return fmt::format("version = {}\ncommand = {}\nseed = {}\ncomment = {}\n", Json(version).dump(),
                     Json(r.command).dump(), r.asked.fit.seed, Json(comment).dump()) +
         body;
}

io::Figure reduction_figure(const ReduceResult& r) {
  io::Figure figure;
  std::vector<io::Panel> panels;
  const auto add = [&](const auto& runs, const auto& misfits) {
    for (std::size_t i = 0; i < runs.size() && panels.size() < 6; ++i)
      panels.push_back(loop_panel(r, runs[i], misfits[i]));
  };
  add(r.validation, r.chosen_model.validation);
  if (panels.empty()) add(r.loads, r.chosen_model.loads);
  if (r.all_singular_values.size() > 1)
    panels.push_back(singular_value_panel(r.all_singular_values));
  if (r.modes.rows() > 1) panels.push_back(mode_panel(r.modes));
  if (io::Panel study = study_panel(r); !study.curves.empty()) panels.push_back(std::move(study));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i % 2 == 0) figure.rows.push_back({{}, 5});
    figure.rows.back().panels.push_back(std::move(panels[i]));
  }
  return figure;
}

}  // namespace microslip::app
