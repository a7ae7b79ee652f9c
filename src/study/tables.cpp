#include "study/tables.hpp"

#include <cctype>

#include "microslip/core/error.hpp"

namespace microslip::study {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void collect_tables(const Json& json, const Columns& columns, std::vector<ResultTable>& tables) {
  if (json.is_array())
    for (const Json& entry : json) collect_tables(entry, columns, tables);
  if (!json.is_object()) return;
  for (const auto& [key, entry] : json.items()) {
    if (key != "columns" || !entry.is_object()) {
      collect_tables(entry, columns, tables);
      continue;
    }
    ResultTable table;
    for (const auto& [heading, name] : entry.items()) {
      if (!name.is_string()) continue;
      const auto column = columns.find(name.get<std::string>());
      if (column != columns.end()) table.emplace_back(heading, &column->second);
    }
    if (!table.empty()) tables.push_back(std::move(table));
  }
}

template <class Tree>
Tree* walk(Tree& root, const std::vector<std::string>& steps) {
  Tree* at = &root;
  for (const std::string& step : steps) {
    if (at->is_object()) {
      const auto found = at->find(step);
      if (found == at->end()) return nullptr;
      at = &*found;
    } else if (at->is_array()) {
      if (step.empty() || step.find_first_not_of("0123456789") != std::string::npos ||
          step.size() > 9)
        return nullptr;
      const std::size_t place = std::stoul(step);
      if (place < 1 || place > at->size()) return nullptr;
      at = &(*at)[place - 1];
    } else {
      return nullptr;
    }
  }
  return at;
}

}  // namespace

std::string kind_text(const Json& json) {
  if (json.is_object()) return "a table";
  if (json.is_array()) return "a list";
  if (json.is_null()) return "nothing";
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : "a text";
}

std::vector<ResultTable> Answer::tables() const {
  std::vector<ResultTable> all;
  collect_tables(json, columns, all);
  return all;
}

std::vector<std::string> path_steps(std::string_view path) {
  std::vector<std::string> steps;
  const auto refuse = [&] {
    throw Error("'" + std::string(path) +
                "' is no path: it is made of names, dots and numbers in brackets, fits[1].rms");
  };
  for (std::size_t i = 0; i < path.size();) {
    if (path[i] == '.' && !steps.empty() && i + 1 < path.size()) ++i;
    if (path[i] == '[') {
      const auto close = path.find(']', i);
      if (close == std::string_view::npos || close == i + 1) refuse();
      steps.emplace_back(path.substr(i + 1, close - i - 1));
      i = close + 1;
    } else if (path[i] == '"') {
      const auto close = path.find('"', i + 1);
      if (close == std::string_view::npos) refuse();
      steps.emplace_back(path.substr(i + 1, close - i - 1));
      i = close + 1;
    } else {
      const std::size_t begin = i;
      while (i < path.size() && is_word(path[i])) ++i;
      if (i == begin) refuse();
      steps.emplace_back(path.substr(begin, i - begin));
    }
  }
  if (steps.empty()) refuse();
  return steps;
}

const Json* at_path(const Json& root, const std::vector<std::string>& steps) {
  return walk(root, steps);
}
Json* at_path(Json& root, const std::vector<std::string>& steps) { return walk(root, steps); }

bool is_path(std::string_view text) {
  // A formula has brackets of calls; a path has none, and a dot between names.
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return false;
  if (text.find('"') != std::string_view::npos) return true;
  for (const char c : text)
    if (!is_word(c) && c != '.' && c != '[' && c != ']') return false;
  return text.find_first_of(".[") != std::string_view::npos;
}

}  // namespace microslip::study
