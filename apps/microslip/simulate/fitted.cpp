#include "simulate/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/parameters.hpp"

// The result of a fit holds more than a law: offset and gain of the recorder, the displacement at
// which the law is at rest, and what happened before the first row.

namespace microslip::app {
namespace {

using Json = nlohmann::json;

/// Each record of a result; one alone is the data itself.
std::vector<Json> records_of(const Json& data) {
  if (data.contains("files")) return data.at("files");
  return {data};
}

/// The same rows, whatever the file is called.
bool is_record(const Json& record, const Input& input) {
  if (input.source.empty() || record.value("rows", std::size_t{0}) != input.path.u.size())
    return false;
  const auto same = [&](const char* name, double x, double size) {
    return std::abs(std::abs(record.value(name, 0.0)) - std::abs(x)) <= 1e-9 * size;
  };
  const auto ends = [&](const std::string& name, const std::vector<double>& column, double size) {
    return same((name + "_first").c_str(), column.front(), size) &&
           same((name + "_last").c_str(), column.back(), size);
  };
  // The force may have been turned round, so its sign does not count.
  return ends("u", input.path.u, record.value("amplitude", 0.0)) &&
         (input.measured_force.empty() ||
          ends("f", input.measured_force,
               record.value(record.contains("force_range") ? "force_range" : "displacement_range",
                            0.0)));
}

double measured(const Json& entry, const char* name, double otherwise) {
  const auto all = entry.find("measurement");
  if (all == entry.end() || !all->contains(name)) return otherwise;
  return all->at(name).value("value", otherwise);
}

ParameterValues parameters_of(const std::string& model, const Json& entry) {
  const Json alone{{"model", model}, {"parameters", entry.at("parameters")}};
  return io::parse_parameters(alone.dump(), io::ParameterFormat::json, model).front().parameters;
}

void start_as_fitted(Job& job, const Json& entry, const Input& input) {
  const auto start = entry.find("start");
  if (start == entry.end()) return;
  if (start->value("kind", "") == "first-row") job.origin += input.path.u.front();
  if (const auto before = start->find("before"); before != start->end())
    job.lead = before->get<std::vector<double>>();
}

/// What was said when the record is run again.
std::string again(const Job& job, const Input& input, bool flipped) {
  return job.label + ": " + input.source +
         " is the record that was fitted, so the history starts as the fit found it" +
         (flipped ? "; its force had the wrong sign, f has the right one" : "") +
         " (--start virgin starts at rest)";
}

/// Parameters are in the units of the record: the answer is, too, and so must the history be.
void keep_units(const Json& record, const Job& job, Input& input) {
  const auto keep = [&](const char* name, const char* what, std::string& unit) {
    const std::string fitted = record.value(name, "");
    if (unit.empty()) unit = fitted;
    if (!fitted.empty() && unit != fitted)
      throw Error(job.label + ": the " + what + " of the fitted record is in " + fitted +
                  ", that of " + (input.source.empty() ? "the history" : input.source) + " in " +
                  unit + "; the parameters are for " + fitted + ", so give the history in it");
  };
  keep("u_unit", "displacement", input.u_unit);
  keep("f_unit", "force", input.f_unit);
}

void complete(Job& job, Input& input, const SimulateSettings& settings,
              std::vector<std::string>& notes) {
  const Json result = Json::parse(io::read_file(job.fit_file));
  const Json* entry = nullptr;
  for (const Json& fit : result.at("fits"))
    if (!entry && fit.value("model", "") == job.spec.model && fit.contains("parameters") &&
        !fit.at("parameters").is_null())
      entry = &fit;
  // A list of fits that somebody wrote by hand has laws alone.
  if (!entry || !result.contains("data") || !result.at("data").is_object()) return;
  const std::vector<Json> records = records_of(result.at("data"));
  keep_units(records.front(), job, input);
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const Json& r) { return is_record(r, input); });
  const bool known = found != records.end();
  // Numbers that are each file's own.
  if (known && entry->contains("files")) {
    entry = &entry->at("files").at(static_cast<std::size_t>(found - records.begin()));
    if (settings.sets.empty()) job.model = job.model.with(parameters_of(job.spec.model, *entry));
    job.spec.parameters = job.model.parameters();
  }
  const double offset = measured(*entry, "offset", 0), gain = measured(*entry, "gain", 1);
  // offset + gain · law
  if (offset != 0 || gain != 1) wrap(job, {{"output_gain", gain}, {"output_offset", offset}});
  for (const char* name : {"delay", "drift", "drift_u"})
    if (const double value = measured(*entry, name, 0); value != 0)
      notes.push_back(job.label + ": the fitted " + name + " of " + number_text(value) +
                      " belongs to the record; it is left out");
  if (!settings.start.empty()) return;
  job.origin = measured(*entry, "offset_u", 0);
  if (!known) return;
  start_as_fitted(job, *entry, input);
  const bool flipped = found->value("sign_flipped", false);
  if (flipped)
    for (double& f : input.measured_force) f = -f;
  if (flipped || !job.lead.empty() || job.origin != 0) notes.push_back(again(job, input, flipped));
}

}  // namespace

std::vector<std::string> complete_fits(std::vector<Job>& jobs, Input& input,
                                       const SimulateSettings& settings) {
  std::vector<std::string> notes;
  if (input.drive == Drive::force || !settings.resume.empty() || input.path.u.empty()) return notes;
  for (Job& job : jobs)
    if (!job.fit_file.empty()) complete(job, input, settings, notes);
  return notes;
}

}  // namespace microslip::app
