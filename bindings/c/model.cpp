#include <cstdlib>

#include "handles.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/loops/harmonic.hpp"
#include "microslip/version.hpp"

namespace microslip::c {

char* copied(std::string_view text) {
  auto* bytes = static_cast<char*>(std::malloc(text.size() + 1));
  if (!bytes) throw std::bad_alloc();
  std::copy(text.begin(), text.end(), bytes);
  bytes[text.size()] = '\0';
  return bytes;
}

namespace {

microslip_model* built(const ModelSpec& spec) {
  if (spec.model.empty()) throw Error("no model is named; add the key 'model'");
  AnyModel law = catalog::make(spec);
  auto label = std::make_shared<const std::string>(law.description().name);
  return new microslip_model{std::move(law), std::move(label)};
}

/// Whether a name belongs to a table; a sum takes the end of a name that only one term has.
bool has(const auto& infos, const std::string& name, const std::string& model) {
  std::string meant;
  for (const auto& info : infos) {
    if (info.name == name) return true;
    if (!info.name.ends_with("." + name)) continue;
    if (!meant.empty())
      throw Error("'" + name + "' could mean several parameters of " + model + ": " + meant + ", " +
                  info.name);
    meant = info.name;
  }
  return !meant.empty();
}

OptionValue option_value(const std::string& name, const Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return *x;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw Error("option '" + name + "' must be a number or the name of a choice");
}

void set(ModelSpec& spec, const Description& description, const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size())
    throw Error("setting '" + setting + "' must be written NAME=VALUE");
  const std::string name = setting.substr(0, equals);
  const Value value = catalog::parse_value(setting.substr(equals + 1));
  if (has(description.parameters, name, description.name)) {
    spec.parameters[name] = value;
  } else if (has(description.options, name, description.name)) {
    spec.options[name] = option_value(name, value);
  } else {
    std::vector<std::string> known;
    for (const auto& info : description.parameters) known.push_back(info.name);
    for (const auto& info : description.options) known.push_back(info.name);
    throw Error("unknown parameter '" + name + "' for " + description.name +
                suggestion(name, known));
  }
}

void set_all(ModelSpec& spec, const Description& description, const char* const* settings,
             std::size_t count) {
  if (count > 0) require(settings, "settings");
  for (std::size_t i = 0; i < count; ++i) {
    require(settings[i], "settings[i]");
    set(spec, description, settings[i]);
  }
}

ModelSpec only(const std::vector<ModelSpec>& specs, const std::string& source) {
  if (specs.empty()) throw Error(source + " names no model");
  return specs.front();
}

ModelSpec spec_of(const microslip_model& model) {
  return {model.name(), model.law.parameters(), model.law.options()};
}

}  // namespace
}  // namespace microslip::c

using namespace microslip;
using namespace microslip::c;

const char* microslip_version(void) { return version.data(); }
int microslip_api(void) { return MICROSLIP_API; }
void microslip_free(char* text) { std::free(text); }

int microslip_laws(char** json, microslip_error* error) {
  return guarded(error, [&] {
    require(json, "json");
    std::string text = "[\n";
    for (const auto& law : catalog::laws())
      text += (text.size() > 2 ? ",\n" : "") + io::description_json(law.description);
    *json = copied(text + "\n]\n");
  });
}

int microslip_describe(const char* model, char** json, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    *json = copied(io::description_json(catalog::describe_model(model)));
  });
}

int microslip_create(const char* model, const char* const* settings, std::size_t count,
                     microslip_model** out, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(out, "out");
    ModelSpec spec{model, {}, {}};
    if (count > 0) set_all(spec, catalog::describe_model(model), settings, count);
    *out = built(spec);
  });
}

int microslip_create_from_text(const char* text, microslip_model** out, microslip_error* error) {
  return guarded(error, [&] {
    require(text, "text");
    require(out, "out");
    *out = built(only(catalog::parse_parameters(text, "text"), "text"));
  });
}

int microslip_create_from_file(const char* path, const char* fit, microslip_model** out,
                               microslip_error* error) {
  return guarded(error, [&] {
    require(path, "path");
    require(out, "out");
    *out = built(catalog::read_model_spec(path, fit ? fit : ""));
  });
}

int microslip_with(const microslip_model* model, const char* const* settings, std::size_t count,
                   microslip_model** out, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(out, "out");
    ModelSpec spec = spec_of(*model);
    const Description description = model->law.description();
    // Values are stored under their whole names; a short one in the settings means the same.
    ModelSpec changed;
    set_all(changed, description, settings, count);
    const auto whole = [](const auto& values, const std::string& name) {
      if (values.contains(name)) return name;
      for (const auto& [known, value] : values)
        if (known.ends_with("." + name)) return known;
      return name;
    };
    for (const auto& [name, value] : changed.parameters)
      spec.parameters[whole(spec.parameters, name)] = value;
    for (const auto& [name, value] : changed.options)
      spec.options[whole(spec.options, name)] = value;
    *out = built(spec);
  });
}

void microslip_destroy(microslip_model* model) { delete model; }

int microslip_model_text(const microslip_model* model, char** json, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    *json = copied(io::parameters_text(spec_of(*model)));
  });
}

int microslip_model_description(const microslip_model* model, char** json, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    *json = copied(io::description_json(model->law.description()));
  });
}

int microslip_family(const microslip_model* model) {
  return model ? static_cast<int>(model->law.description().family) : -1;
}

int microslip_directions(const microslip_model* model) {
  return model ? static_cast<int>(model->law.description().direction_count()) : 0;
}

int microslip_first_harmonic(const microslip_model* model, double amplitude, double omega,
                             microslip_harmonic* out, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(out, "out");
    const loops::FirstHarmonic h = loops::first_harmonic(model->law, amplitude, omega);
    if (h.status != Status::ok)
      throw Stopped{static_cast<int>(h.status), 0,
                    model->name() + " stopped: " + std::string(explain(h.status))};
    *out = {h.energy, h.secant, h.a1, h.b1, h.mean, h.zeta_eff(), h.damping(), h.closed ? 1 : 0};
  });
}
