#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "microslip/core/description.hpp"

/// Between JSON and the values of the library; shared by parameter files and state files.
namespace microslip::io {

using Json = nlohmann::ordered_json;

/// Throws Error with line and column; refuses an object that has a key twice.
Json parse_json(std::string_view text, std::string_view name);
/// TOML as the tree that JSON has for the same document, so that one reader serves both.
Json parse_toml(std::string_view text, std::string_view name);

/// Text of somebody's file inside a message: short, on one line, and safe for a terminal.
std::string in_quotes(std::string_view text);

/// What stands there, for "must be a number, not …".
std::string kind_text(const Json& json);

/// Infinity and NaN become texts.
Json number_to_json(double x);
/// `where` names the number in the message.
double number_from_json(const Json& json, const std::string& where);

Json value_to_json(const Value& value);
Json value_to_json(const OptionValue& value);

/// The keys model, parameters and options of an object. Other keys are not looked at.
ModelSpec spec_from_json(const Json& json, const std::string& where);
void spec_to_json(const ModelSpec& spec, Json& json);

}  // namespace microslip::io
