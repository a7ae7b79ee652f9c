#include "simulate/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/covariates.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/fit_result.hpp"
#include "microslip/io/parameters.hpp"

namespace microslip::app {
namespace {

/// A law that is asked for, before it is built.
struct Request {
  std::string label;
  ModelSpec spec;
  Description description;
  std::optional<io::SavedHistory> resumed{};
  bool from_file = false;  ///< its values come from a parameter file
  std::string file{};      ///< that file
  ModelSpec in_file{};     ///< what it gave, before --set
  std::string fit_file{};  ///< which is the result of a fit
};

/// `jenkins(k=1)+iwan4` is called jenkins+iwan4; a second one of the same name gets a number.
std::string label_of(const Description& description, const std::vector<Request>& others) {
  const auto taken = [&](const std::string& label) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Request& other) { return other.label == label; });
  };
  std::string label = description.name;
  for (int n = 2; taken(label); ++n) label = description.name + "-" + std::to_string(n);
  return label;
}

void add(std::vector<Request>& requests, const ModelSpec& spec) {
  Description description = catalog::describe_model(spec.model);
  std::string label = label_of(description, requests);
  requests.push_back({std::move(label), spec, std::move(description)});
}

/// "phi=2" among the models is a setting that follows `--set k=1`; "jenkins(phi=2)" is a model.
bool is_setting(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && word.find('(') > equals;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// ------------------------------------------------------------ files that name or value laws

std::vector<std::string> models_of(const auto& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs) names.push_back(spec.model);
  return names;
}

const ModelSpec& find_fit(const std::vector<ModelSpec>& specs, const std::string& name,
                          const std::string& file) {
  for (const ModelSpec& spec : specs)
    if (spec.model == name) return spec;
  throw Error(io::source_name(file) + " has no fit of '" + name + "'" +
              suggestion(name, models_of(specs)));
}

/// The values of a file for laws that the call names.
void give_values(std::vector<Request>& requests, const std::vector<ModelSpec>& specs,
                 const std::string& file, const std::string& fit_file) {
  bool used = false;
  for (Request& request : requests) {
    const bool alone = requests.size() == 1 && specs.size() == 1;
    for (const ModelSpec& spec : specs) {
      const bool fits = spec.model == request.spec.model || (alone && spec.model.empty());
      if (!fits || request.from_file) continue;
      request.spec.parameters = spec.parameters;
      request.spec.options = spec.options;
      request.from_file = used = true;
      request.fit_file = fit_file;
      request.file = file;
      request.in_file = request.spec;
    }
  }
  if (used) return;
  if (specs.size() == 1 && specs.front().model.empty())
    throw Error(io::source_name(file) +
                " does not say which of the models it is for; add the key 'model'");
  throw Error(io::source_name(file) + " is for " + listed(models_of(specs)) +
              ", which is not among the models here");
}

void read_parameter_files(const SimulateSettings& settings, std::vector<Request>& requests) {
  const bool named_in_call = !requests.empty();
  for (const std::string& file : settings.parameter_files) {
    std::vector<ModelSpec> specs = catalog::read_parameters(file);
    const std::string fit_file = io::is_fit_result(file) ? file : "";
    if (!settings.fits.empty()) {
      std::vector<ModelSpec> chosen;
      for (const std::string& name : settings.fits) chosen.push_back(find_fit(specs, name, file));
      specs = std::move(chosen);
    } else if (!named_in_call) {
      specs.resize(1);  // the best fit
    }
    if (named_in_call) {
      give_values(requests, specs, file, fit_file);
      continue;
    }
    for (const ModelSpec& spec : specs) {
      if (spec.model.empty())
        throw Error(io::source_name(file) +
                    " does not name its model; add the key 'model', or name it in the call");
      try {
        add(requests, spec);
      } catch (const Error& error) {
        throw catalog::at_value(file, spec, error);
      }
      requests.back().fit_file = fit_file;
      requests.back().file = file;
      requests.back().in_file = spec;
    }
  }
}

void read_resumed(const std::string& file, std::vector<Request>& requests) {
  const auto histories = io::read_saved_histories(file);
  if (requests.empty())
    for (const auto& history : histories) add(requests, ModelSpec{history.spec.model, {}, {}});
  std::vector<bool> used(histories.size());
  for (Request& request : requests) {
    std::size_t i = 0;
    const auto suits = [&](const io::SavedHistory& history) {
      return history.spec.model == request.spec.model ||
             catalog::describe_model(history.spec.model).name == request.spec.model;
    };
    while (i < histories.size() && (used[i] || !suits(histories[i]))) ++i;
    if (i == histories.size()) {
      std::vector<std::string> names;
      for (const auto& history : histories) names.push_back(history.spec.model);
      throw Error(io::source_name(file) + " has no history of '" + request.spec.model +
                  "' to go on with; there are: " + listed(names));
    }
    used[i] = true;
    request.resumed = histories[i];
  }
}

// -------------------------------------------------------------------------- --set, --method

bool has(const auto& infos, const std::string& name, const Request& request) {
  // A sum takes the bare name of a parameter that only one of its terms has.
  std::vector<std::string> meant;
  for (const auto& info : infos) {
    if (info.name == name) return true;
    if (info.name.ends_with("." + name)) meant.push_back(info.name);
  }
  if (meant.size() > 1)
    throw Error("--set " + name + " could mean several parameters of " + request.label + ": " +
                listed(meant));
  return meant.size() == 1;
}

OptionValue option_value(const std::string& name, const Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return *x;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw Error("option '" + name + "' must be a number or the name of a choice");
}

/// False when the law has no such parameter or option.
bool set(Request& request, const std::string& name, const Value& value) {
  if (has(request.description.parameters, name, request)) {
    request.spec.parameters[name] = value;
  } else if (has(request.description.options, name, request)) {
    request.spec.options[name] = option_value(name, value);
  } else {
    return false;
  }
  return true;
}

void apply_setting(std::vector<Request>& requests, const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error("--set " + setting + " must be written NAME=VALUE");
  const std::string name = setting.substr(0, equals);
  if (const auto comma = setting.find(',', equals);
      comma != std::string::npos && setting.find('=', comma) != std::string::npos)
    throw Error("--set " + setting + " must be written NAME=VALUE; repeat --set for each");
  if (equals + 1 == setting.size()) throw Error("--set " + setting + " has no value after the =");
  const Value value = catalog::parse_value(setting.substr(equals + 1));
  bool found = false;
  for (Request& request : requests) {
    // A law or a wrapper alone may be called by its name: jenkins.k, backlash.gap.
    const std::string called = request.label.substr(0, request.label.find('(')) + ".";
    const bool mine = set(request, name, value) ||
                      (name.starts_with(called) && set(request, name.substr(called.size()), value));
    found = found || mine;
  }
  if (found) return;
  std::vector<std::string> known, labels;
  for (const Request& request : requests) {
    labels.push_back(request.label);
    for (const auto& info : request.description.parameters) known.push_back(info.name);
    for (const auto& info : request.description.options) known.push_back(info.name);
  }
  throw Error("unknown parameter '" + name + "' for " + listed(labels) + suggestion(name, known));
}

void refuse_contradictions(const std::vector<std::string>& sets) {
  std::map<std::string, std::string> seen;
  for (const std::string& setting : sets) {
    const auto [found, is_new] = seen.try_emplace(setting.substr(0, setting.find('=')), setting);
    if (!is_new && found->second != setting)
      throw Error("--set " + found->second + " and --set " + setting +
                  " contradict each other; give one value");
  }
}

void apply_method(std::vector<Request>& requests, const std::string& method) {
  std::vector<std::string> labels, methods;
  bool found = false;
  for (Request& request : requests) {
    labels.push_back(request.label);
    for (const OptionInfo& info : request.description.options) {
      if (info.name != "method" && !info.name.ends_with(".method")) continue;
      methods.insert(methods.end(), info.choices.begin(), info.choices.end());
      if (std::find(info.choices.begin(), info.choices.end(), method) == info.choices.end())
        continue;
      request.spec.options[info.name] = method;
      found = true;
    }
  }
  if (found) return;
  // What every law does that has no other method.
  if (methods.empty() && method == "exact") return;
  if (methods.empty())
    throw Error("--method " + method + ": " + listed(labels) + " has only one method");
  throw Error("unknown method '" + method + "' for " + listed(labels) +
              suggestion(method, methods));
}

/// A history goes on with the law it was made with; values of the call may repeat it, not change
/// it.
void keep_resumed_values(Request& request, const std::string& file) {
  const io::SavedHistory& saved = *request.resumed;
  const auto differs = [&](const std::string& name, const auto& given, const auto& kept) {
    // {"k":1.0} without its name
    const auto bare = [&](const std::string& json) {
      return json.substr(name.size() + 4, json.size() - name.size() - 5);
    };
    throw Error(io::source_name(file) + " was made with " + request.label + "." + name + " = " +
                bare(kept) + ", so the history cannot go on with " + bare(given));
  };
  const AnyModel old = catalog::make(saved.spec);
  ModelSpec spec = saved.spec;
  for (const auto& [name, value] : request.spec.parameters) spec.parameters[name] = value;
  for (const auto& [name, value] : request.spec.options) spec.options[name] = value;
  const AnyModel now = catalog::make(spec);
  for (const auto& [name, value] : now.parameters()) {
    const std::string given = io::values_json(ParameterValues{{name, value}});
    const std::string kept = io::values_json(ParameterValues{{name, old.parameters().at(name)}});
    if (given != kept) differs(name, given, kept);
  }
  for (const auto& [name, value] : now.options())
    if (value != old.options().at(name))
      differs(name, io::values_json(OptionValues{{name, value}}),
              io::values_json(OptionValues{{name, old.options().at(name)}}));
  request.spec = saved.spec;
}

void check_together(const std::vector<Request>& requests) {
  for (const Request& request : requests)
    if (request.description.directions != requests.front().description.directions)
      throw Error(requests.front().label + " and " + request.label +
                  " cannot share a history: they have different directions");
}

/// What the law refuses is said with its place if it is the file that is wrong.
AnyModel built(const Request& request) {
  try {
    return catalog::make(request.spec);
  } catch (const Error&) {
    if (request.file.empty()) throw;
    try {
      catalog::make(request.in_file);
    } catch (const Error& error) {
      throw catalog::at_value(request.file, request.in_file, error);
    }
    throw;
  }
}

// ------------------------------------------------------------------- results of fits

/// What the fit left uncertain in the parameters of its law.
void add_uncertainty(const SimulateSettings& settings, Job& job) {
  if (job.fit_file.empty())
    throw Error("--uncertainty needs the result of a fit, given with --params; " + job.label +
                " does not come from one");
  if (!settings.sets.empty())
    throw Error(
        "--uncertainty is that of the fitted parameters; it has no meaning with values of --set");
  if (job.resumed) throw Error("--uncertainty has no meaning with --resume");
  const io::FitErrors known = io::fit_errors(job.fit_file, job.spec.model);
  if (!known.given)
    throw Error(io::source_name(job.fit_file) + " has no standard errors of " + job.label +
                "; 'microslip fit' writes them");
  const auto n = static_cast<Eigen::Index>(known.names.size());
  job.uncertainty =
      fit::Uncertainty::from(known.names, Eigen::Map<const Eigen::VectorXd>(known.errors.data(), n),
                             Eigen::Map<const Eigen::MatrixXd>(known.correlation.data(), n, n));
  if (!known.unknown.empty())
    job.notes.push_back(job.label + ": the fit does not determine " + listed(known.unknown) +
                        "; standard deviations are those that the other parameters cause");
}

/// The law at other covariates than those of the fit.
void take_covariates(const SimulateSettings& settings, Job& job) {
  if (job.fit_file.empty())
    throw Error("--covariate needs the result of a fit with covariates, given with --params");
  const io::FitCovariates fitted = io::fit_covariates(job.fit_file);
  if (fitted.at.empty())
    throw Error(io::source_name(job.fit_file) +
                " comes from a fit without covariates; "
                "'microslip fit ... --covariate NAME' makes one that knows them");
  const catalog::Covariates wanted = catalog::parse_covariates(settings.covariates);
  const double scale = catalog::covariate_scale(fitted.at, wanted);
  wrap(job, {{"input_gain", 1 / scale}, {"output_gain", scale}});
  if (fitted.amplitude > 0) job.known_amplitude = scale * fitted.amplitude;
  for (const auto& [name, value] : wanted) {
    const auto [low, high] = fitted.range.at(name);
    if (value >= low && value <= high) continue;
    job.notes.push_back(job.label + ": " + name + " = " + number_text(value) +
                        " lies outside the fitted records, " +
                        (low < high ? number_text(low) + " to " + number_text(high)
                                    : "which all have " + number_text(low)) +
                        "; the law is extrapolated by Coulomb's scaling");
  }
}

}  // namespace

void wrap(Job& job, const std::map<std::string, double>& outer_values) {
  ModelSpec spec{"scaled(" + job.spec.model + ")", {}, {}};
  const Description outer = catalog::describe_model(spec.model);
  const Description& inner = job.model.description();
  // Those of the law keep their order behind those of `scaled`.
  const auto new_names = [](const auto& to, const auto& from) {
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < from.size(); ++i)
      names[from[i].name] = to[to.size() - from.size() + i].name;
    return names;
  };
  const auto parameters = new_names(outer.parameters, inner.parameters);
  const auto options = new_names(outer.options, inner.options);
  for (const auto& [name, value] : job.model.parameters())
    spec.parameters[parameters.at(name)] = value;
  for (const auto& [name, value] : job.model.options()) spec.options[options.at(name)] = value;
  for (const auto& [name, value] : outer_values) spec.parameters[name] = value;
  if (job.uncertainty)
    for (std::string& name : job.uncertainty->names) {
      const std::string list = name.substr(0, name.find('['));
      name = parameters.at(list) + name.substr(list.size());
    }
  job.model = catalog::make(spec);
  spec.parameters = job.model.parameters();
  spec.options = job.model.options();
  job.spec = std::move(spec);
}

std::string beyond_the_records(const Job& job, double amplitude) {
  if (!job.known_amplitude || amplitude <= 1.001 * *job.known_amplitude) return "";
  return job.label + ": the amplitude " + number_text(amplitude) +
         " is larger than that of the fitted records, " +
         fmt::format("{:.5g}", *job.known_amplitude) +
         " at these covariates; beyond it the law is a guess";
}

std::optional<jobs::ParameterUncertainty> uncertainty_of(const Job& job) {
  if (!job.uncertainty) return {};
  jobs::ParameterUncertainty known{job.uncertainty->names, {}};
  for (const auto& row : job.uncertainty->covariance.rowwise())
    known.covariance.emplace_back(row.begin(), row.end());
  return known;
}

std::vector<std::filesystem::path> files_of(const ModelSpec& spec) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& [name, value] : spec.parameters)
    if (const auto* text = std::get_if<std::string>(&value);
        text && std::filesystem::is_regular_file(*text, ignored))
      files.emplace_back(*text);
  return files;
}

std::vector<Job> make_jobs(const SimulateSettings& settings) {
  std::vector<Request> requests;
  std::vector<std::string> sets = settings.sets;
  for (const std::string& word : settings.models) {
    if (is_setting(word))
      sets.push_back(word);
    else
      add(requests, ModelSpec{word, {}, {}});
  }
  if (!settings.fits.empty() && settings.parameter_files.empty())
    throw Error("--fit chooses from a file; give it with --params");
  read_parameter_files(settings, requests);
  if (!settings.resume.empty()) read_resumed(settings.resume, requests);
  if (requests.empty())
    throw Error("no model is given; name one or several, or a file with --params");
  check_together(requests);
  refuse_contradictions(sets);
  for (const std::string& setting : sets) apply_setting(requests, setting);
  if (!settings.method.empty()) apply_method(requests, settings.method);

  std::vector<Job> jobs;
  for (Request& request : requests) {
    if (request.resumed) keep_resumed_values(request, settings.resume);
    AnyModel model = built(request);
    request.spec.parameters = model.parameters();
    request.spec.options = model.options();
    jobs.push_back({request.label, request.spec, std::move(model), std::move(request.resumed),
                    std::move(request.fit_file)});
    if (settings.uncertainty) add_uncertainty(settings, jobs.back());
    if (!settings.covariates.empty()) take_covariates(settings, jobs.back());
  }
  return jobs;
}

}  // namespace microslip::app
