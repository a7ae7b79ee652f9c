#include "microslip/io/json.hpp"

#include <cmath>

#include "json_values.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"

namespace microslip::io {
namespace {

// Names come from command lines and files, which need not be UTF-8.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json bounds_json(const Interval& bounds) {
  const auto end = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"lower", end(bounds.lo)},
          {"upper", end(bounds.hi)},
          {"lower_open", bounds.lo_open},
          {"upper_open", bounds.hi_open}};
}

Json parameter_json(const ParameterInfo& info) {
  Json json{{"name", info.name}, {"unit", info.unit}, {"kind", text_of(info.kind)}};
  if (info.kind == Kind::expression)
    json["variables"] = info.variables;
  else
    json["bounds"] = bounds_json(info.bounds);
  json["default"] = value_to_json(info.default_value);
  json["sentence"] = info.sentence;
  return json;
}

Json option_json(const OptionInfo& info) {
  Json json{{"name", info.name}};
  if (info.choices.empty())
    json["bounds"] = bounds_json(info.bounds);
  else
    json["choices"] = info.choices;
  json["default"] = value_to_json(info.default_value);
  json["sentence"] = info.sentence;
  return json;
}

Json claims_json(const Claims& claims) {
  Json json;
  for (std::size_t i = 0; i < std::size(Claims::names); ++i) {
    const Claim& claim = claims.*Claims::members[i];
    Json& entry = json[std::string(Claims::names[i])];
    entry["verdict"] = text_of(claim.verdict);
    if (!claim.condition.empty()) entry["condition"] = claim.condition;
  }
  return json;
}

template <class Values>
std::string values_text(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value_to_json(value);
  return dumped(json, -1);
}

Json history_json(const SavedHistory& history) {
  Json json;
  spec_to_json(history.spec, json);
  json["energy"] = number_to_json(history.energy);
  json["origin"] = {number_to_json(history.origin), number_to_json(history.origin_y)};
  if (history.origin_n != 0) json["origin"].push_back(number_to_json(history.origin_n));
  json["t"] = history.t ? number_to_json(*history.t) : Json(nullptr);
  json["state"] = Json::object();
  for (const auto& [name, numbers] : history.state)
    json["state"][name] = value_to_json(Value(numbers));
  return json;
}

SavedHistory history_from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where + " must be a table, not " + kind_text(json));
  const auto member = [&](const char* key) -> const Json& {
    const auto found = json.find(key);
    if (found == json.end()) throw Error(where + " lacks '" + key + "'");
    return *found;
  };
  SavedHistory history;
  member("model");
  history.spec = spec_from_json(json, where);
  history.energy = number_from_json(member("energy"), where + ": 'energy'");
  const Json& origin = member("origin");
  if (!origin.is_array() || origin.size() < 2 || origin.size() > 3)
    throw Error(where + ": 'origin' must be a list of two or three numbers");
  history.origin = number_from_json(origin[0], where + ": 'origin'");
  history.origin_y = number_from_json(origin[1], where + ": 'origin'");
  if (origin.size() > 2) history.origin_n = number_from_json(origin[2], where + ": 'origin'");
  if (const Json& t = member("t"); !t.is_null()) history.t = number_from_json(t, where + ": 't'");
  const Json& state = member("state");
  if (!state.is_object()) throw Error(where + ": 'state' must be a table, not " + kind_text(state));
  for (const auto& [name, numbers] : state.items()) {
    const std::string what = where + ": state " + in_quotes(name);
    if (!numbers.is_array())
      throw Error(what + " must be a list of numbers, not " + kind_text(numbers));
    auto& into = history.state[name];
    for (const Json& x : numbers) into.push_back(number_from_json(x, what));
  }
  return history;
}

}  // namespace

std::string_view text_of(Kind kind) {
  switch (kind) {
    case Kind::scalar:
      return "number";
    case Kind::vector:
      return "list";
    case Kind::matrix:
      return "matrix";
    case Kind::expression:
      return "expression";
  }
  return "";
}

std::string_view text_of(Family family) {
  switch (family) {
    case Family::rate_independent:
      return "rate-independent";
    case Family::rate_dependent:
      return "rate-dependent";
    case Family::planar:
      return "planar";
  }
  return "";
}

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "fails";
    case Verdict::depends:
      return "depends";
    case Verdict::not_applicable:
      return "not applicable";
  }
  return "";
}

std::string values_json(const ParameterValues& values) { return values_text(values); }
std::string values_json(const OptionValues& values) { return values_text(values); }

std::string description_json(const Description& description) {
  Json json{{"name", description.name},
            {"sentence", description.sentence},
            {"equation", description.equation},
            {"family", text_of(description.family)},
            {"directions", description.directions},
            {"driven", description.driven == Driven::force ? "force" : "displacement"},
            {"state", description.state == StateSize::fixed ? "fixed" : "growing"},
            {"parameters", Json::array()},
            {"options", Json::array()},
            {"claims", claims_json(description.claims)},
            {"states", Json::array()},
            {"citation", description.citation}};
  for (const auto& info : description.parameters)
    json["parameters"].push_back(parameter_json(info));
  for (const auto& info : description.options) json["options"].push_back(option_json(info));
  for (const auto& info : description.states)
    json["states"].push_back(
        {{"name", info.name}, {"unit", info.unit}, {"sentence", info.sentence}});
  return dumped(json, 2);
}

std::string saved_histories_text(std::span<const SavedHistory> histories,
                                 std::string_view command) {
  Json json{{"version", version}, {"command", command}, {"histories", Json::array()}};
  for (const SavedHistory& history : histories) json["histories"].push_back(history_json(history));
  return dumped(json, 1) + "\n";
}

std::vector<SavedHistory> parse_saved_histories(std::string_view text, std::string_view name) {
  const Json json = parse_json(text, name);
  const std::string source(name);
  if (!json.is_object() || !json.contains("histories") || !json["histories"].is_array())
    throw Error(source + " is not a saved state: it has no list 'histories'");
  std::vector<SavedHistory> histories;
  for (const Json& history : json["histories"])
    histories.push_back(
        history_from_json(history, source + ", history " + std::to_string(histories.size() + 1)));
  if (histories.empty()) throw Error(source + " is a saved state without a history");
  return histories;
}

std::vector<SavedHistory> read_saved_histories(const std::filesystem::path& path) {
  return parse_saved_histories(read_file(path), source_name(path));
}

}  // namespace microslip::io
