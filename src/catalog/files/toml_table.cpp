#include "catalog/files/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/document.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/matrix_file.hpp"

namespace microslip::catalog {
namespace {

std::optional<double> as_number(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return std::nullopt;
}

std::optional<std::vector<double>> as_list(const toml::node& node) {
  std::vector<double> list;
  if (const auto number = as_number(node)) return std::vector<double>{*number};
  const auto* array = node.as_array();
  if (!array) return std::nullopt;
  for (const auto& entry : *array) {
    const auto number = as_number(entry);
    if (!number) return std::nullopt;
    list.push_back(*number);
  }
  return list;
}

std::optional<std::vector<std::vector<double>>> as_rows(const toml::node& node) {
  const auto* array = node.as_array();
  if (!array || array->empty()) return std::nullopt;
  std::vector<std::vector<double>> rows;
  for (const auto& entry : *array) {
    auto row = entry.is_array() ? as_list(entry) : std::nullopt;
    if (!row || (!rows.empty() && row->size() != rows.front().size())) return std::nullopt;
    rows.push_back(std::move(*row));
  }
  return rows;
}

/// Nodes of a JSON document have no place in the text: line 0.
void add_json(const nlohmann::ordered_json& json, const TextSource& source, toml::table* table,
              toml::array* array, const std::string& key) {
  const auto put = [&](auto&& value) {
    if (table)
      table->insert_or_assign(key, std::forward<decltype(value)>(value));
    else
      array->push_back(std::forward<decltype(value)>(value));
  };
  if (json.is_object()) {
    toml::table inner;
    for (const auto& [name, entry] : json.items()) add_json(entry, source, &inner, nullptr, name);
    put(std::move(inner));
  } else if (json.is_array()) {
    toml::array inner;
    for (const auto& entry : json) add_json(entry, source, nullptr, &inner, key);
    put(std::move(inner));
  } else if (json.is_string()) {
    put(json.get<std::string>());
  } else if (json.is_number()) {
    put(json.get<double>());
  } else if (json.is_boolean()) {
    put(json.get<bool>());
  } else if (array) {
    throw Error(io::source_name(source.name) + ": " + key + " holds null");
  }
}

void find_files(const toml::node& node, const std::filesystem::path& folder,
                std::vector<std::filesystem::path>& files) {
  std::error_code ignored;
  if (const auto* text = node.as_string())
    if (const auto path = io::file_of(folder / text->get());
        std::filesystem::is_regular_file(path, ignored))
      files.push_back(path);
  if (const auto* array = node.as_array())
    for (const auto& entry : *array) find_files(entry, folder, files);
  if (const auto* table = node.as_table())
    for (const auto& [key, entry] : *table)
      if (key != "output" && key != "plot") find_files(entry, folder, files);
}

}  // namespace

toml::table parse_document(std::string_view text, const TextSource& source) {
  const std::string name = io::source_name(source.name);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    const auto json = nlohmann::ordered_json::parse(io::json_document(text, name));
    toml::table root;
    for (const auto& [key, entry] : json.items()) add_json(entry, source, &root, nullptr, key);
    return root;
  }
  try {
    return toml::parse(text, source.name.string());
  } catch (const toml::parse_error& error) {
    throw Error::at(name, error.source().begin.line, error.source().begin.column,
                    "this is not TOML: " + std::string(error.description().substr(0, 200)));
  }
}

void TomlTable::refuse(std::string_view key, const std::string& sentence) const {
  const toml::node* found = table_->get(key);
  const toml::source_region& source = found ? found->source() : table_->source();
  const std::string said = (title_.empty() ? "" : title_ + ": ") + sentence;
  if (source.begin.line == 0) throw Error(io::source_name(file()) + ": " + said);  // of JSON
  throw Error::at(io::source_name(file()), source.begin.line, source.begin.column, said);
}

std::string TomlTable::place() const {
  const std::string name = io::source_name(file());
  const auto line = table_->source().begin.line;
  if (line == 0) return name + (title_.empty() ? "" : ", " + title_);  // of JSON
  return name + ", line " + std::to_string(line);
}

void TomlTable::allow(const std::vector<std::string>& keys) const {
  for (const auto& [key, value] : *table_) {
    const std::string name(key.str());
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      refuse(name, "unknown key '" + name + "'" + suggestion(name, keys));
  }
}

const toml::node& TomlTable::node(std::string_view key) const {
  if (const toml::node* found = table_->get(key)) return *found;
  refuse(key, "the key '" + std::string(key) + "' is missing");
}

std::string TomlTable::text(std::string_view key) const {
  if (const auto* text = node(key).as_string()) return text->get();
  refuse(key, std::string(key) + " must be a text in quotes");
}
std::string TomlTable::text_or(std::string_view key, std::string otherwise) const {
  return has(key) ? text(key) : otherwise;
}

double TomlTable::number(std::string_view key) const {
  const auto number = as_number(node(key));
  if (!number || !std::isfinite(*number)) refuse(key, std::string(key) + " must be a number");
  return *number;
}
double TomlTable::number_or(std::string_view key, double otherwise) const {
  return has(key) ? number(key) : otherwise;
}

int TomlTable::whole(std::string_view key) const {
  const double value = number(key);
  if (value != std::floor(value) || std::abs(value) > 1e9)
    refuse(key, std::string(key) + " = " + number_text(value) + " must be a whole number");
  return static_cast<int>(value);
}

bool TomlTable::truth_or(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (const auto* truth = node(key).as_boolean()) return truth->get();
  refuse(key, std::string(key) + " must be true or false");
}

std::vector<double> TomlTable::numbers(std::string_view key) const {
  auto list = as_list(node(key));
  if (!list) refuse(key, std::string(key) + " must be a list of numbers");
  return *list;
}
std::vector<double> TomlTable::numbers_or_none(std::string_view key) const {
  return has(key) ? numbers(key) : std::vector<double>{};
}

std::vector<std::vector<double>> TomlTable::rows(std::string_view key) const {
  auto rows = as_rows(node(key));
  if (!rows) refuse(key, std::string(key) + " must be rows of numbers, equally long");
  return *rows;
}

Value TomlTable::value(std::string_view key) const {
  const toml::node& found = node(key);
  if (const auto* text = found.as_string()) return text->get();
  if (const auto number = as_number(found)) return *number;
  if (auto list = as_list(found)) return *list;
  if (const auto rows = as_rows(found)) {
    Matrix<double> matrix(static_cast<Eigen::Index>(rows->size()),
                          static_cast<Eigen::Index>(rows->front().size()));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        matrix(i, j) = (*rows)[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return matrix;
  }
  refuse(key, std::string(key) + " must be a number, a list, a matrix or a text");
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  std::vector<TomlTable> result;
  const toml::node* found = table_->get(key);
  if (!found) return result;
  const auto* array = found->as_array();
  const std::string name = "[[" + std::string(key) + "]]";
  if (!array) refuse(key, std::string(key) + " must be written " + name);
  for (const auto& entry : *array) {
    if (!entry.is_table()) refuse(key, std::string(key) + " must be written " + name);
    result.emplace_back(*entry.as_table(), source_, name + " " + std::to_string(result.size() + 1));
  }
  return result;
}

TomlTable TomlTable::table(std::string_view key) const {
  if (const auto* table = node(key).as_table())
    return {*table, source_, title_ + (title_.empty() ? "" : ", ") + std::string(key)};
  refuse(key, std::string(key) + " must be a table");
}

bool TomlTable::is_table(std::string_view key) const { return node(key).is_table(); }

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, value] : *table_) names.emplace_back(key.str());
  return names;
}

std::filesystem::path TomlTable::file_beside(std::string_view key) const {
  const std::filesystem::path name = text(key);
  refuse_file(key);
  const std::filesystem::path path = name.is_absolute() ? name : file().parent_path() / name;
  std::error_code ignored;
  if (!std::filesystem::exists(io::file_of(path), ignored))
    refuse(key, "cannot read '" + io::file_of(path).string() + "': it does not exist");
  return path;
}

void TomlTable::refuse_file(std::string_view key) const {
  if (source_.with_files) return;
  refuse(key, std::string(key) + " names the file '" + text(key) +
                  "'; a request holds what it needs, and reads no files");
}

std::vector<std::filesystem::path> TomlTable::files_read() const {
  if (!source_.with_files) return {};
  std::vector<std::filesystem::path> files{file()};
  find_files(*table_, file().parent_path(), files);
  return files;
}

}  // namespace microslip::catalog
