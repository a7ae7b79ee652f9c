#include "fit/input.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "fit/output.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/fit/holdout.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

bool is_a_model(const std::string& word) {
  if (word == "all") return true;
  try {
    catalog::describe_model(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void check_weights(const io::Table& table, const io::Column& weight, const std::string& name) {
  bool any = false;
  for (std::size_t i = 0; i < weight.values.size(); ++i) {
    any = any || weight.values[i] > 0;
    if (weight.values[i] < 0)
      throw Error::at(table.source, table.line(i), weight.position,
                      "the weight " + short_number(weight.values[i]) + " must not be negative");
  }
  if (!any)
    throw Error(table.source + ": all weights in column '" + name +
                "' are 0; at least some rows must count");
}

/// The values of --covariate for the file of this place, from the option or from its metadata.
catalog::Covariates covariates_of(const FitCommand& command, const io::Table& table,
                                  std::size_t place) {
  catalog::Covariates found;
  for (const std::string& text : command.covariates) {
    const std::string name = text.substr(0, text.find('='));
    std::string value;
    if (name.size() < text.size()) {
      const std::vector<std::string> values = cut_at(',', text.substr(name.size() + 1));
      if (place >= values.size())
        throw Error("--covariate " + text + " has " + std::to_string(values.size()) +
                    " values; there must be one for each file");
      value = values[place];
    } else {
      const auto kept = table.metadata.find(name);
      if (kept == table.metadata.end())
        throw Error(table.source + " does not say its " + name + "; write '# " + name +
                    ": VALUE' above its table, or --covariate " + name + "=VALUE,VALUE,...");
      value = kept->second;
    }
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    // A unit may follow.
    if (end == value.c_str() || !(number > 0) || !std::isfinite(number))
      throw Error(table.source + ": " + name + " = '" + value + "' must be a positive number");
    found[name] = number;
  }
  return found;
}

void divide_by_scale(FitRecord& record, const catalog::Covariates& reference) {
  record.scale = catalog::covariate_scale(reference, record.covariates);
  for (double& u : record.data.u) u /= record.scale;
  for (double& f : record.data.f) f /= record.scale;
}

/// What drives the laws that are asked for. Errors of forces and of displacements cannot be compared.
Driven drive_of(const FitCommand& command) {
  std::string by_force, by_displacement;
  for (const std::string& model : cut_lists(command.models)) {
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
  for (const std::string& text : command.free)
    for (const std::string& name : cut_at(',', text))
      if (name != "offset_u")
        throw Error("--free " + name + " needs a law driven by displacement; '" + by_force +
                    "' is driven by force, and only offset_u, the zero of the force, goes with it");
  return Driven::force;
}

FitRecord read_record(const FitCommand& command, const std::string& file, std::size_t place,
                      Driven driven) {
  io::Wanted wanted = command.record.wanted();
  if (!command.weight.empty()) wanted.named["weight"] = command.weight;
  const io::Table table = io::read_record(file, wanted);
  FitRecord record;
  record.data.name = table.source;
  record.covariates = covariates_of(command, table, place);
  const io::Column &u = table.at("u"), &f = table.at("f");
  record.data.u = u.values;
  record.data.f = f.values;
  record.u_unit = u.unit;
  record.f_unit = f.unit;
  record.taken = taken_for("u", u) + ", " + taken_for("f", f);
  if (const io::Column* t = table.find("t")) {
    record.data.t = t->values;
    record.t_unit = t->unit;
    record.taken += ", " + taken_for("t", *t);
  } else {
    record.taken += ", no time";
  }
  if (const io::Column* weight = table.find("weight")) {
    check_weights(table, *weight, command.weight);
    record.data.weight = weight->values;
    record.weight_column = command.weight;
  }
  record.data.driven = driven;
  const auto said = table.metadata.find("driven");
  const bool force_in_u = said != table.metadata.end() && said->second == "force";
  if (force_in_u != record.by_force()) {
    std::swap(record.data.u, record.data.f);
    std::swap(record.u_unit, record.f_unit);
    record.taken += force_in_u ? "; driven by force, so u and f were exchanged"
                               : "; the law is driven by force, so f is its input and u its answer";
  }
  return record;
}

std::vector<std::string> free_names(const FitCommand& command) { return cut_lists(command.free); }

bool frees(const FitCommand& command, const std::string& name) {
  const std::vector<std::string> names = free_names(command);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string composed(const FitCommand& command, const std::string& model) {
  std::string text = model;
  if (frees(command, "spring")) text += "+linear";
  if (frees(command, "backlash")) text = "backlash(" + text + ")";
  return text;
}

std::size_t whole_number(const std::string& option, const std::string& text, std::size_t least,
                         std::size_t most) {
  const double x = number(option, text);
  if (!(x >= static_cast<double>(least) && x <= static_cast<double>(most)) || x != std::floor(x))
    throw Error(option + " = " + text + " must be a whole number from " + std::to_string(least) +
                " to " + std::to_string(most));
  return static_cast<std::size_t>(x);
}

/// Why a law is not among "all"; empty if it is.
std::string unfit_for_all(const Description& d, bool time) {
  if (d.family == Family::planar) return "in the plane";
  if (d.driven == Driven::force) return "driven by force: name it";
  if (d.family == Family::rate_dependent && !time) return "depends on the rate, and there is no t";
  for (const ParameterInfo& p : d.parameters)
    if (p.kind == Kind::matrix || p.kind == Kind::expression)
      return "its " + p.name + " is not a number";
  if (!d.fit_hints.left_out.empty()) return d.fit_hints.left_out;
  return "";
}

FitJob make_job(const FitCommand& command, const std::string& model, std::size_t elements) {
  const std::string text = composed(command, model);
  AnyModel law = catalog::make({text, {}, {}});
  for (const ParameterInfo& p : law.description().parameters)
    if (p.kind == Kind::expression && law.description().name == model.substr(0, model.find('(')))
      throw Error(model + ": its " + p.name + " is a formula, and formulas are not fitted");
  // Lists that the text gives keep their length.
  if (model.find('[') == std::string::npos) law = catalog::with_elements(law, elements);
  return {text, std::move(law)};
}

std::pair<std::string, std::string> name_and_value(const std::string& option,
                                                   const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(option + " '" + text +
                "' must be NAME=" + (option == "--fix" ? "VALUE" : "LOW:HIGH"));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Interval bounds_of(const std::string& name, const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw Error("--bounds '" + name + "=" + text + "' must be NAME=LOW:HIGH");
  Interval bounds;
  const std::string low = text.substr(0, colon), high = text.substr(colon + 1);
  if (!low.empty()) bounds.lo = number("--bounds " + name, low), bounds.lo_open = false;
  if (!high.empty()) bounds.hi = number("--bounds " + name, high), bounds.hi_open = false;
  if (!(bounds.lo < bounds.hi))
    throw Error("--bounds " + name + "=" + text + ": the first must be smaller than the second");
  return bounds;
}

fit::Beginning beginning_of(const std::string& word) {
  constexpr fit::Beginning all[] = {fit::Beginning::automatic, fit::Beginning::virgin,
                                    fit::Beginning::first_row, fit::Beginning::cycled,
                                    fit::Beginning::unknown};
  return all[choice("--start", word, {"auto", "virgin", "first-row", "cycled", "unknown"})];
}

constexpr const char* extras[] = {"offset", "gain", "offset_u", "spring", "backlash"};

bool is_extra(const std::string& name) {
  return std::find(std::begin(extras), std::end(extras), name) != std::end(extras);
}

}  // namespace

std::vector<FitRecord> read_predicted(const FitCommand& command, const FitRecord& first,
                                      std::size_t fitted) {
  std::vector<FitRecord> records;
  for (const std::string& file : command.predicted) {
    FitRecord record = read_record(command, file, fitted + records.size(), first.data.driven);
    refuse_extreme_numbers(record.data.name, record.data.u, record.data.f);
    divide_by_scale(record, first.covariates);
    if (first.flipped)
      for (double& f : record.data.f) f = -f;
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<FitRecord> read_records(FitCommand& command, std::vector<std::string>& notes) {
  command.profiles = cut_lists(command.profiles);
  std::vector<std::string> files;
  for (const std::string& word : command.words) {
    // `--model jenkins iwan4`: the second law looks like a file.
    std::error_code unreadable;
    if (!command.models.empty() && !std::filesystem::exists(word, unreadable) && is_a_model(word))
      command.models.push_back(word);
    else
      files.push_back(word);
  }
  if (files.empty()) throw Error("no record is given; name a file with displacement and force");
  if (files.size() == 1 && !(command.separate.empty() && command.share.empty()))
    notes.push_back("--separate and --share mean nothing with one file");
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw Error("two inputs would be read from standard input");
  std::vector<FitRecord> records;
  const Driven driven = drive_of(command);
  for (const std::string& file : files) {
    FitRecord record = read_record(command, file, records.size(), driven);
    refuse_extreme_numbers(record.data.name, record.data.u, record.data.f);
    if (!record.covariates.empty())
      divide_by_scale(record, records.empty() ? record.covariates : records.front().covariates);
    auto found = std::make_shared<loops::Loops>(fit::loops_with(record.data, record.data.f));
    // They are the loops of the force with the right sign, which is fitted.
    record.flipped = std::exchange(found->sign_flipped, false);
    record.data.loops = found;
    if (record.flipped) {
      for (double& f : record.data.f) f = -f;
      notes.push_back(record.data.name +
                      ": energy and stiffness are negative, so force or displacement was recorded "
                      "with the wrong sign; fitted is -f");
    }
    if (!found->cycles.empty() && !found->hysteresis)
      notes.push_back(record.data.name +
                      ": the loops enclose no more energy than noise makes; the energy error "
                      "means nothing, and what laws say about friction is a guess");
    record.held_out = fit::held_out_rows(record.data, command.holdout);
    const double middle = std::abs(found->f_center);
    const bool by_force = record.by_force();
    if (middle > 0.1 * found->force_level && !by_force && !frees(command, "offset") &&
        !found->cycles.empty())
      notes.push_back(record.data.name + ": the loops are not centred on f = 0 (their centre is " +
                      short_number(found->f_center) +
                      "); --free offset lets the fit find the zero of the force");
    if (std::abs(found->u_center) > 0.1 * found->amplitude && !frees(command, "offset_u") &&
        !found->cycles.empty())
      notes.push_back(record.data.name + ": the loops are not centred on " +
                      (by_force ? "zero force" : "u = 0") + " (their centre is " +
                      short_number(found->u_center) +
                      "); --free offset_u lets the fit find the zero of the " +
                      (by_force ? "force" : "displacement"));
    if (found->pinched && !frees(command, "backlash"))
      notes.push_back(record.data.name +
                      ": the loops are pinched, as by clearance; try --free backlash, or --model "
                      "pinched");
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<FitJob> make_fit_jobs(const FitCommand& command, const std::vector<FitRecord>& records,
                                  std::vector<std::string>& left_out) {
  for (const std::string& name : free_names(command))
    if (!is_extra(name))
      throw Error(
          "--free '" + name + "' must be one of offset, gain, offset_u, spring, backlash" +
          (nearest(name, std::vector<std::string>(std::begin(extras), std::end(extras))).empty()
               ? ""
               : suggestion(name, std::vector<std::string>(std::begin(extras), std::end(extras)))));
  const std::size_t elements =
      command.elements.empty() ? 4 : whole_number("--elements", command.elements, 1, 100);
  std::vector<std::string> names = cut_lists(command.models);
  if (names.empty()) names = {"all"};
  const bool time = std::all_of(records.begin(), records.end(),
                                [](const FitRecord& r) { return !r.data.t.empty(); });
  std::vector<FitJob> jobs;
  const auto add = [&](const std::string& name) {
    FitJob job = make_job(command, name, elements);
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
      std::string why = unfit_for_all(law.description, time);
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

void check_names(const FitCommand& command, const std::vector<FitJob>& jobs) {
  std::vector<std::string> asked = cut_lists(command.separate);
  for (const std::string& name : cut_lists(command.share)) asked.push_back(name);
  for (const std::string& name : cut_lists(command.profiles)) asked.push_back(name);
  for (const std::string& text : command.fixes)
    asked.push_back(name_and_value("--fix", text).first);
  for (const std::string& text : command.bounds)
    asked.push_back(name_and_value("--bounds", text).first);
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

fit::Settings settings_for(const FitCommand& command, const FitJob& job,
                           const std::vector<FitRecord>& records) {
  fit::Settings settings;
  fit::Setup& setup = settings.setup;
  for (const std::string& text : command.fixes) {
    const auto [name, value] = name_and_value("--fix", text);
    if (const std::string full = full_name(job, name); !full.empty())
      setup.fixed[full] = number("--fix " + name, value);
  }
  for (const std::string& text : command.bounds) {
    const auto [name, value] = name_and_value("--bounds", text);
    const Interval bounds = bounds_of(name, value);
    if (const std::string full = full_name(job, name); !full.empty()) setup.bounds[full] = bounds;
  }
  for (const std::string& name : free_names(command))
    if (name != "spring" && name != "backlash") setup.free.push_back(name);
  std::vector<std::string> shared;
  for (const std::string& name : cut_lists(command.share))
    shared.push_back(
        is_extra(name) && name != "spring" && name != "backlash" ? name : full_name(job, name));
  for (const std::string& name : cut_lists(command.separate)) {
    const bool measurement = is_extra(name) && name != "spring" && name != "backlash";
    if (measurement && !frees(command, name))
      throw Error("--separate " + name + " needs --free " + name);
    const std::string full = measurement ? name : full_name(job, name);
    if (!full.empty()) setup.separate.push_back(full);
  }
  // --share says which are common; then all others are each record's own.
  if (!command.share.empty())
    for (const ParameterInfo& p : job.model.description().parameters)
      if (std::find(shared.begin(), shared.end(), p.name) == shared.end())
        setup.separate.push_back(p.name);
  setup.beginning = beginning_of(command.start);
  if (!command.starts.empty())
    settings.starts = whole_number("--starts", command.starts, 1, 100000);
  constexpr auto largest_seed = static_cast<std::size_t>(
      std::min<std::uint64_t>(std::uint64_t{1} << 53, std::numeric_limits<std::size_t>::max()));
  if (!command.seed.empty()) settings.seed = whole_number("--seed", command.seed, 0, largest_seed);
  if (!command.threads.empty())
    settings.threads = whole_number("--threads", command.threads, 1, 1024);
  settings.robust = command.robust;
  std::vector<fit::Data> data;
  for (const FitRecord& record : records) data.push_back(record.data);
  return catalog::with_hints(std::move(settings), job.model, data);
}

}  // namespace microslip::app
