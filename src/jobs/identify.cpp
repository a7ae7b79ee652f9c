#include "microslip/jobs/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jobs/identify_parts.hpp"
#include "jobs/progress.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

using catalog::IdentificationFile;

/// The same file with another law in joint[1], all of whose parameters are unknown.
IdentificationFile with_law(const IdentificationFile& file, const std::string& model) {
  IdentificationFile changed = file;
  if (changed.structure.laws.empty())
    throw Error("--model needs a [[joint]], whose law it replaces");
  changed.structure.laws.front() = {model, catalog::make({model, {}, {}}).parameters(), {}};
  std::erase_if(changed.unknowns,
                [](const catalog::UnknownEntry& u) { return u.address.starts_with("joint[1]."); });
  for (const auto& [name, value] : changed.structure.laws.front().parameters) {
    if (!std::holds_alternative<double>(value))
      throw Error(model + " has '" + name +
                  "', which is not a single number; name it in [unknown]");
    changed.unknowns.push_back({"joint[1]." + name, {}, {}, {}});
  }
  // The law itself, so that the structure holds what its address says.
  const double any = std::get<double>(changed.structure.laws.front().parameters.begin()->second);
  const auto& first = changed.structure.laws.front().parameters.begin()->first;
  catalog::set_values(changed.structure,
                      {{catalog::address_of(changed.structure, "joint[1]." + first), any}});
  return changed;
}

/// Laws that a ranking of all tries, and those that it leaves out with the reason.
std::vector<std::string> all_laws(std::vector<std::string>& left_out) {
  std::vector<std::string> names;
  for (const catalog::Law& law : catalog::laws()) {
    const Description& description = law.description;
    const auto leave = [&](const std::string& why) {
      left_out.push_back(description.name + ": " + why);
    };
    if (description.family != Family::rate_independent)
      leave("depends on the rate, or is planar");
    else if (description.driven == Driven::force)
      leave("is driven by force");
    else if (description.rigid)
      leave("is rigid");
    else if (std::any_of(description.parameters.begin(), description.parameters.end(),
                         [](const ParameterInfo& p) { return p.kind != Kind::scalar; }))
      leave("has lists or formulas; name it by --model with [unknown]");
    else if (!description.fit_hints.left_out.empty())
      leave(description.fit_hints.left_out);
    else
      names.push_back(description.name);
  }
  return names;
}

FittedLaw law_of(const IdentificationFile& file, const std::vector<identify::Unknown>& unknowns,
                 const identify::Result& result) {
  FittedLaw law;
  for (const ModelSpec& spec : file.structure.laws)
    law.model += (law.model.empty() ? "" : ", ") + spec.model;
  if (law.model.empty()) law.model = "linear structure";
  if (!file.structure.laws.empty()) law.options = file.structure.laws.front().options;
  law.status = result.outcome;
  law.message = result.message;
  law.starts = result.starts;
  law.starts_at_best = result.starts_at_best;
  law.evaluations = result.evaluations;
  law.jacobians = result.jacobians;
  law.fitted = result.fitted;
  law.rms_relative = result.rms_relative;
  law.aicc = result.aicc;
  law.bic = result.bic;
  if (result.p.size() == 0) return law;
  law.parameters.emplace();
  law.standard_errors.emplace();
  FittedCorrelation correlation;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    (*law.parameters)[unknowns[i].name] = result.p[static_cast<Eigen::Index>(i)];
    law.standard_errors->emplace_back(
        unknowns[i].name, result.errors[i].value_or(std::numeric_limits<double>::quiet_NaN()));
    correlation.names.push_back(unknowns[i].name);
    const Eigen::VectorXd row = result.correlation.row(static_cast<Eigen::Index>(i));
    correlation.matrix.emplace_back(row.begin(), row.end());
  }
  law.correlation = std::move(correlation);
  law.combinations.emplace();
  for (const fit::Combination& c : result.combinations)
    law.combinations->push_back({c.sensitivity, c.determined, {c.parts.begin(), c.parts.end()}});
  double squares = 0;
  std::size_t rows = 0;
  for (const identify::Channel& channel : result.channels) {
    if (channel.holdout) {
      FittedPrediction prediction;
      prediction.file = channel.datum + ": " + channel.channel;
      prediction.rms_relative = channel.rms / channel.size;
      prediction.standard_deviation_relative = channel.deviation / channel.size;
      law.predictions.push_back(std::move(prediction));
      continue;
    }
    squares += channel.rms * channel.rms * static_cast<double>(channel.rows);
    rows += channel.rows;
  }
  law.rms = rows ? std::sqrt(squares / static_cast<double>(rows)) : 0;
  if (!law.predictions.empty()) law.holdout_rms_relative = result.holdout_relative;
  return law;
}

}  // namespace

FitResult identify(const IdentifyRequest& request, const Control& control) {
  std::vector<ShownChannel> shown;
  return identify_and_show(request, control, shown);
}

FitResult identify_and_show(const IdentifyRequest& request, const Control& control,
                            std::vector<ShownChannel>& shown) {
  if (!(request.time_budget > 0)) throw Error("time_budget must be positive");
  FitResult answer;
  answer.notes = request.file.structure.notes;
  std::vector<std::string> models = request.models;
  if (models.size() == 1 && models.front() == "all") models = all_laws(answer.left_out);
  std::vector<IdentificationFile> files;
  if (models.empty()) files.push_back(request.file);
  for (const std::string& model : models) files.push_back(with_law(request.file, model));

  bool going = true;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < files.size() && going; ++k) {
    const IdentificationFile& file = files[k];
    identify_parts::Task task = identify_parts::task_of(file);
    identify::Settings settings;
    settings.seconds = request.time_budget / static_cast<double>(files.size());
    settings.starts = request.starts;
    settings.seed = request.seed;
    settings.progress = [&](double part, const std::string& text) {
      if (!control.progress) return true;
      const std::string what = models.empty() ? text : models[k] + ", " + text;
      going = control.progress((static_cast<double>(k) + part) / static_cast<double>(files.size()),
                               what);
      return going;
    };
    const identify::Result result =
        identify::identify(task.build, task.unknowns, std::move(task.data), settings);
    answer.fits.push_back(law_of(file, task.unknowns, result));
    if (result.p.size() > 0 && result.aicc < best) {
      best = result.aicc;
      shown.clear();
      for (const identify::Channel& c : result.channels)
        shown.push_back({c.datum, c.channel, c.x_label, c.holdout, c.x, c.measured, c.answer});
    }
    for (const identify::Channel& c : result.channels)
      answer.notes.push_back(fmt::format(
          "{}{}, {}: {} {:.3g}, {:.3g} % of the rms of {:.3g}{}",
          models.empty() ? "" : models[k] + ": ", c.datum, c.channel,
          c.holdout ? "predicted with an rms error of" : "noise, estimated from what is left, of",
          c.rms, 100 * c.rms / c.size, c.size,
          c.holdout ? fmt::format("; the errors of the unknowns leave {:.3g} open", c.deviation)
                    : ""));
    for (const std::string& note : result.notes) answer.notes.push_back(note);
    for (const std::string& note : identify_parts::doubts(file, result))
      answer.notes.push_back(note);
  }
  std::stable_sort(answer.fits.begin(), answer.fits.end(),
                   [](const FittedLaw& a, const FittedLaw& b) {
                     if (a.parameters.has_value() != b.parameters.has_value())
                       return a.parameters.has_value();
                     return a.aicc < b.aicc;
                   });
  const auto& measurements = request.file.measurements;
  answer.data.file = measurements.empty() ? "" : measurements.front().name;
  for (const catalog::Measurement& m : measurements)
    answer.data.rows += m.columns.empty() ? 0 : m.columns.front().size();
  answer.data.time = std::any_of(measurements.begin(), measurements.end(),
                                 [](const auto& m) { return m.kind != "frequency-response"; });
  answer.version = std::string(version);
  answer.seed = request.seed;
  answer.interrupted = !going;
  return answer;
}

}  // namespace microslip::jobs
