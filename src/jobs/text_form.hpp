#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/core/values.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"

/// Between the structs of jobs and JSON. The file of each job instantiates `to_text` and `from_text`
/// for its request and its result by MICROSLIP_TEXT_FORM.
namespace microslip::jobs {

using Json = nlohmann::ordered_json;

/// What stands there, for "must be a number, not …".
std::string kind_text(const Json& json);
Json parsed(std::string_view text, std::string_view name);
/// Names come from command lines and files, which need not be UTF-8.
std::string dumped(const Json& json, int indent);
/// Moves the lists of numbers of every table `columns` out of a document, and names them by their places.
void take_out_columns(Json& json, const std::string& place, Columns& beside);
Json value_json(const ParameterValues& values);
Json value_json(const OptionValues& values);
Json value_json(const Value& value);
void read_values(const Json& json, const std::string& where, ParameterValues& to);
void read_values(const Json& json, const std::string& where, OptionValues& to);
void read_values(const Json& json, const std::string& where, Value& to);
double number_in(const Json& json, const std::string& where);
void refuse_unknown_key(const std::string& key, const std::vector<std::string>& known,
                        const std::string& where);

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
/// The text of what is a file that a person writes; file_form.hpp has the specialisations.
template <class T>
struct FileForm {};
template <class T>
concept is_file = requires(const T& value) {
  FileForm<T>::write(value);
};

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_named = false;
template <class T>
inline constexpr bool is_named<Named<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T, class Less>
inline constexpr bool is_map<std::map<std::string, T, Less>> = true;

template <class T>
inline constexpr bool is_law_values = std::is_same_v<T, ParameterValues> ||
                                      std::is_same_v<T, OptionValues> || std::is_same_v<T, Value>;

// ---------------------------------------------------------------------------------------- writing

template <class T>
Json to_json(const T& value);

template <class T>
bool is_empty(const T& value) {
  if constexpr (is_optional<T>)
    return !value.has_value();
  else
    return value.empty();
}

template <Listed T>
Json members_json(const T& value) {
  Json json = Json::object();
  if constexpr (!schema_of<T>.empty()) json["schema"] = schema_of<T>;
  each_member<T>([&](const auto& row) {
    constexpr Written written = std::remove_cvref_t<decltype(row)>::written;
    if constexpr (written == Written::unless_empty)
      if (is_empty(value.*row.pointer)) return;
    if constexpr (written == Written::in_place)
      json.update(to_json(value.*row.pointer));
    else if constexpr (written != Written::never)
      json[std::string(row.name)] = to_json(value.*row.pointer);
  });
  return json;
}

template <class T>
Json to_json(const T& value) {
  if constexpr (Listed<T>) {
    return members_json(value);
  } else if constexpr (is_file<T>) {
    return FileForm<T>::write(value);
  } else if constexpr (is_law_values<T>) {
    return value_json(value);
  } else if constexpr (is_optional<T>) {
    return value ? to_json(*value) : Json(nullptr);
  } else if constexpr (is_named<T> || is_map<T>) {
    Json json = Json::object();
    for (const auto& [name, entry] : value) json[name] = to_json(entry);
    return json;
  } else if constexpr (is_vector<T> || is_array<T>) {
    Json json = Json::array();
    for (const auto& entry : value) json.push_back(to_json(entry));
    return json;
  } else if constexpr (std::is_enum_v<T>) {
    return words_of<T>.at(static_cast<std::size_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  } else {
    return value;
  }
}

// ---------------------------------------------------------------------------------------- reading

/// A value to read into; a type without an empty one has a specialisation.
template <class T>
T blank() {
  return T{};
}

template <class T>
void read(const Json& json, T& to, const std::string& where, const Columns& beside);

template <Listed T>
void read_members(const Json& json, T& to, const std::string& where, const Columns& beside) {
  if (!json.is_object()) throw Error(where + " must be a table, not " + kind_text(json));
  std::vector<std::string> known;
  bool in_place = false;
  each_member<T>([&](const auto& row) {
    if (row.written == Written::in_place)
      in_place = true;
    else if (row.written != Written::never)
      known.emplace_back(row.name);
  });
  Json others = Json::object();
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    const Json& entry = item.value();
    if constexpr (!schema_of<T>.empty()) {
      if (key == "schema") {
        if (entry != schema_of<T>)
          throw Error(where + " has the schema " + kind_text(entry) + "; this version reads '" +
                      std::string(schema_of<T>) + "'");
        continue;
      }
    }
    bool found = false;
    each_member<T>([&](const auto& row) {
      constexpr Written written = std::remove_cvref_t<decltype(row)>::written;
      if constexpr (written != Written::never && written != Written::in_place) {
        if (found || key != row.name) return;
        found = true;
        read(entry, to.*row.pointer, where + "." + key, beside);
      }
    });
    if (found) continue;
    if (!in_place) refuse_unknown_key(key, known, where);
    others[key] = entry;
  }
  each_member<T>([&](const auto& row) {
    if constexpr (std::remove_cvref_t<decltype(row)>::written == Written::in_place)
      read(others, to.*row.pointer, where, beside);
  });
}

template <class T>
void read_whole_number(const Json& json, T& to, const std::string& where) {
  const double x = number_in(json, where);
  // All whole numbers up to 2^53 are doubles.
  constexpr double most =
      std::min<double>(static_cast<double>(std::numeric_limits<T>::max()), 9007199254740992.0);
  constexpr double least = std::is_signed_v<T> ? -most : 0;
  if (!(x >= least && x <= most) || x != std::floor(x))
    throw Error(where + " = " + number_text(x) + " must be a whole number from " +
                number_text(least) + " to " + number_text(most));
  to = static_cast<T>(x);
}

template <class T>
void read_list(const Json& json, T& to, const std::string& where, const Columns& beside) {
  if constexpr (std::is_same_v<T, std::vector<double>>) {
    if (json.is_string()) {
      const auto& name = json.get_ref<const std::string&>();
      const auto column = beside.find(name);
      std::vector<std::string> known;
      for (const auto& [other, values] : beside) known.push_back(other);
      if (column == beside.end())
        throw Error(where + ": there is no column '" + name + "' beside the request" +
                    (known.empty() ? "" : suggestion(name, known)));
      to = column->second;
      return;
    }
  }
  if (!json.is_array()) throw Error(where + " must be a list, not " + kind_text(json));
  to.clear();
  to.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    auto entry = blank<typename T::value_type>();
    read(json[i], entry, where + "[" + std::to_string(i + 1) + "]", beside);
    to.push_back(std::move(entry));
  }
}

template <class T>
void read_table(const Json& json, T& to, const std::string& where, const Columns& beside) {
  if (!json.is_object())
    throw Error(where + " must be a table of names and values, not " + kind_text(json));
  to.clear();
  for (const auto& [name, entry] : json.items()) {
    typename T::value_type pair{name, {}};
    read(entry, pair.second, where + "." + name, beside);
    to.insert(to.end(), std::move(pair));
  }
}

template <class T>
void read(const Json& json, T& to, const std::string& where, const Columns& beside) {
  if constexpr (Listed<T>) {
    read_members(json, to, where, beside);
  } else if constexpr (is_file<T>) {
    FileForm<T>::read(json, to, where, beside);
  } else if constexpr (is_law_values<T>) {
    read_values(json, where, to);
  } else if constexpr (is_optional<T>) {
    to.reset();
    // What is given may itself be none.
    if (is_optional<typename T::value_type> || !json.is_null())
      read(json, to.emplace(), where, beside);
  } else if constexpr (is_named<T> || is_map<T>) {
    read_table(json, to, where, beside);
  } else if constexpr (is_array<T>) {
    std::vector<typename T::value_type> list;
    read(json, list, where, beside);
    if (list.size() != to.size())
      throw Error(where + " must be a list of " + std::to_string(to.size()) + " entries");
    std::copy(list.begin(), list.end(), to.begin());
  } else if constexpr (is_vector<T>) {
    read_list(json, to, where, beside);
  } else if constexpr (std::is_enum_v<T>) {
    const std::vector<std::string> words(words_of<T>.begin(), words_of<T>.end());
    if (!json.is_string()) throw Error(where + " must be a word, not " + kind_text(json));
    const auto word = json.get<std::string>();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
      throw Error("unknown choice '" + word + "' for " + where + suggestion(word, words));
    to = static_cast<T>(found - words.begin());
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) throw Error(where + " must be true or false, not " + kind_text(json));
    to = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    read_whole_number(json, to, where);
  } else if constexpr (std::is_floating_point_v<T>) {
    to = json.is_null() ? std::numeric_limits<T>::quiet_NaN() : number_in(json, where);
  } else {
    static_assert(std::is_same_v<T, std::string>, "a type that the text form does not know");
    if (!json.is_string()) throw Error(where + " must be a text, not " + kind_text(json));
    to = json.get<std::string>();
  }
}

template <class T>
std::string to_text(const T& value, int indent) {
  return dumped(to_json(value), indent);
}

template <class T>
std::string to_text(const T& value, int indent, Columns& beside) {
  Json json = to_json(value);
  take_out_columns(json, "", beside);
  return dumped(json, indent);
}

template <class T>
T from_text(std::string_view text, std::string_view name, const Columns& beside) {
  T value;
  read(parsed(text, name), value, std::string(name), beside);
  return value;
}

#define MICROSLIP_TEXT_FORM(Type)                           \
  template std::string to_text(const Type&, int);           \
  template std::string to_text(const Type&, int, Columns&); \
  template Type from_text<Type>(std::string_view, std::string_view, const Columns&);

}  // namespace microslip::jobs
