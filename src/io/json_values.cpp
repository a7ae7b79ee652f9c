#include "json_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::io {
namespace {

/// Line and column (from 1) of the byte that a parser stopped at.
Error error_at(std::string_view text, std::size_t byte, std::string_view name,
               std::string_view sentence) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const std::size_t last_end = before.rfind('\n');
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t column =
      before.size() - (last_end == std::string_view::npos ? 0 : last_end + 1) + 1;
  return Error::at(name, line, column, sentence);
}

/// The reason inside "[json.exception.…] parse error at …: syntax error while parsing value -
/// unexpected end of input; expected …".
std::string reason_in(std::string_view message) {
  const auto dash = message.find(" - ");
  if (dash != std::string_view::npos) message.remove_prefix(dash + 3);
  std::string reason;
  for (const char c : message.substr(0, 200))
    reason +=
        static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
  return reason;
}

std::vector<double> list_from_json(const Json& json, const std::string& where) {
  std::vector<double> list;
  for (std::size_t i = 0; i < json.size(); ++i)
    list.push_back(number_from_json(json[i], where + "[" + std::to_string(i + 1) + "]"));
  return list;
}

Matrix<double> matrix_from_json(const Json& json, const std::string& where) {
  const std::size_t columns = json[0].size();
  Matrix<double> matrix(static_cast<Eigen::Index>(json.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string row_name = where + "[" + std::to_string(i + 1) + "]";
    if (!json[i].is_array())
      throw Error(row_name + " must be a row of the matrix, not " + kind_text(json[i]));
    if (json[i].size() != columns)
      throw Error("the rows of the matrix " + where + " have different lengths");
    const std::vector<double> row = list_from_json(json[i], row_name);
    for (std::size_t j = 0; j < columns; ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
  }
  return matrix;
}

Value value_from_json(const Json& json, const std::string& where) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array())
    throw Error(where + " must be a number, a list, a matrix or a text, not " + kind_text(json));
  if (!json.empty() && json[0].is_array()) return matrix_from_json(json, where);
  return list_from_json(json, where);
}

/// `jenkins.k = 2` in TOML is a table jenkins with k in it; its name is jenkins.k all the same.
void each_value(const Json& table, const std::string& prefix, const auto& take) {
  for (const auto& [key, value] : table.items()) {
    if (value.is_object() && !value.empty())
      each_value(value, prefix + key + ".", take);
    else
      take(prefix + key, value);
  }
}

OptionValue option_from_json(const Json& json, const std::string& where) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  throw Error(where + " must be a number or the name of a choice, not " + kind_text(json));
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return result + (text.size() > longest ? "...'" : "'");
}

std::string kind_text(const Json& json) {
  if (json.is_string()) return "the text " + in_quotes(json.get_ref<const std::string&>());
  if (json.is_object()) return "a table";
  if (json.is_array()) return "a list";
  if (json.is_number()) return number_text(json.get<double>());
  return json.is_null() ? "null" : json.get<bool>() ? "true" : "false";
}

Json parse_json(std::string_view text, std::string_view name) {
  std::vector<std::set<std::string>> keys;
  constexpr int deepest = 50;  // far beyond any file of ours, far below what the stack holds
  const auto refuse_oddities = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > deepest)
      throw Error(std::string(name) + " is nested more than " + std::to_string(deepest) + " deep");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw Error(std::string(name) + " has the key " + in_quotes(parsed.get<std::string>()) +
                  " twice");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), refuse_oddities);
  } catch (const Json::parse_error& error) {
    throw error_at(text, error.byte, name, "this is not JSON: " + reason_in(error.what()));
  } catch (const Json::exception&) {  // a number that no double holds
    throw Error(std::string(name) + " has a number beyond the range of double precision");
  }
}

Json number_to_json(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

double number_from_json(const Json& json, const std::string& where) {
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return infinity;
  if (json == "-inf") return -infinity;
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw Error(where + " must be a number, not " + kind_text(json));
}

Json value_to_json(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_to_json(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  Json result = Json::array();
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    for (const double x : *list) result.push_back(number_to_json(x));
    return result;
  }
  const auto& matrix = std::get<Matrix<double>>(value);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(number_to_json(matrix(i, j)));
    result.push_back(std::move(row));
  }
  return result;
}

Json value_to_json(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_to_json(*number);
  return std::get<std::string>(value);
}

ModelSpec spec_from_json(const Json& json, const std::string& where) {
  const auto table = [&](const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) return Json::object();
    if (!found->is_object())
      throw Error(where + ": '" + key + "' must be a table of names and values, not " +
                  kind_text(*found));
    return *found;
  };
  ModelSpec spec;
  if (const auto model = json.find("model"); model != json.end()) {
    if (!model->is_string())
      throw Error(where + ": 'model' must be the name of a law, not " + kind_text(*model));
    spec.model = model->get<std::string>();
  }
  each_value(table("parameters"), "", [&](const std::string& name, const Json& value) {
    const std::string what = where + ": parameter " + in_quotes(name);
    if (!spec.parameters.emplace(name, value_from_json(value, what)).second)
      throw Error(what + " is given twice");
  });
  each_value(table("options"), "", [&](const std::string& name, const Json& value) {
    const std::string what = where + ": option " + in_quotes(name);
    if (!spec.options.emplace(name, option_from_json(value, what)).second)
      throw Error(what + " is given twice");
  });
  return spec;
}

void spec_to_json(const ModelSpec& spec, Json& json) {
  json["model"] = spec.model;
  json["parameters"] = Json::object();
  for (const auto& [name, value] : spec.parameters) json["parameters"][name] = value_to_json(value);
  json["options"] = Json::object();
  for (const auto& [name, value] : spec.options) json["options"][name] = value_to_json(value);
}

}  // namespace microslip::io
