#include "jobs/text_form.hpp"

#include <algorithm>

#include "microslip/io/document.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/parameters.hpp"

namespace microslip::jobs {
namespace {

/// The values of a law have one reader, that of parameter files.
ModelSpec values_in(const char* section, const Json& json, const std::string& where) {
  if (!json.is_object())
    throw Error(where + " must be a table of names and values, not " + kind_text(json));
  const Json alone{{section, json}};
  return io::parse_parameters(alone.dump(), io::ParameterFormat::json, where).front();
}

}  // namespace

std::string kind_text(const Json& json) {
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    constexpr std::size_t longest = 40;
    return "the text '" + text.substr(0, longest) + (text.size() > longest ? "...'" : "'");
  }
  if (json.is_object()) return "a table";
  if (json.is_array()) return "a list";
  if (json.is_number()) return number_text(json.get<double>());
  return json.is_null() ? "null" : json.get<bool>() ? "true" : "false";
}

Json parsed(std::string_view text, std::string_view name) {
  return Json::parse(io::json_document(text, name));
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

void take_out_columns(Json& json, const std::string& place, Columns& beside) {
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i)
      take_out_columns(json[i], place + "/" + std::to_string(i), beside);
  if (!json.is_object()) return;
  for (const auto& item : json.items()) {
    const std::string here = place + "/" + item.key();
    Json& entry = item.value();
    if (item.key() != "columns" || !entry.is_object()) {
      take_out_columns(entry, here, beside);
      continue;
    }
    for (const auto& column : entry.items()) {
      Json& list = column.value();
      const bool numbers_only =
          list.is_array() && std::all_of(list.begin(), list.end(),
                                         [](auto& x) { return x.is_number() || x.is_null(); });
      if (!numbers_only) continue;
      std::vector<double> numbers;
      read(list, numbers, here, {});
      const std::string name = here + "/" + column.key();
      beside[name] = std::move(numbers);
      list = name;
    }
  }
}

Json value_json(const ParameterValues& values) { return Json::parse(io::values_json(values)); }
Json value_json(const OptionValues& values) { return Json::parse(io::values_json(values)); }

Json value_json(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return to_json(*number);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return to_json(*list);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto& matrix = std::get<Matrix<double>>(value);
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(to_json(matrix(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

void read_values(const Json& json, const std::string& where, ParameterValues& to) {
  to = values_in("parameters", json, where).parameters;
}
void read_values(const Json& json, const std::string& where, OptionValues& to) {
  to = values_in("options", json, where).options;
}

void read_values(const Json& json, const std::string& where, Value& to) {
  if (json.is_string()) {
    to = json.get<std::string>();
  } else if (!json.is_array()) {
    read(json, to.emplace<double>(), where, {});
  } else if (json.empty() || !json[0].is_array()) {
    read(json, to.emplace<std::vector<double>>(), where, {});
  } else {
    std::vector<std::vector<double>> rows;
    read(json, rows, where, {});
    auto& matrix = to.emplace<Matrix<double>>(static_cast<Eigen::Index>(rows.size()),
                                              static_cast<Eigen::Index>(rows[0].size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].size() != rows[0].size())
        throw Error("the rows of the matrix " + where + " have different lengths");
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
    }
  }
}

double number_in(const Json& json, const std::string& where) {
  if (!json.is_number()) throw Error(where + " must be a number, not " + kind_text(json));
  return json.get<double>();
}

void refuse_unknown_key(const std::string& key, const std::vector<std::string>& known,
                        const std::string& where) {
  throw Error(where + " has the unknown key '" + key + "'" + suggestion(key, known));
}

}  // namespace microslip::jobs
