#include "microslip/io/document.hpp"

#include <toml++/toml.h>

#include "json_values.hpp"
#include "microslip/core/error.hpp"

namespace microslip::io {
namespace {

// TOML is turned into JSON, so that one reader serves both. The parser limits the nesting.
Json from_toml(const toml::node& node, std::string_view name) {
  if (const auto* table = node.as_table()) {
    Json result = Json::object();
    for (const auto& [key, value] : *table) result[std::string(key.str())] = from_toml(value, name);
    return result;
  }
  if (const auto* array = node.as_array()) {
    Json result = Json::array();
    for (const auto& value : *array) result.push_back(from_toml(value, name));
    return result;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  throw Error::at(name, node.source().begin.line, node.source().begin.column,
                  "a date or a time has no meaning here");
}

}  // namespace

Json parse_toml(std::string_view text, std::string_view name) {
  try {
    return from_toml(toml::parse(text), name);
  } catch (const toml::parse_error& error) {
    std::string reason;
    for (const char c : error.description().substr(0, 200))
      reason += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    throw Error::at(name, error.source().begin.line, error.source().begin.column,
                    "this is not TOML: " + reason);
  }
}

std::string json_document(std::string_view text, std::string_view name) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  return (json ? parse_json(text, name) : parse_toml(text, name)).dump();
}

}  // namespace microslip::io
