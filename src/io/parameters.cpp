#include "microslip/io/parameters.hpp"

#include <toml++/toml.h>

#include <array>
#include <sstream>

#include "json_values.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

constexpr std::array<std::string_view, 7> known_keys{"model",   "parameters", "options", "version",
                                                     "command", "seed",       "comment"};

void refuse_unknown_keys(const Json& json, const std::string& name) {
  for (const auto& [key, value] : json.items()) {
    bool known = false;
    for (const std::string_view allowed : known_keys) known = known || key == allowed;
    if (!known)
      throw Error(name + " has the unknown key " + in_quotes(key) +
                  suggestion(key, {known_keys.begin(), known_keys.end()}));
  }
}

/// A file with the key `kind` has all its values side by side.
ModelSpec flat_from_json(const Json& json, const std::string& name) {
  Json values = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (key == "parameters" || key == "options")
      throw Error(name + " has the keys 'kind' and " + in_quotes(key) +
                  "; write all values side by side, or all in sections");
    if (key != "model" && key != "version" && key != "command" && key != "comment")
      values[key] = value;
  }
  Json sorted{{"parameters", values}};
  if (const auto model = json.find("model"); model != json.end()) sorted["model"] = *model;
  return spec_from_json(sorted, name);
}

std::vector<ModelSpec> fits_from_json(const Json& fits, const std::string& name) {
  if (!fits.is_array()) throw Error(name + ": 'fits' must be a list, not " + kind_text(fits));
  std::vector<ModelSpec> specs;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const std::string where = name + ", fit " + std::to_string(i + 1);
    if (!fits[i].is_object()) throw Error(where + " must be a table, not " + kind_text(fits[i]));
    // A fit that failed has no parameters to run with.
    const auto parameters = fits[i].find("parameters");
    if (parameters == fits[i].end() || parameters->is_null()) continue;
    specs.push_back(spec_from_json(fits[i], where));
    if (specs.back().model.empty()) throw Error(where + " does not name its model");
  }
  if (specs.empty()) throw Error(name + " has no fit with parameters");
  return specs;
}

toml::array to_toml(const Json& list) {
  toml::array result;
  for (const Json& x : list) {
    if (x.is_array())
      result.push_back(to_toml(x));
    else
      result.push_back(number_from_json(x, "list"));
  }
  return result;
}

template <class Values>
toml::table to_toml(const Values& values) {
  toml::table table;
  for (const auto& [name, value] : values) {
    if (const auto* number = std::get_if<double>(&value)) {
      table.insert(name, *number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      table.insert(name, *text);
    } else {
      table.insert(name, to_toml(value_to_json(value)));
    }
  }
  return table;
}

}  // namespace

ParameterFormat parameter_format(const std::filesystem::path& path, std::string_view text) {
  if (path.extension() == ".json") return ParameterFormat::json;
  if (path.extension() == ".toml") return ParameterFormat::toml;
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? ParameterFormat::json
                                                               : ParameterFormat::toml;
}

std::vector<ModelSpec> parse_parameters(std::string_view text, ParameterFormat format,
                                        std::string_view name) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const std::string source(name);
  const Json json =
      format == ParameterFormat::json ? parse_json(text, name) : parse_toml(text, name);
  if (!json.is_object())
    throw Error(source + " must be a table with 'model' and 'parameters', not " + kind_text(json));
  if (const auto fits = json.find("fits"); fits != json.end()) return fits_from_json(*fits, source);
  if (json.contains("histories"))
    throw Error(source + " is a saved state, not a parameter file; use --resume");
  if (json.contains("kind")) return {flat_from_json(json, source)};
  refuse_unknown_keys(json, source);
  return {spec_from_json(json, source)};
}

bool is_fit_result(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  if (parameter_format(path, text) != ParameterFormat::json) return false;
  const Json json = parse_json(text, source_name(path));
  return json.is_object() && json.contains("fits");
}

std::string parameters_text(const ModelSpec& spec, ParameterFormat format) {
  if (format == ParameterFormat::json) {
    Json json;
    spec_to_json(spec, json);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  // Strings on one line with escapes: the library's multi-line strings lose a leading line end.
  const toml::table table{{"model", spec.model},
                          {"parameters", to_toml(spec.parameters)},
                          {"options", to_toml(spec.options)}};
  std::ostringstream text;
  text << toml::toml_formatter{table, toml::format_flags::allow_unicode_strings} << "\n";
  return text.str();
}

}  // namespace microslip::io
