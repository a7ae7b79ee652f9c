#include <algorithm>
#include <limits>
#include <utility>

#include "jobs/fit_parts.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::jobs {
namespace {

std::string composed(const FitRequest& request, const std::string& model) {
  std::string text = model;
  if (frees(request, "spring")) text += "+linear";
  if (frees(request, "backlash")) text = "backlash(" + text + ")";
  return text;
}

/// Why a law is not among "all"; empty if it is.
std::string unfit_for_all(const Description& d, bool time, const FitRecord& record) {
  if (record.data.path) {
    if (d.family != Family::planar) return "it has one direction";
    const bool plane = !record.data.path->uy.empty(), normal = !record.data.path->un.empty();
    const auto has = [&](const char* name) {
      return std::find(d.directions.begin(), d.directions.end(), name) != d.directions.end();
    };
    if (has("y") != plane || has("n") != normal) return "it has other directions";
  } else if (d.family == Family::planar) {
    return "it has several directions";
  }
  if (d.driven == Driven::force) return "driven by force: name it";
  if (d.family == Family::rate_dependent && !time) return "depends on the rate, and there is no t";
  for (const ParameterInfo& p : d.parameters)
    if (p.kind == Kind::matrix || p.kind == Kind::expression)
      return "its " + p.name + " is not a number";
  if (!d.fit_hints.left_out.empty()) return d.fit_hints.left_out;
  return "";
}

FitJob make_job(const FitRequest& request, const std::string& model, std::size_t elements) {
  const std::string text = composed(request, model);
  AnyModel law = catalog::make({text, {}, {}});
  for (const ParameterInfo& p : law.description().parameters)
    if (p.kind == Kind::expression && law.description().name == model.substr(0, model.find('(')))
      throw Error(model + ": its " + p.name + " is a formula, and formulas are not fitted");
  // Lists that the text gives keep their length.
  if (model.find('[') == std::string::npos) law = catalog::with_elements(law, elements);
  return {text, std::move(law)};
}

void check_whole(const std::string& option, std::size_t x, std::size_t least, std::size_t most) {
  if (x < least || x > most)
    throw Error(option + " = " + std::to_string(x) + " must be a whole number from " +
                std::to_string(least) + " to " + std::to_string(most));
}

Interval bounds_of(const std::string& name, const Limits& limits) {
  Interval bounds;
  if (limits.low) bounds.lo = *limits.low, bounds.lo_open = false;
  if (limits.high) bounds.hi = *limits.high, bounds.hi_open = false;
  if (!(bounds.lo < bounds.hi))
    throw Error("--bounds " + name + "=" + number_text(bounds.lo) + ":" + number_text(bounds.hi) +
                ": the first must be smaller than the second");
  return bounds;
}

/// What --free may name: numbers of the measurement, and parts that are put beside a law.
const std::vector<std::string>& extras() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(std::begin(fit::measurement_names),
                                 std::end(fit::measurement_names));
    all.insert(all.end(), {"spring", "backlash"});
    return all;
  }();
  return names;
}

bool is_extra(const std::string& name) {
  return std::find(extras().begin(), extras().end(), name) != extras().end();
}

}  // namespace

Driven common_drive(const FitRequest& request) {
  std::string by_force, by_displacement;
  for (const std::string& model : request.models) {
    const bool force =
        model != "all" && catalog::make({model, {}, {}}).description().driven == Driven::force;
    (force ? by_force : by_displacement) = model;
  }
  if (by_force.empty()) return Driven::displacement;
  if (!by_displacement.empty())
    throw Error("'" + by_force + "' answers a displacement to a force and '" + by_displacement +
                "' a force to a displacement: their errors cannot be compared; fit them one by "
                "one, or fit 'series(" +
                by_force + ")', which answers a force");
  for (const std::string& name : request.free)
    if (name != "offset_u" && name != "delay" && name != "drift" && name != "drift_u")
      throw Error(
          "--free " + name + " needs a law driven by displacement; '" + by_force +
          "' is driven by force, with which go offset_u, the zero of the force, delay, drift and "
          "drift_u");
  return Driven::force;
}

bool frees(const FitRequest& request, const std::string& name) {
  return std::find(request.free.begin(), request.free.end(), name) != request.free.end();
}

std::vector<FitJob> make_fit_jobs(const FitRequest& request, const std::vector<FitRecord>& records,
                                  std::vector<std::string>& left_out) {
  for (const std::string& name : request.free)
    if (!is_extra(name))
      throw Error(
          "--free '" + name +
          "' must be one of offset, gain, offset_u, delay, drift, drift_u, spring, backlash" +
          (nearest(name, extras()).empty() ? "" : suggestion(name, extras())));
  check_whole("--elements", request.elements, 1, 100);
  std::vector<std::string> names = request.models;
  if (names.empty()) names = {"all"};
  const bool time = std::all_of(records.begin(), records.end(),
                                [](const FitRecord& r) { return !r.data.t.empty(); });
  std::vector<FitJob> jobs;
  const auto add = [&](const std::string& name) {
    FitJob job = make_job(request, name, request.elements);
    for (const FitJob& other : jobs)
      if (other.text == job.text) return;
    jobs.push_back(std::move(job));
  };
  for (const std::string& name : names) {
    if (name != "all") {
      add(name);
      continue;
    }
    for (const catalog::Law& law : catalog::laws()) {
      std::string why = unfit_for_all(law.description, time, records.front());
      try {
        if (why.empty()) add(law.description.name);
      } catch (const Error& reason) {
        why = reason.what();  // it cannot be built with what was asked for
      }
      if (!why.empty()) left_out.push_back(law.description.name + " (" + why + ")");
    }
  }
  return jobs;
}

std::string full_name(const FitJob& job, const std::string& name) {
  if (name == "spring") return full_name(job, "linear.k");
  if (name == "backlash") return full_name(job, "gap");
  const std::string list = name.substr(0, name.find('['));
  const std::string element = name.substr(list.size());
  std::vector<std::string> ends;
  for (const ParameterInfo& p : job.model.description().parameters) {
    if (!element.empty() && p.kind != Kind::vector) continue;
    if (p.name == list) return name;
    const std::string end = "." + list;
    if (p.name.size() > end.size() &&
        p.name.compare(p.name.size() - end.size(), end.size(), end) == 0)
      ends.push_back(p.name + element);
  }
  // "law.k" of the law alone, as --set of simulate takes it.
  const auto dot = name.find('.');
  if (ends.empty() && dot != std::string::npos &&
      name.substr(0, dot) == job.model.description().name)
    return full_name(job, name.substr(dot + 1));
  // The spring that was put beside a law does not take the law's names.
  if (ends.size() > 1)
    std::erase_if(ends,
                  [](const std::string& end) { return end.find("linear.") != std::string::npos; });
  return ends.size() == 1 ? ends.front() : "";
}

void check_names(const FitRequest& request, const std::vector<FitJob>& jobs) {
  std::vector<std::string> asked = request.separate;
  for (const std::string& name : request.share) asked.push_back(name);
  for (const std::string& name : request.profile) asked.push_back(name);
  for (const auto& [name, value] : request.fix) asked.push_back(name);
  for (const auto& [name, limits] : request.bounds) asked.push_back(name);
  std::vector<std::string> known;
  for (const FitJob& job : jobs)
    for (const ParameterInfo& p : job.model.description().parameters) known.push_back(p.name);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& name : asked) {
    const bool found =
        is_extra(name) || std::any_of(jobs.begin(), jobs.end(),
                                      [&](const FitJob& j) { return !full_name(j, name).empty(); });
    if (!found)
      throw Error((jobs.size() == 1 ? jobs.front().text + " has no parameter '"
                                    : "none of the laws has a parameter '") +
                  name + "'" + suggestion(name, known));
  }
}

fit::Settings settings_for(const FitRequest& request, const FitJob& job,
                           const std::vector<FitRecord>& records) {
  fit::Settings settings;
  fit::Setup& setup = settings.setup;
  const auto name_of = [&](const std::string& name) {
    return fit::is_measurement(name) ? name : full_name(job, name);
  };
  const auto must_be_free = [&](const char* option, const std::string& name) {
    if (fit::is_measurement(name) && !frees(request, name))
      throw Error(option + name + " needs --free " + name);
  };
  for (const auto& [name, value] : request.fix) {
    if (fit::is_measurement(name) && frees(request, name))
      throw Error("--fix " + name + " and --free " + name + ": only one of them");
    if (const std::string full = name_of(name); !full.empty()) setup.fixed[full] = value;
  }
  for (const auto& [name, limits] : request.bounds) {
    must_be_free("--bounds ", name);
    const Interval bounds = bounds_of(name, limits);
    if (const std::string full = name_of(name); !full.empty()) setup.bounds[full] = bounds;
  }
  for (const std::string& name : request.free)
    if (fit::is_measurement(name)) setup.free.push_back(name);
  std::vector<std::string> shared;
  for (const std::string& name : request.share) shared.push_back(name_of(name));
  for (const std::string& name : request.separate) {
    must_be_free("--separate ", name);
    if (const std::string full = name_of(name); !full.empty()) setup.separate.push_back(full);
  }
  // --share says which are common; then all others are each record's own.
  if (!request.share.empty())
    for (const ParameterInfo& p : job.model.description().parameters)
      if (std::find(shared.begin(), shared.end(), p.name) == shared.end())
        setup.separate.push_back(p.name);
  setup.beginning = request.start;
  check_whole("--starts", request.starts, 1, 100000);
  settings.starts = request.starts;
  settings.seed = request.seed;
  if (request.threads > 0) check_whole("--threads", request.threads, 1, 1024);
  settings.threads = request.threads;
  settings.robust = request.robust;
  std::vector<fit::Data> data;
  for (const FitRecord& record : records) data.push_back(record.data);
  return catalog::with_hints(std::move(settings), job.model, data);
}

}  // namespace microslip::jobs
